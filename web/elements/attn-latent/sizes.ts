// The second picture of <attn-latent>: the matrices of a real model to one scale, with sizes that
// the reader drags, and how many numbers a token leaves in the cache.

import {html, nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {general, integer} from '../../shared/format.js';
import {slideHandle} from '../../shared/handle.js';
import {color, figure, panel, text, type Token} from '../../shared/plot.js';
import {type LatentResult, type LatentState, SIZES} from './state.js';

type Size = 'dmodel' | 'width' | 'rank' | 'rope';

export interface SizeTouch {
  move: (patch: Partial<LatentState>) => void;
  done: () => void;
}

const ROW = 44;
const LEFT = 25;
const STRIP = 12;

interface Strip {
  key: Size;
  name: string;
  token: Token;
  /** Numbers along the strip for one of the size: a head's width counts for every head. */
  times: number;
  step: number;
}

const stripsOf = ({heads, turn}: LatentState): Strip[] => [
  {key: 'dmodel', name: 'x', token: 'ink-2', times: 1, step: 64},
  {key: 'width', name: `${integer(heads)}个头的键`, token: 'key', times: heads, step: 8},
  {key: 'rank', name: '潜向量c', token: 'query', times: 1, step: 16},
  ...(turn === 'apart'
    ? [{key: 'rope', name: '转的kᴿ', token: 'score', times: 1, step: 8} as const]
    : []),
];

/** Numbers across the picture: the scale keeps still for all sizes that models have. */
const spanOf = ({dmodel, heads, width}: LatentState): number =>
  Math.max(20480, dmodel, heads * width) * 1.05;

function strip(state: LatentState, each: Strip, i: number, touch?: SizeTouch): SVGTemplateResult {
  const {key, name, token, times, step} = each;
  const span = spanOf(state);
  const value = state[key];
  const share = (100 * value * times) / span;
  const y = ROW * i;
  const count =
    times > 1
      ? `${integer(times)} × ${integer(value)} ＝ ${integer(times * value)}`
      : integer(value);
  return svg`${text(0, y + 27, name, {size: 12, fill: token, weight: 600})}
    ${panel(
      {x: LEFT, y, width: 98 - LEFT, height: ROW},
      svg`<rect y=${ROW / 2 - STRIP / 2} width="${share.toFixed(2)}%" height=${STRIP}
        fill=${color(token)} fill-opacity="0.55"/>
      ${
        share > 55
          ? text(Number((share - 2.5).toFixed(2)), 13, count, {anchor: 'end', size: 12})
          : svg`<svg x="${share.toFixed(2)}%" overflow="visible"><text x="15"
              y=${ROW / 2 + 4} font-size="12" fill=${color('ink')}>${count}</text></svg>`
      }
      ${
        touch
          ? slideHandle({
              x: Number(share.toFixed(2)),
              y: ROW / 2,
              token,
              label: times > 1 ? '一个头的键有几个数' : `${name}有几个数`,
              spoken: `${integer(value)}个数`,
              value,
              min: SIZES[key].min,
              max: SIZES[key].max,
              step,
              valueAt: (place) => (place * span) / times,
              move: (moved) => touch.move({[key]: moved}),
              done: touch.done,
            })
          : nothing
      }`,
    )}`;
}

/** A matrix as high and as wide as its numbers; thinner than a line it is a line. */
function matrix(
  state: LatentState,
  y: number,
  [rows, columns]: readonly [number, number],
  token: Token,
  label: string,
): SVGTemplateResult {
  const unit = UNITS / spanOf(state);
  const [width, height] = [columns * unit, Math.max(1, rows * unit)];
  return svg`${text(0, y + 12, `${label}：${integer(rows)} × ${integer(columns)}`)}
    <rect y=${y + 19} width=${width.toFixed(2)} height=${height.toFixed(2)} fill=${color(token)}
      fill-opacity="0.3" stroke=${color(token)}/>`;
}

/** Width of the picture of the matrices in its own units. */
const UNITS = 430;

/** Every matrix lies on its side: the latent's width is its height. */
function matrices(state: LatentState, {sizes: {keys}}: LatentResult): TemplateResult {
  const {dmodel, rank, rope, turn} = state;
  const all = [
    {sizes: [rank, dmodel], token: 'query', label: '压窄，W_D转置'},
    ...(turn === 'apart' && rope > 0
      ? [{sizes: [rope, dmodel], token: 'score', label: '转的一段，W_KR转置'} as const]
      : []),
    {sizes: [rank, keys], token: 'key', label: '升维U_K'},
    {sizes: [rank, keys], token: 'value', label: '升维U_V'},
  ] as const;
  const unit = UNITS / spanOf(state);
  let y = 4;
  const drawn = all.map(({sizes, token, label}) => {
    const one = matrix(state, y, sizes, token, label);
    y += 19 + Math.max(1, sizes[0] * unit) + 10;
    return one;
  });
  return figure(
    {units: UNITS, height: Math.ceil(y), label: '各个矩阵，高和宽按同一个比例'},
    svg`${drawn}`,
  );
}

/** The numbers that one layer caches for a token, both ways, drawn to one scale. */
function stored(
  {heads, width, rank}: LatentState,
  {sizes: {keys, whole, kept, share: keptShare}}: LatentResult,
): TemplateResult {
  const turned = kept - rank;
  const most = Math.max(whole, kept);
  const share = (count: number) => `${((100 * count) / most).toFixed(2)}%`;
  const sum =
    turned > 0 ? `${integer(rank)} ＋ ${integer(turned)} ＝ ${integer(kept)}` : integer(kept);
  const line = (y: number, name: string, count: string) =>
    svg`${text(0, y, name, {size: 12})}
    ${text(100, y, count, {anchor: 'end', size: 12, weight: 600})}`;
  return figure(
    {height: 100, label: `每个词元存几个数：各头各存K、V${integer(whole)}，MLA${integer(kept)}`},
    svg`${line(14, '各头各存K、V', `2 × ${integer(heads)} × ${integer(width)} ＝ ${integer(whole)}`)}
    <rect y="20" width=${share(keys)} height="14" fill=${color('key')} fill-opacity="0.5"/>
    <rect x=${share(keys)} y="20" width=${share(keys)} height="14"
      fill=${color('value')} fill-opacity="0.5"/>
    ${line(62, turned > 0 ? '潜向量和转的一段' : '只存潜向量', `${sum}，是${general(100 * keptShare, 3)} %`)}
    <rect y="68" width=${share(rank)} height="14" fill=${color('query')}/>
    <rect x=${share(rank)} y="68" width=${share(turned)} height="14" fill=${color('score')}/>`,
  );
}

/** The sizes; a widget that answers a reader gives `touch`. */
export function sizes(state: LatentState, result: LatentResult, touch?: SizeTouch): TemplateResult {
  const all = stripsOf(state);
  return html`<h3>按比例：真实的尺寸</h3>
    <div class="charts">
      ${figure(
        {
          height: ROW * all.length,
          label: all.map(({key, name}) => `${name}${integer(state[key])}`).join('，'),
          touched: touch !== undefined,
        },
        svg`${all.map((each, i) => strip(state, each, i, touch))}`,
      )}
      ${matrices(state, result)}
    </div>
    ${stored(state, result)}`;
}
