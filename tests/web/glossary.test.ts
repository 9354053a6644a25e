import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, relative} from 'node:path';
import MarkdownIt from 'markdown-it';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import chapter from '../../lessons/c3/chapter.js';
import {
  anchorOf,
  glossaryPage,
  linkTerms,
  readGlossary,
  type GlossaryEntry,
} from '../../web/site/glossary.js';

const {lessons} = chapter;
const entry = (term: string, english: string, also?: string[]): GlossaryEntry => ({
  term,
  english,
  symbol: '',
  code: '',
  lesson: 'c3-l01',
  meaning: '……',
  also,
});
const rows = [
  entry('值', 'value'),
  entry('掩码', 'mask'),
  entry('因果掩码', 'causal mask'),
  entry('注意力权重', 'attention weight', ['权重']),
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'attn-glossary-'));
});
afterAll(() => rmSync(folder, {recursive: true, force: true}));

/** Renders a lesson's text; brackets in the result mark a link to the glossary's entry. */
function linked(text: string, page = 'c3/l01'): string {
  const md = new MarkdownIt({html: true}).use(linkTerms, rows);
  const html = md.render(text, {page: {inputPath: `./lessons/${page}/index.md`}});
  return html.replaceAll(/<a class="term" href="[^"#]*#([\w-]+)">(.*?)<\/a>/g, '[$2→$1]').trim();
}

describe('the first use of a term', () => {
  it('is a link, once per page, and a longer term is matched first', () => {
    expect(linked('因果掩码是一种掩码。\n\n掩码和因果掩码。')).toBe(
      '<p>[因果掩码→causal-mask]是一种[掩码→mask]。</p>\n<p>掩码和因果掩码。</p>',
    );
  });

  it('is a link only in bold for a term of one character or a shorter name', () => {
    expect(linked('数值，权重。**值**，**权重**，**权重大**')).toBe(
      '<p>数值，权重。<strong>[值→value]</strong>，<strong>[权重→attention-weight]</strong>，<strong>' +
        '权重大</strong></p>',
    );
  });

  it('is not linked inside a heading, a table’s head, a link or code', () => {
    expect(linked('## 掩码\n\n[掩码](x) `掩码`\n\n| 掩码 |\n| --- |\n| 掩码 |')).toBe(
      '<h2>掩码</h2>\n<p><a href="x">掩码</a> <code>掩码</code></p>\n<table>\n<thead>\n<tr>\n' +
        '<th>掩码</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>[掩码→mask]</td>\n</tr>\n</tbody>' +
        '\n</table>',
    );
  });

  it('is not linked on a page that does not teach', () => {
    expect(linked('掩码', 'errata')).toBe('<p>掩码</p>');
  });
});

describe('a term that a lesson introduces', () => {
  const introduce = (text: string) => {
    writeFileSync(join(folder, 'index.md'), `第一行\n\n${text}\n`);
    const md = new MarkdownIt().use(linkTerms, rows);
    const inputPath = `lessons/c3/${relative('lessons/c3', join(folder, 'index.md'))}`;
    return () => md.render(text, {page: {inputPath}});
  };

  it('must have a row with the same English name', () => {
    expect(introduce('这叫**补位**（padding）。')).toThrow(/:3: .*补位（padding）.*glossary\.json/);
    expect(introduce('这叫**值**（content，内容）。')).toThrow(/value.*content/);
    expect(introduce('**值**（value，内容）和**别的**（Vaswani等2017）。')).not.toThrow();
  });
});

describe('the course’s glossary', () => {
  const entries = readGlossary(lessons);

  it('has every term once, with a lesson of the map and a unique anchor', () => {
    expect(new Set(entries.map(anchorOf)).size).toBe(entries.length);
    for (const {english} of entries)
      expect(anchorOf({english})).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  });

  it('has symbols that occur in the code or in a config', () => {
    const code = [
      'core',
      'core/gpt',
      'web',
      'web/elements',
      'web/shared',
      'lessons/c3',
      'lessons/c3/l02',
      'lessons/models',
    ]
      .flatMap((path) => readdirSync(path).map((name) => join(path, name)))
      .filter((path) => /\.(h|cpp|ts|json)$/.test(path))
      .map((path) => readFileSync(path, 'utf8'))
      .join('\n');
    for (const {term, code: name} of entries.filter((row) => row.code)) {
      expect(new RegExp(`\\b${name}\\b`).test(code), `${term}: ${name}`).toBe(true);
    }
  });

  it('is one page in the lessons’ order, with subscripts', () => {
    const {markdown} = glossaryPage(entries, lessons);
    for (const row of entries)
      expect(markdown).toContain(`<dt id="${anchorOf(row)}">${row.term}</dt>`);
    const order = [...markdown.matchAll(/\{#(c3-\w+)\}/g)].map(([, id]) => id);
    expect(order).toEqual(lessons.map(({id}) => id).filter((id) => order.includes(id)));
    expect(markdown).toContain('W<sub>Q</sub>, W<sub>K</sub>, W<sub>V</sub>');
  });

  it('refuses a row without a text, with an unknown lesson, or with a repeated name', () => {
    const read = (...list: object[]) => {
      const path = join(folder, 'glossary.json');
      writeFileSync(path, JSON.stringify(list, null, 1));
      return () => readGlossary(lessons, path);
    };
    const good = entry('值', 'value');
    expect(read(good)).not.toThrow();
    expect(read(good, {...entry('键', 'key'), meaning: undefined})).toThrow(
      /glossary\.json:10: .*meaning/,
    );
    expect(read({...good, lesson: 'c3-l99'})).toThrow(/c3-l99/);
    expect(read(good, entry('价值', 'value'))).toThrow(/value.*已经有一行/);
    expect(read(good, entry('值', 'worth'))).toThrow(/值.*已经有一行/);
  });
});
