// Listings: parts of program files, cut at build between a mark with a name and the next end mark.

import {existsSync, readFileSync} from 'node:fs';
import type MarkdownIt from 'markdown-it';
import {BuildError, lineAt} from './build-error.js';
import {escapeHtml} from './html.js';

const LANGUAGES: Record<string, {name: string; comment: string}> = {
  cpp: {name: 'C++', comment: '//'},
  py: {name: 'NumPy', comment: '#'},
};

const extensionOf = (path: string) => path.slice(path.lastIndexOf('.') + 1);

/**
 * The lines of a listing, without their common indent.
 *
 * @throws BuildError where a mark is missing in the file
 */
export function listing(path: string, name: string): string {
  const language = LANGUAGES[extensionOf(path)];
  if (!language || !existsSync(path)) throw new BuildError(path, 1, '没有这个程序文件');
  const text = readFileSync(path, 'utf8');
  const lines = text.split('\n');
  const mark = `${language.comment} listing: ${name}`;
  const start = lines.findIndex((line) => line.trim() === mark);
  if (start < 0) throw new BuildError(path, lines.length, `缺少标记「${mark}」，页面要从这里摘抄`);
  const endMark = `${language.comment} end`;
  const length = lines.slice(start + 1).findIndex((line) => line.trim() === endMark);
  if (length < 0)
    throw new BuildError(
      path,
      lineAt(text, text.indexOf(mark)),
      `「${mark}」后面缺少「${endMark}」`,
    );
  const cut = lines.slice(start + 1, start + 1 + length);
  const indents = cut.filter((line) => line.trim()).map((line) => line.search(/\S/));
  const indent = Math.min(...indents);
  return cut.map((line) => line.slice(indent)).join('\n');
}

function figure(path: string, name: string): string {
  const {name: language, comment} = LANGUAGES[extensionOf(path)] ?? {name: '', comment: ' '};
  const code = escapeHtml(listing(path, name)).replace(
    new RegExp(`(^|  +)${comment} .*$`, 'gm'),
    '<i>$&</i>',
  );
  const label = `${language}程序`;
  return `<figure><figcaption><b>${language}</b><code>${path}</code></figcaption>
<pre tabindex="0" role="group" aria-label="${label}"><code>${code}</code></pre></figure>`;
}

/**
 * Makes a fence with the info "listing NAME" of the files that it names, one a line: the part of
 * each file that has this name, side by side.
 */
export function listings(md: MarkdownIt): void {
  const fence = md.renderer.rules.fence;
  md.renderer.rules.fence = (tokens, i, options, env, self) => {
    const name = /^listing ([\w-]+)$/.exec(tokens[i]?.info.trim() ?? '')?.[1];
    if (!name) return fence?.(tokens, i, options, env, self) ?? '';
    const paths = tokens[i]!.content.split('\n').filter(Boolean);
    const figures = paths.map((path) => figure(path, name));
    return `<div class="listings wide">\n${figures.join('\n')}\n</div>\n`;
  };
}
