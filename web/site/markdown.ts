// The Markdown of lessons: numbers, formulas, boxes, widgets, and Chinese line breaks.

import {readFileSync} from 'node:fs';
import {attrs} from '@mdit/plugin-attrs';
import {container} from '@mdit/plugin-container';
import {tex} from '@mdit/plugin-tex';
import katex from 'katex';
import MarkdownIt from 'markdown-it';
import type {Token} from 'markdown-it/index.js';
import cjkFriendly from 'markdown-it-cjk-friendly';
import {BuildError, lineOf} from './build-error.js';
import {circled} from './case-pages.js';
import type {Course} from './course.js';
import {breakLines} from './headings.js';
import {
  attributeOf,
  Edits,
  escapeHtml,
  isWidget,
  jsonAttributes,
  nodesIn,
  parsePiece,
  type Element,
} from './html.js';
import {listings} from './listings.js';
import type {NumberSpec} from './numbers.js';
import {BASE, lessonExists, lessonFolder, pageFolder, type PageEnv} from './paths.js';
import {PICTURE_NAMES, pictureTables} from './picture-tables.js';
import {intoSections} from './sections.js';
import {nameInFormula, nameWords} from './things.js';

const HAN = /[\p{Script=Han}\u3000-\u303f\uff00-\uffef「」『』（）—…]/u;

/** Boxes of a lesson: name → how its title is shown. */
const BOXES: Record<string, {tag: 'div' | 'details'; label: string}> = {
  misconception: {tag: 'div', label: '常见误解'},
  correction: {tag: 'div', label: '纠正'},
  try: {tag: 'div', label: '试一试'},
  plain: {tag: 'div', label: '人话翻译'},
  evidence: {tag: 'div', label: ''},
  sentence: {tag: 'div', label: ''},
  gap: {tag: 'div', label: ''},
  aside: {tag: 'div', label: ''},
  recap: {tag: 'details', label: '回顾'},
  derivation: {tag: 'details', label: '推导'},
  qa: {tag: 'details', label: ''},
  think: {tag: 'details', label: '停下来想一想'},
};

export const BOX_NAMES: readonly string[] = [...Object.keys(BOXES), ...PICTURE_NAMES];

/** A number links to its row in the page's table of sources, with or without scripts. */
function numberHtml(id: string, spec: NumberSpec): string {
  return `<a class="num" href="#num-${id}" data-num="${id}">${escapeHtml(spec.text)}</a>`;
}

