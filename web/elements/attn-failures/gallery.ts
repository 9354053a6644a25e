// Gallery of <attn-failures>: curves of the correct run and the chosen one, with the others behind.

import {html, nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {generalTick, ticksBelow, ticksBeside} from '../../shared/axis.js';
import type {FailureRecord, FailuresContent} from '../../shared/content.js';
import {fixed, integer} from '../../shared/format.js';
import {along, color, figure, panel, rule, text, type Token} from '../../shared/plot.js';
import type {AttentionKind} from '../../train.js';
import {ROW} from './compute.js';
import type {FailuresResult, FailuresState, Symptoms} from './state.js';
import type {Mistake} from './variants.js';
import {nameOf, type Variant, variantOf} from './variants.js';

const TOP = 28;

const HEIGHT = 116;

const LEFT = 12;

interface Curve {
  title: string;
  of: (record: FailureRecord) => readonly (readonly [number, number])[];
  /** The axis ends at multiples of this step; a logarithmic axis ends at powers of ten. */
  step: number;
  scale: 'linear' | 'log';
}

const CURVES: readonly Curve[] = [
  {title: '损失', of: ({losses}) => losses, step: 0.5, scale: 'linear'},
  {title: '梯度范数（对数轴）', of: ({gradientNorms}) => gradientNorms, step: 10, scale: 'log'},
  {
    title: '熵H',
    of: ({diagnostics}) => diagnostics.map(({step, entropy}) => [step, entropy] as const),
    step: 0.5,
    scale: 'linear',
  },
  {
    title: '看自己的权重',
    of: ({diagnostics}) => diagnostics.map(({step, diagonal}) => [step, diagonal] as const),
    step: 0.05,
    scale: 'linear',
  },
];

type Role = 'right' | 'chosen' | 'other';

const roleOf = (attention: AttentionKind, chosen: Mistake): Role =>
  attention === 'scaled' ? 'right' : attention === chosen ? 'chosen' : 'other';

const ORDER: readonly Role[] = ['other', 'chosen', 'right'];

const LINES: Record<Role, {token: Token; width: number; dash: unknown}> = {
  right: {token: 'right', width: 2, dash: nothing},
  chosen: {token: 'wrong', width: 2.5, dash: '7 4'},
  other: {token: 'ink-2', width: 1, dash: nothing},
};

function domainOf({of, step, scale}: Curve, {records}: FailuresContent): readonly [number, number] {
  const values = records.flatMap((record) => of(record).map(([, value]) => value));
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (scale === 'log')
    return [step ** Math.floor(Math.log10(least)), step ** Math.ceil(Math.log10(most))];
  return [step * Math.floor(least / step), step * Math.ceil(most / step)];
}

function chart(curve: Curve, {content}: FailuresResult, chosen: Mistake): TemplateResult {
  const {title, of, scale} = curve;
  const domain = domainOf(curve, content);
  const [lo, hi] = domain;
  const last = content.steps - 1;
  const y = (value: number) =>
    Math.min(HEIGHT, Math.max(0, HEIGHT - (HEIGHT * along(value, domain, scale)) / 100));
  const lines = content.records
    .map((record) => ({record, role: roleOf(record.attention, chosen)}))
    .sort((a, b) => ORDER.indexOf(a.role) - ORDER.indexOf(b.role));
  const ticks = [lo, scale === 'log' ? Math.sqrt(lo * hi) : (lo + hi) / 2, hi];
  return figure(
    {height: TOP + HEIGHT + 24, label: `${title}，五次训练；数值见表格`},
    svg`${text(0, 14, title, {weight: 600})}
    ${ticks.map((tick) => rule(LEFT, 100, TOP + y(tick)))}
    ${ticksBeside(ticks, LEFT - 2, (tick) => TOP + y(tick), generalTick())}
    ${panel(
      {x: LEFT, y: TOP, width: 100 - LEFT, height: HEIGHT},
      svg`<svg width="100%" height=${HEIGHT} viewBox="0 0 100 ${HEIGHT}"
        preserveAspectRatio="none">${lines.map(
          ({record, role}) => svg`<polyline fill="none" vector-effect="non-scaling-stroke"
        points=${of(record)
          .map(([step, value]) => `${along(step, [0, last]).toFixed(1)},${y(value).toFixed(1)}`)
          .join(' ')} stroke=${color(LINES[role].token)} stroke-width=${LINES[role].width}
          stroke-dasharray=${LINES[role].dash} stroke-opacity=${role === 'other' ? '0.55' : '1'}/>`,
        )}</svg>
      ${ticksBelow([0, 100, 200, last], [0, last], HEIGHT, (tick) =>
        tick === last ? `${integer(tick + 1)}步` : integer(tick),
      )}`,
    )}`,
  );
}

function legend(chosen: Variant): SVGTemplateResult {
  const item = (x: number, role: Role, name: string) =>
    svg`<line x1="${x}%" x2="${x + 5}%" y1="10" y2="10" stroke=${color(LINES[role].token)}
      stroke-width=${LINES[role].width}
      stroke-dasharray=${LINES[role].dash}/>${text(x + 6.5, 14, name, {
        size: 12,
        fill: LINES[role].token,
      })}`;
  return svg`${item(0, 'right', '✓ 写对的')}${item(25, 'other', '其余')}${item(
    42,
    'chosen',
    `✗ ${chosen.name}`,
  )}`;
}

const CELL = 40;

/** One row of scores, right and wrong. */
function exampleFigure(
  variant: Variant,
  {example: {right, wrong}}: FailuresResult,
): TemplateResult {
  const names = ['第1个', '第2个', '自己', '后面的'];
  const sum = (weights: readonly (number | null)[]) =>
    weights.reduce<number | null>(
      (total, weight) => (total === null || weight === null ? null : total + weight),
      0,
    );
  const lines = [
    {name: '✓ 对', token: 'right' as const, weights: right},
    {name: '✗ 错', token: 'wrong' as const, weights: wrong},
  ];
  const at = (j: number) => 14 + 17.2 * j;
  const value = (weight: number | null) => (weight === null ? 'nan' : fixed(weight, 3));
  return figure(
    {height: 26 + CELL * 2, label: `${variant.name}：同一行分数，写对与写错的权重`},
    svg`
    ${[...names, '合计'].map((name, j) => text(at(j), 14, name, {size: 12, fill: 'ink-2'}))}
    ${lines.map(
      ({name, token, weights}, i) => svg`${rule(0, 100, 22 + CELL * i)}${text(
        0,
        22 + CELL * i + 18,
        name,
        {size: 12, fill: token, weight: 600},
      )}
      ${weights.map((weight, j) =>
        panel(
          {x: at(j), y: 22 + CELL * i, width: 15, height: CELL},
          svg`${text(0, 18, value(weight), {size: 12})}
        <rect y="24" width="100%" height="8" fill=${color('weight-soft')}/><rect y="24"
          width="${(100 * (weight ?? 0)).toFixed(1)}%" height="8" fill=${color('weight')}/>`,
        ),
      )}
      ${text(at(4), 22 + CELL * i + 18, value(sum(weights)), {size: 12, weight: 600})}`,
    )}`,
  );
}

function exampleWords({id}: Variant): string {
  const {products, later, d, large} = ROW;
  const listed = products.map((product) => fixed(product, 0)).join(', ');
  const row = `点积(${listed})，后面还有一个${later}，d＝${d}`;
  return id === 'no-max-subtraction' ? `${row}；分数长到${large}倍时，用float32。` : `${row}。`;
}

const COLUMNS: readonly {name: string; of: (row: Symptoms) => string}[] = [
  {name: '末50步损失', of: ({loss}) => fixed(loss, 3)},
  {name: '验证损失', of: ({validationLoss}) => fixed(validationLoss, 3)},
  {name: '梯度范数', of: ({gradientNorm}) => fixed(gradientNorm, 3)},
  {name: 'H', of: ({entropy}) => fixed(entropy, 4)},
  {name: '看自己', of: ({diagonal}) => fixed(diagonal, 3)},
  {name: '最大行和', of: ({largestRowSum}) => fixed(largestRowSum, 4)},
  {name: '第0步标准差', of: ({firstDeviation}) => fixed(firstDeviation, 4)},
];

function symptomTable({rows}: FailuresResult, chosen: Mistake): TemplateResult {
  return html`<div class="sideways" tabindex="0" role="group" aria-label="五次训练的症状">
    <table class="compare">
      <thead>
        <tr>
          <th scope="col">写法</th>
          ${COLUMNS.map(({name}) => html`<th scope="col">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map((row) => {
          const cell = (shown: string) =>
            row.attention === chosen ? html`<b>${shown}</b>` : shown;
          return html`<tr>
            <th scope="row">${cell(nameOf(row.attention))}</th>
            ${COLUMNS.map(({of}) => html`<td>${cell(of(row))}</td>`)}
          </tr>`;
        })}
      </tbody>
    </table>
  </div>`;
}

export function gallery({variant: id}: FailuresState, result: FailuresResult): TemplateResult {
  const variant = variantOf(id);
  return html`<ul class="sums">
      <li><b class="wrong">✗ 写错</b><code>${variant.wrong}</code></li>
      <li><b class="right">✓ 写对</b><code>${variant.right}</code></li>
    </ul>
    ${exampleFigure(variant, result)}
    <p class="reading">${exampleWords(variant)}</p>
    <h3>各训练${integer(result.content.steps)}步</h3>
    ${figure({height: 20, label: '图例'}, legend(variant))}
    <div class="charts">${CURVES.map((curve) => chart(curve, result, id))}</div>
    <h3>症状对照</h3>
    ${symptomTable(result, id)}
    <p class="reading">${variant.mark}：${variant.shows}</p>`;
}
