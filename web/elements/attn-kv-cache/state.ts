// State of <attn-kv-cache>: its fields, their ranges, and the shape of its results.

import type {ModelCache} from '../../cache.js';
import type {CacheJson, Exact} from '../../shared/cache-json.js';
import {type Format, FORMATS} from '../../shared/value-formats.js';
import type {Growth} from '../../shared/growth-plot.js';
import {InputError} from '../../shared/input.js';
import type {DesignName} from '../../shared/mechanism.js';
import {
  choiceField,
  type Field,
  nameField,
  numberField,
  sampleList,
  sampleText,
  type Schema,
} from '../../shared/schema.js';

export const GIB = 2 ** 30;

export interface KvCacheState {
  /** lessons/models里的一个，不带.json */
  model: string;
  /** 读过的词元数 */
  context: number;
  /** 同时处理的序列数 */
  batch: number;
  /** 缓存的数值格式；config是照文件 */
  dtype: 'config' | Format;
  /** 图上并排画的其他模型，至多3个 */
  compare: readonly string[];
  /** 放缓存的显存，单位GiB */
  memory: number;
  /** 粘贴的config.json；有它就不看model */
  config: string;
  /** 不理会的键，当作没有写 */
  ignore: readonly string[];
  /** 张量并行的卡数 */
  cards: number;
  /** 权重的数值格式；none是不算权重，size是另填大小 */
  weights: 'none' | 'size' | Format;
  /** 权重的大小，单位GiB；weights是size时用 */
  size: number;
  /** 推理引擎：按它的分块方式算占用；none是不分块 */
  engine: 'none' | EngineName;
  /** 每条序列开头相同的词元数，只存一份 */
  prefix: number;
}

export type EngineName = 'vllm' | 'llama.cpp' | 'sglang';
export const ENGINES: readonly EngineName[] = ['vllm', 'llama.cpp', 'sglang'];

/** True if the state asks for more than the size of the cache. */
export const isServed = ({cards, weights, engine, prefix}: KvCacheState): boolean =>
  cards > 1 || weights !== 'none' || engine !== 'none' || prefix > 0;

/** The same model with another number of heads kept. */
export interface Design {
  name: DesignName;
  what: string;
  own: boolean;
  total: Exact;
  perToken: Exact;
}

/** Several cards, the weights on them, an engine, a common beginning. */
export interface Serving {
  /** The cache on one card: exactly, and as the engine takes it. */
  card: Exact;
  taken: {total: Exact; block: number} | null;
  /** The bytes that the common beginning saves. */
  saved: Exact;
  /** null where the weights do not count or their size was given. */
  parameters: number | null;
  /** Bytes of all cards together. */
  memory: Exact;
  weights: Exact;
  reserve: Exact;
  /** For the cache; may be negative. */
  available: Exact;
  log: string[];
}

export interface KvCacheResult extends CacheJson {
  name: string;
  /** The layout and the sources of its fields. */
  read: ModelCache;
  bytesPerValue: number;
  /** True if blocks of values have scales beside them. */
  scaled: boolean;
  designs: Design[];
  /** The model first, then those beside it. */
  curves: Growth[];
  /**
   * Tokens of each sequence that fit into the memory: 'any' if every length fits, −1 if not even
   * the constant part does.
   */
  fits: Exact | 'any';
  /** The bytes of each kind of layer, all sequences at the context. */
  parts: Exact[];
  /** Sequences of that context that fit into the memory: 'any' if each takes no room. */
  sequences: Exact | 'any';
  /** The bytes of whole caches that fit, drawn as a limit. */
  room: number;
  serving: Serving | null;
  /** The assumptions, variations and doubts in words, in the order of their lists. */
  words: {assumed: string[]; variants: string[]; doubts: string[]};
}

const MOST_BESIDE = 3;

export const RANGES = {
  context: {min: 1, max: 2 ** 30, integer: true},
  batch: {min: 1, max: 2 ** 20, integer: true},
  memory: {min: 0.001, max: 2 ** 22},
  cards: {min: 1, max: 1024, integer: true},
  size: {min: 0.001, max: 2 ** 20},
  prefix: {min: 0, max: 2 ** 30, integer: true},
};

const name = nameField('');

const namesField = (fallback: readonly string[]): Field<readonly string[]> => ({
  fallback,
  read: (text) => {
    const names = text
      .split(/[,，]/)
      .map((part) => name.read(part.trim()))
      .filter((part) => part !== '');
    if (names.length > MOST_BESIDE)
      throw new InputError('too-many', `最多再画${MOST_BESIDE}个模型，这里有${names.length}个。`);
    return names;
  },
  write: (names) => names.join(','),
  about: import.meta.env.SSR
    ? {
        takes: `至多${MOST_BESIDE}个名字，用逗号隔开`,
        sample: (random) =>
          sampleList(random, MOST_BESIDE, () => `model-${Math.floor(100 * random())}`),
      }
    : undefined,
});

const keysField: Field<readonly string[]> = {
  fallback: [],
  read: (text) =>
    text
      .split(/[,，]/)
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  write: (keys) => keys.join(','),
  about: import.meta.env.SSR
    ? {
        takes: '配置里的键，用逗号隔开',
        sample: (random) => sampleList(random, 3, () => `key_${Math.floor(100 * random())}`),
      }
    : undefined,
};

export const schema: Schema<KvCacheState> = {
  model: nameField('anchor-model'),
  context: numberField(32768, RANGES.context),
  batch: numberField(1, RANGES.batch),
  dtype: choiceField<'config' | Format>('config', ['config', ...FORMATS]),
  compare: namesField(['llama-3.1-8b', 'deepseek-v3', 'gpt-oss-20b']),
  memory: numberField(80, RANGES.memory),
  config: {
    fallback: '',
    read: (text) => text,
    write: (text) => text,
    about: import.meta.env.SSR
      ? {
          takes: '一份config.json的文字',
          sample: (random) =>
            JSON.stringify({
              num_hidden_layers: Math.floor(100 * random()),
              note: sampleText(random),
            }),
        }
      : undefined,
  },
  ignore: keysField,
  cards: numberField(1, RANGES.cards),
  weights: choiceField<KvCacheState['weights']>('none', ['none', 'size', ...FORMATS]),
  size: numberField(16, RANGES.size),
  engine: choiceField<KvCacheState['engine']>('none', ['none', ...ENGINES]),
  prefix: numberField(0, RANGES.prefix),
};