function sourceOf(env: PageEnv): {path: string; text: string} {
  const path = env.page.inputPath.replace(/^\.\//, '');
  return {path, text: readFileSync(path, 'utf8')};
}

/** Throws BuildError at the place in the page's source that holds `needle`. */
export function refuse(env: PageEnv, needle: string, message: string): never {
  const {path, text} = sourceOf(env);
  throw new BuildError(path, lineOf(text, needle), message);
}

function findNumber(course: Course, env: PageEnv, id: string): NumberSpec {
  const spec = course.numbersFor(pageFolder(env))[id];
  return (
    spec ??
    refuse(
      env,
      `{num ${id}}`,
      `没有叫「${id}」的数字；它该写在 lessons/${pageFolder(env)}/numbers.ts 里`,
    )
  );
}

/**
 * Keeps a formula and the punctuation after it on one line. Browsers treat a formula as a box and
 * may otherwise start a line with the comma after it.
 */
function keepPunctuation(md: MarkdownIt): void {
  md.core.ruler.push('keep-punctuation', (state) => {
    for (const {children} of state.tokens) {
      for (const [i, token] of (children ?? []).entries()) {
        const next = children?.[i + 1];
        const trail = /^[，。；：、？！）」』]+/.exec(
          next?.type === 'text' ? next.content : '',
        )?.[0];
        if (token.type !== 'math_inline' || !next || !trail) continue;
        token.meta = {trail};
        next.content = next.content.slice(trail.length);
      }
    }
  });
  const draw = md.renderer.rules['math_inline'];
  md.renderer.rules['math_inline'] = (tokens, i, options, env, self) => {
    const formula = draw?.(tokens, i, options, env, self) ?? '';
    const trail = (tokens[i]?.meta as {trail?: string} | null)?.trail;
    return trail ? `<span class="keep">${formula}${trail}</span>` : formula;
  };
}

/** The number of a question 停下来想一想 among those of all pages of the case. */
function numberOfThink(course: Course, tokens: Token[], i: number, env: PageEnv): number {
  const place = tokens.slice(0, i).filter(({type}) => type === tokens[i]?.type).length;
  const written = tokens[i]?.info.trim() ?? '';
  if (written === 'think') refuse(env, '::: think', '「::: think」后面要写题目，框里是答案');
  return (
    course.casePages.thinkNumber(pageFolder(env), place) ??
    refuse(env, '::: think', '「停下来想一想」只用在案例的页面里')
  );
}

/** The ids of questions that stand before their answers; the others stand at a lesson's end. */
function predictionsOf(course: Course): ReadonlySet<string> {
  return new Set([...course.questions().values()].flatMap(({id, quiz}) => (quiz ? [] : [id])));
}

/**
 * Makes the Markdown renderer. `addedAttributes` gives the attributes that the build adds to a tag.
 */
export function lessonMarkdown(course: Course, addedAttributes: AddedAttributes): MarkdownIt {
  let predictions: ReadonlySet<string> | undefined;
  const md = new MarkdownIt({html: true, linkify: false, typographer: false}).use(cjkFriendly);

  md.inline.ruler.before('escape', 'num', (state, silent) => {
    const match = /^\{num ([\w.-]+)\}/.exec(state.src.slice(state.pos));
    if (!match) return false;
    if (!silent) state.push('num', '', 0).meta = match[1];
    state.pos += match[0].length;
    return true;
  });
  md.renderer.rules['num'] = (tokens, i, _options, env: PageEnv) => {
    const id = String(tokens[i]?.meta);
    return numberHtml(id, findNumber(course, env, id));
  };

  // A line break between Chinese characters is not a space.
  md.renderer.rules.softbreak = (tokens, i) => {
    const before = [...(tokens[i - 1]?.content ?? '')].at(-1) ?? '';
    const after = [...(tokens[i + 1]?.content ?? '')][0] ?? '';
    return HAN.test(before) || HAN.test(after) ? '' : '\n';
  };

  md.use(tex, {
    render: (content, displayMode, env: PageEnv) => {
      try {
        const formula = katex.renderToString(content, {
          displayMode,
          output: 'htmlAndMathml',
          throwOnError: true,
          strict: (code: string) => (code === 'htmlExtension' ? 'ignore' : 'error'),
        });
        // The formula scrolls where the page is narrower.
        return nameInFormula(content, formula).replace(
          '<span class="katex-display"',
          '$& tabindex="0" role="group" aria-label="公式"',
        );
      } catch (error) {
        return refuse(env, content, `公式写错了：${(error as Error).message}`);
      }
    },
  });
  keepPunctuation(md);
  breakLines(md);
  nameWords(md);
  intoSections(md, () => (predictions ??= predictionsOf(course)));
  md.use(attrs, {allowed: ['id', 'class']});

  for (const [name, box] of Object.entries(BOXES)) {
    md.use(container, {
      name,
      openRender: (tokens, i, _options, env: PageEnv) => {
        const title = (tokens[i]?.info ?? '').trim().slice(name.length).trim();
        const shown = title ? md.renderInline(title, env) : '';
        const number = name === 'think' ? numberOfThink(course, tokens, i, env) : undefined;
        const label = box.label ? `<b>${box.label}${number ? ` ${circled(number)}` : ''}</b>` : '';
        const id = number ? ` id="think-${number}"` : '';
        if (box.tag === 'details')
          return `<details class="box ${name}"${id}><summary>${label}${shown}</summary>\n`;
        const heading = label || shown ? `<p class="box-title">${label}${shown}</p>` : '';
        return `<${box.tag} class="box ${name}">${heading}\n`;
      },
      closeRender: () => `</${box.tag}>\n`,
    });
  }

  listings(md);
  pictureTables(md, {
    valueOf: (env, id) => Number(findNumber(course, env as PageEnv, id).value),
    refuse: (env, needle, message) => refuse(env as PageEnv, needle, message),
  });

  // A wide table scrolls in a box of its own, by touch and by keyboard.
  md.renderer.rules['table_open'] = () =>
    '<div class="scroll" tabindex="0" role="group" aria-label="表格"><table>\n';
  md.renderer.rules['table_close'] = () => '</table></div>\n';

  // A link to a lesson that does not exist yet becomes plain text.
  md.renderer.rules.link_open = (tokens, i, options, env: PageEnv, self) => {
    const token = tokens[i];
    const href = token?.attrGet('href') ?? '';
    const lesson = /^lesson:([\w-]+)(#.*)?$/.exec(href);
    if (!token || !lesson) {
      if (/^[a-z]+:|^\/\//i.test(href)) refuse(env, href, '页面不链接到站外，出处写成文字');
      if (token && href.startsWith('/')) token.attrSet('href', `${BASE}${href.slice(1)}`);
      return self.renderToken(tokens, i, options);
    }
    if (lessonExists(lesson[1] ?? '')) {
      token.attrSet('href', `${BASE}${lessonFolder(lesson[1] ?? '')}index.html${lesson[2] ?? ''}`);
      return self.renderToken(tokens, i, options);
    }
    const close = tokens
      .slice(i)
      .find((other) => other.type === 'link_close' && other.level === token.level);
    if (close) close.meta = 'named';
    return '<span class="unwritten" title="这一课还在写">';
  };
  md.renderer.rules.link_close = (tokens, i, options, _env, self) =>
    tokens[i]?.meta === 'named' ? '</span>' : self.renderToken(tokens, i, options);

  md.renderer.rules.html_inline = (tokens, i, _options, env: PageEnv) => {
    const content = tokens[i]?.content ?? '';
    if (content.startsWith('<attn-')) refuse(env, content, '小工具的标签要自成一段，上面空一行');
    return content;
  };

  // Widgets: numbers in attributes are replaced by their values, and the build's attributes added.
  md.renderer.rules.html_block = (tokens, i, _options, env: PageEnv) => {
    const filled = (tokens[i]?.content ?? '').replace(/\{num ([\w.-]+)\}/g, (_, id: string) =>
      String(findNumber(course, env, id).value),
    );
    const edits = new Edits();
    for (const widget of [...nodesIn(parsePiece(filled))].filter(isWidget))
      edits.addLast(widget, addedTo(widget, filled, addedAttributes, env));
    return edits.apply(filled);
  };
  return md;
}

type AddedAttributes = (
  tag: string,
  attributes: Record<string, string>,
  env: PageEnv,
) => Record<string, unknown>;

/** The attributes that the build adds to a widget's own; throws BuildError at its tag. */
function addedTo(
  widget: Element,
  text: string,
  addedAttributes: AddedAttributes,
  env: PageEnv,
): string {
  const attributes = Object.fromEntries(widget.attrs.map(({name, value}) => [name, value]));
  // A page has many questions, and each needs an id of its own.
  const question = attributeOf(widget, 'question')?.split('/').at(1);
  const id = question && !attributes['id'] ? `q-${question}` : undefined;
  if (id) attributes['id'] = id;
  try {
    const added = jsonAttributes(addedAttributes(widget.tagName, attributes, env));
    return (id ? ` id="${id}"` : '') + added;
  } catch (error) {
    const {startTag} = widget.sourceCodeLocation ?? {};
    const written = text.slice(startTag?.startOffset, startTag?.endOffset);
    // Numbers in the attributes are already replaced, so the search uses the tag's beginning.
    const needle = sourceOf(env).text.includes(written) ? written : written.slice(0, 20);
    return refuse(env, needle, (error as Error).message);
  }
}
