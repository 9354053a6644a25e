// Worked examples of <attn-heads>: one softmax for all columns, or one for each half of them.

import {html, nothing, svg, type TemplateResult} from 'lit';
import {type AttentionTrace, matrix, rowsOf} from '../../core.js';
import {fixed, general, percent} from '../../shared/format.js';
import {color, figure, hatch, panel, rule, text} from '../../shared/plot.js';
import type {Resources} from '../../shared/runtime.js';
import type {Table} from '../attn-widget/spec.js';
import {
  EXAMPLE,
  type Head,
  HEADS,
  type HeadsState,
  NAMES,
  TEACHING,
  type WorkedResult,
} from './state.js';

function inputs({core, world}: Resources, source: WorkedResult['source']) {
  if (source === 'example') {
    const x = matrix(EXAMPLE.x);
    return {tokens: EXAMPLE.tokens, columns: EXAMPLE.columns, row: EXAMPLE.row, q: x, k: x, v: x};
  }
  const x = matrix(world.embeddings);
  const [q, k, v] = [world.W_Q, world.W_K, world.W_V].map((w) => core.product(x, matrix(w))) as [
    typeof x,
    typeof x,
    typeof x,
  ];
  return {tokens: world.tokens, columns: TEACHING.columns, row: TEACHING.row, q, k, v};
}

export function work(
  resources: Resources,
  state: HeadsState,
  source: WorkedResult['source'],
): WorkedResult {
  const {core} = resources;
  const {tokens, columns, row, q, k, v} = inputs(resources, source);
  const how = {scaled: true, mask: 'causal'} as const;
  const several = core.multiHead(q, k, v, {heads: HEADS, ...how});
  const way = ({weights, output}: AttentionTrace, i: number): Head => ({
    name: NAMES[i] ?? '',
    width: output.cols,
    weights: rowsOf(weights),
    output: rowsOf(output),
  });
  return {
    source,
    tokens,
    columns,
    row: state.row === 0 ? row : Math.min(state.row, tokens.length) - 1,
    ways: [core.attention(q, k, v, how), ...several.heads].map(way),
    joined: rowsOf(several.output),
  };
}

const ROW = 42;

const TOP = 44;

/** The row of the querying token under each way, one column for each way. */
function oneRow({tokens, row, ways}: WorkedResult): TemplateResult {
  const places = ways.map((way, i) => ({...way, x: 18 + 28 * i}));
  return figure(
    {
      height: TOP + ROW * tokens.length,
      label: `「${tokens[row]}」一行的权重：一个头、头A、头B；数值见表格`,
    },
    svg`
    ${text(0, 16, `「${tokens[row]}」`, {weight: 600})}${text(0, 34, '看谁', {fill: 'ink-2', size: 12})}
    ${places.map(
      ({name, width, x}) =>
        svg`${text(x, 16, name, {weight: 600})}${text(x, 34, `除以√${width}`, {
          fill: 'ink-2',
          size: 12,
        })}`,
    )}
    ${tokens.map((token, j) => {
      const y = TOP + ROW * j;
      return svg`${rule(0, 100, y)}${text(0, y + 26, token)}${places.map(({weights, x}) => {
        const weight = weights[row]?.[j] ?? 0;
        return j > row
          ? text(x, y + 26, '遮住', {fill: 'ink-2', size: 12})
          : panel(
              {x, y, width: 25, height: ROW},
              svg`${text(0, 17, percent(weight), {size: 12})}
            <rect x="0%" y="23" width="100%" height="11" fill=${color('weight-soft')}/><rect x="0%"
              y="23" width="${(100 * weight).toFixed(2)}%" height="11" fill=${color('weight')}/>`,
            );
      })}`;
    })}`,
  );
}

/** The output of the row: the outputs of the heads are concatenated. */
function fetched({columns, row, ways, joined}: WorkedResult): TemplateResult {
  const at = (c: number) => 36 + 19 * c;
  const lines = [
    {name: '一个头', values: ways[0]?.output[row] ?? []},
    {name: '两个头', values: joined[row] ?? []},
  ];
  const half = columns.length / HEADS;
  return figure(
    {height: 104, label: '取回的向量：一个头，与两个头拼接'},
    svg`
    <rect x="${at(half - 1) + 2}%" y="20" width="1" height="80" fill=${color('rule')}/>
    ${text(0, 16, '取回', {weight: 600})}${columns.map(
      (name, c) => svg`${text(at(c), 16, name, {anchor: 'end', size: 12, fill: 'value'})}`,
    )}
    ${lines.map(
      (
        {name, values},
        i,
      ) => svg`${rule(0, 100, 28 + 38 * i)}${text(0, 52 + 38 * i, name, {size: 12})}
      ${values.map((value, c) =>
        text(at(c), 52 + 38 * i, fixed(value, 3), {
          anchor: 'end',
          size: 12,
          fill: 'value',
          weight: i === 1 ? 600 : 400,
        }),
      )}`,
    )}`,
  );
}

