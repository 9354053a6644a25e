// Sentences, table and steps of <attn-scaling>.

import {html, type TemplateResult} from 'lit';
import type {DivisorRow, InitSweepRow, VarianceRow} from '../../scaling.js';
import {SIDES} from '../../shared/experiment.js';
import {fixed, general, integer, percent, plain} from '../../shared/format.js';
import type {Table} from '../attn-widget/spec.js';
import {KEYS, NAMES, type Part, SAMPLES, type ScalingResult, type ScalingState} from './state.js';
import {DIVISORS, STATISTICS} from './view.js';

/** The range from the first row to the last. */
function course<Row>(rows: readonly Row[], of: (row: Row) => string): string {
  return [...new Set([rows.slice(0, 1), rows.slice(-1)].flat().map(of))].join('→');
}

function saysDimension(rows: readonly VarianceRow[]): string {
  const [raw, scaled] = SIDES.map(
    ({side, name}) =>
      `${name}，熵${course(rows, (row) => fixed(row[side].entropy, 3))}，` +
      `‖J‖${course(rows, (row) => fixed(row[side].jacobianNorm, 3))}`,
  );
  return `d＝${course(rows, ({d}) => integer(d))}：${raw}；${scaled}。这里q、k的方差恰好是1；小模型起步时并非如此，见「刚初始化」。`;
}

function saysDivisor(rows: readonly DivisorRow[], d: number, scores: readonly number[]): string {
  const [one, root, full] = rows.map(({maxWeight}) => percent(maxWeight));
  return (
    `当作${integer(d)}维的点积：不除，最大权重${one}；除以√d，${root}；除以d，${full}，` +
    `而${scores.length}个平分是${percent(1 / scores.length)}。`
  );
}

function saysInit(rows: readonly InitSweepRow[], sigma: number, slope: number | null): string {
  const worst = Math.max(...rows.map(({std, predicted}) => Math.abs(std / predicted - 1)));
  const shares = course(rows, (row) => percent(row.std / row.unitVariance));
  return (
    `σ＝${plain(sigma)}时，实测与预测最多差${percent(worst)}，是√d的${shares}。` +
    (slope === null
      ? ''
      : `双对数图上，实测斜率${fixed(slope, 2)}，√d那条是0.50：宽度就是d，每个分量的方差σ²d也跟着变大，再乘√d，指数便是1.5。`)
  );
}

export function says({d, scores, sigma}: ScalingState, result: ScalingResult): string {
  if (result.part === 'divisor') return saysDivisor(result.rows, d, scores);
  if (result.part === 'init') return saysInit(result.rows, sigma, result.slope);
  return saysDimension(result.rows);
}

export function table({scores}: ScalingState, result: ScalingResult): Table {
  if (result.part === 'divisor') {
    return {
      columns: [
        '除以',
        ...scores.map((score, i) => `${NAMES[i]} ${general(score)}`),
        ...STATISTICS.map(({name}) => name),
      ],
      rows: result.rows.map((row, i) => [
        `${DIVISORS[i]?.name}＝${general(row.divisor)}`,
        ...[...row.weights, row.maxWeight, row.entropy, row.std].map((value) => general(value)),
      ]),
    };
  }
  if (result.part === 'init') {
    return {
      columns: ['d', '实测', '预测σ²d√d', '√d', '熵', '‖J‖'],
      rows: result.rows.map((row) => [
        integer(row.d),
        ...[row.std, row.predicted, row.unitVariance, row.entropy, row.jacobianNorm].map((value) =>
          general(value),
        ),
      ]),
    };
  }
  return {
    columns: ['d', '除法', '熵', '‖J‖平均', '‖J‖中位数', '标准差', '最大权重'],
    rows: result.rows.flatMap((row) =>
      SIDES.map(({side, mark, name}) => {
        const {entropy, jacobianNorm, jacobianNormMedian, std, maxWeight} = row[side];
        return [
          integer(row.d),
          `${mark} ${name}`,
          ...[entropy, jacobianNorm, jacobianNormMedian, std, maxWeight].map((value) =>
            general(value),
          ),
        ];
      }),
    ),
  };
}

export function steps({d, sigma, seed}: ScalingState, {part}: ScalingResult): TemplateResult {
  const items: Record<Part, string[]> = {
    dimension: [
      `种子${plain(seed)}，每种维数${integer(SAMPLES)}行、每行${KEYS}个键，与方差实验同一批数。`,
      '每行用点积和点积÷√d各做一次softmax，熵和‖J‖取平均。',
    ],
    divisor: [
      `分数分别除以1、√${d}、${d}，各做一次softmax。`,
      '标准差：分量独立、方差1时，点积是√d，再除以除数。',
    ],
    init: [
      `一层一头，宽度和头宽都是d；词表300，8句，每句32个词元；所有参数按σ＝${plain(sigma)}抽取，种子${plain(seed)}。`,
      '先过LayerNorm，再投影；量每个词元对自己和前文的点积，不除√d。',
      'LayerNorm之后方差约1，q的分量方差是σ²d，点积的标准差是σ²d√d。',
    ],
  };
  return html`<ol class="steps">
    ${items[part].map((item) => html`<li>${item}</li>`)}
  </ol>`;
}
