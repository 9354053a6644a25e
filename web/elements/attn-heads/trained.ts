// <attn-heads source="trained">: the heads of the trained model on a text that the reader types.
// This is a chunk of its own, since only pages that show the model need it.

import {html, nothing, type TemplateResult} from 'lit';
import {
  finalLoss,
  packedValidationLoss,
  recordedPortraits,
  validationLoss,
  validationLossWithout,
  weightBytes,
} from '../../shared/course-data.js';
import {shown} from './character.js';
import {binary, bytes, fixed, general, integer, percent} from '../../shared/format.js';
import {InputError} from '../../shared/input.js';
import type {Resources} from '../../shared/runtime.js';
import {headMaps, headName, type HeadMap} from '../../training/maps.js';
import type {TrainedModel} from '../../train.js';
import {rowsOfMap} from '../../training/moments.js';
import {type HeadsState, type TrainedResult} from './state.js';
import type {Table} from '../attn-widget/spec.js';
import {otherOf} from './traditional.js';
import {type HeadRow, heatMap, lossBars, portraits, rowBars} from './trained-figure.js';
import {failed, model} from './trained-model.js';

export {controls} from './trained-controls.js';
export {bringModel, ready} from './trained-model.js';

const UNKNOWN = 1;

const WRITTEN = 48;

/** A lone surrogate can't be passed to the model. */
const whole = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd');

/**
 * Caches the last value, since most calls repeat: moving one slider need not read the text again.
 */
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
  return {heads, uniform, losses, maps: mapsOf(opened, text)};
}

function mapsOf(opened: TrainedModel, text: string): TrainedResult['maps'] {
  const {nLayers, nHeads} = opened.config;
  return Array.from({length: nLayers * nHeads}, (_, k) => {
    const [layer, head] = [Math.floor(k / nHeads), k % nHeads];
    const {weights, characters} = opened.attentionMap(text, layer, head);
    const n = characters.length;
    const rows = characters.map((_, i) => [...weights.data.slice(i * n, i * n + i + 1)]);
    return {layer, head, weights: rows.flat().map((weight) => Math.round(1000 * weight))};
  });
}

const heads = remembered<ReturnType<typeof readHeads>>();

const written = remembered<TrainedResult['written']>();

export function compute({core}: Resources, state: HeadsState): TrainedResult {
  if (!model)
    throw new InputError(
      'no-model',
      failed ? '模型载入失败，图仍是上一次的。请检查网络再试。' : '正在载入模型，图仍是上一次的。',
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
    maps: read.maps,
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

/** The sampled text by lines, with □ for unknown characters. */
function lines(text: string): string[] {
  return text.replaceAll('<unk>', '□').replaceAll('<pad>', '□').split('\n');
}

function how({temperature, topk, seed}: HeadsState): string {
  if (temperature === 0) return '现在是贪心：每次取最可能的一个字';
  return (
    `现在温度${general(temperature)}${topk > 0 ? `，只在最可能的${integer(topk)}个里抽` : '，不限个数'}，` +
    `种子${String(seed)}`
  );
}

/** The pictures; a widget that answers a reader gives `choose`. */
export function view(
  state: HeadsState,
  result: TrainedResult,
  choose?: (head: Pick<HeadMap, 'layer' | 'head'>) => void,
): TemplateResult {
  const {characters, weights, row, losses, without, blind, uniform, written: more} = result;
  const name = nameOf(state);
  const parts = lines(more.text);
  return html`<div class="charts">
      ${heatMap({characters, weights, row, name})}
      <div>
        ${rowBars({
          characters,
          weights: weights[row] ?? [],
          row,
        })}${losses.length > 0 ? lossBars({characters, losses, without, blind, name}) : nothing}
        ${headMaps(
          result.maps.map(({layer, head, weights: each}) => ({layer, head, rows: rowsOfMap(each)})),
          state,
          choose,
        )}
      </div>
    </div>
    <h3>八个头，各看哪里</h3>
    ${portraits({rows: result.heads, uniform, layer: state.layer, head: state.head})}
    <p class="reading">
      竖线是「平分」：一个没有偏好的头在${integer(characters.length)}个字上的数。L是层、H是头，都从0数。「验证集」一栏是训练记录：${
        validationLossWithout.length
      }个头各关一次，损失比${fixed(validationLoss, 3)}高多少。
    </p>
    <h3>让它接着写</h3>
    <p>${parts.map((line, i) => html`${i > 0 ? html`<br />` : nothing}${line}`)}</p>
    <p class="reading">
      ${how(state)}。温度0是贪心，top-k为0是不限。□是模型词表以外的字${
        more.beyondBlock
          ? `；写到第${integer(result.block)}个字以后，窗口往后移，每写一个字都要把窗口重读一遍`
          : ''
      }。
    </p>`;
}

export function says(state: HeadsState, result: TrainedResult): string {
  const own = chosen(state, result);
  const {characters, uniform, losses} = result;
  if (!own) return '';
  const {entropy, diagonal, previous, distance} = own.portrait;
  const far =
    characters.length > 1
      ? `看自己${percent(diagonal)}（平分是${percent(uniform.diagonal)}），` +
        `看前一位${percent(previous)}（${percent(uniform.previous)}），` +
        `平均距离${fixed(distance, 2)}（${fixed(uniform.distance, 2)}），熵${fixed(entropy, 3)}`
      : '只有一个字，只能看自己';
  const off =
    own.effect === null
      ? ''
      : `关掉它，这段平均每字的损失从${fixed(mean(losses), 3)}变成${fixed(mean(losses) + own.effect, 3)}；` +
        `验证集上，从${fixed(validationLoss, 3)}变成${fixed(validationLoss + own.recorded, 3)}（记录）。`;
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
      网页上的权重把每个矩阵的每一行存成8位整数和一个比例，共${bytes(weightBytes)}（${binary(weightBytes)}）。验证损失从${fixed(
        packedValidationLoss.before,
        4,
      )}变成${fixed(packedValidationLoss.after, 4)}。训练最后50步的平均损失是${fixed(finalLoss, 2)}。
    </li>
  </ol>`;
}

/** The sentence above the controls. */
export const hint = '换一段话，换一个头：它看谁？关掉它，哪个字变得难猜？';

export const title = '训练好的小模型：八个头各看哪里';
