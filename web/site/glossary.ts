// The glossary: its page, and the quiet link from a lesson's first use of a term to its entry.

import {existsSync} from 'node:fs';
import {findNodeAtLocation} from 'jsonc-parser';
import type MarkdownIt from 'markdown-it';
import type {StateCore, Token} from 'markdown-it';
import {BuildError, lineAt} from './build-error.js';
import type {ChapterLesson} from './chapter.js';
import {readData} from './data-files.js';
import {escapeHtml} from './html.js';
import {refuse} from './markdown.js';
import {pageFolder, type MadePage, type PageEnv} from './paths.js';

/** A row of lessons/data/glossary.json. */
export interface GlossaryEntry {
  term: string;
  english: string;
  /** Plain text; the letter after an underscore becomes a subscript. */
  symbol: string;
  /** The name in the code; empty where the code has none. */
  code: string;
  /** The lesson that explains it, like "c3-l03", or the page of the case, like "case/exact". */
  lesson: string;
  meaning: string;
  /** Shorter names, which are linked where they are bold. */
  also?: string[];
}

const FILE = 'lessons/data/glossary.json';
/** Folders of teaching pages, on which the first use of a term is a link. */
const TAUGHT = /^(c\d+|case)(\/|$)/;
/** The English name after a term that is being introduced: 词元（token）, 损失（loss，…）. */
const ENGLISH = /^（([a-z][a-z -]*)[，）]/i;

/** "scaled dot-product" → "scaled-dot-product", the entry's anchor. */
export function anchorOf({english}: Pick<GlossaryEntry, 'english'>): string {
  return (english.toLowerCase().match(/[a-z0-9]+/g) ?? []).join('-');
}

const ofCase = ({lesson}: GlossaryEntry) => lesson.startsWith('case/');

/** Throws BuildError for a row that lacks a text, names an unknown lesson or repeats a name. */
export function readGlossary(lessons: readonly ChapterLesson[], path = FILE): GlossaryEntry[] {
  const {value, root, text} = readData(path, '术语表');
  const entries = value as GlossaryEntry[];
  const names = new Set<string>();
  for (const [i, entry] of entries.entries()) {
    const stop = (message: string): never => {
      throw new BuildError(path, lineAt(text, findNodeAtLocation(root, [i])?.offset ?? 0), message);
    };
    for (const key of ['term', 'english', 'symbol', 'code', 'lesson', 'meaning'] as const) {
      if (typeof entry[key] !== 'string') stop(`这个术语缺少「${key}」`);
    }
    const taught = ofCase(entry)
      ? existsSync(`lessons/${entry.lesson}/index.md`)
      : lessons.some(({id}) => id === entry.lesson);
    if (!taught) stop(`「${entry.term}」说是${entry.lesson}讲的，章节图里没有这一课`);
    for (const name of new Set([entry.term, anchorOf(entry), ...(entry.also ?? [])])) {
      if (names.has(name)) stop(`「${name}」已经有一行了`);
      names.add(name);
    }
  }
  return entries;
}

/**
 * Makes the first use of each term on a lesson's page a link, and refuses a term that has no
 * entry.
 */
export function linkTerms(md: MarkdownIt, entries: readonly GlossaryEntry[]): void {
  const named = new Map(
    entries.flatMap((entry) =>
      [entry.term, ...(entry.also ?? [])].map((name) => [name, entry] as const),
    ),
  );
  // A single character counts only in bold, since 值 is also part of 数值. A longer term is matched
  // before a shorter one.
  const long = entries
    .map(({term}) => term)
    .filter((term) => term.length > 1)
    .sort((a, b) => b.length - a.length);
  const anywhere = new RegExp(
    long.map((term) => term.replaceAll(/[^\p{L}\p{N}]/gu, '\\$&')).join('|') || '$^',
    'gu',
  );

  md.core.ruler.push('terms', (state) => {
    const env = state.env as PageEnv;
    if (state.inlineMode || !TAUGHT.test(pageFolder(env))) return;
    const linked = new Set<GlossaryEntry>();
    for (const [i, block] of state.tokens.entries()) {
      if (!block.children || /^(heading|th)_open$/.test(state.tokens[i - 1]?.type ?? '')) continue;
      block.children = withLinks(state, block.children, {named, anywhere, linked});
    }
  });
}

interface Terms {
  named: ReadonlyMap<string, GlossaryEntry>;
  anywhere: RegExp;
  /** The entries that this page has linked already. */
  linked: Set<GlossaryEntry>;
}

