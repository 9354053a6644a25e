// <attn-groups>: the sets of keys and values that each query head uses.

import {html, svg, type TemplateResult} from 'lit';
import {general, integer, percent} from '../shared/format.js';
import {InputError} from '../shared/input.js';
import {numberBox} from '../shared/number-box.js';
import {color, figure, path, text} from '../shared/plot.js';
import type {Resources} from '../shared/runtime.js';
import {numberField, type Schema} from '../shared/schema.js';
import {AttnWidget} from './attn-widget.js';
import type {Spec, Table} from './attn-widget/spec.js';

export interface GroupsState {
  /** 查询头有几个 */
  heads: number;
  /** 存几份K、V */
  groups: number;
}

export interface GroupsResult {
  name: 'MHA' | 'GQA' | 'MQA';
  /** Query heads that share one set of keys and values. */
  size: number;
  /** The divisors of the number of heads. */
  divisors: number[];
  /** For each query head, the index of its set. */
  group: number[];
}

const MOST = 64;
const RANGE = {min: 1, max: MOST, integer: true};

const schema: Schema<GroupsState> = {
  heads: numberField(24, RANGE),
  groups: numberField(4, RANGE),
};

function compute(_resources: Resources, {heads, groups}: GroupsState): GroupsResult {
  const divisors = Array.from({length: heads}, (_, i) => i + 1).filter(
    (count) => heads % count === 0,
  );
  if (!divisors.includes(groups))
    throw new InputError(
      'not-a-divisor',
      `${heads}个查询头要分得一样多，只能分成${divisors.join('、')}组。`,
    );
  const size = heads / groups;
  return {
    name: groups === heads ? 'MHA' : groups === 1 ? 'MQA' : 'GQA',
    size,
    divisors,
    group: Array.from({length: heads}, (_, head) => Math.floor(head / size)),
  };
}

const ASK = 26;
const KEEP = 96;
const HEIGHT = 34;

/** Query heads above, and below them one block of key and value for each group. */
function sharing({heads, groups}: GroupsState, {name, size, group}: GroupsResult): TemplateResult {
  const head = 100 / heads;
  const block = 100 / groups;
  // A block is no wider than its heads above, and no wider than a readable block.
  const wide = Math.min(block - 0.6, 12);
  return figure(
    {
      height: KEEP + HEIGHT + 6,
      label: `${name}：${integer(heads)}个查询头，每${integer(size)}个看同一份K、V，共存${integer(groups)}份`,
    },
    svg`
    ${text(0, 16, `查询头，${integer(heads)}个`, {
      size: 12,
      fill: 'query',
    })}${text(100, 16, `存下的K、V，${integer(groups)}份`, {size: 12, fill: 'ink-2', anchor: 'end'})}
    ${group.map((kept, i) =>
      path(
        [
          [head * (i + 0.5), ASK + 18],
          [block * (kept + 0.5), KEEP],
        ],
        'score',
      ),
    )}
    ${group.map(
      (_, i) =>
        svg`<rect x="${(head * i + 0.12 * head).toFixed(3)}%" y=${ASK}
          width="${(0.76 * head).toFixed(3)}%" height="18" fill=${color('query')}/>`,
    )}
    ${Array.from({length: groups}, (_, i) => {
      const middle = block * (i + 0.5);
      const half = (x: number, token: 'key' | 'value') =>
        svg`<rect x="${x.toFixed(3)}%" y=${KEEP} width="${(wide / 2).toFixed(3)}%" height=${HEIGHT}
          fill=${color(token)}/>`;
      return svg`${half(middle - wide / 2, 'key')}${half(middle, 'value')}`;
    })}`,
  );
}

function view(state: GroupsState, result: GroupsResult): TemplateResult {
  return html`<p class="reading">
      上面一格是一个查询头，下面一块是存下的一份K（左半）和V（右半）。线连着它去看的那一份。
    </p>
    ${sharing(state, result)}`;
}

function says({heads, groups}: GroupsState, {name, size}: GroupsResult): string {
  const saved = `缓存是各存各的${integer(groups)}/${integer(heads)}，${percent(groups / heads)}`;
  if (name === 'MHA')
    return `${integer(heads)}个查询头各看各的一份K、V，就是多头注意力（MHA）：存${integer(groups)}份，一份也没省。`;
  if (name === 'MQA')
    return `${integer(heads)}个查询头都看同一份K、V，就是MQA：只存1份，${saved}。`;
  return (
    `${integer(heads)}个查询头分成${integer(groups)}组，每组${integer(size)}个看同一份K、V，` +
    `就是GQA-${integer(groups)}：${saved}。`
  );
}

function table({heads}: GroupsState, {divisors}: GroupsResult): Table {
  return {
    columns: ['存几份K、V', '叫什么', '几个查询头合用一份', '缓存是MHA的'],
    rows: divisors.map((count) => [
      integer(count),
      count === heads ? 'MHA' : count === 1 ? 'MQA' : `GQA-${integer(count)}`,
      integer(heads / count),
      `${general(count / heads, 3)}倍`,
    ]),
  };
}

/**
 * Query heads in groups, each group with one set of keys and values.
 *
 * @name 共用K、V的头
 * @summary 查询头分成几组，一组共用一份K、V，能省多少。
 * @attr heads groups
 * @fires attn-change  detail: {state, result}
 */
export class AttnGroups extends AttnWidget<GroupsState, GroupsResult> {
  static override readonly spec: Spec<GroupsState, GroupsResult> = {
    tag: 'attn-groups',
    title: ({heads}) => `${integer(heads)}个查询头，存几份K、V`,
    hint: '从最多份一路减到1份：上面的查询头变了没有？',
    schema,
    compute,
    view,
    says,
    table,
  };

  protected override controls(
    {heads, groups}: GroupsState,
    {divisors}: GroupsResult,
  ): TemplateResult {
    return html`<div class="row" role="group" aria-label="存几份">
        <span>存几份</span>${divisors.map(
          (count) =>
            html`<button
              type="button"
              class="chip"
              aria-pressed=${count === groups ? 'true' : 'false'}
              @click=${() => this.change({groups: count})}
            >
              ${integer(count)}
            </button>`,
        )}
      </div>
      <div class="dials">
        ${numberBox(this, {
          key: 'heads',
          label: '查询头',
          value: heads,
          ...RANGE,
          set: (count) => this.#take(count),
        })}
      </div>`;
  }

  /**
   * Keeps the number of groups, or takes the next smaller one that divides the new number of heads.
   */
  #take(heads: number): void {
    let {groups} = this.state;
    while (heads % groups !== 0) groups = groups < heads ? groups + 1 : heads;
    this.change({heads, groups});
  }
}
