// Sentence, table and steps of <attn-sentence>.

import {html, type TemplateResult} from 'lit';
import {nearestStop} from '../../shared/beats.js';
import {fixed, general, percent} from '../../shared/format.js';
import type {Table} from '../attn-widget/spec.js';
import {STOPS, type SentenceResult, type SentenceState} from './state.js';

/** Shares below this one are left out of the sentence. */
const WORTH_NAMING = 0.05;

function largest({tokens, weights}: SentenceResult): string {
  return weights
    .map((weight, i) => ({weight, name: tokens[i] ?? ''}))
    .filter(({weight}) => weight >= WORTH_NAMING)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, 2)
    .map(({weight, name}) => `${name}${percent(weight)}`)
    .join('，');
}

function hidden({tokens, from}: SentenceResult): string {
  const later = tokens.slice(from + 1);
  return later.length > 0
    ? `后面的${later.join('、')}还没出现，分数换成−∞。`
    : '它是最后一个，前面的都看得见，没有要遮的。';
}

export function says({at}: SentenceState, result: SentenceResult): string {
  const asker = `「${result.tokens[result.from]}」`;
  const scores = result.scores
    .map((score, i) => `${result.tokens[i]}${fixed(score, 2)}`)
    .join('，');
  return [
    `每个词元先是一个向量，${result.output.length}个数。下面看${asker}怎样从别处取信息。`,
    `${asker}拿出一个查询q，每个词元各有一个键k。`,
    `q和每个k对应相乘、相加，再除以√d，得到分数：${scores}。`,
    `${asker}${hidden(result)}`,
    `${asker}把注意力分成百分比：${largest(result)}。`,
    `按百分比把各家的值v加起来，${asker}得到新的向量：` +
      `${result.output.map((value) => fixed(value, 2)).join('，')}。`,
  ][nearestStop(STOPS, at)]!;
}

export function table(_state: SentenceState, result: SentenceResult): Table {
  const {tokens, from, scores, weights} = result;
  return {
    columns: ['词元', '分数', '权重'],
    rows: tokens.map((name, i) => [
      name,
      i > from ? '遮住' : general(scores[i] ?? 0, 6),
      percent(weights[i] ?? 0, 4),
    ]),
  };
}

export function steps(_state: SentenceState, result: SentenceResult): TemplateResult {
  const {tokens, from, q, output} = result;
  const list = (values: readonly number[]) => values.map((value) => general(value)).join('，');
  return html`<ol class="steps">
    <li>「${tokens[from]}」的查询q：${list(q)}。</li>
    <li>分数是q·k÷√d，后面的词元遮住，再做softmax。</li>
    <li>输出是权重乘各自的v，再相加：${list(output)}。</li>
  </ol>`;
}
