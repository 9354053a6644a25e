// The script of a widget's own page: the texts to copy and the files to save follow the state of
// the widget above.

import './take.css';
import type {LitElement} from 'lit';
import type {Spec} from '../../elements/attn-widget/spec.js';
import {csvOf} from '../../embed/csv.js';
import {writeQuery} from '../../shared/link.js';
import {defaults, keysOf, type Schema} from '../../shared/schema.js';
import {iframeSnippet, markdownSnippet, tagSnippet} from '../../embed/snippets.js';

type State = Record<string, unknown>;
type Widget = LitElement & {state: State; result: unknown; toSVG(): Promise<string>};

const site = new URL(document.documentElement.dataset['base'] ?? './', location.href);
site.search = site.hash = '';
const SCALE = 2;

const specOf = (widget: Widget) =>
  (widget.constructor as unknown as {spec: Spec<State, unknown>}).spec;

function titleOf(widget: Widget): string {
  const {title} = specOf(widget);
  return typeof title === 'string' ? title : title(widget.state, widget.result);
}

/** The fields that differ from the default, as attributes have them. */
function attributesOf(schema: Schema<State>, state: State): [string, string][] {
  const base = defaults(schema);
  return keysOf(schema).flatMap((key): [string, string][] => {
    const field = schema[key];
    if (!field) return [];
    const text = field.write(state[key]);
    return text === field.write(base[key]) ? [] : [[key, text]];
  });
}

function show(take: HTMLElement, widget: Widget): void {
  const {schema, tag} = specOf(widget);
  const query = writeQuery(schema, widget.state);
  const snippet = {
    site: site.href,
    tag,
    title: titleOf(widget),
    attributes: attributesOf(schema, widget.state),
    figure: take.dataset['figure'] ?? '',
    height: Math.ceil(widget.getBoundingClientRect().height),
  };
  const link = new URL(`widgets/${tag}/index.html`, site);
  link.hash = query ? `${widget.id}?${query}` : widget.id;
  const texts: Record<string, string> = {
    tag: tagSnippet(snippet),
    iframe: iframeSnippet(snippet, query),
    markdown: markdownSnippet(snippet),
    link: link.href,
  };
  for (const place of take.querySelectorAll<HTMLElement>('[data-snippet]'))
    place.textContent = texts[place.dataset['snippet'] ?? ''] ?? '';
}

function save(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

async function pngOf(svg: string): Promise<Blob> {
  const image = new Image();
  // The policy allows pictures from data: URLs only.
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = SCALE * image.naturalWidth;
  canvas.height = SCALE * image.naturalHeight;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png'),
  );
}

const savers: Record<string, (widget: Widget) => Promise<Blob>> = {
  svg: async (widget) => new Blob([await widget.toSVG()], {type: 'image/svg+xml'}),
  png: async (widget) => pngOf(await widget.toSVG()),
  csv: async (widget) =>
    new Blob([csvOf(specOf(widget).table(widget.state, widget.result))], {type: 'text/csv'}),
};

async function copy(button: HTMLButtonElement, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = '已复制';
  } catch {
    const place = button.closest('.snippet')?.querySelector('code');
    if (place) getSelection()?.selectAllChildren(place);
    button.textContent = '已选中，请按Ctrl+C';
  }
}

for (const take of document.querySelectorAll<HTMLElement>('.take')) {
  const widget = document.getElementById(take.dataset['widget'] ?? '') as Widget | null;
  if (!widget) continue;
  const refresh = () => {
    if (widget.result !== undefined) show(take, widget);
  };
  widget.addEventListener('attn-change', refresh);
  void customElements.whenDefined(widget.localName).then(refresh);
  take.addEventListener('click', ({target}) => {
    if (!(target instanceof HTMLButtonElement)) return;
    const {copy: what, save: kind} = target.dataset;
    if (what) void copy(target, take.querySelector(`[data-snippet=${what}]`)?.textContent ?? '');
    else if (kind && widget.result !== undefined)
      void savers[kind]?.(widget).then(
        (content) => save(`${widget.localName}.${kind}`, content),
        () => (target.textContent = '画图的脚本载入失败，请再试一次。'),
      );
  });
}
