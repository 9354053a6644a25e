// Tables that the build draws as pictures: the fill of a cell and the length of a bar.
import MarkdownIt from 'markdown-it';
import {describe, expect, it} from 'vitest';
import {pictureTables} from '../../web/site/picture-tables.js';

const VALUES: Record<string, number> = {half: 2, most: 4, none: 0, minus: -4, card: 8, twice: 16};

const md = new MarkdownIt();
md.inline.ruler.before('escape', 'num', (state, silent) => {
  const match = /^\{num ([\w.-]+)\}/.exec(state.src.slice(state.pos));
  if (!match) return false;
  if (!silent) state.push('num', '', 0).meta = match[1];
  state.pos += match[0].length;
  return true;
});
md.renderer.rules['num'] = (tokens, i) => `<b>${String(tokens[i]?.meta)}</b>`;
pictureTables(md, {
  valueOf: (_env, id) => VALUES[id] ?? NaN,
  refuse: (_env, needle, message) => {
    throw new Error(`${needle}: ${message}`);
  },
});

const draw = (head: string, table: string) => md.render(`${head}\n${table}\n:::\n`);
const styles = (html: string) =>
  [...html.matchAll(/<td style="([^"]*)"/g)].map((match) => match[1]);
const rects = (html: string) =>
  [...html.matchAll(/<rect x="([\d.]+)%" width="([\d.]+)%"/g)].map(([, x, width]) => [
    Number(x),
    Number(width),
  ]);

describe('heat', () => {
  const html = draw(
    '::: heat key',
    '| 词 | 一 | 二 |\n| --- | ---: | --- |\n' +
      '| 甲 | {num half} | {num most} |\n| 乙 | {num none} | {num minus} |',
  );

  it('fills a cell the more, the larger its number, and hatches a negative one', () => {
    // Ink is 0.07 + 0.93 · share^0.8: 1 at the largest; 0.604 at one half, since 2^−0.8 = 0.574;
    // 0 for exactly 0. A hatched cell has 0.45 of its ink.
    const [half, most, none, minus] = styles(html);
    expect(half).toContain('background:color-mix(in srgb,var(--key) 60%,var(--raised))');
    expect(most).toContain('background:color-mix(in srgb,var(--key) 100%,var(--raised))');
    expect(none).toContain('var(--key) 0%');
    expect(minus).toContain('repeating-linear-gradient(135deg,color-mix(in srgb,var(--key) 45%');
  });

  it('keeps the numbers, the alignment and cells without a number', () => {
    expect(html).toContain('<b>half</b>');
    expect(styles(html)[0]).toMatch(/^text-align:right;/);
    expect(html).toContain('<td>甲</td>');
  });
});

describe('bars', () => {
  const rows = '| 词 | 数 |\n| --- | --- |\n| 卡 | {num card} |\n| 甲 | {num most}（{num none}） |';

  it('has one scale, and takes the first of several numbers in a cell', () => {
    // 8 and 4: the whole width and its half.
    expect(rects(draw('::: bars weight', rows))).toEqual([
      [0, 100],
      [0, 50],
    ]);
  });

  it('draws the first row as a frame when it is a limit, and what exceeds it in red', () => {
    const html = draw('::: bars weight limit', `${rows}\n| 乙 | {num twice} |`);
    // 8, 4 and 16 on a scale to 16.
    expect(rects(html)).toEqual([
      [0, 50],
      [0, 25],
      [0, 50],
      [50, 50],
    ]);
    expect(html.match(/var\(--wrong\)/g)).toHaveLength(1);
  });
});

it('refuses a colour or an option that it does not know', () => {
  expect(() => draw('::: heat purple', '')).toThrow('::: heat purple: 颜色只能是');
  expect(() => draw('::: heat key limit', '')).toThrow('::: heat key limit');
  expect(() => draw('::: bars', '')).toThrow('::: bars');
});

it('refuses a bar for a negative number', () => {
  const table = '| 词 | 数 |\n| --- | --- |\n| 甲 | {num minus} |';
  expect(() => draw('::: bars key', table)).toThrow('::: bars key: 最后一列有负数');
});
