// <attn-sink>: a row of softmax that sums to 1, and two ways to take less: a sink logit in the
// denominator that belongs to no token, and a gate on the output.

import {html, svg, type TemplateResult} from 'lit';
import {valuesOf} from '../core.js';
import {generalTick, ticksAround, ticksBelow, ticksBeside} from '../shared/axis.js';
import {sumOfProducts} from '../shared/equation.js';
import {fixed, general, percent} from '../shared/format.js';
import {listBox, slider} from '../shared/number-box.js';
import {along, color, figure, hatch, panel, path, rule, text, type Point} from '../shared/plot.js';
import {type Need, type Resources} from '../shared/runtime.js';
import {numberField, numbersField, type Schema} from '../shared/schema.js';
import {samplesRow, type Sample} from '../shared/samples.js';
import {AttnWidget} from './attn-widget.js';
import type {Spec, Table} from './attn-widget/spec.js';

export interface SinkState {
  /** 一行分数，已除以√d */
  scores: readonly number[];
  /** 汇logit，分母里多出来的那一项的指数 */
  sink: number;
  /** 输出门，0到1；1是没有门 */
  gate: number;
}

export interface SinkResult {
  tokens: string[];
  /** Softmax of the scores alone. */
  plain: number[];
  /** Weights with the sink, before the gate. */
  weights: number[];
  sinkWeight: number;
  total: number;
  /** Weights after the gate: the factors of the values. */
  taken: number[];
  takenTotal: number;
  /** The total weight against the sink logit. */
  curve: {sink: number; taken: number}[];
}

const MOST = 8;
/** Row 苹果 of the teaching sentence, to the four decimals. */
const ROW_SCORES = [0.0392, 0.3598, 0.0016];
const SINKS = {min: -50, max: 50};
const TRACK = {min: -6, max: 8};
const POINTS = 57;

const schema: Schema<SinkState> = {
  scores: numbersField(ROW_SCORES, MOST, {min: -1e6, max: 1e6}),
  sink: numberField(0, SINKS),
  gate: numberField(1, {min: 0, max: 1}),
};

const PRESETS: readonly Sample<SinkState>[] = [
  {name: '「苹果」那一行', patch: {scores: ROW_SCORES}},
  {name: '全不相干', patch: {scores: [-4, -4, -4]}},
  {name: '有一个对上了', patch: {scores: [5, 0, 0]}},
];

function compute({core, sequence, world}: Resources, {scores, sink, gate}: SinkState): SinkResult {
  const {weights, sinkWeight, total, taken, takenTotal} = sequence.softmaxWithSink(scores, {
    sink,
    gate,
  });
  const plain = core.weigh(scores);
  const lo = Math.min(TRACK.min, sink);
  const hi = Math.max(TRACK.max, sink);
  const curve = Array.from({length: POINTS}, (_, i) => {
    const at = lo + ((hi - lo) * i) / (POINTS - 1);
    return {sink: at, taken: sequence.softmaxWithSink(scores, {sink: at, gate}).takenTotal};
  });
  return {
    tokens: scores.map((_, i) => world.tokens[i] ?? `第${i + 1}个`),
    plain: valuesOf(plain.weights),
    weights,
    sinkWeight,
    total,
    taken,
    takenTotal,
    curve,
  };
}

const ROW = 42;
const TOP = 30;

