// Sentence, table and steps of <attn-tiles>.

import {html, type TemplateResult} from 'lit';
import {fixed, integer, scientific} from '../../shared/format.js';
import type {Table} from '../attn-widget/spec.js';
import {
  GLOBAL,
  momentOf,
  type Pattern,
  STRIDE,
  type TilesResult,
  type TilesState,
  type TileStep,
  WINDOW,
} from './state.js';

export const PATTERN_NAMES: Record<Pattern, string> = {
  causal: '全部更早的',
  window: `最近${WINDOW}个`,
  stride: `再隔${STRIDE}个看一个`,
  global: `再看开头${GLOBAL}个`,
};

/** 第5到8个 */
export const span = (begin: number, end: number) =>
  end - begin === 1 ? `第${end}个` : `第${begin + 1}到${end}个`;

/** The queries whose old sum the tile shrinks. */
const shrunk = ({sum}: TileStep, now: TileStep) =>
  now.max.filter((value, i) => (sum[i] ?? 0) > 0 && value > (now.before[i] ?? 0)).length;

const skippedWords = ({skipped}: TilesResult) =>
  skipped.length === 0 ? '没有一块能跳过' : `跳过${skipped.length}块`;

export function says(state: TilesState, result: TilesResult): string {
  const {walked, held, table, difference} = result;
  const {index, done} = momentOf(state, result);
  const now = walked[index];
  const kept = `手里最多${integer(held)}个数，整张分数表有${integer(table)}个`;
  if (!now) return `还没有开始。要算${walked.length}块，${skippedWords(result)}。${kept}。`;
  if (done) {
    const error = difference === 0 ? '一位不差' : `最多差${scientific(difference, 0)}`;
    return (
      `算了${walked.length}块，${skippedWords(result)}。${kept}；` +
      `输出与先写下整张表的算法相比，${error}。`
    );
  }
  const where =
    `第${index + 1}块：${span(now.queryBegin, now.queryEnd)}查询，` +
    `${span(now.keyBegin, now.keyEnd)}键，看得见${now.pairs}对。`;
  const before = walked[index - 1];
  if (before?.queryBegin !== now.queryBegin)
    return `${where}这几个查询的第一块：m、ℓ和输出从这里开始累加，分数用完就扔。`;
  const count = shrunk(before, now);
  return count === 0
    ? `${where}没有更大的分数，m不变，ℓ和输出只往上加。`
    : `${where}有${count}个查询遇到更大的分数：旧的ℓ和输出先乘修正因子，再加新的。`;
}

export function table(_state: TilesState, {walked, skipped}: TilesResult): Table {
  const rows = [...walked, ...skipped].sort(
    (a, b) => a.queryBegin - b.queryBegin || a.keyBegin - b.keyBegin,
  );
  return {
    columns: ['查询', '键', '看得见的对', '末一个查询的m', '末一个查询的ℓ'],
    rows: rows.map((tile) => [
      span(tile.queryBegin, tile.queryEnd),
      span(tile.keyBegin, tile.keyEnd),
      tile.pairs === 0 ? '跳过' : String(tile.pairs),
      tile.pairs === 0 ? '' : fixed(tile.max.at(-1) ?? 0, 3),
      tile.pairs === 0 ? '' : fixed(tile.sum.at(-1) ?? 0, 3),
    ]),
  };
}

export function steps({block}: TilesState, result: TilesResult): TemplateResult {
  return html`<ol class="steps">
    <li>取来一块查询，至多${block}个；每个的m、ℓ和输出从头开始。</li>
    <li>取来一块键和值。没有一对看得见，就整块跳过：这里${skippedWords(result)}。</li>
    <li>算出这一块分数，更新m；旧的ℓ和输出乘e^(旧m−新m)，再加上新的项。分数扔掉。</li>
    <li>键走完一遍，输出写回去，换下一块查询。看得见的一共${integer(result.pairs)}对。</li>
  </ol>`;
}
