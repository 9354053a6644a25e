// Numbers of lesson 10: one narrow vector a token instead of keys and values.
import {matrix, rowsOf} from '../../../web/core.js';
import {latentExample, latentRow, type Turn} from '../../../web/shared/cache-latent.js';
import {mustRead} from '../../../web/site/model-files.js';
import {defineNumbers, type Format, type NumberSpec} from '../../../web/site/numbers.js';
import {attend, TOKEN} from '../teaching.js';

const TABLE = 'DeepSeek-V2技术报告（arXiv 2405.04434），附录D.2，表9，作者自报';
const KEYS = 'embeddings, W_Q, W_K';

export default defineNumbers((context) => {
  const {cache, core, sequence, model, world, config, teaching, computed, quoted, given, format} =
    context;
  const of = (value: number, as: Format, formula: string, key = KEYS) =>
    teaching(value, as, {formula, key});

  // The teaching sentence, row 给了.
  const example = latentExample(core, world);
  const rowOf = (turn: Turn) => latentRow({core, sequence}, world, TOKEN.geile, turn);
  const ways = {still: rowOf('none'), turned: rowOf('all'), apart: rowOf('apart')};
  const ids = Object.entries(TOKEN).filter(([, token]) => token <= TOKEN.geile);
  const words = {still: '不转', turned: '整个键都转', apart: '转的另存'};
  const each = (
    name: keyof typeof ways,
    make: (row: (typeof ways)['still']['rows'][number], id: string) => [string, NumberSpec][],
  ) => Object.fromEntries(ids.flatMap(([id, token]) => make(ways[name].rows[token]!, id)));
  const scores = (name: keyof typeof ways) =>
    each(name, ({token, expanded, once}, id) => [
      [
        `${name}_expanded_${id}`,
        of(expanded, format.fixed(3), `${words[name]}：「给了」与「${token}」，键由潜向量展开`),
      ],
      [
        `${name}_once_${id}`,
        of(once, format.fixed(3), `${words[name]}：「给了」与「${token}」，升维矩阵只折一次`),
      ],
    ]);
  const vector = (id: string, values: number[], what: string, key = KEYS) =>
    Object.fromEntries(
      values.map((value, c) => [
        `${id}_${c + 1}`,
        of(value, format.general(3), `${what}，第${c + 1}个数`, key),
      ]),
    );
  const difference = (value: number, what: string) => of(value, format.scientific(1), what);

  // Values: expanded then averaged, or averaged then expanded; cosines with three numbers.
  const sentence = attend(core, world);
  const weights = matrix([rowsOf(sentence.causal.weights)[TOKEN.geile]!.slice(0, TOKEN.geile + 1)]);
  const latents = matrix(example.latents.slice(0, TOKEN.geile + 1));
  const upV = matrix(example.upV);
  const early = rowsOf(core.product(weights, core.product(latents, upV)))[0]!;
  const late = rowsOf(core.product(core.product(weights, latents), upV))[0]!;
  const values = rowsOf(core.product(matrix(example.latents), upV));
  const size = Object.fromEntries(
    Object.entries({kept: example.kept.length, whole: 2 * world.d_model}).map(([id, value]) => [
      id,
      teaching(value, format.integer, {
        formula: {kept: '潜向量的维数', whole: '2 × d_model：一份K和一份V'}[id]!,
        key: 'd_model, W_K',
      }),
    ]),
  ) as {kept: NumberSpec & {value: number}; whole: NumberSpec & {value: number}};

  // The sizes of DeepSeek-V3.
  const v3 = model('deepseek-v3');
  const dims = {
    hidden_size: config(v3, 'hidden_size'),
    num_attention_heads: config(v3, 'num_attention_heads'),
    qk_nope_head_dim: config(v3, 'qk_nope_head_dim'),
    qk_rope_head_dim: config(v3, 'qk_rope_head_dim'),
    v_head_dim: config(v3, 'v_head_dim'),
    kv_lora_rank: config(v3, 'kv_lora_rank'),
    num_hidden_layers: config(v3, 'num_hidden_layers'),
  };
  const {
    hidden_size: {value: hidden},
    num_attention_heads: {value: heads},
    qk_nope_head_dim: {value: nope},
    qk_rope_head_dim: {value: rope},
    v_head_dim: {value: wide},
    kv_lora_rank: {value: rank},
    num_hidden_layers: {value: layers},
  } = dims;
  const bytes = given(2, 'BF16每个数的字节数');
  const from = (...keys: (keyof typeof dims)[]) =>
    Object.fromEntries(keys.map((key) => [key, dims[key]]));
  const all = from(
    'num_attention_heads',
    'qk_nope_head_dim',
    'qk_rope_head_dim',
    'v_head_dim',
    'kv_lora_rank',
  );
  const count = (value: number, formula: string, inputs = all) =>
    computed(value, format.integer, {formula, from: inputs});
  const times = (value: number, as: Format, formula: string, inputs = all) =>
    computed(value, as, {formula, from: inputs});
  const expandedNumbers = heads * (nope + rope + wide);
  const kept = rank + rope;
  const expandOne = rank * heads * (nope + wide);
  const useFolded = heads * (rank + rope + rank);

  // The same model with whole keys and values, as the calculator counts them.
  const read = mustRead(cache, v3);
  const whole = read.variants.find(({code}) => code === 'latent_expanded');
  if (!whole) throw new Error('deepseek-v3: no expanded variant');
  const query = {context: 1, batch: 1, bytesPerValue: bytes.value};
  const wholeToken = cache.cacheBytes(whole.layout, query).growingPerToken;
  const ownToken = cache.cacheBytes(read.layout, query).growingPerToken;
  const wholeSize = (as: Format) =>
    computed(wholeToken, as, {
      formula: '层数 × 头数 × (qk_nope_head_dim + qk_rope_head_dim + v_head_dim) × 2 B',
      unit: 'B',
      from: {...all, num_hidden_layers: dims.num_hidden_layers, bytes},
    });
  // Bytes with a given number of KV heads, for comparison.
  const given8 = given(8, 'GQA的组数，常见的取法');
  const given1 = given(1, 'MQA存下的头数');
  const heldBy = (count: typeof given8) => {
    const layout = whole.layout.map((kind) => ({...kind, heads: count.value}));
    const inputs = {
      ...from('num_hidden_layers', 'qk_nope_head_dim', 'qk_rope_head_dim', 'v_head_dim'),
      heads: count,
      bytes,
    };
    return {
      numbers: computed(count.value * (nope + rope + wide), format.integer, {
        formula: '存下的头数 × (qk_nope_head_dim + qk_rope_head_dim + v_head_dim)',
        from: inputs,
      }),
      token: computed(cache.cacheBytes(layout, query).growingPerToken, format.bytes, {
        formula: '层数 × 存下的头数 × (qk_nope_head_dim + qk_rope_head_dim + v_head_dim) × 2 B',
        unit: 'B',
        from: inputs,
      }),
    };
  };
  const [eight, single] = [heldBy(given8), heldBy(given1)];
  const inputSize = (as: Format) =>
    computed(layers * hidden * bytes.value, as, {
      formula: '层数 × hidden_size × 2 B',
      unit: 'B',
      from: {...from('num_hidden_layers', 'hidden_size'), bytes},
    });

  // The parts of the 82.2 % saving, and the saving with 6-bit values.
  const v2 = model('deepseek-v2');
  const llm67 = model('deepseek-llm-67b');
  const v2Layers = config(v2, 'num_hidden_layers');
  const v2Kept = {rank: config(v2, 'kv_lora_rank'), rope: config(v2, 'qk_rope_head_dim')};
  const old = {
    layers: config(llm67, 'num_hidden_layers'),
    heads: config(llm67, 'num_key_value_heads'),
    width: config(llm67, 'head_dim'),
  };
  const oldNumbers = 2 * old.heads.value * old.width.value;
  const newNumbers = v2Kept.rank.value + v2Kept.rope.value;
  const bits = given(6, '量化后每个数的比特数，约数');
  const sixteen = given(16, 'BF16每个数的比特数');
  const score = (value: number) => quoted(value, format.fixed(1), {source: TABLE});

  return {
    kept: size.kept,
    whole: size.whole,
    ...each('still', ({latent, token}, id) =>
      Object.entries(vector(`c_${id}`, latent, `「${token}」的潜向量`, 'embeddings, W_K')),
    ),
    ...scores('still'),
    ...scores('turned'),
    ...scores('apart'),
    ...vector('still_folded', ways.still.rows[TOKEN.geile]!.folded, '「给了」折好的查询，不转'),
    ...each('turned', ({folded, distance}, id) =>
      Object.entries(vector(`turned_folded_${id}`, folded, `相距${distance}时折好的查询`)),
    ),
    still_error: difference(ways.still.error, '不转：折一次与先展开，分数相差的最大值'),
    turned_error: of(
      ways.turned.error,
      format.fixed(3),
      '整个键都转：折一次与先展开，分数相差的最大值',
    ),
    turned_own_error: difference(
      ways.turned.ownError,
      '整个键都转：每个距离各折一次，与先展开相差的最大值',
    ),
    turned_needed: of(ways.turned.needed, format.integer, '互不相同的折法'),
    apart_error: difference(ways.apart.error, '转的另存：折一次与先展开，分数相差的最大值'),
    apart_kept: of(
      ways.apart.rows[0]!.latent.length + ways.apart.rows[0]!.turned.length,
      format.integer,
      '每个词元存下的数：潜向量 + 转过的部分',
    ),
    values_error: difference(
      Math.max(...early.map((value, c) => Math.abs(value - late[c]!))),
      '先展开再平均与先平均再展开，「给了」的输出各分量相差的最大值',
    ),
    names_kept: of(
      core.cosine(values[TOKEN.xiaoming]!, values[TOKEN.xiaowang]!),
      format.fixed(3),
      '两个人名的V的余弦，V由3个数的潜向量展开',
      'embeddings, W_V',
    ),
    names_whole: of(
      core.cosine(sentence.v[TOKEN.xiaoming]!, sentence.v[TOKEN.xiaowang]!),
      format.fixed(3),
      '两个人名的V的余弦，V直接由词向量投影',
      'embeddings, W_V',
    ),

    v3_hidden: dims.hidden_size,
    v3_heads: dims.num_attention_heads,
    v3_nope: dims.qk_nope_head_dim,
    v3_wide: dims.v_head_dim,
    v3_layers: dims.num_hidden_layers,
    v3_whole: count(
      expandedNumbers,
      '头数 × (qk_nope_head_dim + qk_rope_head_dim + v_head_dim)：每层每词元的K和V',
    ),
    v3_whole_token: wholeSize(format.bytes),
    v3_whole_token_binary: wholeSize(format.binary),
    v3_groups: given8,
    v3_gqa: eight.numbers,
    v3_gqa_token: eight.token,
    v3_mqa: single.numbers,
    v3_mqa_token: single.token,
    input_token: inputSize(format.bytes),
    input_token_binary: inputSize(format.binary),
    input_over: times(
      hidden / kept,
      format.fixed(1),
      'hidden_size ÷ (kv_lora_rank + qk_rope_head_dim)',
      from('hidden_size', 'kv_lora_rank', 'qk_rope_head_dim'),
    ),
    whole_over_input: times(
      expandedNumbers / hidden,
      format.fixed(1),
      '头数 × (qk_nope_head_dim + qk_rope_head_dim + v_head_dim) ÷ hidden_size',
      {...all, ...from('hidden_size')},
    ),
    whole_over: times(
      Number(wholeToken) / Number(ownToken),
      format.fixed(1),
      '头数 × (qk_nope_head_dim + qk_rope_head_dim + v_head_dim) ÷ ' +
        '(kv_lora_rank + qk_rope_head_dim)',
    ),
    remake_products: times(
      hidden * expandedNumbers,
      format.wan(1),
      'hidden_size × 头数 × (qk_nope_head_dim + qk_rope_head_dim + v_head_dim)',
      {...all, ...from('hidden_size')},
    ),
    use_products: count(
      expandedNumbers,
      '头数 × (qk_nope_head_dim + qk_rope_head_dim + v_head_dim)：打分与加权求和的乘法',
    ),
    remake_over_use: count(
      (hidden * expandedNumbers) / expandedNumbers,
      '由x重做K、V的乘法 ÷ 用一次的乘法 = hidden_size',
      {...all, ...from('hidden_size')},
    ),
    expand_products: times(
      expandOne,
      format.wan(0),
      'kv_lora_rank × 头数 × (qk_nope_head_dim + v_head_dim)：展开一个词元',
    ),
    expand_and_use: times(
      expandOne + expandedNumbers,
      format.wan(0),
      'kv_lora_rank × 头数 × (qk_nope_head_dim + v_head_dim) + ' +
        '头数 × (qk_nope_head_dim + qk_rope_head_dim + v_head_dim)：' +
        '展开一个词元，再用一次',
    ),
    fold_once: times(
      expandOne,
      format.wan(0),
      '头数 × qk_nope_head_dim × kv_lora_rank + 头数 × kv_lora_rank × v_head_dim：每步一次',
    ),
    fold_products: count(
      useFolded,
      '头数 × (kv_lora_rank + qk_rope_head_dim + kv_lora_rank)：每个缓存的词元',
    ),
    expand_over_fold: times(
      (expandOne + expandedNumbers) / useFolded,
      format.fixed(0),
      '(展开 + 用一次) ÷ 折进去之后每个词元的乘法',
    ),
    fold_over_use: times(
      useFolded / expandedNumbers,
      format.fixed(1),
      '折进去之后每个词元的乘法 ÷ 各头各存K、V时的乘法',
    ),
    groups_like: times(
      kept / (2 * nope),
      format.fixed(2),
      '(kv_lora_rank + qk_rope_head_dim) ÷ (2 × qk_nope_head_dim)：等于几组GQA',
    ),
    scale_width: count(nope + rope, 'qk_nope_head_dim + qk_rope_head_dim'),
    folded_width: count(kept, 'kv_lora_rank + qk_rope_head_dim'),
    glm_layers: config(model('glm-5.3'), 'num_hidden_layers'),

    v2_layers: v2Layers,
    llm67_layers: old.layers,
    llm67_heads: config(llm67, 'num_attention_heads'),
    llm67_numbers: computed(oldNumbers, format.integer, {
      formula: '2 × KV头数 × head_dim：每层每词元',
      from: old,
    }),
    per_layer_saving: computed(1 - newNumbers / oldNumbers, format.percent(1), {
      formula: '1 − 每层576个数 ÷ 每层2,048个数',
      from: {...old, ...v2Kept},
    }),
    six_bits: bits,
    six_bit_saving: computed(
      1 -
        (v2Layers.value * newNumbers * bits.value) /
          (old.layers.value * oldNumbers * sixteen.value),
      format.percent(1),
      {
        formula: '1 − V2每词元的数 × 6比特 ÷ (67B每词元的数 × 16比特)',
        from: {...old, ...v2Kept, v2_layers: v2Layers, bits, sixteen},
      },
    ),
    table_large_mha: quoted(860.2, format.fixed(1), {source: TABLE, unit: 'K'}),
    table_large_mla: quoted(34.6, format.fixed(1), {source: TABLE, unit: 'K'}),
    v2_numbers: computed(v2Layers.value * newNumbers, format.integer, {
      formula: '层数 × (kv_lora_rank + qk_rope_head_dim)：每词元的数',
      from: {v2_layers: v2Layers, ...v2Kept},
    }),
    large_bbh_mha: score(46.6),
    large_bbh_mla: score(50.7),
    large_mmlu_mha: score(57.5),
    large_mmlu_mla: score(59.0),
    large_ceval_mha: score(57.9),
    large_ceval_mla: score(59.2),
    large_cmmlu_mha: score(60.7),
    large_cmmlu_mla: score(62.5),
    small_ceval_mha: score(51.6),
    small_ceval_mla: score(50.9),
  };
});
