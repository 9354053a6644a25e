// Numbers of lesson 9: the bytes that shared keys and values save, and their cost in quality.
import type {LayerKind} from '../../../web/cache.js';
import {rowsOf} from '../../../web/core.js';
import {defineNumbers, type ModelFile, type NumberSpec} from '../../../web/site/numbers.js';
import {keptBy, withHeads} from '../cache.js';
import chapterNumbers from '../numbers.js';
import {TOKEN} from '../teaching.js';
import {shared} from './example.js';

const SCORE_KEYS = 'embeddings, W_Q, W_K';
const OUTPUT_KEYS = 'embeddings, W_Q, W_K, W_V';

export default defineNumbers((context) => {
  const {core, cache, sequence, model, world, config, teaching, computed, quoted, given, format} =
    context;
  const chapter = chapterNumbers(context);
  const row = TOKEN.geile;
  const seen = Object.entries(TOKEN).filter(([, token]) => token <= row);

  // Row 给了 of the two heads, with a set of K and V for each, and with one for both.
  const ways = {own: shared(core, sequence, world, 2), one: shared(core, sequence, world, 1)};
  const wayNames = {own: '各存各的', one: '两头合用一份K、V（取平均）'};
  const weightNumbers = Object.fromEntries(
    (['own', 'one'] as const).flatMap((way) =>
      ['a', 'b'].flatMap((head, h) =>
        seen.map(([name, token]) => [
          `${way}_${head}_${name}`,
          teaching(rowsOf(ways[way].weights[h]!)[row]![token]!, format.percent(1), {
            formula:
              `头${head.toUpperCase()}，${wayNames[way]}，因果掩码：` +
              `「给了」看「${world.tokens[token]}」`,
            key: SCORE_KEYS,
          }),
        ]),
      ),
    ),
  );
  const keyNumbers = Object.fromEntries(
    seen.flatMap(([name, token]) =>
      rowsOf(ways.one.k)[token]!.map((value, c) => [
        `key_${name}_${c + 1}`,
        teaching(value, format.general(4), {
          formula: `两个头的k[${world.tokens[token]}]取平均，第${c + 1}个分量`,
          key: 'embeddings, W_K',
        }),
      ]),
    ),
  );
  // The first component of each head's own key, for 小明 and for 苹果.
  const ownKeyNumbers = Object.fromEntries(
    ['a', 'b'].flatMap((head, h) =>
      (['xiaoming', 'pingguo'] as const).map((name) => [
        `own_key_${head}_${name}`,
        teaching(rowsOf(ways.own.k)[TOKEN[name]]![h * world.d_head]!, format.general(4), {
          formula: `头${head.toUpperCase()}自己的k[${world.tokens[TOKEN[name]]}]，第1个分量`,
          key: 'embeddings, W_K',
        }),
      ]),
    ),
  );
  const outputNumbers = Object.fromEntries(
    (['own', 'one'] as const).flatMap((way) =>
      rowsOf(ways[way].output)[row]!.map((value, c) => [
        `${way}_out_${c + 1}`,
        teaching(value, format.fixed(3), {
          formula: `「给了」取回的第${c + 1}个分量，${wayNames[way]}`,
          key: OUTPUT_KEYS,
        }),
      ]),
    ),
  );

  // Parameters of W_K and W_V.
  const width = teaching(world.d_model, format.integer, {formula: 'd_model', key: 'd_model'});
  const headWidth = teaching(world.d_head, format.integer, {formula: 'd_head', key: 'd_head'});
  const projections = (groups: number) =>
    computed(2 * width.value * groups * headWidth.value, format.integer, {
      formula: '2 × d_model × 存的份数 × d_head',
      from: {d_model: width, d_head: headWidth, groups: given(groups, '存的份数')},
    });

  // Sizes: the calculator's own functions and configs.
  const twoBytes = given(2, '每个数的字节数（FP16、BF16）');
  const cacheOf = (layout: readonly LayerKind[], tokens: number) =>
    cache.cacheBytes(layout, {context: tokens, batch: 1, bytesPerValue: 2});
  const perToken = '层数 × 2 × 存下的头数 × 每头维数 × 2 B';
  const sizes = (
    id: string,
    file: ModelFile,
    heads: number,
    tokens: NumberSpec & {value: number},
    from: Record<string, NumberSpec>,
  ) => {
    const layout = withHeads(keptBy(cache, file), heads);
    const inputs = {...from, heads: given(heads, '存下的头数'), bytes: twoBytes};
    const token = cacheOf(layout, 1).growingPerToken;
    const total = cacheOf(layout, tokens.value).total;
    const all = {...inputs, tokens};
    return {
      [`${id}_token`]: computed(token, format.bytes, {formula: perToken, unit: 'B', from: inputs}),
      [`${id}_token_binary`]: computed(token, format.binary, {
        formula: perToken,
        unit: 'B',
        from: inputs,
      }),
      [`${id}_total`]: computed(total, format.binary, {
        formula: `${perToken} × 词元数`,
        unit: 'B',
        from: all,
      }),
    };
  };
  const llama70 = model('llama-2-70b');
  const llama70Heads = config(llama70, 'num_attention_heads');
  const llama70KvHeads = config(llama70, 'num_key_value_heads');
  const llama70Context = config(llama70, 'max_position_embeddings');
  const llama70From = {
    layers: config(llama70, 'num_hidden_layers'),
    hidden: config(llama70, 'hidden_size'),
    query_heads: llama70Heads,
  };
  const llama8 = model('llama-3.1-8b');
  const llama8Heads = config(llama8, 'num_attention_heads');
  const llama8KvHeads = config(llama8, 'num_key_value_heads');
  const groupOf = (heads: typeof llama8Heads, kept: typeof llama8Heads) =>
    computed(heads.value / kept.value, format.integer, {
      formula: 'num_attention_heads ÷ num_key_value_heads',
      from: {num_attention_heads: heads, num_key_value_heads: kept},
    });
  const llm67 = model('deepseek-llm-67b');
  const llm67Heads = config(llm67, 'num_attention_heads');
  const llm67KvHeads = config(llm67, 'num_key_value_heads');

  // The anchor with the states of its other layers, as the calculator adds them up.
  const anchor = model('anchor-model');
  const anchorContext = chapter['max_context']!;
  const whole = (heads: number) =>
    keptBy(cache, anchor).map((kind) => (kind.kind === 'full' ? {...kind, heads} : kind));
  const anchorAll = (heads: NumberSpec, name: string) =>
    computed(
      cacheOf(whole(Number(heads.value)), Number(anchorContext.value)).total,
      format.binary,
      {
        formula: `${name}：全注意力层的K、V + 线性注意力层的固定状态`,
        unit: 'B',
        from: {heads, context: anchorContext, state: chapter['state_total']!},
      },
    );
  const one = given(1, 'MQA存下的头数');
  const linearLayers = config(anchor, 'num_linear_attention_layers');
  const state = config(anchor, 'linear_attention_state_bytes_total');
  const gqaToken = chapter['gqa_token']!;
  const fourBytes = given(4, 'FP32每个数的字节数');

  const ratio = (id: string, over: string, formula: string, as = format.fixed(1)) =>
    computed(Number(chapter[id]!.value) / Number(chapter[over]!.value), as, {
      formula,
      from: {a: chapter[id]!, b: chapter[over]!},
    });
  const drop = (id: string) =>
    computed(Number(chapter['t5_mha_score']!.value) - Number(chapter[id]!.value), format.fixed(1), {
      formula: 'MHA的平均分 − 它的平均分',
      from: {mha: chapter['t5_mha_score']!, other: chapter[id]!},
    });

  return {
    ...weightNumbers,
    ...keyNumbers,
    ...ownKeyNumbers,
    ...outputNumbers,
    projections_own: projections(2),
    projections_one: projections(1),
    llama70_layers: llama70From.layers,
    llama70_heads: llama70Heads,
    llama70_kv_heads: llama70KvHeads,
    llama70_context: llama70Context,
    ...sizes('llama70_mha', llama70, llama70Heads.value, llama70Context, llama70From),
    ...sizes('llama70_gqa', llama70, llama70KvHeads.value, llama70Context, llama70From),
    ...sizes('llama70_mqa', llama70, one.value, llama70Context, llama70From),
    llama70_group: groupOf(llama70Heads, llama70KvHeads),
    llama8_heads: llama8Heads,
    llama8_kv_heads: llama8KvHeads,
    llama8_group: groupOf(llama8Heads, llama8KvHeads),
    llm67_saving: groupOf(llm67Heads, llm67KvHeads),
    mha_all: anchorAll(chapter['n_heads']!, 'MHA'),
    gqa_all: anchorAll(chapter['n_kv_heads']!, 'GQA'),
    mqa_all: anchorAll(one, 'MQA'),
    state_layer: computed(state.value / linearLayers.value, format.binary, {
      formula: '固定状态的总字节数 ÷ 线性注意力层数',
      unit: 'B',
      from: {state, layers: linearLayers},
    }),
    state_values: computed(state.value / linearLayers.value / fourBytes.value, format.integer, {
      formula: '固定状态的总字节数 ÷ 线性注意力层数 ÷ 4 B',
      from: {state, layers: linearLayers, bytes: fourBytes},
    }),
    state_with_tail: computed(
      cacheOf(keptBy(cache, model('qwen3.5-27b')), 1).constant,
      format.binary,
      {
        formula: '线性注意力层的状态矩阵 + 卷积留住的最后几步输入',
        unit: 'B',
        from: {
          layers: {
            name: 'Qwen3.5-27B',
            value: '线性注意力层的尺寸',
            source: model('qwen3.5-27b').file.path,
          },
        },
      },
    ),
    state_tokens: computed(state.value / Number(gqaToken.value), format.integer, {
      formula: '固定状态的总字节数 ÷ GQA每词元字节数',
      from: {state, gqa: gqaToken},
    }),
    one_set: one,
    uptraining: quoted(0.05, format.percent(0), {
      source: 'Ainslie等2023，GQA论文，摘要：占原来预训练计算量的比例',
    }),
    mqa_drop: drop('t5_mqa_score'),
    gqa_drop: drop('t5_gqa_score'),
    mqa_speed: ratio('t5_mha_time', 't5_mqa_time', 'MHA的秒数 ÷ MQA的秒数'),
    gqa_speed: ratio('t5_mha_time', 't5_gqa_time', 'MHA的秒数 ÷ GQA-8的秒数'),
  };
});
