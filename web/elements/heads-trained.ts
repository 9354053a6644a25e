// <attn-heads source="trained">: what the heads of the trained model do with a text that the reader
// types. A chunk of its own, since only pages that show the model need it.

import {html, nothing, type TemplateResult} from 'lit';
import {live} from 'lit/directives/live.js';
import {
  finalLoss,
  packedValidationLoss,
  recordedPortraits,
  validationLoss,
  validationLossWithout,
  weightBytes,
} from '../shared/course-data.js';
import {binary, bytes, fixed, general, integer, percent} from '../shared/format.js';
import {InputError} from '../shared/input.js';
import {seedBox} from '../shared/experiment.js';
import {numberBox, slider, type BoxHost} from '../shared/number-box.js';
import {
  headName,
  heatMap,
  lossBars,
  portraits,
  rowBars,
  shown,
  type HeadRow,
} from './heads-figure.js';
import {inTraditional, otherOf, traditionalOf} from './traditional.js';
import type {Resources} from '../shared/runtime.js';
import type {HeadPortrait, TrainedModel} from '../train.js';
import type {HeadsState} from './attn-heads.js';
import type {Table} from './attn-widget.js';

export interface TrainedResult {
  source: 'trained';
  /** As the model read them, the last ones of a long text; '<unk>' for what it does not know. */
  characters: string[];
  /** Characters at the beginning that did not fit. */
  skipped: number;
  block: number;
  /** Characters of the whole text that the model does not know, once each. */
  unknown: string[];
  /** Those that it knows but that were perhaps meant as another one. */
  doubtful: string[];
  /** Index of the position that asks. */
  row: number;
  /** (T, T) of the head that is shown */
  weights: number[][];
  heads: HeadRow[];
  uniform: HeadPortrait;
  /** In nats, from the second character on. */
  losses: number[];
  /** The same without the head that is shown. */
  without: number[];
  /** Characters in the vocabulary. */
  vocab: number;
  /** Loss of guessing among all of them alike, ln vocab. */
  blind: number;
  /** What the model writes on. */
  written: {text: string; beyondBlock: boolean};
}

const UNKNOWN = 1;
const WRITTEN = 48;
const MOST_CHARACTERS = 10_000;

let model: TrainedModel | undefined;

/** Gives the model to read with: what the page fetched, or the build opened. */
export function useModel(opened: TrainedModel): void {
  model = opened;
}

export const ready = (): boolean => model !== undefined;

let coming: Promise<void> | undefined;
let failed = false;

/** Fetches module and weights, once; again after a failure. */
export function bringModel(): Promise<void> {
  coming ??= import('./trained-start.js')
    .then(({fetchModel}) => fetchModel())
    .then(useModel)
    .catch((error: unknown) => {
      coming = undefined;
      failed = true;
      throw error;
    });
  return coming;
}

/** Half a character of two units can't be told to the model. */
const whole = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd');

/** The last value, for calls that mostly repeat: moving one slider need not read the text again. */
function remembered<T>(): (key: string, make: () => T) => T {
  let last: {key: string; value: T} | undefined;
  return (key, make) => {
    if (last?.key !== key) last = {key, value: make()};
    return last.value;
  };
}

