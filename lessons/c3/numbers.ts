// Numbers that several lessons of the chapter and the timeline print.
import type {CacheQuery, LayerKind} from '../../web/cache.js';
import {rowsOf} from '../../web/core.js';
import {defineNumbers, type NumberSpec} from '../../web/site/numbers.js';
import {keptBy, withHeads} from './cache.js';
import {attend, TOKEN} from './teaching.js';

export default defineNumbers(
  ({cache, core, model, world, config, teaching, computed, quoted, given, format}) => {
    const anchor = model('anchor-model');
    const headDim = config(anchor, 'head_dim');
    const nHeads = config(anchor, 'num_attention_heads');
    const nKvHeads = config(anchor, 'num_key_value_heads');
    const nLayers = config(anchor, 'num_hidden_layers');
    const fullLayers = config(anchor, 'num_full_attention_layers');
    const linearLayers = config(anchor, 'num_linear_attention_layers');
    const context = config(anchor, 'max_position_embeddings');
    const bf16 = given(2, 'BF16每个数的字节数');

    // From scores of unit-variance vectors.
    const dotStd = computed(Math.sqrt(headDim.value), format.general(3), {
      formula: '√head_dim',
      from: {head_dim: headDim},
    });
    const gapStd = computed(Math.SQRT2 * dotStd.value, format.fixed(1), {
      formula: '√2 × √head_dim：同一行两个点积互不相关，方差各为head_dim，相减得2·head_dim',
      from: {dot_std: dotStd},
    });
    const gap20 = given(20, '举例的分差');

    // The teaching sentence, row 给了.
    const sentence = attend(core, world);
    const cosine = (token: number) =>
      teaching(
        core.cosine(world.embeddings[TOKEN.geile]!, world.embeddings[token]!),
        format.fixed(3),
        {formula: `「给了」与「${world.tokens[token]}」两个词向量的余弦`, key: 'embeddings'},
      );
    const scores = rowsOf(sentence.raw.scores)[TOKEN.geile]!;
    const score = (token: number) =>
      teaching(scores[token]!, format.fixed(2), {
        formula: `q[给了]·k[${world.tokens[token]}]`,
        key: 'embeddings, W_Q, W_K',
      });
    const weight = (rows: number[][], row: number, token: number, what: string) =>
      teaching(rows[row]![token]!, format.percent(1), {
        formula:
          `softmax：「${world.tokens[row]}」一行落在` +
          `「${world.tokens[token]}」上的权重，${what}`,
        key: 'embeddings, W_Q, W_K',
      });
    const scaled = rowsOf(sentence.scaled.weights);
    const causal = rowsOf(sentence.causal.weights);
    const headA = rowsOf(sentence.heads[0]!.weights);
    const headB = rowsOf(sentence.heads[1]!.weights);
    const sinkScores = rowsOf(sentence.causal.scores)[TOKEN.pingguo]!;
    const sinkScore = (token: number) =>
      teaching(sinkScores[token]!, format.fixed(2), {
        formula: `q[苹果]·k[${world.tokens[token]}] ÷ √d_k`,
        key: 'embeddings, W_Q, W_K',
      });

    // The naive share of the fruit row.
    const fruit = [10, 3, -4];
    const fruitShare = core.weigh(fruit, {method: 'share'});

    // Training costs.
    const length = given(4096, '举例的序列长度T');
    const additiveWidth = given(256, '加性打分的中间维数d_a');
    const additive = computed(
      length.value * length.value * additiveWidth.value * bf16.value,
      format.binary,
      {formula: 'T × T × d_a × 2 B', unit: 'B', from: {T: length, d_a: additiveWidth, bytes: bf16}},
    );
    const dotScores = computed(length.value * length.value * bf16.value, format.binary, {
      formula: 'T × T × 2 B',
      unit: 'B',
      from: {T: length, bytes: bf16},
    });

    // Keys and values computed in generation: without a cache each step feeds all tokens so far.
    const prompt = given(2, '提示的词元数');
    const generated = given(3, '生成的词元数');
    let recomputed = 0;
    for (let step = 0; step < generated.value; step++) recomputed += prompt.value + step;
    // The last generated token is never fed back.
    const distinct = prompt.value + generated.value - 1;
    const decoding = {prompt, generated};

    // Cache sizes, each as bytes a token and as bytes of one request.
    const cacheOf = (layout: LayerKind[], tokens: number) => {
      const query: CacheQuery = {context: tokens, batch: 1, bytesPerValue: bf16.value};
      return cache.cacheBytes(layout, query);
    };
    const anchorCache = (heads: number) => withHeads(keptBy(cache, anchor), heads);
    const anchorInputs = {
      num_full_attention_layers: fullLayers,
      head_dim: headDim,
      bytes: bf16,
    };
    /** One cached token, printed as bytes and, under `<id>_binary`, in KiB. */
    const tokenSize = (
      id: string,
      layout: LayerKind[],
      formula: string,
      from: Record<string, NumberSpec>,
    ) => {
      const value = cacheOf(layout, 1).growingPerToken;
      return {
        [id]: computed(value, format.bytes, {formula, unit: 'B', from}),
        [`${id}_binary`]: computed(value, format.binary, {formula, unit: 'B', from}),
      };
    };
    const requestSize = (
      layout: LayerKind[],
      tokens: number,
      formula: string,
      from: Record<string, NumberSpec>,
    ) => computed(cacheOf(layout, tokens).total, format.binary, {formula, unit: 'B', from});
    const anchorToken = (id: string, heads: number, inputs: Record<string, NumberSpec>) =>
      tokenSize(id, anchorCache(heads), '全注意力层数 × 2 × 存下的头数 × head_dim × 2 B', {
        ...anchorInputs,
        ...inputs,
      });
    const anchorTotal = (heads: number, inputs: Record<string, NumberSpec>) =>
      requestSize(anchorCache(heads), context.value, '每词元字节数 × max_position_embeddings', {
        ...anchorInputs,
        ...inputs,
        max_position_embeddings: context,
      });
    const oneHead = given(1, 'MQA存下的头数');

    const million = given(1048576, '1M个词元，即2²⁰');
    const card = given(80 * 2 ** 30, '举例的一张显卡的显存', format.binary);
    const llm67 = model('deepseek-llm-67b');
    const llm67Layers = config(llm67, 'num_hidden_layers');
    const llm67HeadDim = config(llm67, 'head_dim');
    const llm67KvHeads = config(llm67, 'num_key_value_heads');
    const llm67Heads = config(llm67, 'num_attention_heads');
    const llm67Cache = (heads: number) => withHeads(keptBy(cache, llm67), heads);
    const llm67Inputs = {
      num_hidden_layers: llm67Layers,
      head_dim: llm67HeadDim,
      bytes: bf16,
    };
    const llm67From = {...llm67Inputs, num_key_value_heads: llm67KvHeads};

    const latent = (model: typeof anchor) => {
      const layers = config(model, 'num_hidden_layers');
      const rank = config(model, 'kv_lora_rank');
      const rope = config(model, 'qk_rope_head_dim');
      const layout = keptBy(cache, model);
      const from = {
        num_hidden_layers: layers,
        kv_lora_rank: rank,
        qk_rope_head_dim: rope,
        bytes: bf16,
      };
      return {layers, rank, rope, layout, from};
    };
    const v2 = latent(model('deepseek-v2'));
    const v3 = latent(model('deepseek-v3'));
    const glm = latent(model('glm-5.3'));
    const glmContext = config(model('glm-5.3'), 'max_position_embeddings');
    const latentFormula = '层数 × (kv_lora_rank + qk_rope_head_dim) × 2 B';
    const perToken = (layout: LayerKind[]) => Number(cacheOf(layout, 1).growingPerToken);

    const rotaryFactor = config(anchor, 'partial_rotary_factor');
    const stateBytes = config(anchor, 'linear_attention_state_bytes_total');
    const gqaTable = 'Ainslie等2023，GQA论文，表1，T5-XXL七项任务平均';

    return {
      head_dim: headDim,
      n_heads: nHeads,
      n_kv_heads: nKvHeads,
      n_layers: nLayers,
      n_full_layers: fullLayers,
      n_linear_layers: linearLayers,
      max_context: context,
      dot_std: dotStd,
      gap_std: gapStd,
      gap_example: gap20,
      exp_gap_example: computed(core.exp(gap20.value), format.wan(), {
        formula: 'e²⁰',
        from: {gap: gap20},
      }),

      cos_xiaoming: cosine(TOKEN.xiaoming),
      cos_pingguo: cosine(TOKEN.pingguo),
      cos_geile: cosine(TOKEN.geile),
      cos_xiaowang: cosine(TOKEN.xiaowang),
      score_xiaoming: score(TOKEN.xiaoming),
      score_ba: score(TOKEN.ba),
      score_pingguo: score(TOKEN.pingguo),
      score_geile: score(TOKEN.geile),
      score_xiaowang: score(TOKEN.xiaowang),
      cos_k_names: teaching(
        core.cosine(sentence.k[TOKEN.xiaoming]!, sentence.k[TOKEN.xiaowang]!),
        format.fixed(3),
        {formula: 'k[小明]与k[小王]的余弦', key: 'embeddings, W_K'},
      ),
      weight_answer: weight(scaled, TOKEN.geile, TOKEN.xiaowang, '已除以√d_k，不加掩码'),
      causal_pingguo: weight(causal, TOKEN.geile, TOKEN.pingguo, '单头，因果掩码'),
      causal_xiaoming: weight(causal, TOKEN.geile, TOKEN.xiaoming, '单头，因果掩码'),
      head_a_xiaoming: weight(headA, TOKEN.geile, TOKEN.xiaoming, '头A，因果掩码'),
      head_b_pingguo: weight(headB, TOKEN.geile, TOKEN.pingguo, '头B，因果掩码'),
      sink_score_xiaoming: sinkScore(TOKEN.xiaoming),
      sink_score_ba: sinkScore(TOKEN.ba),
      sink_score_pingguo: sinkScore(TOKEN.pingguo),
      sink_xiaoming: weight(causal, TOKEN.pingguo, TOKEN.xiaoming, '单头，因果掩码'),
      sink_ba: weight(causal, TOKEN.pingguo, TOKEN.ba, '单头，因果掩码'),
      sink_pingguo: weight(causal, TOKEN.pingguo, TOKEN.pingguo, '单头，因果掩码'),
      share_car: computed(fruitShare.weights[2]!.value, format.percent(1), {
        formula: '−4 ÷ (10 + 3 − 4)',
        from: {
          s_apple: given(fruit[0]!, '苹果的分数'),
          s_pear: given(fruit[1]!, '梨的分数'),
          s_car: given(fruit[2]!, '汽车的分数'),
        },
      }),
      card_memory: card,
      n_tokens: teaching(world.tokens.length, format.integer, {formula: '词元数', key: 'tokens'}),
      n_questions: teaching(world.tokens.length - 1, format.integer, {
        formula: '词元数 − 1：每个前缀都以下一个词元为答案',
        key: 'tokens',
      }),
      world_width: teaching(world.d_model, format.integer, {formula: 'd_model', key: 'd_model'}),
      world_projection: teaching(world.d_model * world.d_model, format.integer, {
        formula: 'd_model × d_model',
        key: 'd_model',
      }),
      world_heads: teaching(world.n_heads, format.integer, {formula: 'n_heads', key: 'n_heads'}),
      world_head_width: teaching(world.d_head, format.integer, {formula: 'd_head', key: 'd_head'}),

      rnn_length: length,
      rnn_updates: computed(length.value - 1, format.integer, {
        formula: 'T − 1',
        from: {T: length},
      }),
      additive_width: additiveWidth,
      additive_memory: additive,
      dot_memory: dotScores,

      rotary_dims: computed(headDim.value * rotaryFactor.value, format.integer, {
        formula: 'head_dim × partial_rotary_factor',
        from: {head_dim: headDim, partial_rotary_factor: rotaryFactor},
      }),
      mla_rope: v2.rope,
      mla_rank: v2.rank,
      mla_values: computed(v2.rank.value + v2.rope.value, format.integer, {
        formula: 'kv_lora_rank + qk_rope_head_dim',
        from: {kv_lora_rank: v2.rank, qk_rope_head_dim: v2.rope},
      }),

      decode_prompt: prompt,
      decode_generated: generated,
      decode_all: computed(recomputed, format.integer, {
        formula: '每步把已有词元全部重算：2 + 3 + 4',
        from: decoding,
      }),
      decode_repeated: computed(recomputed - distinct, format.integer, {
        formula: '总数 − 不同词元数',
        from: decoding,
      }),
      decode_cached: computed(distinct, format.integer, {
        formula: '提示 + 生成 − 1：最后生成的那个不再喂回去',
        from: decoding,
      }),

      ...anchorToken('mha_token', nHeads.value, {num_attention_heads: nHeads}),
      mha_total: anchorTotal(nHeads.value, {num_attention_heads: nHeads}),
      ...anchorToken('mqa_token', oneHead.value, {heads: oneHead}),
      mqa_total: anchorTotal(oneHead.value, {heads: oneHead}),
      ...anchorToken('gqa_token', nKvHeads.value, {num_key_value_heads: nKvHeads}),
      gqa_total: anchorTotal(nKvHeads.value, {num_key_value_heads: nKvHeads}),
      group_size: computed(nHeads.value / nKvHeads.value, format.integer, {
        formula: 'num_attention_heads ÷ num_key_value_heads',
        from: {num_attention_heads: nHeads, num_key_value_heads: nKvHeads},
      }),
      t5_mha_score: quoted(47.2, format.fixed(1), {source: gqaTable}),
      t5_mha_time: quoted(1.51, format.fixed(2), {source: gqaTable}),
      t5_mqa_score: quoted(46.6, format.fixed(1), {source: gqaTable}),
      t5_mqa_time: quoted(0.24, format.fixed(2), {source: gqaTable}),
      t5_gqa_score: quoted(47.1, format.fixed(1), {source: gqaTable}),
      t5_gqa_time: quoted(0.28, format.fixed(2), {source: gqaTable}),
      llm67_kv_heads: llm67KvHeads,
      ...tokenSize(
        'llm67_token',
        llm67Cache(llm67KvHeads.value),
        '层数 × 2 × KV头数 × head_dim × 2 B',
        llm67From,
      ),
      ...tokenSize(
        'llm67_mha_token',
        llm67Cache(llm67Heads.value),
        '层数 × 2 × 查询头数 × head_dim × 2 B',
        {...llm67Inputs, num_attention_heads: llm67Heads},
      ),
      llm67_total: requestSize(
        llm67Cache(llm67KvHeads.value),
        million.value,
        '每词元字节数 × 2²⁰',
        {...llm67From, tokens: million},
      ),
      ...tokenSize('v2_token', v2.layout, latentFormula, v2.from),
      ...tokenSize('v3_token', v3.layout, latentFormula, v3.from),
      ...tokenSize('glm_token', glm.layout, latentFormula, glm.from),
      glm_context: glmContext,
      glm_total: requestSize(
        glm.layout,
        glmContext.value,
        '每词元字节数 × max_position_embeddings',
        {
          ...glm.from,
          max_position_embeddings: glmContext,
        },
      ),
      v2_saving: computed(
        1 - perToken(v2.layout) / perToken(llm67Cache(llm67KvHeads.value)),
        format.percent(1),
        {
          formula: '1 − DeepSeek-V2每词元字节数 ÷ DeepSeek LLM 67B每词元字节数，都按BF16',
          from: {
            ...Object.fromEntries(Object.entries(v2.from).map(([k, spec]) => [`v2_${k}`, spec])),
            ...Object.fromEntries(
              Object.entries(llm67From).map(([k, spec]) => [`llm_67b_${k}`, spec]),
            ),
          },
        },
      ),
      v2_saving_official: quoted(0.933, format.percent(1), {
        source: 'DeepSeek-V2技术报告，摘要，自报；把缓存量化到平均6比特，见§3.2.3',
      }),
      state_total: computed(stateBytes.value, format.binary, {
        formula: '线性注意力层固定状态的总字节数，FP32',
        unit: 'B',
        from: {linear_attention_state_bytes_total: stateBytes},
      }),
      v41_token: quoted(890, format.bytes, {source: 'DeepSeek-V4.1模型卡，自报'}),
    };
  },
);
