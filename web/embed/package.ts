// The entries of the npm package start the core once, and register their tags. On a server they
// do nothing.

import wasmUrl from '../../build/wasm/attn_core.wasm?url';
import {loadCore} from '../core.js';
import type {AnyWidgetClass} from '../elements/attn-widget/spec.js';
import {define} from '../elements/define.js';
import {provide} from '../elements/needs.js';
import {showMessage} from '../elements/still.js';
import {teachingWorld} from '../shared/course-data.js';
import {bytesOf} from '../shared/file-bytes.js';
import {runtime} from '../shared/runtime.js';
import tokens from '../shared/tokens.css?inline';
import widgetStyle from '../shared/widget.css?inline';
import {explain} from './explain.js';
import {reserve} from './placeholder.js';

export interface Bases {
  /** Address of the package's folder `files`, for pages that want its files from there. */
  files?: string | URL;
  /** Address of a published course, for the links in widgets; without it they have none. */
  pages?: string | URL;
}

const folder = (address: string | URL): string =>
  new URL(address, document.baseURI).href.replace(/\/?$/, '/');

/** Must be called in the task that imports the first entry. */
export function setBase({files, pages}: Bases): void {
  if (typeof document === 'undefined') return;
  if (files !== undefined) runtime.filesBase = folder(files);
  if (pages !== undefined) runtime.pageBase = folder(pages);
}

function sheet(text: string): Promise<CSSStyleSheet> {
  return new CSSStyleSheet().replace(text);
}

async function startCore(): Promise<void> {
  const [wasmBinary, ...sheets] = await Promise.all([
    bytesOf(wasmUrl),
    ...[tokens, widgetStyle].map(sheet),
  ]);
  Object.assign(runtime, {
    core: await loadCore({wasmBinary}),
    provide,
    world: teachingWorld,
    sheets,
    contentBase: 'carried:///content/',
    place: 'host',
  });
}

let starting: Promise<void> | undefined;

/**
 * Registers a tag once its class and the core are there. After a failure the elements of the page
 * keep their content, with a sentence, and the next call tries again.
 */
export async function begin(tag: string, load: () => Promise<AnyWidgetClass>): Promise<void> {
  if (typeof customElements === 'undefined' || customElements.get(tag)) return;
  const present = () => [...document.querySelectorAll(tag)];
  reserve(present());
  // The importing module calls setBase after its imports.
  await Promise.resolve();
  try {
    starting ??= startCore();
    const [widget] = await Promise.all([load(), starting]);
    await define(tag, widget);
  } catch (error) {
    starting = undefined;
    console.warn(`attn-lessons: ${tag} did not load`, error);
    showMessage(present(), explain(error));
  }
}