/** Both rows have one scale: the whole width of a bar is 100 %. */
function shares(
  {scores, sink, gate}: SinkState,
  {tokens, plain, taken, takenTotal, sinkWeight, total}: SinkResult,
): TemplateResult {
  const bottom = TOP + ROW * scores.length;
  const bar = (x: number, y: number, share: number, fill: string, mark = '') =>
    panel(
      {x, y, width: 33, height: ROW},
      svg`${text(0, 17, `${mark}${percent(share)}`, {size: 12})}
    <rect x="0%" y="24" width="100%" height="11" fill=${color('weight-soft')}/><rect x="0%" y="24"
      width="${along(share, [0, 1])}%" height="11" fill=${fill}/>`,
    );
  return figure(
    {
      height: bottom + 3 * ROW,
      label: `普通softmax取走100 %，加了汇和门取走${percent(takenTotal)}；数值见表格`,
    },
    svg`<defs>${hatch('sink', 'ink-2')}</defs>
    ${text(30, 18, '普通softmax', {weight: 600})}${text(67, 18, '加汇、加门', {weight: 600})}
    ${tokens.map((token, i) => {
      const y = TOP + ROW * i;
      return svg`${rule(0, 100, y)}${text(0, y + 18, token)}${text(
        0,
        y + 35,
        general(scores[i] ?? 0),
        {fill: 'score', size: 12},
      )}
        ${bar(30, y, plain[i] ?? 0, color('weight'))}${bar(67, y, taken[i] ?? 0, color('weight'))}`;
    })}
    ${rule(0, 100, bottom)}${text(0, bottom + 18, '归汇')}${text(0, bottom + 35, general(sink), {
      fill: 'score',
      size: 12,
    })}
    ${text(30, bottom + 18, '没有汇', {
      size: 12,
      fill: 'ink-2',
    })}${bar(67, bottom, sinkWeight, 'url(#sink)')}
    ${rule(0, 100, bottom + ROW)}${text(0, bottom + ROW + 18, '门挡下')}${text(
      0,
      bottom + ROW + 35,
      `开到${general(gate)}`,
      {fill: 'ink-2', size: 12},
    )}
    ${text(30, bottom + ROW + 18, '没有门', {
      size: 12,
      fill: 'ink-2',
    })}${bar(67, bottom + ROW, total - takenTotal, 'url(#sink)')}
    ${rule(0, 100, bottom + 2 * ROW)}${text(0, bottom + 2 * ROW + 24, '取走', {weight: 600})}
    ${text(30, bottom + 2 * ROW + 24, '✗ 100 %', {
      fill: 'wrong',
      weight: 600,
    })}${text(67, bottom + 2 * ROW + 24, `✓ ${percent(takenTotal)}`, {
      fill: 'right',
      weight: 600,
    })}`,
  );
}

const HEIGHT = 130;
const LEFT = 16;

function course({sink, gate}: SinkState, {curve, takenTotal}: SinkResult): TemplateResult {
  const domain = [curve[0]?.sink ?? 0, curve.at(-1)?.sink ?? 1] as const;
  const y = (share: number) => Math.round(HEIGHT * (1 - share));
  const at = (x: number, share: number): Point => [along(x, domain), y(share)];
  const [x0, y0] = at(sink, takenTotal);
  return figure(
    {height: HEIGHT + 70, label: '取走的总量随汇logit怎样变：汇越高，取得越少'},
    svg`
    ${text(0, 14, '✗ 普通softmax：永远100 %', {fill: 'wrong', weight: 600})}
    ${ticksBeside(
      [0, 0.5, 1],
      LEFT - 2,
      (share) => 26 + y(share),
      (share) => percent(share, 0),
    )}
    ${panel(
      {x: LEFT, y: 26, width: 100 - LEFT, height: HEIGHT},
      svg`${[0, 0.5].map((share) => rule(0, 100, y(share)))}
      ${path([at(domain[0], 1), at(domain[1], 1)], 'wrong', 'dashed')}
      ${path(
        curve.map((point) => at(point.sink, point.taken)),
        'right',
      )}
      <circle cx="${x0}%" cy=${y0} r="5.5" fill=${color('right')} stroke=${color('raised')}
        stroke-width="1.5"/>
      ${ticksBelow(ticksAround(sink, domain), domain, HEIGHT, generalTick(3))}`,
    )}
    ${text(100, HEIGHT + 62, `汇logit；门开到${general(gate)}`, {
      anchor: 'end',
      size: 12,
      fill: 'ink-2',
    })}`,
  );
}