function withLinks(
  state: StateCore,
  tokens: readonly Token[],
  {named, anywhere, linked}: Terms,
): Token[] {
  let links = 0;
  return tokens.flatMap((token, i) => {
    if (token.type === 'link_open') links++;
    if (token.type === 'link_close') links--;
    if (token.type !== 'text') return [token];
    const bold = tokens[i - 1]?.type === 'strong_open' && tokens[i + 1]?.type === 'strong_close';
    if (bold)
      checkIntroduction(state.env as PageEnv, token.content, tokens[i + 2]?.content ?? '', named);
    if (links > 0) return [token];
    const uses =
      bold && named.has(token.content)
        ? [{name: token.content, at: 0}]
        : [...token.content.matchAll(anywhere)].map(({0: name, index: at}) => ({name, at}));
    const parts: Token[] = [];
    let from = 0;
    for (const {name, at} of uses) {
      const entry = named.get(name);
      if (!entry || linked.has(entry)) continue;
      linked.add(entry);
      parts.push(
        textToken(state, token.content.slice(from, at)),
        ...linkTokens(state, name, entry),
      );
      from = at + name.length;
    }
    return [...parts, textToken(state, token.content.slice(from))].filter(
      ({type, content}) => type !== 'text' || content,
    );
  });
}

/** Checks that a term introduced as **词元**（token） has an entry with the same English name. */
function checkIntroduction(
  env: PageEnv,
  name: string,
  after: string,
  named: ReadonlyMap<string, GlossaryEntry>,
): void {
  const english = ENGLISH.exec(after)?.[1];
  if (english === undefined) return;
  const entry = named.get(name);
  if (!entry)
    refuse(env, `**${name}**（${english}`, `术语「${name}（${english}）」在 ${FILE} 里还没有一行`);
  if (!entry.english.toLowerCase().includes(english.toLowerCase()))
    refuse(
      env,
      `**${name}**（${english}`,
      `「${name}」在 ${FILE} 里的英文是 ${entry.english}，这里写的是 ${english}`,
    );
}

function textToken(state: StateCore, content: string): Token {
  return Object.assign(new state.Token('text', '', 0), {content});
}

function linkTokens(state: StateCore, name: string, entry: GlossaryEntry): Token[] {
  const open = new state.Token('link_open', 'a', 1);
  open.attrs = [
    ['class', 'term'],
    ['href', `/glossary/index.html#${anchorOf(entry)}`],
  ];
  return [open, textToken(state, name), new state.Token('link_close', 'a', -1)];
}

/** Turns the letters after an underscore into subscripts: W_Q. */
function lowered(text: string): string {
  return escapeHtml(text).replaceAll(/_(\w+)/g, '<sub>$1</sub>');
}

function entryHtml(entry: GlossaryEntry): string {
  const {term, english, symbol, code, meaning} = entry;
  return (
    `<div><dt id="${anchorOf(entry)}">${escapeHtml(term)}</dt>` +
    `<dd class="english" lang="en">${escapeHtml(english)}</dd>` +
    (symbol && `<dd class="symbol"><span>符号</span>${lowered(symbol)}</dd>`) +
    (code && `<dd class="code"><span>代码里</span><code>${escapeHtml(code)}</code></dd>`) +
    `<dd class="meaning">${lowered(meaning)}</dd></div>`
  );
}

/** The glossary's page in Markdown, in the order of the lessons. */
export function glossaryPage(
  entries: readonly GlossaryEntry[],
  lessons: readonly ChapterLesson[],
): MadePage {
  const taught = lessons.map(({id, label, topic}) => ({
    heading: `## [${label}](lesson:${id}) ${topic} {#${id}}`,
    own: entries.filter(({lesson}) => lesson === id),
  }));
  taught.push({heading: '## [案例](/case/index.html) {#case}', own: entries.filter(ofCase)});
  const sections = taught.flatMap(({heading, own}) => {
    return own.length > 0
      ? [heading, '', `<dl class="terms">\n${own.map(entryHtml).join('\n')}\n</dl>`, '']
      : [];
  });
  return {
    path: 'glossary/index.md',
    markdown: sections.join('\n'),
    data: {
      title: '术语：中文、英文、符号、代码里的名字',
      lead: '按讲到的先后排。每一课里，一个术语第一次出现时，都链接到这里的那一行。',
      description: '注意力的术语表：中文、英文、符号、代码里的名字，各在哪一课讲。',
    },
  };
}
