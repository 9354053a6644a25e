// <attn-traffic>: what attention computes against what it moves, and which of the two takes longer.

import {html, svg, type TemplateResult} from 'lit';
import {general} from '../shared/format.js';
import {numberBox} from '../shared/number-box.js';
import {along, color, figure, hatch, text, type Token} from '../shared/plot.js';
import type {Need, Resources} from '../shared/runtime.js';
import {numberField, type NumberRange, type Schema} from '../shared/schema.js';
import {samplesRow, type Sample} from '../shared/samples.js';
import type {Traffic} from '../sequence.js';
import {AttnWidget} from './attn-widget.js';
import type {Spec, Table} from './attn-widget/spec.js';

export interface TrafficState {
  /** 词元数n */
  length: number;
  /** 每个头的维数d */
  width: number;
  /** 头数，各层合计也行 */
  heads: number;
  /** 每个数占几个字节 */
  bytes: number;
  /** 分块写法里，一块有几个查询 */
  block: number;
  /** 设备每秒做多少万亿（10¹²）次运算 */
  tera: number;
  /** 设备的显存每秒搬多少GB（10⁹字节） */
  bandwidth: number;
}

export type TrafficResult = Traffic;

type Key = keyof TrafficState;

const RANGES: Record<Key, NumberRange & {min: number; max: number}> = {
  length: {min: 1, max: 1e7, integer: true},
  width: {min: 1, max: 4096, integer: true},
  heads: {min: 1, max: 1e5, integer: true},
  bytes: {min: 1, max: 8, integer: true},
  block: {min: 1, max: 1e5, integer: true},
  tera: {min: 0.001, max: 1e5},
  bandwidth: {min: 0.1, max: 1e6},
};

const schema: Schema<TrafficState> = {
  length: numberField(4096, RANGES.length),
  width: numberField(64, RANGES.width),
  heads: numberField(16, RANGES.heads),
  bytes: numberField(2, RANGES.bytes),
  block: numberField(256, RANGES.block),
  tera: numberField(312, RANGES.tera),
  bandwidth: numberField(1555, RANGES.bandwidth),
};

/** Published peaks: dense 16-bit arithmetic, and memory bandwidth. */
const DEVICES: readonly Sample<TrafficState>[] = [
  {name: 'A100 40 GB', patch: {tera: 312, bandwidth: 1555}},
  {name: 'H100 SXM', patch: {tera: 989, bandwidth: 3350}},
  {name: '一台笔记本', patch: {tera: 1, bandwidth: 50}},
];

const BOXES: readonly {key: Key; label: string; unit?: string}[] = [
  {key: 'length', label: '词元数n'},
  {key: 'width', label: '头宽d'},
  {key: 'heads', label: '头数'},
  {key: 'bytes', label: '每个数', unit: '字节'},
  {key: 'block', label: '一块几个查询'},
  {key: 'tera', label: '每秒运算', unit: '万亿次'},
  {key: 'bandwidth', label: '每秒搬', unit: 'GB'},
];

function compute({sequence}: Resources, state: TrafficState): TrafficResult {
  return sequence.attentionTraffic({
    n: state.length,
    d: state.width,
    heads: state.heads,
    bytesPerValue: state.bytes,
    block: state.block,
    operationsPerSecond: state.tera * 1e12,
    bytesPerSecond: state.bandwidth * 1e9,
  });
}

function scaled(value: number, units: readonly (readonly [number, string])[]): string {
  const [size, unit] = units.find(([least]) => value >= least) ?? units.at(-1)!;
  return `${general(value / size, 3)} ${unit}`;
}

const size = (bytes: number) =>
  scaled(bytes, [
    [1e12, 'TB'],
    [1e9, 'GB'],
    [1e6, 'MB'],
    [1e3, 'KB'],
    [1, 'B'],
  ]);

const time = (seconds: number) =>
  scaled(seconds, [
    [1, 's'],
    [1e-3, 'ms'],
    [1e-6, 'μs'],
    [1e-9, 'ns'],
  ]);

const ROW = 50;

interface Bar {
  name: string;
  note: string;
  value: number;
  printed: string;
  token: Token;
  hatched?: boolean;
}

function bars(title: string, rows: readonly Bar[]): TemplateResult {
  const most = Math.max(...rows.map(({value}) => value));
  return figure(
    {
      height: 24 + ROW * rows.length,
      label: `${title}：${rows.map(({name, printed}) => `${name}${printed}`).join('，')}`,
    },
    svg`<defs>${hatch('moved', 'wrong')}</defs>${text(0, 15, title, {weight: 600})}
    ${rows.map(({name, note, value, printed, token, hatched}, i) => {
      const y = 24 + ROW * i;
      return svg`${text(0, y + 16, name)}${text(100, y + 16, printed, {
        anchor: 'end',
        weight: 600,
      })}
        ${text(48, y + 16, note, {size: 12, fill: 'ink-2', anchor: 'middle'})}
        <rect x="0%" y=${y + 24} width="100%" height="14" fill=${color('weight-soft')}
          fill-opacity="0.5"/><rect x="0%" y=${y + 24}
          width="${Math.max(0.4, along(value, [0, most]))}%" height="14"
          fill=${hatched ? 'url(#moved)' : color(token)}/>`;
    })}`,
  );
}

