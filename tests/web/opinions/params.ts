// The parameters of a model: each tensor's count from its shape, the sums of the groups, and the
// whole of a plain decoder counted matrix by matrix.

import type {ParamsState} from '../../../web/elements/attn-params/state.js';
import type {State} from '../random-state.js';
import {int, pct, Reader, type Contents, type Shown, type Value} from './reading.js';

interface Plain {
  vocab_size: number;
  hidden_size: number;
  num_hidden_layers: number;
  num_attention_heads: number;
  num_key_value_heads: number;
  head_dim: number;
  intermediate_size: number;
  tie_word_embeddings: boolean;
}

const PARTS = ['', '', '', 'attention', 'feed_forward', 'table', 'norm', 'q_proj', 'down_proj'];

export function sampleParams(state: State, random: () => number, contents: Contents): State {
  const upTo = (most: number) => 1 + Math.floor(most * random());
  const {models} = contents.get('configs') as {models: {id: string}[]};
  const part = PARTS[Math.floor(PARTS.length * random())];
  if (random() < 0.4)
    return {...state, config: '', model: models[upTo(models.length) - 1]?.id, part};
  const kv = upTo(8);
  const config: Plain & {model_type: string} = {
    model_type: 'llama',
    vocab_size: upTo(200000),
    hidden_size: 2 * upTo(4096),
    num_hidden_layers: upTo(80),
    num_attention_heads: kv * upTo(8),
    num_key_value_heads: kv,
    head_dim: 2 * upTo(128),
    intermediate_size: upTo(30000),
    tie_word_embeddings: random() < 0.5,
  };
  return {...state, config: JSON.stringify(config), part};
}

/** Every matrix of a decoder of Llama's kind, one after another. */
function wholeOf(config: Plain): number {
  const width = config.hidden_size;
  const queries = config.num_attention_heads * config.head_dim;
  const keys = config.num_key_value_heads * config.head_dim;
  let count = config.vocab_size * width;
  for (let layer = 0; layer < config.num_hidden_layers; layer++) {
    count += width * queries + width * keys + width * keys + queries * width;
    count += 3 * width * config.intermediate_size;
    count += width + width;
  }
  count += width;
  return config.tie_word_embeddings ? count : count + config.vocab_size * width;
}

const numberOf = (text: string) => Number(text.replaceAll(',', ''));

const GROUPS: Record<string, string> = {
  table: '词向量表和位置表',
  attention: '注意力',
  feed_forward: '前馈网络',
  norm: '归一化',
  head: '输出层',
};

/** 4.9亿, 42.6万, 999 */
function wan(value: number): string {
  const [unit, name] = value >= 99_999_500 ? [1e8, '亿'] : value >= 1e4 ? [1e4, '万'] : [1, ''];
  return name ? `${(value / unit).toFixed(1)}${name}` : String(value);
}

export function paramsOpinion(state: ParamsState, shown: Shown): string[] {
  const reader = new Reader(shown);
  const tensors = shown.rows
    .slice(0, -1)
    .map(([group = '', name = '', layers, each = '', shape = '', count = '']) => ({
      group,
      name: name.split(' ').at(-1),
      count: shape
        .split('×')
        .map(numberOf)
        .reduce((product, size) => product * size, numberOf(layers || '1') * numberOf(each)),
      printed: count,
    }));
  const sumOf = (chosen: typeof tensors) => chosen.reduce((sum, {count}) => sum + count, 0);
  const total = sumOf(tensors);
  tensors.forEach(({count}, i) => {
    reader.is(reader.cell(i, 5), int(count));
    reader.is(reader.cell(i, 6), pct(count / total));
  });
  reader.is(reader.cell(tensors.length, 5), int(total));
  if (state.config)
    reader.is(reader.cell(tensors.length, 5), int(wholeOf(JSON.parse(state.config) as Plain)));

  const inGroup = (...groups: string[]) =>
    sumOf(tensors.filter(({group}) => groups.some((id) => GROUPS[id] === group)));
  const part = GROUPS[state.part];
  const chosen = tensors.filter(({name, group}) => name === state.part || group === part);
  const share = (count: number): Value => pct(count / total);
  if (chosen.length > 0) {
    reader.says('占全部的*。', share(sumOf(chosen)));
    if (part) reader.says(`${part}一共*个参数`, int(sumOf(chosen)));
    else for (const {printed} of chosen) reader.says(`＝${printed}`);
  } else {
    const isTied = state.config
      ? (JSON.parse(state.config) as Plain).tie_word_embeddings
      : shown.says.includes('共用一张');
    reader.says(
      `一共*个参数，约*。注意力占*，前馈网络占*，词表的两头占*${isTied ? '，开头' : '。'}`,
      int(total),
      wan(total),
      share(inGroup('attention')),
      share(inGroup('feed_forward')),
      share(inGroup('table', 'head')),
    );
  }
  return reader.wrong;
}
