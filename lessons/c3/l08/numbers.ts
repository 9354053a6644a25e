// Numbers of lesson 8: repeated work in generation, what a cache saves, and its size.
import {matrix, rowsOf} from '../../../web/core.js';
import {defineNumbers, type NumberSpec} from '../../../web/site/numbers.js';
import {keptBy, withHeads} from '../cache.js';
import {TOKEN} from '../teaching.js';
import {bothWays, decoderOf, formulas, GENERATED, PROMPT, secondKeys} from './example.js';

const WEIGHTS = 'embeddings, W_Q, W_K, W_V, W_O';
const FEATURES = ['人', '物', '语法', '身份÷2'];

export default defineNumbers(
  ({core, cache, sequence, model, world, config, teaching, computed, given, format}) => {
    // The lesson's generation, step by step, counted by the engine.
    const replay = bothWays(sequence, world, {prompt: PROMPT, generated: GENERATED});
    const stepNumbers = Object.fromEntries(
      replay.anew.flatMap((step, i) => {
        const kept = replay.kept[i]!;
        const of = (value: number, formula: string) =>
          teaching(value, format.integer, {formula: `第${i + 1}步，${formula}`, key: WEIGHTS});
        return [
          [`anew_${i + 1}`, of(step.computed, '每步重算：算了几个词元的K、V')],
          [`again_${i + 1}`, of(step.repeated, '其中早就算过的')],
          [`kept_${i + 1}`, of(kept.computed, '留着K、V：算了几个词元的K、V')],
          [`taken_${i + 1}`, of(kept.known - kept.computed, '从缓存里取用的')],
        ];
      }),
    ) as Record<string, NumberSpec>;

    // Both ways, for every prefix of the sentence, through one layer and through two.
    const prefixes = world.tokens.map((_, i) => i + 1);
    const layers = [1, 2];
    let largest = 0;
    let compared = 0;
    let comparedSteps = 0;
    for (const layer of layers) {
      for (const prompt of prefixes) {
        const generated = world.tokens.length - prompt + 1;
        const {anew, kept} = bothWays(sequence, world, {prompt, generated, layers: layer});
        comparedSteps += anew.length;
        anew.forEach((step, i) =>
          step.output.data.forEach((x, c) => {
            largest = Math.max(largest, Math.abs(x - kept[i]!.output.data[c]!));
            compared++;
          }),
        );
      }
    }

    // A generation of a realistic length.
    const longPrompt = given(1000, '提示的词元数p');
    const longGenerated = given(1000, '生成的词元数g');
    const long = {p: longPrompt, g: longGenerated};
    const longAnew = formulas.anew(longPrompt.value, longGenerated.value);
    const longKept = formulas.kept(longPrompt.value, longGenerated.value);

    // Pairs that are scored: a query against each key that it may see.
    const pairs = (tokens: number) => (tokens * (tokens + 1)) / 2;
    const short = {
      prompt: given(PROMPT, '提示的词元数'),
      generated: given(GENERATED, '生成的词元数'),
    };
    const pairsAnew = replay.anew.reduce((sum, {known}) => sum + pairs(known), 0);
    const pairsKept = pairs(PROMPT) + replay.kept.slice(1).reduce((sum, {known}) => sum + known, 0);

    // Keys of the second layer before and after one more token is read.
    const before = PROMPT + 1;
    const keys = {
      causal: [before, before + 1].map((read) => secondKeys(core, world, read, 'causal')),
      open: [before, before + 1].map((read) => secondKeys(core, world, read, 'none')),
    };
    const keyNumbers = Object.fromEntries(
      Object.entries(keys).flatMap(([mask, both]) =>
        both.flatMap((rows, i) =>
          rows[TOKEN.ba]!.map((value, c) => [
            `key_${mask}_${before + i}_${c + 1}`,
            teaching(value, format.fixed(3), {
              formula:
                `第二层的k[把]，第${c + 1}个分量，读了${before + i}个词元，` +
                (mask === 'causal' ? '因果掩码' : '不加掩码'),
              key: WEIGHTS,
            }),
          ]),
        ),
      ),
    );
    const largestChange = ([few, more]: number[][][]) =>
      Math.max(...few!.flatMap((row, i) => row.map((value, c) => Math.abs(value - more![i]![c]!))));
    const change = (mask: keyof typeof keys, what: string) =>
      teaching(largestChange(keys[mask]), format.general(3), {
        formula:
          `读进第${before + 1}个词元前后，` +
          `第二层前${before}个词元的K各分量之差的最大值，${what}`,
        key: WEIGHTS,
      });

    // The output of 给了 when 把 is missing from the cache.
    const right = replay.kept.at(-1)!.output.data;
    const lossy = (() => {
      const {wQ, wK, wV, wO, heads} = decoderOf(world, 1);
      const rows = [TOKEN.xiaoming, TOKEN.pingguo, TOKEN.geile].map(
        (token) => world.embeddings[token]!,
      );
      const x = matrix(rows);
      const {output} = core.multiHead(
        core.product(x, wQ),
        core.product(x, wK),
        core.product(x, wV),
        {heads, scaled: true, mask: 'causal'},
      );
      return rowsOf(core.product(output, wO)).at(-1)!;
    })();
    const components = (id: string, values: ArrayLike<number>, what: string) =>
      Object.fromEntries(
        FEATURES.map((feature, c) => [
          `${id}_${c + 1}`,
          teaching(values[c]!, format.fixed(3), {
            formula: `「给了」得到的输出，${feature}，${what}`,
            key: WEIGHTS,
          }),
        ]),
      );

    // Sizes, read from the configs as the calculator reads them.
    const cacheOf = (layout: ReturnType<typeof keptBy>, tokens: number) =>
      cache.cacheBytes(layout, {context: tokens, batch: 1, bytesPerValue: 2});
    const twoBytes = given(2, '每个数的字节数（FP16、BF16）');
    const size = (
      id: string,
      bytes: bigint,
      formula: string,
      from: Record<string, NumberSpec>,
    ) => ({
      [id]: computed(bytes, format.bytes, {formula, unit: 'B', from}),
      [`${id}_binary`]: computed(bytes, format.binary, {formula, unit: 'B', from}),
    });
    const llama7 = model('llama-2-7b');
    const llama7Kept = keptBy(cache, llama7);
    const llama7Context = config(llama7, 'max_position_embeddings');
    const llama7Layers = config(llama7, 'num_hidden_layers');
    const llama7Heads = config(llama7, 'num_key_value_heads');
    const llama7Width = computed(
      config(llama7, 'hidden_size').value / config(llama7, 'num_attention_heads').value,
      format.integer,
      {
        formula: 'hidden_size ÷ num_attention_heads：这份配置没有写head_dim',
        from: {
          hidden: config(llama7, 'hidden_size'),
          heads: config(llama7, 'num_attention_heads'),
        },
      },
    );
    const llama7From = {
      layers: llama7Layers,
      heads: llama7Heads,
      width: llama7Width,
      bytes: twoBytes,
    };
    const llama70 = model('llama-2-70b');
    const llama70Kept = keptBy(cache, llama70);
    const llama70Heads = config(llama70, 'num_attention_heads');
    const llama70KvHeads = config(llama70, 'num_key_value_heads');
    const llama70From = {
      layers: config(llama70, 'num_hidden_layers'),
      hidden: config(llama70, 'hidden_size'),
      query_heads: llama70Heads,
      bytes: twoBytes,
    };
    const llama70Context = config(llama70, 'max_position_embeddings');
    const asMha = withHeads(llama70Kept, llama70Heads.value);
    const perToken = '层数 × 2 × 存下的头数 × 每头维数 × 2 B';

    const width = teaching(world.d_model, format.integer, {formula: 'd_model', key: 'd_model'});

    return {
      ...stepNumbers,
      largest_difference: teaching(largest, format.integer, {
        formula:
          '每个前缀做提示，一层和两层，一直生成到句末：存与不存，所有输出之差的绝对值的最大值',
        key: WEIGHTS,
      }),
      compared_steps: teaching(comparedSteps, format.integer, {
        formula: '每个前缀做提示，一层和两层，一直走到整句都送进去：共几步',
        key: WEIGHTS,
      }),
      compared: teaching(compared, format.integer, {
        formula: '这样比较了多少个数',
        key: WEIGHTS,
      }),
      long_prompt: longPrompt,
      long_generated: longGenerated,
      long_anew: computed(longAnew, format.integer, {formula: 'p·g + g(g − 1) ÷ 2', from: long}),
      long_kept: computed(longKept, format.integer, {formula: 'p + g − 1', from: long}),
      long_ratio: computed(longAnew / longKept, format.integer, {
        formula: '(p·g + g(g − 1) ÷ 2) ÷ (p + g − 1)',
        from: long,
      }),
      pairs_anew: computed(pairsAnew, format.integer, {
        formula: '每步重算：n个词元有n(n + 1) ÷ 2对，n＝2、3、4相加',
        from: short,
      }),
      pairs_kept: computed(pairsKept, format.integer, {
        formula: '留着K、V：提示2个词元3对，以后每步只有新的查询，3对、4对',
        from: short,
      }),
      ...keyNumbers,
      change_causal: change('causal', '因果掩码'),
      change_open: change('open', '不加掩码'),
      ...components('out', right, '缓存完整'),
      ...components('lossy', lossy, '缓存里漏了「把」'),
      lossy_difference: teaching(
        Math.max(...lossy.map((value, c) => Math.abs(value - right[c]!))),
        format.fixed(3),
        {formula: '漏了「把」与缓存完整，输出各分量之差的最大值', key: WEIGHTS},
      ),
      token_values: computed(2 * width.value, format.integer, {
        formula: '2 × d_model：一份K，一份V',
        from: {d_model: width},
      }),
      llama7_layers: llama7Layers,
      llama7_heads: llama7Heads,
      llama7_width: llama7Width,
      llama7_context: llama7Context,
      ...size('llama7_token', cacheOf(llama7Kept, 1).growingPerToken, perToken, llama7From),
      ...size(
        'llama7_total',
        cacheOf(llama7Kept, llama7Context.value).total,
        `${perToken} × 上下文`,
        {
          ...llama7From,
          context: llama7Context,
        },
      ),
      llama70_layers: llama70From.layers,
      llama70_heads: llama70Heads,
      llama70_kv_heads: llama70KvHeads,
      llama70_context: llama70Context,
      ...size('llama70_mha_token', cacheOf(asMha, 1).growingPerToken, perToken, llama70From),
      ...size(
        'llama70_mha_total',
        cacheOf(asMha, llama70Context.value).total,
        `${perToken} × 上下文`,
        {
          ...llama70From,
          context: llama70Context,
        },
      ),
      ...size('llama70_token', cacheOf(llama70Kept, 1).growingPerToken, perToken, {
        ...llama70From,
        kv_heads: llama70KvHeads,
      }),
    };
  },
);
