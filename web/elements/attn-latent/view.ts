// The first picture of <attn-latent>: the up-projection moves to the query, or is stopped by the
// rotation; and the scores of the sentence both ways.

import {nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {beat, linearBeat, mix, type Stop} from '../../shared/beats.js';
import type {Turn} from '../../shared/cache-latent.js';
import {fixed} from '../../shared/format.js';
import {color, figure, pin, rule, text, type Token} from '../../shared/plot.js';
import {isRounding, type LatentResult, type LatentState} from './state.js';
import {vector} from './words.js';

/** Until here the up-projection moves; then the rotation goes through the distances. */
const MET = 0.4;

/** Index of the first stop that is about one distance. */
export const FIRST_ROW = 2;

/** The stops of the playhead: a rotation in between has one for each distance. */
export function stopsOf({turn}: LatentState, {rows}: LatentResult): Stop[] {
  if (turn !== 'all')
    return [
      {at: 0, name: '分开'},
      {at: 1, name: '折好'},
    ];
  return [
    {at: 0, name: '分开'},
    {at: MET, name: '挡住'},
    ...rows.map(({distance}, j) => ({
      at: MET + ((1 - MET) * (j + 1)) / rows.length,
      // Names of all distances would meet on a phone.
      name: j === rows.length - 1 ? `相距${distance}` : '',
    })),
  ];
}

/** Index of the row whose rotation stands in the chain; the last one at rest. */
function rowAt({at}: Pick<LatentState, 'at'>, {rows}: LatentResult): number {
  const share = linearBeat(at, MET, 1);
  return Math.min(rows.length - 1, Math.max(0, Math.ceil(share * rows.length - 1e-9) - 1));
}

/** A dial whose wedge is the angle between two places; the first pair turns by one radian each. */
function dial(x: number, y: number, radius: number, distance: number): SVGTemplateResult {
  const turn = distance % (2 * Math.PI);
  const [tipX, tipY] = [radius * Math.cos(turn), -radius * Math.sin(turn)];
  const large = turn > Math.PI ? 1 : 0;
  return pin(
    x,
    y,
    svg`<circle r=${radius} fill=${color('raised')} stroke=${color('wrong')}/>
    <path d="M0 0H${radius}A${radius} ${radius} 0 ${large} 0 ${tipX.toFixed(2)} ${tipY.toFixed(
      2,
    )}Z" fill=${color('wrong')} fill-opacity="0.25"/>
    <line x2=${tipX.toFixed(2)} y2=${tipY.toFixed(2)} stroke=${color('wrong')}
      stroke-width="2"/><line x2=${radius} stroke=${color('wrong')}/>`,
  );
}

/** A factor: its centre and width in per cent. */
function factor(x: number, width: number, y: number, name: string, tone: Token): SVGTemplateResult {
  return svg`<rect x="${(x - width / 2).toFixed(2)}%" y=${y} width="${width}%" height="30" rx="4"
    fill=${color('raised')} stroke=${color(tone)} stroke-width="1.5"/>
    ${text(Number(x.toFixed(2)), y + 20, name, {anchor: 'middle', size: 13, fill: tone})}`;
}

/** A frame around the factors that are multiplied in advance. */
const frame = (x1: number, x2: number, y: number, good: boolean) =>
  svg`<rect x="${x1.toFixed(2)}%" y=${y - 6} width="${(x2 - x1).toFixed(2)}%" height="42" rx="7"
    fill="none" stroke=${color(good ? 'right' : 'wrong')} stroke-width="1.5"
    stroke-dasharray=${good ? nothing : '4 3'}/>`;

/** A sentence below the chain. It begins at its left end, so that a phone has room for it. */
const note = (y: number, good: boolean, words: string) =>
  text(1.5, y, `${good ? '✓' : '✗'} ${words}`, {size: 12, fill: good ? 'right' : 'wrong'});

/** The up-projection leaves the latent for the query. */
function free(at: number, y: number): SVGTemplateResult {
  const x = mix(55, 31, beat(at, 0, 1));
  const there = at === 1;
  return svg`${there ? frame(1.5, 43, y, true) : nothing}
    ${factor(12, 18, y, 'q', 'query')}${factor(x, 20, y, '升维U_Kᵀ', 'ink')}
    ${factor(86, 20, y, 'c_j', 'key')}
    ${there ? note(y + 54, true, '先乘好，所有j合用一份') : nothing}
    ${text(86, y + 54, '存下的', {anchor: 'middle', size: 12, fill: 'key'})}`;
}

/** The rotation stands in the way. It depends on j, and each distance has another one. */
function blocked(state: LatentState, result: LatentResult, y: number): SVGTemplateResult {
  const x = mix(64, 54, beat(state.at, 0, MET));
  const row = result.rows[rowAt(state, result)];
  const met = state.at >= MET;
  return svg`${met ? frame(1.5, 66, y, false) : nothing}
    ${factor(11, 17, y, 'q', 'query')}
    ${factor(32, 18, y, '', 'wrong')}${dial(27, y + 15, 11, row?.distance ?? 0)}
    ${text(35.5, y + 20, `R(${row?.distance ?? 0})`, {anchor: 'middle', size: 13, fill: 'wrong'})}
    ${factor(x, 20, y, '升维U_Kᵀ', 'ink')}${factor(87, 18, y, 'c_j', 'key')}
    ${
      met
        ? note(
            y + 54,
            false,
            `R夹着j：「${row?.token ?? ''}」要R(${row?.distance ?? 0})，别的j又不同`,
          )
        : nothing
    }`;
}

/** The part that is turned and cached by itself has nothing to fold. */
const beside = (y: number) =>
  svg`${factor(20, 34, y, 'qᴿ，已转i', 'query')}${factor(80, 34, y, 'kᴿ，已转j', 'key')}
    ${text(50, y + 20, '·', {anchor: 'middle', weight: 600})}
    ${note(y + 54, true, '另存的一段：中间没有升维矩阵，不用折')}`;

const CHAIN = 74;
const CHAINS: Record<Turn, number> = {none: 1, all: 1, apart: 2};
const ROW = 46;

function scores(state: LatentState, result: LatentResult, y0: number): SVGTemplateResult {
  const {turn} = state;
  const turning = turn === 'all' && state.at >= MET ? rowAt(state, result) : -1;
  return svg`${text(0, y0, '看谁', {weight: 600})}${text(22, y0, '存下的', {
    weight: 600,
    fill: 'key',
  })}${text(76, y0, '先展开', {
    anchor: 'end',
    weight: 600,
  })}${text(100, y0, '折一次', {anchor: 'end', weight: 600})}
    ${result.rows.map(({token, distance, latent, turned, folded, expanded, once}, j) => {
      const y = y0 + 10 + ROW * j;
      const good = isRounding(Math.abs(once - expanded));
      return svg`${
        j === turning && state.at < 1
          ? svg`<rect y=${y + 1} width="100%" height=${ROW - 2} rx="4" fill=${color('wrong')}
              fill-opacity="0.08"/>`
          : nothing
      }${rule(0, 100, y)}${text(0, y + 19, token)}${text(0, y + 36, `相距${distance}`, {
        size: 11,
        fill: 'ink-2',
      })}
        ${turn === 'all' ? dial(17, y + 24, 11, distance) : nothing}
        ${text(22, y + 19, vector(latent), {size: 12, fill: 'key'})}
        ${
          turn === 'all'
            ? text(22, y + 36, `该折成${vector(folded)}`, {size: 11, fill: 'query'})
            : nothing
        }
        ${
          turn === 'apart'
            ? text(22, y + 36, `另存${vector(turned)}`, {size: 11, fill: 'key'})
            : nothing
        }
        ${text(76, y + 19, fixed(expanded, 3), {anchor: 'end'})}
        ${text(100, y + 19, `${good ? '✓' : '✗'} ${fixed(once, 3)}`, {
          anchor: 'end',
          fill: good ? 'right' : 'wrong',
        })}`;
    })}`;
}

/** The chain of factors, and the scores. */
export function folding(state: LatentState, result: LatentResult): TemplateResult {
  const {turn, token, at} = state;
  const top = 30 + CHAIN * CHAINS[turn] + 22;
  const own = result.rows.at(-1)?.folded ?? [];
  return figure(
    {
      height: top + 16 + ROW * result.rows.length,
      label: `「${token}」的分数：先展开成键，与折进查询，${isRounding(result.error) ? '相等' : '不等'}；数值见表格`,
    },
    svg`
    ${text(0, 13, turn === 'all' ? `相距0时，折成${vector(own)}` : `折好的查询${vector(own)}`, {
      fill: 'query',
      weight: 600,
      size: 12,
    })}
    ${turn === 'all' ? blocked(state, result, 30) : free(at, 30)}
    ${turn === 'apart' ? beside(30 + CHAIN) : nothing}${scores(state, result, top)}`,
  );
}