/** All rows of one way. */
function heatMap({tokens, row, ways}: WorkedResult, head: number): TemplateResult {
  const {name, weights} = ways[head] ?? {name: '', weights: []};
  const cell = 84 / tokens.length;
  return figure(
    {height: 28 + 38 * tokens.length, label: `${name}的权重，行看列；数值见表格`},
    svg`<defs>${hatch('later', 'ink-2')}</defs>
    ${text(0, 16, name, {weight: 600})}
    ${tokens.map((token, j) =>
      text(16 + cell * (j + 0.5), 16, token, {anchor: 'middle', size: 12, fill: 'key'}),
    )}
    ${tokens.map(
      (token, i) => svg`${text(0, 28 + 38 * i + 24, token, {
        size: 12,
        fill: 'query',
        weight: i === row ? 700 : 400,
      })}
      ${tokens.map((_, j) => {
        const weight = weights[i]?.[j] ?? 0;
        const hidden = j > i;
        return svg`<rect x="${16 + cell * j}%" y=${28 + 38 * i} width="${cell}%" height="38"
          fill=${hidden ? 'url(#later)' : color('weight')}
          fill-opacity=${hidden ? '0.35' : (0.05 + 0.5 * weight).toFixed(3)}
          stroke=${color('rule')}/>
          ${
            hidden
              ? nothing
              : text(16 + cell * (j + 0.5), 28 + 38 * i + 24, percent(weight), {
                  anchor: 'middle',
                  size: 11,
                  weight: i === row ? 600 : 400,
                })
          }`;
      })}`,
    )}`,
  );
}

export function workedView({head}: HeadsState, result: WorkedResult): TemplateResult {
  return html`<div class="charts">${oneRow(result)}${heatMap(result, Math.min(head, HEADS))}</div>
    <p class="reading">两个头的输出左右拼接：竖线左边来自头A，右边来自头B。</p>
    ${fetched(result)}`;
}

/** The token with the largest weight. */
function peak(weights: readonly number[]): number {
  return weights.indexOf(Math.max(...weights));
}

export function workedSays({tokens, row, ways, joined}: WorkedResult): string {
  const peaks = ways
    .map(({name, weights}) => {
      const own = weights[row] ?? [];
      return `${name}最看「${tokens[peak(own)]}」，${percent(own[peak(own)] ?? 0)}`;
    })
    .join('；');
  const [a, b] = ways.slice(1).map(({weights}) => weights[row] ?? []);
  const alike = a?.join() === b?.join();
  return (
    `「${tokens[row]}」这一行：${peaks}。` +
    `${row === 0 ? '它只看得见自己，怎么切都一样。' : alike ? '两个头拿到的数一样，看的也就一样。' : ''}` +
    `拼接起来是(${(joined[row] ?? []).map((value) => fixed(value, 3)).join(', ')})。`
  );
}

export function workedTable({tokens, ways}: WorkedResult): Table {
  return {
    columns: ['谁在看', '怎么切', ...tokens.map((token) => `看${token}`), '取回'],
    rows: tokens.flatMap((token, i) =>
      ways.map(({name, weights, output}) => [
        token,
        name,
        ...(weights[i] ?? []).map((weight, j) => (j > i ? '遮住' : percent(weight))),
        (output[i] ?? []).map((value) => fixed(value, 3)).join(', '),
      ]),
    ),
  };
}

export function workedSteps({source, columns, ways}: WorkedResult): TemplateResult {
  const width = ways[1]?.width ?? 1;
  return html`<ol class="steps">
    <li>
      ${source === 'teaching' ? 'Q＝X·W_Q，K＝X·W_K，V＝X·W_V，各4列，与一个头用的是同一套。' : '四个投影都取单位矩阵，Q、K、V就是X。'}
    </li>
    <li>
      按列切开：头A拿第1、2列（V里是${columns.slice(0, width).join('、')}），头B拿第3、4列（${columns
        .slice(width)
        .join('、')}）。
    </li>
    <li>
      每个头用自己的${width}列做点积，除以√${width}＝${general(Math.sqrt(width))}，遮住后面的，各做一次softmax，各乘各的V。
    </li>
    <li>两个输出左右拼接，又是4列。再乘W_O，才交给下一步。</li>
  </ol>`;
}
