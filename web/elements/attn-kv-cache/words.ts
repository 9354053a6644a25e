// Sentences, table and steps of <attn-kv-cache>.

import {html, type TemplateResult} from 'lit';
import type {LayerKind} from '../../cache.js';
import type {CacheJson, Exact} from '../../shared/cache-json.js';
import {keptBy, kindName, product, size} from '../../shared/cache-text.js';
import {formatName} from '../../shared/value-formats.js';
import {integer} from '../../shared/format.js';
import type {Table} from '../attn-widget/spec.js';
import {type KvCacheResult, type KvCacheState} from './state.js';

const whole = (value: Exact) => integer(BigInt(value));

export const changes = ({growing_per_token, within_window_per_token}: CacheJson) =>
  growing_per_token !== within_window_per_token;

export function roomText({memory, cards}: KvCacheState): string {
  const one = `${Number.isInteger(memory) ? integer(memory) : String(memory)} GiB`;
  return cards > 1 ? `${integer(cards)} × ${one}` : one;
}

export function fitsText(state: KvCacheState, {fits}: KvCacheResult): string {
  const room = roomText(state);
  if (fits === 'any') return '多长都放得下';
  if (Number(fits) < 0) return `${room}连不随长度变的部分也放不下`;
  return `${whole(fits)}个词元`;
}

/** How many sequences of the chosen length the memory holds. */
export function sequencesText(state: KvCacheState, {sequences, serving}: KvCacheResult): string {
  const room = roomText(state);
  if (serving && Number(serving.available) < 0) return `✗ ${room}放不下权重和激活`;
  if (sequences === 'any') return `${room}放得下任意多条`;
  if (Number(sequences) === 0) return `✗ ${room}放不下一条这样长的序列`;
  return Number(sequences) < state.batch
    ? `✗ ${room}只放得下${whole(sequences)}条`
    : `${room}放得下${whole(sequences)}条这样长的序列`;
}

/** Whether a kind of layer still grows at a context. */
export function changeOf({kind, window}: LayerKind, context: number): string {
  if (kind === 'state' || kind === 'convolution' || kind === 'cross') return '不随长度变';
  if (!window) return '随长度增长';
  return context < window ? '还没满，随长度增长' : '满了，不再增长';
}

/** One line for each kind: the factors and their product. */
export function factors(
  kind: LayerKind,
  {bytesPerValue, scaled}: Pick<KvCacheResult, 'bytesPerValue' | 'scaled'>,
  perToken: Exact,
  constant: Exact,
): string {
  if (kind.stateBytes) return `${product(kind, bytesPerValue)} ＝ ${size(constant)}，不随长度变`;
  if (kind.kind === 'cross') return `${product(kind, bytesPerValue)} ＝ 另一路输入每个词元一份`;
  if (Number(perToken) === 0) return `${integer(kind.layers)}层，不占字节`;
  const most = kind.window ? `，至多留${integer(kind.window)}个词元` : '';
  // With scales beside the values, bytes are no multiple of the numbers.
  if (scaled && !kind.ownBits)
    return `${integer(kind.layers)}层，${keptBy(kind)}，连同缩放系数每词元${size(perToken)}`;
  return `${product(kind, bytesPerValue)} ＝ 每词元${size(perToken)}` + most;
}

/** How the kinds add up to the total. */
export function sum({context, batch}: KvCacheState, {read, kinds, total}: KvCacheResult): string {
  const parts = kinds.flatMap(({bytes_per_token, constant}, i) => {
    const {window} = read.layout[i] ?? {};
    if (Number(bytes_per_token) > 0)
      return [
        `${whole(bytes_per_token)} × ${integer(window ? Math.min(window, context) : context)}`,
      ];
    return Number(constant) > 0 ? [whole(constant)] : [];
  });
  const one = parts.join(' + ') || '0';
  return (
    `${batch === 1 ? one : `${integer(batch)} × ${parts.length > 1 ? `(${one})` : one}`} ＝ ` +
    `${size(total)}`
  );
}

export function says(state: KvCacheState, result: KvCacheResult): string {
  const {name, read, dtype} = result;
  const beyond =
    read.maxContext > 0 && state.context > read.maxContext
      ? `（它的上下文只到${integer(read.maxContext)}）`
      : '';
  const step = changes(result)
    ? `窗口都没满时，每多一个词元加${size(result.within_window_per_token)}；` +
      `现在只加${size(result.growing_per_token)}：有窗口的模型，每词元的字节数不是一个常数。`
    : read.layout.some(({window}) => window)
      ? `每多一个词元加${size(result.growing_per_token)}；窗口满了以后会变，不是一个常数。`
      : `每多一个词元加${size(result.growing_per_token)}。`;
  return (
    `${name}读到${integer(state.context)}个词元${beyond}，${integer(state.batch)}条序列，` +
    `${formatName(dtype)}：缓存共${size(result.total)}。${step}`
  );
}

export function table(
  _state: KvCacheState,
  {read, kinds, total, growing_per_token, constant}: KvCacheResult,
): Table {
  return {
    columns: ['存什么', '层数', '头数', 'K宽', 'V宽', '至多留', '每词元（B）', '不随长度变（B）'],
    rows: [
      ...kinds.map((kind) => [
        kindName(kind.kind),
        integer(kind.layers),
        integer(kind.heads),
        integer(kind.k_width),
        integer(kind.v_width),
        kind.window === null ? '' : integer(kind.window),
        whole(kind.bytes_per_token),
        whole(kind.constant),
      ]),
      [
        `共${size(total)}`,
        integer(read.layers),
        '',
        '',
        '',
        '',
        `此时${whole(growing_per_token)}`,
        whole(constant),
      ],
    ],
  };
}

const FIELDS: Record<string, string> = {
  layers: '层数',
  heads: '头数',
  kWidth: 'K宽',
  vWidth: 'V宽',
  window: '至多留',
  stateBytes: '每层字节',
};

export function steps(_state: KvCacheState, {read, dtype}: KvCacheResult): TemplateResult {
  const from = (i: number) => read.sources.filter(({kind}) => kind === i);
  return html`<ol class="steps">
    <li>
      格式：${formatName(dtype)}${
        dtype === read.dtype
          ? html`，${read.dtypePath ? html`来自<code>${read.dtypePath}</code>` : '文件没有写'}`
          : '，这里改的'
      }。
    </li>
    ${read.layout.map(
      (kind, i) =>
        html`<li>
          ${kindName(kind.kind)} × ${integer(kind.layers)}层，${keptBy(kind)}。
          <ul>
            ${from(i).map(
              ({field, path}) => html`<li>${FIELDS[field]} ← <code>${path}</code></li>`,
            )}
          </ul>
        </li>`,
    )}
    <li>每一类：层数 × 存的数 × 每个数的字节 × 存着的词元；再加上不随长度变的，乘以序列数。</li>
  </ol>`;
}
