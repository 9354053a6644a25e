// <attn-position>: where position gets in: codes that are added, or q and k that turn; and what a score,
// an output and a shuffled sentence make of it.

import {html, nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {matrix, rowsOf, type Core} from '../core.js';
import {fixed, general, integer} from '../shared/format.js';
import {InputError} from '../shared/input.js';
import {slider} from '../shared/number-box.js';
import {
  along,
  color,
  figure,
  hatch,
  marker,
  panel,
  path,
  pin,
  rule,
  text,
  ticksBelow,
  type Point,
  type Token,
} from '../shared/plot.js';
import {
  BASE,
  coded,
  difference,
  fetchedAt,
  headOf,
  partsAt,
  PLACES,
  scoresAt,
  spread,
  stack,
  type Coding,
  type Head,
  type PositionKind,
} from '../shared/positions.js';
import {type Resources} from '../shared/runtime.js';
import {
  choiceField,
  flagField,
  numberField,
  numbersField,
  type Field,
  type Schema,
} from '../shared/schema.js';
import type {Sequence} from '../sequence.js';
import {AttnWidget, type Spec, type Table} from './attn-widget.js';

export interface PositionState {
  /** 不加位置，加正弦编码，加可学的表，旋转 */
  kind: PositionKind;
  /** 每头维数，偶数 */
  dim: number;
  /** q在k后面几个位置 */
  offset: number;
  /** k的位置，从0数 */
  at: number;
  /** 旋转几维，偶数；0是全部 */
  rotated: number;
  /** 把V也转了 */
  value: boolean;
  /** 换次序的实验：新句子依次是原来的第几个词元；空着就看距离 */
  order: readonly number[];
  /** 换次序时加因果掩码 */
  causal: boolean;
  /** 换次序时叠几层 */
  layers: number;
}

/** One pair of components of q and k as points of the plane, before and after they turn. */
interface Dial {
  pair: number;
  /** Radians a position. */
  speed: number;
  q: readonly [Point, Point];
  k: readonly [Point, Point];
}

interface Moved {
  token: string;
  /** Places from 1. */
  from: number;
  to: number;
  before: number[];
  after: number[];
  difference: number;
}

export interface PositionResult {
  /** Columns that turn. */
  rotated: number;
  /** q·k ÷ √d with the key at 0, 1, 2 …; null where the table has no row. */
  course: (number | null)[];
  /** With the key at `at`. */
  score: number | null;
  /** Largest minus smallest of the course. */
  spread: number;
  /** Codes of `at` and the next places, first columns. */
  codes: {place: number; values: number[]}[];
  /** From the code of the key's place to that of the query's. */
  distance: number | null;
  /** Positions after which a pair repeats. */
  waves: number[];
  dials: Dial[];
  /** Of a rotary score: from the columns that turn, and from those that don't. */
  parts: readonly [turned: number, still: number];
  /** First component of the output for each place of the key, and by how much the output varies: V left alone, V turned. */
  kept: number[];
  turned: number[];
  leak: readonly [kept: number, turned: number];
  moved: Moved[];
}

const SHOWN = 96;
const FARTHEST = 1e6;
const COLUMNS = 8;
const ROWS = 4;
const CHANGED = 1e-9;
const KINDS: readonly {kind: PositionKind; name: string}[] = [
  {kind: 'none', name: '不加'},
  {kind: 'sinusoidal', name: '正弦'},
  {kind: 'learnt', name: '可学的表'},
  {kind: 'rotary', name: '旋转'},
];
const SWAPPED = [3, 2, 1, 4, 5];
const ORDERS: readonly {name: string; order: readonly number[]}[] = [
  {name: '对调小明和苹果', order: SWAPPED},
  {name: '整句倒过来', order: [5, 4, 3, 2, 1]},
];

function even(field: Field<number>): Field<number> {
  return {
    ...field,
    read: (given) => {
      const value = field.read(given);
      if (value % 2 !== 0) throw new InputError('not-even', '维数两两一对，这里要填偶数。');
      return value;
    },
  };
}

function orderField(): Field<readonly number[]> {
  const field = numbersField([], SWAPPED.length, {min: 1, max: SWAPPED.length, integer: true});
  return {
    ...field,
    read: (given) => {
      if (given.trim() === '') return [];
      const order = field.read(given);
      if (new Set(order).size !== SWAPPED.length)
        throw new InputError('not-an-order', '1到5各写一次，例如3,2,1,4,5。');
      return order;
    },
    about: import.meta.env.SSR
      ? {
          takes: '1到5各写一次，用逗号隔开；或空着',
          sample: (random) =>
            SWAPPED.map((_, i) => [i + 1, random()] as const)
              .sort(([, a], [, b]) => a - b)
              .map(([i]) => i),
        }
      : undefined,
  };
}

const LIMITS = {
  dim: {min: 2, max: 256, integer: true},
  offset: {min: 0, max: 10000, integer: true},
  at: {min: 0, max: FARTHEST, integer: true},
};

const schema: Schema<PositionState> = {
  kind: choiceField<PositionKind>(
    'rotary',
    KINDS.map(({kind}) => kind),
  ),
  dim: even(numberField(4, LIMITS.dim)),
  offset: numberField(3, LIMITS.offset),
  at: numberField(0, LIMITS.at),
  rotated: even(numberField(0, {min: 0, max: LIMITS.dim.max, integer: true})),
  value: flagField(false),
  order: orderField(),
  causal: flagField(false),
  layers: numberField(1, {min: 1, max: 2, integer: true}),
};

function dialsOf(
  core: Core,
  sequence: Sequence,
  {W_Q, W_K, asker, asked}: Head,
  rotated: number,
  at: number,
  offset: number,
): Dial[] {
  const rows = (x: Head['asker'], w: Head['W_Q'], position: number) => {
    const before = core.product(x, w);
    const after = sequence.rotate(before, {positions: [position], rotated, base: BASE});
    return (column: number): [Point, Point] => [
      [before.data[column] ?? 0, before.data[column + 1] ?? 0],
      [after.data[column] ?? 0, after.data[column + 1] ?? 0],
    ];
  };
  const [q, k] = [rows(asker, W_Q, at + offset), rows(asked, W_K, at)];
  const waves = sequence.wavelengths(rotated, BASE);
  return [...new Set([0, rotated / 2 - 1])].map((i) => ({
    pair: i + 1,
    speed: (2 * Math.PI) / (waves[i] ?? 1),
    q: q(2 * i),
    k: k(2 * i),
  }));
}

function shuffled(
  {core, sequence, world}: Resources,
  {order, causal, layers}: PositionState,
  coding: Coding,
): Moved[] {
  const {table} = headOf(sequence, world.d_model);
  const how = {causal, layers, table};
  const by = order.map((place) => place - 1);
  const [before, after] = [world.embeddings, by.map((place) => world.embeddings[place] ?? [])].map(
    (x) => stack(core, sequence, x, coding, how),
  );
  return world.tokens.map((token, i) => {
    const to = by.indexOf(i);
    const [old = [], now = []] = [before?.[i], after?.[to]];
    return {
      token,
      from: i + 1,
      to: to + 1,
      before: old,
      after: now,
      difference: difference(old, now),
    };
  });
}

function compute(resources: Resources, state: PositionState): PositionResult {
  const {core, sequence, world} = resources;
  const {kind, dim, offset, at, order} = state;
  const rotated = state.rotated === 0 ? dim : Math.min(state.rotated, dim);
  const coding = {kind, rotated};
  if (order.length > 0) {
    return {
      rotated,
      course: [],
      score: null,
      spread: 0,
      codes: [],
      distance: null,
      waves: [],
      dials: [],
      parts: [0, 0],
      kept: [],
      turned: [],
      leak: [0, 0],
      moved: shuffled(resources, state, {kind, rotated: world.d_model}),
    };
  }
  const head = headOf(sequence, dim);
  const has = (place: number) => kind !== 'learnt' || place < PLACES;
  const places = Array.from({length: SHOWN}, (_, place) => place);
  const known = places.filter((place) => has(place + offset));
  const scores = known.length > 0 ? scoresAt(core, sequence, head, coding, known, offset) : [];
  const codes = (wanted: readonly number[]) => {
    const rows = wanted.filter(has);
    const zeros = matrix(rows.map(() => Array<number>(dim).fill(0)));
    return rows.length === 0 || (kind !== 'sinusoidal' && kind !== 'learnt')
      ? []
      : rowsOf(coded(sequence, zeros, rows, kind, head.table)).map((values, i) => ({
          place: rows[i] ?? 0,
          values,
        }));
  };
  const [own, other] = codes([at, at + offset]);
  const rotary = kind === 'rotary';
  const outputs = (turn: boolean) =>
    rotary && state.value ? fetchedAt(core, sequence, head, rotated, places, offset, turn) : [];
  const [kept, turned] = [outputs(false), outputs(true)];
  const varies = (rows: number[][]) =>
    Math.max(0, ...rows.map((row) => difference(row, rows[0] ?? [])));
  return {
    rotated,
    course: places.map((place) => scores[known.indexOf(place)] ?? null),
    score: has(at + offset)
      ? (scoresAt(core, sequence, head, coding, [at], offset)[0] ?? null)
      : null,
    spread: scores.length > 0 ? spread(scores) : 0,
    codes: codes(Array.from({length: ROWS}, (_, i) => at + i)).map(({place, values}) => ({
      place,
      values: values.slice(0, COLUMNS),
    })),
    distance:
      own && other
        ? Math.sqrt(
            own.values.reduce((sum, value, i) => sum + (value - (other.values[i] ?? 0)) ** 2, 0),
          )
        : null,
    waves:
      kind === 'sinusoidal' || rotary ? sequence.wavelengths(rotary ? rotated : dim, BASE) : [],
    dials: rotary ? dialsOf(core, sequence, head, rotated, at, offset) : [],
    parts: rotary ? partsAt(core, sequence, head, rotated, at, offset) : [0, 0],
    kept: kept.map((row) => row[0] ?? 0),
    turned: turned.map((row) => row[0] ?? 0),
    leak: [varies(kept), varies(turned)],
    moved: [],
  };
}

const LEFT = 15;
const HEIGHT = 120;

/** Lines over the key's place; the hatch lies where one of the two stands beyond what training saw. */
function course(
  lines: readonly {values: readonly (number | null)[]; tone: Token; name: string}[],
  {offset, at}: PositionState,
  what: string,
): TemplateResult {
  const all = lines.flatMap(({values}) => values.filter((value) => value !== null));
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const room = Math.max(0.5, high - low) * 0.65;
  const domain = [(low + high) / 2 - room, (low + high) / 2 + room] as const;
  const x = (place: number) => along(place, [0, SHOWN - 1]);
  const point = (place: number, value: number): Point => [
    x(place),
    Math.round(HEIGHT - (HEIGHT * along(value, domain)) / 100),
  ];
  const seen = Math.max(0, PLACES - offset);
  return figure(
    {height: HEIGHT + 72, label: what},
    svg`<defs>${hatch('unseen', 'ink-2')}</defs>
    ${lines.map(({name, tone}, i) => text(50 * i, 14, name, {fill: tone, weight: 600}))}
    ${all.length > 0 ? [low, high].slice(high - low < CHANGED ? 1 : 0).map((value) => text(LEFT - 1, 28 + point(0, value)[1] + 4, fixed(value, 2), {anchor: 'end', size: 11, fill: 'ink-2'})) : nothing}
    ${panel(
      {x: LEFT, y: 28, width: 100 - LEFT, height: HEIGHT},
      svg`
      ${rule(0, 100, 0)}${rule(0, 100, HEIGHT)}
      <rect x="${x(Math.min(seen, SHOWN - 1))}%" y="0" width="${100 - x(Math.min(seen, SHOWN - 1))}%" height=${HEIGHT} fill="url(#unseen)" fill-opacity="0.35"/>
      ${lines.map(({values, tone}, i) =>
        path(
          values.flatMap((value, place) => (value === null ? [] : [point(place, value)])),
          tone,
          i === 0 ? 'solid' : 'dashed',
        ),
      )}
      ${lines.map(({values, tone}) => (typeof values[at] === 'number' ? marker('dot', point(at, values[at]), tone) : nothing))}
      ${ticksBelow([0, 31, 63, 95], [0, SHOWN - 1], HEIGHT, String)}`,
    )}
    ${text(100, HEIGHT + 64, `k的位置（q再往后${integer(offset)}个）；斜纹：出了0–${PLACES - 1}`, {anchor: 'end', size: 11, fill: 'ink-2'})}`,
  );
}

const R = 50;

/** Directions alone: how long q and k are doesn't matter to the angle between them. */
function dial({pair, speed, q, k}: Dial, x: number): SVGTemplateResult {
  const arrow = ([a, b]: Point, tone: Token, length: number, faint = false) => {
    const size = (length * R) / (Math.sqrt(a * a + b * b) || 1);
    return svg`<line x2=${(a * size).toFixed(1)} y2=${(-b * size).toFixed(1)} stroke=${color(tone)} stroke-width=${faint ? 1.5 : 3} stroke-dasharray=${faint ? '3 3' : nothing}/>`;
  };
  return svg`${text(x, 16, `第${pair}对`, {anchor: 'middle', weight: 600})}${text(x, 33, `每步${general(speed, 3)}弧度`, {anchor: 'middle', size: 12, fill: 'ink-2'})}
    ${pin(x, 92, svg`<circle r=${R} fill="none" stroke=${color('rule')}/>${arrow(k[0], 'key', 0.7, true)}${arrow(q[0], 'query', 1, true)}${arrow(k[1], 'key', 0.7)}${arrow(q[1], 'query', 1)}`)}`;
}

function dials({dials: both}: PositionResult, {at, offset}: PositionState): TemplateResult {
  const places = both.length === 1 ? [50] : [26, 74];
  return figure(
    {height: 170, label: '第一对和最后一对的方向：虚线转之前，实线转之后'},
    svg`
    ${both.map((each, i) => dial(each, places[i] ?? 50))}
    ${text(0, 164, `短针k，在${integer(at)}`, {size: 12, fill: 'key'})}${text(50, 164, `长针q，在${integer(at + offset)}`, {size: 12, fill: 'query', anchor: 'middle'})}${text(100, 164, '虚线：转之前', {size: 12, anchor: 'end', fill: 'ink-2'})}`,
  );
}

function table_(codes: PositionResult['codes']): TemplateResult {
  const count = codes[0]?.values.length ?? 1;
  const width = 82 / count;
  return figure(
    {height: 24 + 30 * codes.length, label: '位置的编码，数值见表格'},
    svg`<defs>${hatch('minus', 'key')}</defs>
    ${text(0, 15, '位置', {size: 12, fill: 'ink-2'})}${Array.from({length: count}, (_, c) => text(18 + width * (c + 0.5), 15, String(c), {anchor: 'middle', size: 12, fill: 'ink-2'}))}
    ${codes.map(
      ({place, values}, i) => svg`${text(0, 24 + 30 * i + 20, integer(place))}
      ${values.map(
        (
          value,
          c,
        ) => svg`<rect x="${18 + width * c}%" y=${24 + 30 * i} width="${width}%" height="28" stroke=${color('rule')} fill=${value < 0 ? 'url(#minus)' : color('key')} fill-opacity=${(0.05 + 0.3 * Math.min(1, Math.abs(value))).toFixed(3)}/>
        ${text(18 + width * (c + 0.5), 24 + 30 * i + 19, fixed(value, count > 4 ? 2 : 4), {anchor: 'middle', size: 11, halo: value < 0})}`,
      )}`,
    )}`,
  );
}

function sentence(result: PositionResult, state: PositionState): TemplateResult {
  const rows = result.moved;
  const told = (values: readonly number[]) => values.map((value) => fixed(value, 3)).join('  ');
  const order = state.order.map((place) => rows[place - 1]?.token ?? '').join(' ');
  return figure(
    {height: 30 + 50 * rows.length, label: '换次序前后，每个词元的输出；数值见表格'},
    svg`
    ${text(0, 16, `换成：${order}`, {weight: 600})}
    ${rows.map(({token, from, to, before, after, difference: gap}, i) => {
      const y = 30 + 50 * i;
      const same = gap < CHANGED;
      return svg`${rule(0, 100, y)}${text(0, y + 20, token, {weight: 600})}${text(0, y + 39, `${from}→${to}`, {size: 12, fill: 'ink-2'})}
        ${text(17, y + 20, told(before), {size: 12})}${text(17, y + 39, told(after), {size: 12, fill: same ? 'right' : 'wrong'})}
        ${text(100, y + 30, same ? '✓ 没变' : `✗ 差${fixed(gap, 3)}`, {anchor: 'end', size: 12, fill: same ? 'right' : 'wrong', weight: 600})}`;
    })}`,
  );
}

function view(state: PositionState, result: PositionResult): TemplateResult {
  const {kind} = state;
  if (result.moved.length > 0)
    return html`${sentence(result, state)}
      <p class="reading">每行上面是原来的输出，下面是换次序之后同一个词元的输出。</p>`;
  const flat = result.spread < CHANGED && result.course[0] !== null;
  const line = {
    values: result.course,
    tone: flat ? 'right' : 'wrong',
    name: flat
      ? '✓ 分数不随位置变'
      : result.spread > 0
        ? `✗ 分数随位置变，最多差${fixed(result.spread, 2)}`
        : '✗ 表里没有这一行',
  } as const;
  return html`${course([line], state, '同样的距离，分数随位置怎样变')}
    ${result.codes.length > 0 ? table_(result.codes) : nothing}
    ${kind === 'rotary' ? dials(result, state) : nothing}
    ${
      result.turned.length > 0
        ? course(
            [
              {values: result.kept, tone: 'right', name: '✓ 取回的，V不转'},
              {values: result.turned, tone: 'wrong', name: '✗ V也转'},
            ],
            state,
            '取回的第1个分量随位置怎样变：V不转，V也转',
          )
        : nothing
    }
    <p class="reading">${facts(state, result)}</p>`;
}

/** What the picture doesn't say in words. */
function facts(
  {kind, dim, offset}: PositionState,
  {distance, waves, rotated, parts}: PositionResult,
): string {
  if (kind === 'none') return '没有位置，距离也进不了分数。';
  const apart =
    distance === null ? '' : `相隔${integer(offset)}的这两个编码相距${fixed(distance, 4)}。`;
  if (kind === 'learnt')
    return `${PLACES}行×${dim}列＝${integer(PLACES * dim)}个参数，这里随机抽，代替学出来的。${apart}`;
  const [last = 0] = waves.slice(-1);
  const circle = `转一圈，第1对走${general(waves[0] ?? 0, 4)}个位置，第${waves.length}对走${general(last, 4)}个。`;
  if (kind === 'sinusoidal') return circle + apart;
  return rotated < dim
    ? `${circle}分数里，转的${rotated}维给${fixed(parts[0], 3)}，余下${dim - rotated}维不管隔多远都给${fixed(parts[1], 3)}。`
    : circle;
}

function says(state: PositionState, result: PositionResult): string {
  const {kind, offset, at, order, causal, layers} = state;
  const name = KINDS.find((each) => each.kind === kind)?.name ?? '';
  if (order.length > 0) {
    const changed = result.moved
      .filter(({difference: gap}) => gap >= CHANGED)
      .map(({token}) => token);
    return `${kind === 'none' ? '不加位置' : `位置用${name}`}，${causal ? '有因果掩码' : '没有掩码'}，${layers}层：${
      changed.length === 0
        ? '换了次序，每个词元的输出一个数都没变，只是跟着换了地方。'
        : `换了次序，${changed.join('、')}的输出变了${changed.length < result.moved.length ? '，其余的没变' : ''}。`
    }`;
  }
  if (result.score === null)
    return `可学的表只有0到${PLACES - 1}，位置${integer(at + offset)}没有那一行，取不到编码。`;
  const here = `k在${integer(at)}、q在${integer(at + offset)}，分数${fixed(result.score, 3)}`;
  if (kind === 'none') return `${here}。站在哪里、隔多远，都是这个数。`;
  const unseen = kind === 'rotary' ? offset >= PLACES : at + offset >= PLACES;
  const rest = unseen
    ? `这样的${kind === 'rotary' ? '距离' : '位置'}训练时没有过：算得出，没学过。`
    : '';
  const main =
    result.spread < CHANGED
      ? `同样隔${integer(offset)}个，换到哪里都一样。`
      : `同样隔${integer(offset)}个，换个位置，分数最多差${fixed(result.spread, 3)}。`;
  const leak =
    result.turned.length > 0
      ? `把V也转了，取回的向量随位置最多差${fixed(result.leak[1], 3)}；不转，差${fixed(result.leak[0], 3)}。`
      : '';
  return `${here}。${main}${rest}${leak}`;
}

function table(
  {offset}: PositionState,
  {course: scores, codes, moved, kept, turned}: PositionResult,
): Table {
  if (moved.length > 0) {
    return {
      columns: ['词元', '原来第几个', '现在第几个', '原来的输出', '现在的输出', '最多差'],
      rows: moved.map(({token, from, to, before, after, difference: gap}) => [
        token,
        String(from),
        String(to),
        ...[before, after].map((values) => values.map((value) => fixed(value, 3)).join(', ')),
        fixed(gap, 3),
      ]),
    };
  }
  const values = codes.length > 0;
  return {
    columns: [
      'k的位置',
      'q的位置',
      '分数',
      ...(turned.length > 0 ? ['V不转，取回', 'V也转，取回'] : []),
      ...(values ? ['k的位置的编码'] : []),
    ],
    rows: [
      ...new Set([
        ...codes.map(({place}) => place).filter((place) => place < SHOWN),
        0,
        1,
        2,
        3,
        10,
        20,
        40,
        60,
        64,
        80,
        95,
      ]),
    ].map((place) => [
      String(place),
      integer(place + offset),
      scores[place] === null ? '没有这一行' : fixed(scores[place] ?? 0, 3),
      ...(turned.length > 0 ? [fixed(kept[place] ?? 0, 3), fixed(turned[place] ?? 0, 3)] : []),
      ...(values
        ? [
            codes
              .find((code) => code.place === place)
              ?.values.map((value) => fixed(value, 4))
              .join(', ') ?? '',
          ]
        : []),
    ]),
  };
}

/**
 * Positions: none, sinusoidal, learnt or rotary; scores at a fixed distance, or the sentence in another order.
 *
 * @attr kind dim offset at rotated value order causal layers
 * @fires attn-change  detail: {state, result}
 */
export class AttnPosition extends AttnWidget<PositionState, PositionResult> {
  static override readonly needs = ['sequence'] as const;
  static override readonly spec: Spec<PositionState, PositionResult> = {
    tag: 'attn-position',
    title: ({order}) => (order.length > 0 ? '换个次序，输出变不变' : '同样的距离，不同的位置'),
    hint: '换一种放位置的办法，再挪一挪：哪些数跟着变，哪些不变？',
    schema,
    compute,
    view,
    says,
    table,
  };

  protected override controls(state: PositionState, {rotated}: PositionResult): TemplateResult {
    const {kind, dim, offset, at, value, order, causal, layers} = state;
    const chip = (name: string, pressed: boolean, patch: Partial<PositionState>) =>
      html`<button
        type="button"
        class="chip"
        aria-pressed=${pressed ? 'true' : 'false'}
        @click=${() => this.change(patch)}
      >
        ${name}
      </button>`;
    const box = (name: string, on: boolean, key: 'value' | 'causal') =>
      html`<label class="check"
        ><input
          type="checkbox"
          ?checked=${on}
          @change=${(event: Event) => this.change({[key]: (event.target as HTMLInputElement).checked})}
        />${name}</label
      >`;
    const shuffling = order.length > 0;
    return html`<fieldset class="tabs">
        <legend>位置怎样放</legend>
        ${KINDS.map(
          (each) =>
            html`<label>
              <input
                type="radio"
                name="kind"
                value=${each.kind}
                ?checked=${kind === each.kind}
                @change=${() => this.change({kind: each.kind})}
              /><span>${each.name}</span></label
            >`,
        )}
      </fieldset>
      <div class="row" role="group" aria-label="看什么">
        <span>看</span
        >${chip('同样的距离', !shuffling, {order: []})}${chip('换次序', shuffling, {order: SWAPPED})}
      </div>
      ${
        shuffling
          ? html`<div class="row" role="group" aria-label="怎样换">
                ${ORDERS.map((each) => chip(each.name, each.order.join() === order.join(), {order: each.order}))}
              </div>
              <div class="row">
                ${box('因果掩码', causal, 'causal')}${chip('一层', layers === 1, {layers: 1})}${chip('两层', layers === 2, {layers: 2})}
              </div>`
          : html`<div class="dials">
                ${slider(this, {key: 'at', label: 'k的位置', value: at, ...LIMITS.at, step: 1, toTrack: (place) => Math.min(place, SHOWN - 1), set: (next) => this.change({at: next})})}
                ${slider(this, {key: 'offset', label: 'q再往后', value: offset, ...LIMITS.offset, step: 1, toTrack: (places) => Math.min(places, SHOWN - 1), set: (next) => this.change({offset: next})})}
              </div>
              <div class="row" role="group" aria-label="维数">
                <span>维数</span
                >${[4, 8, 64, 256].map((width) => chip(String(width), dim === width, {dim: width, rotated: 0}))}
              </div>
              ${kind === 'rotary' ? html`<div class="row">${[dim, dim % 8 === 0 ? dim / 4 : 2].map((columns) => chip(columns === dim ? '全转' : `只转${columns}维`, rotated === columns, {rotated: columns === dim ? 0 : columns}))}${box('也转V', value, 'value')}</div>` : nothing}`
      }`;
  }
}