function mean(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

function readHeads(opened: TrainedModel, text: string) {
  const {layers, uniform} = opened.portraits(text);
  const losses = opened.tokenLosses(text);
  const heads = layers.flatMap((row, layer) =>
    row.map((portrait, head) => {
      const without = opened.tokenLossesWithout(text, layer, head);
      const recorded =
        validationLossWithout.find((each) => each.layer === layer && each.head === head)?.loss ??
        validationLoss;
      return {
        without,
        row: {
          layer,
          head,
          portrait,
          effect: losses.length > 0 ? mean(without) - mean(losses) : null,
          recorded: recorded - validationLoss,
        },
      };
    }),
  );
  return {heads, uniform, losses};
}

const heads = remembered<ReturnType<typeof readHeads>>();
const written = remembered<TrainedResult['written']>();

export function compute({core}: Resources, state: HeadsState): TrainedResult {
  if (!model)
    throw new InputError(
      'no-model',
      failed
        ? '模型没有载入成，图仍是上一次的。请检查网络再试。'
        : '正在载入模型，图仍是上一次的。',
    );
  const opened = model;
  const text = whole(state.text);
  if (text === '') throw new InputError('empty', '这里还空着，图仍按上一段画。');
  const {nLayers, nHeads, blockSize: block, vocabSize} = opened.config;
  const layer = Math.min(state.layer, nLayers - 1);
  const head = Math.min(state.head, nHeads - 1);
  const {ids} = opened.encode(text);
  const typed = [...text];
  const {characters, skipped, weights} = opened.attentionMap(text, layer, head);
  const n = characters.length;
  const read = heads(text, () => readHeads(opened, text));
  const {seed, temperature, topk} = state;
  return {
    source: 'trained',
    characters,
    skipped,
    block,
    unknown: [...new Set(typed.filter((_, i) => ids[i] === UNKNOWN))],
    doubtful: [
      ...new Set(
        typed.filter((character, i) => ids[i] !== UNKNOWN && otherOf(character) !== undefined),
      ),
    ],
    row: state.row === 0 ? n - 1 : Math.min(state.row, n) - 1,
    weights: Array.from({length: n}, (_, i) => [...weights.data.slice(i * n, (i + 1) * n)]),
    heads: read.heads.map(({row}) => row),
    uniform: read.uniform,
    losses: read.losses,
    without: read.heads[layer * nHeads + head]?.without ?? [],
    vocab: vocabSize,
    blind: core.log(vocabSize),
    written: written(JSON.stringify([text, seed, temperature, topk]), () => {
      const {text: more, beyondBlock} = opened.sample({
        prompt: text,
        count: WRITTEN,
        temperature,
        topK: topk,
        cached: true,
        seed,
      });
      return {text: more, beyondBlock};
    }),
  };
}

const chosen = ({layer, head}: HeadsState, {heads: rows}: TrainedResult): HeadRow | undefined =>
  rows.find((row) => row.layer === layer && row.head === head);

const nameOf = ({layer, head}: HeadsState): string => headName(layer, head);

/** The written text by lines, what the model does not know as □. */
function lines(text: string): string[] {
  return text.replaceAll('<unk>', '□').replaceAll('<pad>', '□').split('\n');
}

function how({temperature, topk, seed}: HeadsState): string {
  if (temperature === 0) return '现在是贪心：每次取最可能的一个字';
  return `现在温度${general(temperature)}${topk > 0 ? `，只在最可能的${integer(topk)}个里抽` : '，不限个数'}，种子${String(seed)}`;
}

export function view(state: HeadsState, result: TrainedResult): TemplateResult {
  const {characters, weights, row, losses, without, blind, uniform, written: more} = result;
  const name = nameOf(state);
  const parts = lines(more.text);
  return html`<div class="charts">
      ${heatMap({characters, weights, row, name})}
      <div>
        ${rowBars({characters, weights: weights[row] ?? [], row})}${losses.length > 0 ? lossBars({characters, losses, without, blind, name}) : nothing}
      </div>
    </div>
    <h3>八个头，各看哪里</h3>
    ${portraits({rows: result.heads, uniform, layer: state.layer, head: state.head})}
    <p class="reading">
      竖线是「平分」：一个没有偏好的头在${integer(characters.length)}个字上的数。L是层、H是头，都从0数。「验证集」一栏是训练记录：${validationLossWithout.length}个头各关一次，损失比${fixed(validationLoss, 3)}高多少。
    </p>
    <h3>让它接着写</h3>
    <p>${parts.map((line, i) => html`${i > 0 ? html`<br />` : nothing}${line}`)}</p>
    <p class="reading">
      ${how(state)}。温度0是贪心，top-k为0是不限。□是模型词表以外的字${more.beyondBlock ? `；写到第${integer(result.block)}个字以后，窗口往后移，每写一个字都要把窗口重读一遍` : ''}。
    </p>`;
}

export function says(state: HeadsState, result: TrainedResult): string {
  const own = chosen(state, result);
  const {characters, uniform, losses} = result;
  if (!own) return '';
  const {entropy, diagonal, previous, distance} = own.portrait;
  const far =
    characters.length > 1
      ? `看自己${percent(diagonal)}（平分是${percent(uniform.diagonal)}），看前一位${percent(previous)}（${percent(uniform.previous)}），平均距离${fixed(distance, 2)}（${fixed(uniform.distance, 2)}），熵${fixed(entropy, 3)}`
      : '只有一个字，只能看自己';
  const off =
    own.effect === null
      ? ''
      : `关掉它，这段平均每字的损失从${fixed(mean(losses), 3)}变成${fixed(mean(losses) + own.effect, 3)}；验证集上，从${fixed(validationLoss, 3)}变成${fixed(validationLoss + own.recorded, 3)}（记录）。`;
  return `${nameOf(state)}在这${integer(characters.length)}个字上：${far}。${off}`;
}

export function table(
  state: HeadsState,
  {characters, weights, losses, without}: TrainedResult,
): Table {
  return {
    columns: [
      '位置',
      '字',
      '损失',
      `关掉${nameOf(state)}`,
      ...characters.map((character, j) => `看${j + 1}${shown(character)}`),
    ],
    rows: characters.map((character, i) => [
      String(i + 1),
      shown(character),
      ...[losses, without].map((all) => (i > 0 ? fixed(all[i - 1] ?? 0, 3) : '—')),
      ...(weights[i] ?? []).map((weight, j) => (j > i ? '遮住' : fixed(weight, 3))),
    ]),
  };
}

export function steps(state: HeadsState, {block, vocab, blind}: TrainedResult): TemplateResult {
  const {pieces, positions} = recordedPortraits;
  return html`<ol class="steps">
    <li>
      每个字查表换成一个向量，加上位置向量，过两层。热图是${nameOf(state)}的softmax权重：只看自己和前面的字，每行加起来是100
      %。
    </li>
    <li>
      模型最多读${integer(block)}个字。第i个字的损失是−ln
      p：p是模型只看前面的字时给它的概率。瞎猜是ln ${String(vocab)}＝${fixed(blind, 2)}。
    </li>
    <li>
      熵除以ln(看得见的字数)，第一行只看得见自己，不算；看自己、前一位是那一格的平均权重；平均距离是Σ(i
      − j)·p。
    </li>
    <li>关掉一个头：把输出投影里属于它的那几行改成0，别的都不动，重新读一遍。</li>
    <li>
      验证集是训练时没见过的那十分之一的诗；记录里的画像取自其中${integer(pieces)}段、每段${integer(positions)}个字，与这里的一段话不是同一段。
    </li>
    <li>
      网页上的权重把每个矩阵的每一行存成8位整数和一个比例，共${bytes(weightBytes)}（${binary(weightBytes)}）。验证损失从${fixed(packedValidationLoss.before, 4)}变成${fixed(packedValidationLoss.after, 4)}。训练最后50步的平均损失是${fixed(finalLoss, 2)}。
    </li>
  </ol>`;
}

/** What the frame says above the controls. */
export const hint = '换一段话，换一个头：它看谁？关掉它，哪个字变得难猜？';
export const title = '训练好的小模型：八个头各看哪里';

/** Of the model. */
export type Loading = 'no' | 'busy' | 'failed' | 'there';

export interface Host extends BoxHost {
  change: (patch: Partial<HeadsState>) => void;
  loading: Loading;
  load: () => void;
}

/** What the text has that the model can't read as it was meant. */
function notes(
  host: Host,
  state: HeadsState,
  {unknown, doubtful, skipped, block}: TrainedResult,
): TemplateResult {
  const mapped = unknown.filter((character) => traditionalOf(character) !== undefined);
  const others = unknown
    .filter((character) => traditionalOf(character) === undefined)
    .map((character) => (character === '\n' ? '换行' : character));
  const list = (all: readonly string[]) =>
    `${all.slice(0, 12).join('、')}${all.length > 12 ? `等${integer(all.length)}个` : ''}`;
  return html`${
    mapped.length > 0
      ? html`<div class="row">
          <span>语料是繁体字，简体的${list(mapped)}它没见过，都读成□。</span>
          <button
            type="button"
            class="chip"
            @click=${() => {
              host.drafts.delete('text');
              host.change({text: inTraditional(state.text)});
            }}
          >
            换成繁体（${list(mapped.map((character) => `${character}→${traditionalOf(character)}`))}）
          </button>
        </div>`
      : nothing
  }
  ${others.length > 0 ? html`<p class="reading">${list(others)}不在模型的词表里，读成□。</p>` : nothing}
  ${doubtful.length > 0 ? html`<p class="reading">${doubtful.map((character) => `「${character}」在这些诗里是另一个字，若想写「${otherOf(character)}」，请改成「${otherOf(character)}」。`)}</p>` : nothing}
  ${skipped > 0 ? html`<p class="reading">模型最多读${integer(block)}个字：只读了最后${integer(block)}个，前面的${integer(skipped)}个没有读。</p>` : nothing}`;
}

/** A line for each sentence, so that verse looks like verse; line breaks are not given to the model. */
const asLines = (text: string): string => text.replace(/([。！？])(?=.)/gu, '$1\n');

function textBox(host: Host, {text}: HeadsState): TemplateResult {
  const draft = host.drafts.get('text');
  const take = (typed: string) => {
    const clean = typed.replace(/\s*\n\s*/g, '').trim();
    const count = [...clean].length;
    const problem =
      clean === ''
        ? '这段话：这里还空着，图仍按上一段画。'
        : count > MOST_CHARACTERS
          ? `这段话：最多${integer(MOST_CHARACTERS)}个字，这里有${integer(count)}个。`
          : null;
    host.drafts.set('text', {text: typed, problem});
    if (problem === null) host.change({text: clean});
    host.requestUpdate();
  };
  return html`<label
    >一段话<textarea
      rows="3"
      autocomplete="off"
      spellcheck="false"
      aria-invalid=${draft?.problem ? 'true' : 'false'}
      aria-describedby="trouble"
      .value=${live(draft?.text ?? asLines(text))}
      @input=${(event: InputEvent) => {
        if (!event.isComposing) take((event.target as HTMLTextAreaElement).value);
      }}
      @compositionend=${(event: CompositionEvent) => take((event.target as HTMLTextAreaElement).value)}
      @blur=${() => {
        host.drafts.delete('text');
        host.requestUpdate();
      }}
    ></textarea>
  </label>`;
}

function loader({loading, load}: Host): TemplateResult {
  return html`<div class="row">
    <button type="button" class="chip" ?disabled=${loading === 'busy'} @click=${load}>
      载入模型（${binary(weightBytes)}）
    </button>
    <span role="status"
      >${loading === 'busy' ? '正在载入……' : loading === 'failed' ? '没有载入成，请检查网络再试。' : '图是构建时画好的。改动任何一处，也会先载入模型。'}</span
    >
  </div>`;
}

export function controls(host: Host, state: HeadsState, result: TrainedResult): TemplateResult {
  const n = result.characters.length;
  return html`${host.loading === 'there' ? nothing : loader(host)}
    ${textBox(host, state)}${notes(host, state, result)}
    <div class="row" role="group" aria-label="哪个头">
      <span>哪个头</span>${result.heads.map(
        ({layer, head}) =>
          html`<button
            type="button"
            class="chip"
            aria-pressed=${layer === state.layer && head === state.head ? 'true' : 'false'}
            @click=${() => host.change({layer, head})}
          >
            ${headName(layer, head)}
          </button>`,
      )}
    </div>
    <div class="dials">
      ${slider(host, {key: 'row', label: '谁在看', value: result.row + 1, min: 1, max: n, step: 1, integer: true, set: (row) => host.change({row})})}
    </div>
    <div class="dials">
      ${slider(host, {key: 'temperature', label: '温度', value: state.temperature, min: 0, max: 2, step: 0.1, by: 0.1, set: (temperature) => host.change({temperature})})}
      ${numberBox(host, {key: 'topk', label: 'top-k', value: state.topk, min: 0, max: 1200, integer: true, set: (topk) => host.change({topk})})}
      ${seedBox(host, state.seed, (seed) => host.change({seed}))}
    </div>`;
}
