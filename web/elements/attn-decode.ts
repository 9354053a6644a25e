// <attn-decode>: the teaching sentence generated token by token, with K and V recomputed at each
// step or kept in a cache.

import {html, nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {matrix} from '../core.js';
import type {DecodeStep, Decoder} from '../sequence.js';
import {fixed, integer} from '../shared/format.js';
import {InputError} from '../shared/input.js';
import {color, figure, hatch, panel, rule, text} from '../shared/plot.js';
import {type Need, type Resources} from '../shared/runtime.js';
import {flagField, numberField, type Schema} from '../shared/schema.js';
import {tabs} from '../shared/tabs.js';
import {AttnWidget} from './attn-widget.js';
import type {Spec, Table} from './attn-widget/spec.js';

export interface DecodeState {
  /** 提示有几个词元 */
  prompt: number;
  /** 接着生成几个 */
  generate: number;
  /** 图上画留着K、V的做法，还是每步重算的 */
  cache: boolean;
}

export interface DecodePass extends Omit<DecodeStep, 'output'> {
  /** The attention output of the querying token. */
  output: number[];
}

export interface DecodeResult {
  tokens: string[];
  anew: DecodePass[];
  kept: DecodePass[];
  /** True if both ways have the same outputs, bit for bit. */
  identical: boolean;
}

/** Tokens that can be read; the last token of the sentence is only ever generated. */
const MOST = 4;
const RANGE = {min: 1, max: MOST, integer: true};

const schema: Schema<DecodeState> = {
  prompt: numberField(2, RANGE),
  generate: numberField(3, RANGE),
  cache: flagField(true),
};

function compute({sequence, world}: Resources, {prompt, generate}: DecodeState): DecodeResult {
  const {tokens} = world;
  if (prompt + generate > tokens.length) {
    throw new InputError(
      'too-long',
      `这句话只有${tokens.length}个词元：提示${prompt}个，最多再生成${tokens.length - prompt}个。`,
    );
  }
  const decoder: Decoder = {
    wQ: matrix(world.W_Q),
    wK: matrix(world.W_K),
    wV: matrix(world.W_V),
    wO: matrix(world.W_O),
    heads: world.n_heads,
    layers: 1,
  };
  const replay = (cached: boolean) =>
    sequence
      .decode(matrix(world.embeddings), decoder, {prompt, generated: generate, cached})
      .map((step): DecodePass => ({...step, output: [...step.output.data]}));
  const [anew, kept] = [replay(false), replay(true)];
  // Object.is distinguishes 0 from −0; other doubles that are equal have equal bits.
  const identical = anew.every(({output}, i) =>
    output.every((x, c) => Object.is(x, kept[i]?.output[c])),
  );
  return {tokens, anew, kept, identical};
}

const sum = (passes: readonly DecodePass[], of: 'computed' | 'repeated') =>
  passes.reduce((total, pass) => total + pass[of], 0);
const parts = (passes: readonly DecodePass[]) =>
  passes.map(({computed}) => integer(computed)).join(' + ');

const LEFT = 13;
const WIDTH = 14;
const TOP = 26;
const ROW = 50;
const CELL = 36;

/**
 * K and V of one token in one pass: computed for the first time, again, or taken from the cache.
 */
function cell(
  x: number,
  y: number,
  kind: 'first' | 'again' | 'taken',
  query: boolean,
): SVGTemplateResult {
  const label = {first: '算', again: '✗重算', taken: '✓取'}[kind];
  const half = (at: number, token: 'key' | 'value') =>
    svg`<rect x="${at}%" y="0" width="50%" height=${CELL} fill=${color(token)}
      fill-opacity=${kind === 'taken' ? 0.08 : 0.3}/>`;
  return panel(
    {x: x + 0.5, y, width: WIDTH - 1, height: CELL},
    svg`${half(0, 'key')}${half(50, 'value')}
    ${
      kind === 'again'
        ? svg`<rect width="100%" height=${CELL} fill="url(#again)" fill-opacity="0.45"/>`
        : nothing
    }
    <rect width="100%" height=${CELL} fill="none"
      stroke=${color(kind === 'again' ? 'wrong' : kind === 'taken' ? 'right' : 'ink-2')}
      stroke-dasharray=${kind === 'taken' ? '4 3' : nothing}/>
    ${text(50, 22, label, {
      anchor: 'middle',
      size: 12,
      fill: kind === 'again' ? 'wrong' : kind === 'taken' ? 'right' : 'ink',
      weight: 600,
      halo: kind === 'again',
    })}
    ${query ? svg`<rect y=${CELL + 2} width="100%" height="5" fill=${color('query')}/>` : nothing}`,
  );
}

/** One row for each pass, one column for each token. */
function passes(
  {tokens}: DecodeResult,
  shown: readonly DecodePass[],
  cached: boolean,
): TemplateResult {
  const bottom = TOP + ROW * shown.length;
  const place = (j: number) => LEFT + WIDTH * j;
  return figure(
    {
      height: bottom + 30,
      label: `${cached ? '留着K、V' : '每步重算'}：逐步算了${parts(shown)}份K和V`,
    },
    svg`
    <defs>${hatch('again', 'wrong')}</defs>
    ${tokens.map((token, j) =>
      text(place(j) + WIDTH / 2, 16, token, {anchor: 'middle', size: 12}),
    )}${text(100, 16, '算几份', {anchor: 'end', size: 12, fill: 'ink-2'})}
    ${shown.map(({known, computed, repeated, asking}, i) => {
      const y = TOP + ROW * i;
      const taken = known - computed;
      return svg`${rule(0, 100, y)}${text(0, y + 30, `第${i + 1}步`, {size: 12})}
        ${tokens
          .slice(0, known)
          .map((_, j) =>
            cell(
              place(j),
              y + 5,
              j < taken ? 'taken' : j < taken + repeated ? 'again' : 'first',
              j === asking,
            ),
          )}
        ${panel(
          {x: place(known), y: y + 5, width: WIDTH, height: CELL},
          text(50, 22, '待猜', {anchor: 'middle', size: 11, fill: 'ink-2'}),
        )}
        ${text(100, y + 30, integer(computed), {anchor: 'end', weight: 600})}`;
    })}
    ${rule(0, 100, bottom)}${text(0, bottom + 22, '合计', {weight: 600})}${text(
      100,
      bottom + 22,
      `${parts(shown)} ＝ ${integer(sum(shown, 'computed'))}`,
      {anchor: 'end', weight: 600},
    )}`,
  );
}

/** Both totals; the repeats are hatched. */
function totals({anew, kept}: DecodeResult, cached: boolean): TemplateResult {
  const most = sum(anew, 'computed');
  const share = (count: number) => `${((100 * count) / most).toFixed(2)}%`;
  return figure(
    {height: 100, label: '两种做法各算几份K和V'},
    svg`<defs>${hatch('repeated', 'wrong')}</defs>
    ${[
      {name: '每步重算', of: anew, chosen: !cached},
      {name: '留着', of: kept, chosen: cached},
    ].map(({name, of, chosen}, i) => {
      const y = 12 + 44 * i;
      const all = sum(of, 'computed');
      const again = sum(of, 'repeated');
      return svg`${text(0, y + 14, `${chosen ? '● ' : ''}${name}`, {
        size: 12,
        weight: chosen ? 600 : 400,
      })}${text(
        100,
        y + 14,
        `${integer(all)}份${again > 0 ? `，其中${integer(again)}份重复` : ''}`,
        {anchor: 'end', size: 12, weight: chosen ? 600 : 400},
      )}
        <rect x="0" y=${y + 20} width=${share(all)} height="14" fill=${color('key')}
          fill-opacity="0.35"/><rect x=${share(all - again)} y=${y + 20} width=${share(again)}
          height="14" fill="url(#repeated)"/>`;
    })}`,
  );
}

const vector = (values: readonly number[]) => `(${values.map((x) => fixed(x, 3)).join(', ')})`;

function view({cache}: DecodeState, result: DecodeResult): TemplateResult {
  return html`<p class="reading">
      一行是一步，一格是一个词元的K和V。格子下面有横条的那个词元在问：用的是它的查询q。
    </p>
    ${passes(result, cache ? result.kept : result.anew, cache)}${totals(result, cache)}`;
}

function says({prompt, generate}: DecodeState, {anew, kept, identical}: DecodeResult): string {
  const [all, again, once] = [sum(anew, 'computed'), sum(anew, 'repeated'), sum(kept, 'computed')];
  const saved =
    again > 0
      ? `每步重算，要算${parts(anew)} ＝ ${integer(all)}份K和V，其中${integer(again)}份早就算过；留着，` +
        `只算${parts(kept)} ＝ ${integer(once)}份`
      : `只有一步，两种做法都算${integer(all)}份K和V，没有可省的`;
  return (
    `提示${prompt}个词元，生成${generate}个：${saved}。${generate}步的输出，` +
    `两种做法${identical ? '逐位相同' : '✗ 不同'}。`
  );
}

function table(_state: DecodeState, {tokens, anew, kept}: DecodeResult): Table {
  return {
    columns: [
      '步',
      '已有',
      '谁的q在问',
      '接着出',
      '重算：算几份',
      '其中重复',
      '留着：算几份',
      '取用',
      '重算得到的输出',
      '留着得到的输出',
    ],
    rows: anew.flatMap(({known, computed, repeated, asking, output}, i) => {
      const other = kept[i];
      if (!other) return [];
      return [
        [
          `第${i + 1}步`,
          tokens.slice(0, known).join(' '),
          tokens[asking] ?? '',
          tokens[known] ?? '',
          integer(computed),
          integer(repeated),
          integer(other.computed),
          integer(other.known - other.computed),
          vector(output),
          vector(other.output),
        ],
      ];
    }),
  };
}

function steps(_state: DecodeState, {tokens, kept}: DecodeResult): TemplateResult {
  return html`<ol class="steps">
    ${kept.map(({known, computed, asking, output}, i) => {
      const read = tokens.slice(known - computed, known).join('」「');
      return html`<li>
        ${i === 0 ? '读提示' : '把上一步出的'}「${read}」${i === 0 ? '' : '喂进来'}，算出${
          computed === 1 ? '它' : '它们'
        }的K、V存下。用「${tokens[asking]}」的q给存着的${known}份K打分，取回${vector(output)}，由它猜下一个；这里接着出「${
          tokens[known]
        }」。
      </li>`;
    })}
    <li>「${tokens[kept.at(-1)?.known ?? 0]}」出来就结束了，没有再喂进来，所以不算它的K、V。</li>
  </ol>`;
}

/**
 * Replays generation on the teaching sentence: how many keys and values each way computes, and
 * whether the outputs are the same bit for bit.
 *
 * @name 逐个生成
 * @summary 每生成一个词元，是全部重算，还是留着K和V。
 * @attr prompt generate cache
 * @fires attn-change  detail: {state, result}
 */
export class AttnDecode extends AttnWidget<DecodeState, DecodeResult> {
  static override readonly needs: readonly Need[] = ['sequence'];
  static override readonly spec: Spec<DecodeState, DecodeResult> = {
    tag: 'attn-decode',
    title: '逐个生成，重算还是留着',
    hint: '在两种做法之间切换：哪些格子从「重算」变成「取」？输出变了没有？',
    schema,
    compute,
    view,
    says,
    table,
    steps,
  };

  protected override controls(
    {prompt, generate, cache}: DecodeState,
    {tokens}: DecodeResult,
  ): TemplateResult {
    const room = tokens.length - prompt;
    const chips = (label: string, chosen: number, most: number, set: (count: number) => void) =>
      html`<div class="row" role="group" aria-label=${label}>
        <span>${label}</span>
        ${Array.from({length: MOST}, (_, i) => i + 1).map(
          (count) =>
            html`<button
              type="button"
              class="chip"
              ?disabled=${count > most}
              aria-pressed=${count === chosen ? 'true' : 'false'}
              @click=${() => set(count)}
            >
              ${count}
            </button>`,
        )}
      </div>`;
    return html`${tabs({
      label: '做法',
      name: 'cache',
      choices: [
        ['0', '每步重算'],
        ['1', '留着K、V'],
      ],
      chosen: cache ? '1' : '0',
      choose: (value) => this.change({cache: value === '1'}),
    })}
    ${chips('提示几个', prompt, MOST, (count) =>
      this.change({prompt: count, generate: Math.min(generate, tokens.length - count)}),
    )}
    ${chips('生成几个', generate, room, (count) => this.change({generate: count}))}`;
  }
}
