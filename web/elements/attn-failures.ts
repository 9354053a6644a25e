// <attn-failures>: mistakes in attention that raise no error, each in a recorded run beside the right
// one, and what three readings say about one's own.

import {html, nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import type {AttentionKind} from '../train.js';
import {valuesOf, type Core} from '../core.js';
import type {FailureRecord, FailuresContent} from '../shared/content.js';
import {fixed, general, integer} from '../shared/format.js';
import {readNumber} from '../shared/input.js';
import {numberBox} from '../shared/number-box.js';
import {
  along,
  color,
  figure,
  marker,
  panel,
  rule,
  text,
  ticksBelow,
  type Token,
} from '../shared/plot.js';
import {runtime, type Resources} from '../shared/runtime.js';
import {
  choiceField,
  rangeWords,
  sampleNumber,
  type Field,
  type NumberRange,
  type Schema,
} from '../shared/schema.js';
import {AttnWidget, type Spec, type Table} from './attn-widget.js';
import {
  ASSERTIONS,
  diagnose,
  LARGEST_JACOBIAN,
  LIMITS,
  SYMPTOMS,
  type Finding,
  type Readings,
  type Symptom,
} from './diagnosis.js';

type Part = 'gallery' | 'diagnosis';
type Mistake = Exclude<AttentionKind, 'scaled' | 'unscaled'>;

export interface FailuresState extends Readings {
  /** 看哪一部分：失败陈列，或诊断 */
  part: Part;
  /** 哪一种写错 */
  variant: Mistake;
  /** 自己的模型的熵H，0到1；空着就是没量 */
  entropy: number | null;
  /** 分数的标准差 */
  deviation: number | null;
  /** 雅可比矩阵的范数‖J‖ */
  jacobian: number | null;
  /** 有什么症状 */
  symptom: Symptom | 'none';
}

/** A run in the figures that the table shows. */
export interface Symptoms {
  attention: AttentionKind;
  start: number;
  /** Means of the last 50 steps; of the gradient norm, of those that were recorded. */
  loss: number;
  gradientNorm: number;
  validationLoss: number;
  entropy: number;
  deviation: number;
  /** Of the first step: the model before any training. */
  firstDeviation: number;
  jacobian: number;
  diagonal: number;
  largestRowSum: number;
}

/** One row of scores worked out both ways; NaN never: null where there is no weight. */
export interface Example {
  right: number[];
  wrong: (number | null)[];
}

export interface FailuresResult {
  content: FailuresContent;
  rows: Symptoms[];
  example: Example;
  /** d_model·σ², what the deviation of the scores is before training if they are divided by √d. */
  expectedDeviation: number;
  findings: Finding[];
}

interface Variant {
  id: Mistake;
  mark: string;
  name: string;
  wrong: string;
  right: string;
  /** What gives it away. */
  shows: string;
}

const VARIANTS: readonly Variant[] = [
  {
    id: 'hidden-as-zero',
    mark: '①',
    name: '遮住的记0分',
    wrong: 'scores[hidden] = 0',
    right: 'scores[hidden] = -inf',
    shows:
      '0分不是不看：e⁰＝1，后面的位置照样分到权重。答案从后面漏进来，训练和验证的损失都更低。只有查后面的权重是不是0，才抓得住。',
  },
  {
    id: 'scaled-after-softmax',
    mark: '②',
    name: 'softmax之后才÷√d',
    wrong: 'softmax(q @ k.T) / sqrt(d)',
    right: 'softmax(q @ k.T / sqrt(d))',
    shows:
      '分数没有变小，权重却整体缩了√d倍：每行加起来不是1。这不是换温度。损失看不出来，查行和一查就中。',
  },
  {
    id: 'no-max-subtraction',
    mark: '③',
    name: '不减最大值',
    wrong: 'exp(s) / exp(s).sum()',
    right: 'exp(s - max) / exp(s - max).sum()',
    shows:
      '分数小的时候，结果只差舍入，曲线几乎重合。float32里分数过了88.7，e的幂就溢出成inf，inf÷inf没有值。要等分数长大那一天才发作，所以要主动喂大分数去试。',
  },
  {
    id: 'divided-by-width',
    mark: '④',
    name: '除以d，不是√d',
    wrong: 'softmax(q @ k.T / d)',
    right: 'softmax(q @ k.T / sqrt(d))',
    shows:
      '分数小了√d倍，每行更接近平分。模型会把q、k学大一些来补，所以训练几百步之后熵只是略高。第0步量分数的标准差最灵敏：它该是多少，算得出来。',
  },
];

const variantOf = (id: Mistake): Variant =>
  VARIANTS.find((variant) => variant.id === id) ?? (VARIANTS[0] as Variant);
const nameOf = (attention: AttentionKind): string => {
  const variant = VARIANTS.find(({id}) => id === attention);
  return variant ? `${variant.mark} ${variant.name}` : '✓ 写对的';
};

const PARTS: readonly {part: Part; name: string; title: string}[] = [
  {part: 'gallery', name: '四种写错', title: '四种不报错的写错'},
  {part: 'diagnosis', name: '诊断', title: '三个读数，先查哪里'},
];

const RANGES = {
  entropy: {min: 0, max: 1},
  deviation: {min: 0, max: 1e12},
  jacobian: {min: 0, max: LARGEST_JACOBIAN},
} satisfies Record<string, NumberRange>;

function readingField(range: NumberRange): Field<number | null> {
  return {
    fallback: null,
    read: (typed) => (typed.trim() === '' ? null : readNumber(typed, range)),
    write: (value) => (value === null ? '' : String(value)),
    about: import.meta.env.SSR
      ? {
          takes: `${rangeWords(range)}，或空着`,
          sample: (random) => (random() < 0.3 ? null : sampleNumber(random, range)),
        }
      : undefined,
  };
}

const schema: Schema<FailuresState> = {
  part: choiceField<Part>('gallery', ['gallery', 'diagnosis']),
  variant: choiceField<Mistake>(
    'hidden-as-zero',
    VARIANTS.map(({id}) => id),
  ),
  entropy: readingField(RANGES.entropy),
  deviation: readingField(RANGES.deviation),
  jacobian: readingField(RANGES.jacobian),
  symptom: choiceField<Symptom | 'none'>('none', ['none', ...SYMPTOMS.map(({id}) => id)]),
};

/** Standard deviation of the untrained weights. */
const SIGMA = 0.02;
const LAST = 50;

function symptomsOf(
  {attention, losses, gradientNorms, diagnostics, finalLoss, validationLoss}: FailureRecord,
  steps: number,
): Symptoms {
  const norms = gradientNorms.filter(([step]) => step >= steps - LAST).map(([, norm]) => norm);
  const first = diagnostics[0];
  const last = diagnostics.at(-1);
  if (!first || !last) throw new Error(`${attention}: a record without diagnostics`);
  return {
    attention,
    start: losses[0]?.[1] ?? 0,
    loss: finalLoss,
    validationLoss,
    gradientNorm: norms.reduce((sum, norm) => sum + norm, 0) / norms.length,
    entropy: last.entropy,
    deviation: last.logitDeviation,
    firstDeviation: first.logitDeviation,
    jacobian: last.jacobianNorm,
    diagonal: last.diagonal,
    largestRowSum: last.largestRowSum,
  };
}

/** Three keys that may be seen and one that comes later, d = 16. */
const ROW = {products: [8, 3, -2], later: 5, d: 16, large: 50};

function exampleOf(core: Core, variant: Mistake): Example {
  const {products, d, large} = ROW;
  const softmax = (scores: readonly number[], temperature: number, stable = true) =>
    core.weigh(scores, {temperature, precision: stable ? 'float64' : 'float32', stable}).weights;
  const root = Math.sqrt(d);
  const right = [...valuesOf(softmax(products, root)), 0];
  switch (variant) {
    case 'hidden-as-zero':
      return {right, wrong: valuesOf(softmax([...products, 0], root))};
    case 'scaled-after-softmax':
      return {right, wrong: [...softmax(products, 1).map(({value}) => value / root), 0]};
    case 'divided-by-width':
      return {right, wrong: [...valuesOf(softmax(products, d)), 0]};
    case 'no-max-subtraction': {
      // The same row once its scores have grown.
      const grown = valuesOf(softmax(products, root / large));
      return {
        right: [...grown, 0],
        wrong: [
          ...softmax(products, root / large, false).map(({value, status}) =>
            status === 'ok' ? value : null,
          ),
          0,
        ],
      };
    }
  }
}

function compute(
  {core}: Resources,
  state: FailuresState,
  content: FailuresContent,
): FailuresResult {
  return {
    content,
    rows: content.records.map((record) => symptomsOf(record, content.steps)),
    example: exampleOf(core, state.variant),
    expectedDeviation: content.dModel * SIGMA * SIGMA,
    findings: diagnose(state),
  };
}

// Curves: the right run, the one chosen, and the others behind them.

const TOP = 28;
const HEIGHT = 116;
const LEFT = 12;

interface Curve {
  title: string;
  of: (record: FailureRecord) => readonly (readonly [number, number])[];
  /** Whole numbers of these enclose all values; a logarithmic axis goes by tens. */
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
    ${ticks.map((tick) => svg`${rule(LEFT, 100, TOP + y(tick))}${text(LEFT - 2, TOP + y(tick) + 4, general(tick), {anchor: 'end', size: 11, fill: 'ink-2'})}`)}
    ${panel(
      {x: LEFT, y: TOP, width: 100 - LEFT, height: HEIGHT},
      svg`<svg width="100%" height=${HEIGHT} viewBox="0 0 100 ${HEIGHT}" preserveAspectRatio="none">${lines.map(
        ({record, role}) => svg`<polyline fill="none" vector-effect="non-scaling-stroke"
        points=${of(record)
          .map(([step, value]) => `${along(step, [0, last]).toFixed(1)},${y(value).toFixed(1)}`)
          .join(
            ' ',
          )} stroke=${color(LINES[role].token)} stroke-width=${LINES[role].width} stroke-dasharray=${LINES[role].dash} stroke-opacity=${role === 'other' ? '0.55' : '1'}/>`,
      )}</svg>
      ${ticksBelow([0, 100, 200, last], [0, last], HEIGHT, (tick) => (tick === last ? `${integer(tick + 1)}步` : integer(tick)))}`,
    )}`,
  );
}

function legend(chosen: Variant): SVGTemplateResult {
  const item = (x: number, role: Role, name: string) =>
    svg`<line x1="${x}%" x2="${x + 5}%" y1="10" y2="10" stroke=${color(LINES[role].token)} stroke-width=${LINES[role].width} stroke-dasharray=${LINES[role].dash}/>${text(x + 6.5, 14, name, {size: 12, fill: LINES[role].token})}`;
  return svg`${item(0, 'right', '✓ 写对的')}${item(25, 'other', '其余')}${item(42, 'chosen', `✗ ${chosen.name}`)}`;
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
    {name: '✓ 对', token: 'right' as const, weights: right as (number | null)[]},
    {name: '✗ 错', token: 'wrong' as const, weights: wrong},
  ];
  const at = (j: number) => 14 + 17.2 * j;
  const value = (weight: number | null) => (weight === null ? 'nan' : fixed(weight, 3));
  return figure(
    {height: 26 + CELL * 2, label: `${variant.name}：同一行分数，写对与写错的权重`},
    svg`
    ${[...names, '合计'].map((name, j) => text(at(j), 14, name, {size: 12, fill: 'ink-2'}))}
    ${lines.map(
      (
        {name, token, weights},
        i,
      ) => svg`${rule(0, 100, 22 + CELL * i)}${text(0, 22 + CELL * i + 18, name, {size: 12, fill: token, weight: 600})}
      ${weights.map((weight, j) =>
        panel(
          {x: at(j), y: 22 + CELL * i, width: 15, height: CELL},
          svg`${text(0, 18, value(weight), {size: 12})}
        <rect y="24" width="100%" height="8" fill=${color('weight-soft')}/><rect y="24" width="${(100 * (weight ?? 0)).toFixed(1)}%" height="8" fill=${color('weight')}/>`,
        ),
      )}
      ${text(at(4), 22 + CELL * i + 18, value(sum(weights)), {size: 12, weight: 600})}`,
    )}`,
  );
}

function exampleWords({id}: Variant): string {
  const {products, later, d, large} = ROW;
  const row = `点积(${products.map((product) => fixed(product, 0)).join(', ')})，后面还有一个${later}，d＝${d}`;
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

function gallery({variant: id}: FailuresState, result: FailuresResult): TemplateResult {
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

// Diagnosis: three lines on which the recorded runs and the reader's own number stand.

interface Scale {
  key: keyof Readings;
  name: string;
  domain: readonly [number, number];
  scale: 'linear' | 'log';
  ticks: readonly number[];
  limits: readonly number[];
  of: (row: Symptoms) => number;
}

const SCALES: readonly Scale[] = [
  {
    key: 'entropy',
    name: '熵H',
    domain: [0, 1],
    scale: 'linear',
    ticks: [0, 0.5, 0.9, 1],
    limits: [LIMITS.sharp, LIMITS.flat],
    of: ({entropy}) => entropy,
  },
  {
    key: 'deviation',
    name: '分数的标准差（对数轴）',
    domain: [0.001, 10_000],
    scale: 'log',
    ticks: [0.001, 0.1, 10, 1000],
    limits: [LIMITS.huge],
    of: ({deviation}) => deviation,
  },
  {
    key: 'jacobian',
    name: '‖J‖（对数轴）',
    domain: [1e-5, 0.5],
    scale: 'log',
    ticks: [1e-4, 0.01, 0.5],
    limits: [LIMITS.frozen],
    of: ({jacobian}) => jacobian,
  },
];

const SCALE = 78;

function scalesFigure(state: FailuresState, {rows}: FailuresResult): TemplateResult {
  return figure(
    {height: SCALE * SCALES.length, label: '三个读数：记录下的五次训练，与你的数；数值见表格'},
    svg`${SCALES.map(({key, name, domain, scale, ticks, limits, of}, i) => {
      const [lo, hi] = domain;
      const at = (value: number) =>
        2 + 0.96 * along(Math.min(hi, Math.max(lo, value)), domain, scale);
      const own = state[key];
      const y = SCALE * i + 42;
      return svg`${text(0, SCALE * i + 14, name, {weight: 600})}
      <line x1="2%" x2="98%" y1=${y} y2=${y} stroke=${color('ink-2')}/>
      ${limits.map((limit) => svg`<line x1="${at(limit)}%" x2="${at(limit)}%" y1=${y - 9} y2=${y + 9} stroke=${color('wrong')} stroke-dasharray="3 2"/>`)}
      ${rows.map((row) => marker(row.attention === 'scaled' ? 'dot' : 'cross', [at(of(row)), y], row.attention === 'scaled' ? 'right' : 'wrong'))}
      ${own === null ? nothing : svg`<svg x="${at(own)}%" y=${y} overflow="visible"><path d="M0 -5L-6 -16H6Z" fill=${color('ink')}/></svg>${text(100, SCALE * i + 14, `你的${general(own)}`, {anchor: 'end', size: 12, weight: 600})}`}
      ${ticks.map((tick) => text(at(tick), y + 22, general(tick), {anchor: tick === hi ? 'end' : tick === lo ? 'start' : 'middle', size: 11, fill: 'ink-2'}))}`;
    })}`,
  );
}

const KIND_MARKS: Record<Finding['kind'], {mark: string; style: string}> = {
  alarm: {mark: '✗ 停下来查', style: 'wrong'},
  look: {mark: '○ 留意', style: 'score'},
  fine: {mark: '✓ 读数正常', style: 'right'},
};

/** How far the thresholds alone would have got. */
function caught({rows}: FailuresResult): string {
  const mistakes = rows.filter(({attention}) => attention !== 'scaled');
  const over = mistakes.filter(
    ({entropy, deviation, jacobian}) =>
      entropy > LIMITS.flat ||
      entropy < LIMITS.sharp ||
      deviation > LIMITS.huge ||
      jacobian < LIMITS.frozen,
  );
  if (over.length === 0)
    return `${integer(mistakes.length)}个✗没有一个过线：光靠这三个数，这${integer(mistakes.length)}种错一个也抓不住。`;
  return `过线的只有${over.map(({attention}) => nameOf(attention)).join('、')}。`;
}

function diagnosis(state: FailuresState, result: FailuresResult): TemplateResult {
  const symptom = SYMPTOMS.find(({id}) => id === state.symptom);
  return html`${scalesFigure(state, result)}
    <p class="reading">
      ● 写对的，✗
      四种写错的，都是训练${integer(result.content.steps)}步之后；红色虚线是书稿给的阈值。${caught(result)}
    </p>
    ${
      result.findings.length > 0
        ? html`<h3>读数说什么，按次序查</h3>
            <ol class="steps">
              ${result.findings.map(({kind, reading, check, source}) => html`<li><b class=${KIND_MARKS[kind].style}>${KIND_MARKS[kind].mark}</b>：${reading}${check}<span class="src">（${source}）</span></li>`)}
            </ol>`
        : nothing
    }
    ${
      symptom
        ? html`<h3>${symptom.name}，按次序查</h3>
            <ol class="steps">
              ${symptom.checks.map((check) => html`<li>${check}</li>`)}
            </ol>`
        : nothing
    }
    <h3>读数替不了的四条断言</h3>
    <ol class="steps">
      ${ASSERTIONS.map(({what, how}) => html`<li><b>${what}</b>：${how}</li>`)}
    </ol>`;
}

function view(state: FailuresState, result: FailuresResult): TemplateResult {
  return state.part === 'gallery' ? gallery(state, result) : diagnosis(state, result);
}

function difference(value: number): string {
  return `${value < 0 ? '低' : '高'}${fixed(Math.abs(value), 3)}`;
}

function says(state: FailuresState, {rows, findings, expectedDeviation}: FailuresResult): string {
  if (state.part === 'diagnosis') {
    const [first] = findings;
    return first
      ? `${findings.length > 1 ? `${integer(findings.length)}条里先查这一条：` : ''}${first.reading}`
      : '把自己模型的读数填进来，有几个填几个；或选一个症状。';
  }
  const right = rows.find(({attention}) => attention === 'scaled');
  const own = rows.find(({attention}) => attention === state.variant);
  if (!right || !own) return '';
  const tell: Record<Mistake, string> = {
    'hidden-as-zero': `行和还是${fixed(own.largestRowSum, 4)}，熵${fixed(own.entropy, 3)}也不出奇`,
    'scaled-after-softmax': `行和只有${fixed(own.largestRowSum, 4)}，一查就中`,
    'no-max-subtraction': `每一栏都与写对的差不多，要喂大分数才看得出`,
    'divided-by-width': `第0步的标准差${fixed(own.firstDeviation, 4)}，该是d_model·σ²＝${fixed(expectedDeviation, 4)}`,
  };
  return `${nameOf(own.attention)}：末50步的损失比写对的${difference(own.loss - right.loss)}，验证损失${difference(own.validationLoss - right.validationLoss)}，一个错也没报。${tell[state.variant]}。`;
}

function table(state: FailuresState, {rows, content}: FailuresResult): Table {
  if (state.part === 'diagnosis') {
    return {
      columns: ['读数', ...rows.map(({attention}) => nameOf(attention)), '你的'],
      rows: SCALES.map(({key, name, of}) => [
        name,
        ...rows.map((row) => general(of(row))),
        state[key] === null ? '没有量' : general(state[key]),
      ]),
    };
  }
  return {
    columns: [
      '步',
      ...content.records.map(({attention}) => `${nameOf(attention)}，损失`),
      ...content.records.map(({attention}) => `${nameOf(attention)}，梯度范数`),
    ],
    rows: (content.records[0]?.losses ?? []).map(([step], i) => [
      integer(step),
      ...content.records.map(({losses}) => fixed(losses[i]?.[1] ?? 0, 3)),
      ...content.records.map(({gradientNorms}) => fixed(gradientNorms[i]?.[1] ?? 0, 3)),
    ]),
  };
}

/**
 * Four mistakes in attention that raise no error, as recorded, and a reading of one's own numbers.
 *
 * @attr part variant entropy deviation jacobian symptom
 * @fires attn-change  detail: {state, result}
 */
export class AttnFailures extends AttnWidget<FailuresState, FailuresResult, FailuresContent> {
  static override readonly spec: Spec<FailuresState, FailuresResult, FailuresContent> = {
    tag: 'attn-failures',
    title: ({part}) => PARTS.find((each) => each.part === part)?.title ?? '',
    hint: '换一种写错，看它露出什么；或者填上自己的三个读数，看先查哪里。',
    schema,
    content: () => 'failures',
    compute,
    view,
    says,
    table,
  };

  protected override controls(state: FailuresState, {content}: FailuresResult): TemplateResult {
    return html`<fieldset class="tabs">
        <legend>看哪一部分</legend>
        ${PARTS.map(
          ({part, name}) =>
            html`<label>
              <input
                type="radio"
                name="part"
                value=${part}
                ?checked=${state.part === part}
                @change=${() => this.#show(part)}
              /><span>${name}</span></label
            >`,
        )}
      </fieldset>
      ${state.part === 'gallery' ? this.#variants(state, content) : this.#readings(state)}`;
  }

  #show(part: Part): void {
    this.drafts.clear();
    this.change({part});
  }

  #variants({variant}: FailuresState, {seed, steps, trainable}: FailuresContent): TemplateResult {
    const href = `${runtime.contentBase}../case/training/index.html`;
    const run = new URLSearchParams({
      attention: variant,
      steps: String(steps),
      seed: String(seed),
    }).toString();
    return html`<div class="row" role="group" aria-label="哪一种写错">
        <span>哪一种</span>${VARIANTS.map(
          ({id, mark, name}) =>
            html`<button
              type="button"
              class="chip"
              aria-pressed=${id === variant ? 'true' : 'false'}
              @click=${() => this.change({variant: id})}
            >
              ${mark} ${name}
            </button>`,
        )}
      </div>
      ${trainable ? html`<div class="row"><a href="${href}#w-train?${run}">在训练页里亲手跑这一种（${integer(steps)}步）</a></div>` : nothing}`;
  }

  #readings({entropy, deviation, jacobian, symptom}: FailuresState): TemplateResult {
    const box = (key: keyof Readings, label: string, value: number | null, by: number) =>
      numberBox(this, {
        key,
        label,
        value,
        ...RANGES[key],
        by,
        set: (reading) => this.change({[key]: reading}),
        clear: () => this.change({[key]: null}),
      });
    return html`<div class="dials">
        ${box('entropy', '熵H', entropy, 0.05)}${box('deviation', '分数的标准差', deviation, 0.5)}${box('jacobian', '‖J‖', jacobian, 0.05)}
      </div>
      <div class="row">
        <label
          >症状
          <select
            @change=${(event: Event) => this.change({symptom: (event.target as HTMLSelectElement).value as FailuresState['symptom']})}
          >
            <option value="none" ?selected=${symptom === 'none'}>还没有，只看读数</option>
            ${SYMPTOMS.map(({id, name}) => html`<option value=${id} ?selected=${symptom === id}>${name}</option>`)}
          </select></label
        >
      </div>`;
  }
}
