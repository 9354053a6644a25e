// Sentences, table and steps of <attn-decode>.

import {html, type TemplateResult} from 'lit';
import {fixed, integer} from '../../shared/format.js';
import type {Table} from '../attn-widget/spec.js';
import {beatsAt, sum, wayAt, type WayNow} from './race.js';
import type {DecodePass, DecodeResult, DecodeState} from './state.js';

const parts = (passes: readonly DecodePass[]) =>
  passes.map(({computed}) => integer(computed)).join(' + ');

const vector = (values: readonly number[]) => `(${values.map((x) => fixed(x, 3)).join(', ')})`;

/** A sentence that counts the work of both ways up to the playhead. */
function saysNow(state: DecodeState, result: DecodeResult): string {
  const beats = beatsAt(state, result);
  const [anew, kept] = [wayAt(result.anew, beats), wayAt(result.kept, beats)];
  const way = ({computed, repeated, ended}: WayNow) =>
    `算了${integer(computed)}份${repeated > 0 ? `，其中${integer(repeated)}份重复` : ''}，` +
    `做完${integer(ended)}步`;
  return (
    `第${integer(Math.floor(beats))}拍：每步重算的${way(anew)}` +
    `${state.cache ? `；留着的${way(kept)}` : ''}。`
  );
}

export function says(state: DecodeState, result: DecodeResult): string {
  if (state.at < 1) return saysNow(state, result);
  const {prompt, generate} = state;
  const {anew, kept, identical} = result;
  const [all, again, once] = [sum(anew, 'computed'), sum(anew, 'repeated'), sum(kept, 'computed')];
  const saved =
    again > 0
      ? `每步重算，要算${parts(anew)} ＝ ${integer(all)}份K和V，其中${integer(again)}份早就算过；留着，` +
        `只算${parts(kept)} ＝ ${integer(once)}份`
      : `只有一步，两种做法都算${integer(all)}份K和V，没有可省的`;
  return (
    `提示${prompt}个词元，生成${generate}个：${saved}。${generate}步的输出，` +
    `两种做法${identical ? '逐位相同' : '✗ 不同'}。`
  );
}

export function table(_state: DecodeState, {tokens, anew, kept}: DecodeResult): Table {
  return {
    columns: [
      '步',
      '已有',
      '谁的q在问',
      '接着出',
      '重算：算几份',
      '其中重复',
      '留着：算几份',
      '取用',
      '重算得到的输出',
      '留着得到的输出',
    ],
    rows: anew.flatMap(({known, computed, repeated, asking, output}, i) => {
      const other = kept[i];
      if (!other) return [];
      return [
        [
          `第${i + 1}步`,
          tokens.slice(0, known).join(' '),
          tokens[asking] ?? '',
          tokens[known] ?? '',
          integer(computed),
          integer(repeated),
          integer(other.computed),
          integer(other.known - other.computed),
          vector(output),
          vector(other.output),
        ],
      ];
    }),
  };
}

export function steps(_state: DecodeState, {tokens, kept}: DecodeResult): TemplateResult {
  return html`<ol class="steps">
    ${kept.map(({known, computed, asking, output}, i) => {
      const read = tokens.slice(known - computed, known).join('」「');
      return html`<li>
        ${i === 0 ? '读提示' : '把上一步出的'}「${read}」${i === 0 ? '' : '喂进来'}，算出${
          computed === 1 ? '它' : '它们'
        }的K、V存下。用「${tokens[asking]}」的q给存着的${known}份K打分，取回${vector(output)}，由它猜下一个；这里接着出「${
          tokens[known]
        }」。
      </li>`;
    })}
    <li>「${tokens[kept.at(-1)?.known ?? 0]}」出来就结束了，没有再喂进来，所以不算它的K、V。</li>
  </ol>`;
}
