// Questions of lesson 10; every answer follows from the core and the configs.
import {mustRead} from '../../../web/site/model-files.js';
import {defineQuestions, rightOption, same} from '../../../web/site/questions.js';
import {latentRow} from '../../../web/shared/cache-latent.js';
import {TOKEN} from '../teaching.js';

export default defineQuestions(({cache, core, sequence, world, model, config, numbers}) => {
  const value = (id: string) => Number(numbers[id]!.value);
  const row = (turn: 'none' | 'all') => latentRow({core, sequence}, world, TOKEN.geile, turn);
  const still = row('none');
  const alike = still.rows.every(({expanded, once}) => same(expanded, once));
  const apart = still.rows.filter(({expanded, once}) => !same(expanded, once)).length;

  // DeepSeek-V3 with twice the heads, and with half the latent.
  const v3 = model('deepseek-v3');
  const bytesOf = (change: Record<string, number>) => {
    const {layout} = mustRead(cache, {...v3, config: {...v3.config, ...change}});
    return Number(
      cache.cacheBytes(layout, {context: 1, batch: 1, bytesPerValue: 2}).growingPerToken,
    );
  };
  const heads = config(v3, 'num_attention_heads').value;
  const own = bytesOf({});
  const doubled = bytesOf({num_attention_heads: 2 * heads, num_key_value_heads: 2 * heads});

  return {
    'input-or-kv': {
      kind: 'choice',
      prompt:
        'DeepSeek-V3的一层，输入x有{num v3_hidden}个数；{num v3_heads}个头，' +
        '每头的键{num scale_width}个数、值{num v3_wide}个数。只存x，比把各头的K、V都存下来如何？',
      options: ['差不多', '多一些', '少得多'],
      answer: rightOption(
        Math.abs(value('whole_over_input') - 1) < 0.5,
        value('whole_over_input') < 0.5,
        value('whole_over_input') > 2,
      ),
      explain:
        'K、V合起来有**{num v3_whole}**个数，是x的{num whole_over_input}倍。头一多，' +
        '投影出来的比投影进去的多得多，而所有的K、V都可以由x算出来。',
    },
    'fold-equal': {
      kind: 'choice',
      prompt:
        '键是c·U（U把3个数变成4个）。把U先乘到查询上，得到3个数，再与c做点积。' +
        '「给了」的四个分数，与先展开成键再打分相比如何？',
      options: ['四个都相等，只差舍入', '有一两个不等', '全都不等，因为丢了一维'],
      answer: rightOption(alike, apart > 0 && apart < 3, apart >= 3),
      explain:
        '矩阵乘法可以换括号：q(cU)ᵀ＝(qUᵀ)cᵀ。四个分数最多差**{num still_error}**，只是舍入。' +
        '丢不丢信息，在存下c的时候就定了，与怎样用它打分无关。',
    },
    'how-many-folds': {
      kind: 'number',
      prompt:
        '现在键按位置转过，查询也转过。「给了」在位置3，看得见位置0到3。' +
        '要让四个分数都对，得给「给了」折出几个不同的查询？',
      answer: row('all').needed,
      tolerance: 0,
      explain:
        '**{num turned_needed}**个，一个距离一个。查询与键之间夹着转过i−j的那一步，' +
        '距离不同，折出来的向量就不同。上下文有多长，就要折多少次。',
    },
    'glm-bytes': {
      kind: 'number',
      quiz: true,
      prompt:
        'GLM-5.3有{num glm_layers}层，每层每个词元存{num mla_values}个数，BF16。' +
        '每个词元的缓存是多少字节？',
      answer: value('glm_token'),
      tolerance: 0,
      unit: ' B',
      explain:
        '{num glm_layers} × {num mla_values} × 2，' +
        '就是**{num glm_token}**（{num glm_token_binary}），与头数无关。',
    },
    'double-heads': {
      kind: 'choice',
      quiz: true,
      prompt: 'DeepSeek-V3的头数翻一倍，别的不动。MLA的缓存怎样变？',
      options: ['不变', '变成2倍', '变成一半'],
      answer: rightOption(doubled === own, doubled === 2 * own, 2 * doubled === own),
      explain:
        '**不变**，还是{num v3_token}。潜向量和转过的那一份，所有头合用。' +
        '变大的是升维矩阵和打分的乘法。',
    },
    'values-turn': {
      kind: 'choice',
      quiz: true,
      prompt: '值的升维矩阵，有没有「折不进去」的问题？',
      options: ['有，值也要转，得另存一份', '没有，可以先平均潜向量，再展开一次'],
      answer: rightOption(value('values_error') > 1e-9, value('values_error') < 1e-9),
      explain:
        '第6课说过，RoPE只转Q和K。Σw(cU)＝(Σwc)U，教学句里两种次序最多差{num values_error}。',
    },
    'from-82-to-93': {
      kind: 'choice',
      quiz: true,
      prompt:
        '同按BF16，V2比67B少{num v2_saving}；官方说少{num v2_saving_official}。' +
        '差的那一截来自哪里？',
      options: [
        '潜向量更窄',
        '把缓存量化到约{num six_bits}比特',
        '层数从{num llm67_layers}减到{num v2_layers}',
      ],
      answer: rightOption(
        same(value('six_bit_saving'), value('v2_saving')),
        Math.abs(value('six_bit_saving') - value('v2_saving_official')) < 0.001,
        Math.abs(value('per_layer_saving') - value('v2_saving_official')) < 0.001,
      ),
      explain:
        '{num v2_saving}里已经算进了层数。再把每个数从16比特降到约{num six_bits}比特，' +
        '得**{num six_bit_saving}**，与官方的数对得上。',
    },
  };
});