function view(state: SinkState, result: SinkResult): TemplateResult {
  return html`<div class="charts">${shares(state, result)}${course(state, result)}</div>`;
}

function says({sink, gate}: SinkState, {sinkWeight, total, takenTotal}: SinkResult): string {
  return (
    `普通softmax把100 %全部分完。汇logit取${general(sink)}，` +
    `这一行取走${percent(total)}，${percent(sinkWeight)}谁也不给` +
    (gate === 1
      ? '；门全开，取多少算多少。'
      : `；门开到${general(gate)}，最后只取${percent(takenTotal)}。`)
  );
}

function table(
  {scores, sink, gate}: SinkState,
  {tokens, plain, weights, taken, sinkWeight, total, takenTotal}: SinkResult,
): Table {
  return {
    columns: ['看谁', '分数', '普通softmax', '加汇', '再过门'],
    rows: [
      ...tokens.map((token, i) => [
        token,
        general(scores[i] ?? 0),
        fixed(plain[i] ?? 0, 3),
        fixed(weights[i] ?? 0, 3),
        fixed(taken[i] ?? 0, 3),
      ]),
      ['汇', general(sink), '', fixed(sinkWeight, 3), ''],
      ['取走', '', '1.000', fixed(total, 3), `${fixed(takenTotal, 3)}（门${general(gate)}）`],
    ],
  };
}

function steps(
  {scores, sink, gate}: SinkState,
  {sinkWeight, total, takenTotal}: SinkResult,
): TemplateResult {
  const taken = percent(sinkWeight);
  return html`<ol class="steps">
    <li>普通softmax：分母是${scores.length}个eˢ之和，权重加起来必定是1。</li>
    <li>
      分母里再加一项e^${general(sink)}。它不属于任何词元，也没有值，占去${taken}；词元之间的比例不变，一起缩到${percent(total)}。
    </li>
    <li>
      取回的向量再乘门${general(gate)}：${sumOfProducts([[total, gate]], fixed(takenTotal, 3), 3)}。
    </li>
  </ol>`;
}

/**
 * Softmax with a sink logit in its denominator and a gate on the output.
 *
 * @name 注意力汇
 * @summary 没什么可看的时候，给剩下的份额一个去处。
 * @attr scores sink gate
 * @fires attn-change  detail: {state, result}
 */
export class AttnSink extends AttnWidget<SinkState, SinkResult> {
  static override readonly needs: readonly Need[] = ['sequence'];

  static override readonly spec: Spec<SinkState, SinkResult> = {
    tag: 'attn-sink',
    title: '不必把100 %分完',
    hint: '调高汇的logit，或把门关小，看这一行取走多少。',
    schema,
    compute,
    view,
    says,
    table,
    steps,
  };

  protected override controls(state: SinkState): TemplateResult {
    const {scores, sink, gate} = state;
    return html`${samplesRow({
        label: '样例',
        samples: PRESETS,
        state,
        take: (patch) => this.#take(patch),
      })}
      <div class="dials">
        ${listBox(this, {
          key: 'scores',
          label: '分数',
          values: scores,
          read: schema.scores.read,
          set: (next) => this.change({scores: next}),
        })}
      </div>
      <div class="dials">
        ${slider(this, {
          key: 'sink',
          label: '汇logit',
          value: sink,
          ...TRACK,
          step: 0.1,
          by: 0.1,
          set: (value) => this.change({sink: value}),
        })}
        ${slider(this, {
          key: 'gate',
          label: '门',
          value: gate,
          min: 0,
          max: 1,
          step: 0.05,
          by: 0.05,
          set: (value) => this.change({gate: value}),
        })}
      </div>`;
  }

  #take(patch: Partial<SinkState>): void {
    this.drafts.clear();
    this.change(patch);
  }
}