function view(_state: TrafficState, traffic: TrafficResult): TemplateResult {
  return html`<div class="charts">
    ${bars('要搬的字节', [
      {
        name: 'Q、K、V、O',
        note: '4nd',
        value: traffic.operandsBytes,
        printed: size(traffic.operandsBytes),
        token: 'value',
      },
      {
        name: '分数和权重',
        note: '写、读各两遍',
        value: traffic.scoresBytes,
        printed: size(traffic.scoresBytes),
        token: 'wrong',
        hatched: true,
      },
      {
        name: '分块写法合计',
        note: '分数不落地',
        value: traffic.tiledBytes,
        printed: size(traffic.tiledBytes),
        token: 'right',
      },
    ])}
    ${bars('按设备的峰值，要多久', [
      {
        name: '算',
        note: `${general(traffic.operations, 3)}次`,
        value: traffic.arithmeticSeconds,
        printed: time(traffic.arithmeticSeconds),
        token: 'score',
      },
      {
        name: '搬，标准写法',
        note: '',
        value: traffic.standardSeconds,
        printed: time(traffic.standardSeconds),
        token: 'wrong',
        hatched: true,
      },
      {
        name: '搬，分块写法',
        note: '',
        value: traffic.tiledSeconds,
        printed: time(traffic.tiledSeconds),
        token: 'right',
      },
    ])}
  </div>`;
}

function says(_state: TrafficState, traffic: TrafficResult): string {
  const {arithmeticSeconds: work, standardSeconds: moving, tiledSeconds: tiled} = traffic;
  const times = (a: number, b: number) => `${general(a / b, 3)}倍`;
  const first =
    moving > work
      ? `标准写法里，搬要${time(moving)}，是算的${times(moving, work)}：慢在搬。`
      : `标准写法里，算要${time(work)}，是搬的${times(work, moving)}：慢在算。`;
  const second =
    tiled > work
      ? `分块以后搬要${time(tiled)}，仍比算的${time(work)}多。`
      : `分块以后搬只要${time(tiled)}，算要${time(work)}：慢在算，不在搬。`;
  return first + second;
}

function table(_state: TrafficState, traffic: TrafficResult): Table {
  return {
    columns: ['什么', '多少', '要多久'],
    rows: [
      ['运算', `${general(traffic.operations, 4)}次`, time(traffic.arithmeticSeconds)],
      ['搬Q、K、V、O', size(traffic.operandsBytes), ''],
      ['搬分数和权重', size(traffic.scoresBytes), ''],
      ['标准写法合计', size(traffic.standardBytes), time(traffic.standardSeconds)],
      ['分块写法合计', size(traffic.tiledBytes), time(traffic.tiledSeconds)],
      ['一张分数表（都存着）', size(traffic.squareBytes), ''],
    ],
  };
}

function steps(): TemplateResult {
  return html`<ol class="steps">
    <li>
      运算：QKᵀ与PV各n²d次乘、n²d次加，合计4n²d次；softmax每个分数只有几次运算，d不太小时可以不计。
    </li>
    <li>标准写法：读Q、K，写S；读S，写P；读P、V，写O。合计4nd＋4n²个数。</li>
    <li>分块写法：查询分成⌈n÷一块⌉块，每块把K、V读一遍，分数留在片上。合计2nd（1＋块数）个数。</li>
    <li>时间：运算次数除以每秒运算，字节除以每秒搬的字节。两样可以同时进行，慢的那样说了算。</li>
  </ol>`;
}

/**
 * Arithmetic against memory traffic of attention, for any device.
 *
 * @name 慢在算，还是慢在搬
 * @summary 填上长度、头宽和设备，数一数注意力要算多少、搬多少。
 * @attr length width heads bytes block tera bandwidth
 * @fires attn-change  detail: {state, result}
 */
export class AttnTraffic extends AttnWidget<TrafficState, TrafficResult> {
  static override readonly needs: readonly Need[] = ['sequence'];

  static override readonly spec: Spec<TrafficState, TrafficResult> = {
    tag: 'attn-traffic',
    title: '慢在算，还是慢在搬',
    hint: '填上你的长度、头宽和设备。哪一条更长，就慢在哪里。',
    schema,
    compute,
    view,
    says,
    table,
    steps,
  };

  protected override controls(state: TrafficState): TemplateResult {
    return html`${samplesRow({
        label: '设备',
        samples: DEVICES,
        state,
        take: (patch) => this.#take(patch),
      })}
      <div class="dials">
        ${BOXES.map(({key, label, unit}) =>
          numberBox(this, {
            key,
            label,
            ...(unit && {unit}),
            value: state[key],
            ...RANGES[key],
            by: key === 'length' ? 1024 : 1,
            set: (value) => this.change({[key]: value}),
          }),
        )}
      </div>`;
  }

  #take(patch: Partial<TrafficState>): void {
    this.drafts.clear();
    this.change(patch);
  }
}
