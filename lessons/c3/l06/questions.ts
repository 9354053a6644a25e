// Questions of lesson 6; every answer follows from the core.
import {defineQuestions, rightOption, same} from '../../../web/site/questions.js';

export default defineQuestions(({numbers}) => {
  const value = (id: string) => Number(numbers[id]!.value);
  const unchanged = value('bare_most') < 1e-12;
  const nearStep = value('pe_step');
  const farStep = value('pe_step_50');
  const near = value('rot_0');
  const far = value('rot_1000000');
  const leakTurned = value('leak_turned');
  const mirrored = same(near, value('rot_back'));

  return {
    'shuffle-bare': {
      kind: 'choice',
      prompt:
        '没有掩码，也不加位置。把「小明」和「苹果」对调，整句重新算一遍。' +
        '「小明」这个词元的输出会变吗？',
      options: ['会：它的邻居换了', '一个数都不变', '只变一点点，因为权重重新分了'],
      answer: rightOption(
        value('bare_xiaoming') > 0.1,
        unchanged,
        !unchanged && value('bare_xiaoming') <= 0.1,
      ),
      explain:
        '最多差**{num bare_most}**。权重只看q和k，q和k只看词元自己；' +
        '大家还是那几个，只是换了座位，加权平均也就一个数都不变。',
    },
    'code-distance': {
      kind: 'choice',
      prompt:
        '四维的正弦编码，位置0和1的两个向量相距{num pe_step}。位置50和51的两个向量，相距多少？',
      options: ['更近：越往后越挤', '更远：越往后越散', '一样'],
      answer: rightOption(
        farStep < nearStep && !same(farStep, nearStep),
        farStep > nearStep && !same(farStep, nearStep),
        same(farStep, nearStep),
      ),
      explain:
        '还是**{num pe_step_50}**。每一对分量都是圆上的一点，每走一步转同样的角度；' +
        '圆上转同样的角度，弦长处处一样。',
    },
    'rotary-far': {
      kind: 'choice',
      prompt:
        'k在0、q在3，转过之后的分数是{num rot_0}。把两个一起搬到1000000和1000003，分数是多少？',
      options: ['接近0：离得太远了', '还是{num rot_0}', '每次都不一样'],
      answer: rightOption(
        Math.abs(far) < 0.01 && !same(near, far),
        Math.abs(near - far) < 1e-10,
        Math.abs(far) >= 0.01 && Math.abs(near - far) >= 1e-10,
      ),
      explain:
        '还是**{num rot_1000000}**，小数点后十位都一样：' +
        '{num rot_exact_0}和{num rot_exact_far}。两个向量各多转了同一个角度，夹角没有变。',
    },
    'turn-values': {
      kind: 'choice',
      prompt:
        '既然q和k转了，索性把V也按位置转一转。两个词元的内容不变、距离不变，一起往后挪，' +
        '取回的向量会怎样？',
      options: ['不变，反正一起转', '跟着位置变', '变成0'],
      answer: rightOption(leakTurned < 1e-9, leakTurned > 0.1, Math.abs(value('turned_0')) < 1e-9),
      explain:
        '各分量最多变**{num leak_turned}**。V不与别的向量相乘，转了多少，输出里就留下多少，' +
        '绝对位置混进了内容。不转，变{num leak_kept}。',
    },
    'missing-row': {
      kind: 'number',
      quiz: true,
      prompt: '可学的表有{num places}行，位置从0数。第一个没有编码的位置是几？',
      answer: value('places'),
      tolerance: 0.1,
      explain:
        '有的是0到{num last_place}，问到**{num places}**就没有那一行了。程序报错还算好；' +
        '要是表留得比训练过的长，读到的就是没训练过的数，错了也不报错。',
    },
    unrotated: {
      kind: 'number',
      quiz: true,
      prompt: '锚点模型每头{num head_dim}维，转{num rotary_dims}维。有几维的点积完全不受位置影响？',
      answer: value('unrotated_dims'),
      tolerance: 0.1,
      unit: '维',
      explain:
        '{num head_dim} − {num rotary_dims}＝**{num unrotated_dims}**维。' +
        '转的那些两两一对，共{num rotary_pairs}对，各有各的转速。',
    },
    farthest: {
      kind: 'number',
      quiz: true,
      prompt:
        '一个模型用长度{num trained_length}的文本训练。它见过的两个词元之间，最远隔多少个位置？',
      answer: value('farthest_seen'),
      tolerance: 0.5,
      explain:
        '第一个在0，最后一个在{num farthest_seen}，相隔**{num farthest_seen}**。' +
        '再远的距离，角度算得出来，模型却从来没有学过该怎么看。',
    },
    'order-back': {
      kind: 'choice',
      quiz: true,
      prompt: '用RoPE，q在k后面3个，分数{num rot_0}。内容不变，让q站到k前面3个，分数一样吗？',
      options: ['一样：距离都是3', '一般不一样'],
      answer: rightOption(mirrored, !mirrored),
      explain:
        '这一对是{num rot_0}和**{num rot_back}**。' +
        'RoPE看的是带正负号的差，往前3个和往后3个是两回事，「在前」和「在后」才分得开。',
    },
    'deep-order': {
      kind: 'choice',
      quiz: true,
      prompt: '有因果掩码，不加任何位置。把前面的词元对调，「给了」的输出从第几层起会变？',
      options: ['第1层', '第2层', '多少层都不变'],
      answer: rightOption(
        value('single_geile') > 1e-9,
        value('single_geile') < 1e-9 && value('deep_geile') > 1e-9,
        value('single_geile') < 1e-9 && value('deep_geile') < 1e-9,
      ),
      explain:
        '一层时差{num single_geile}，两层时差**{num deep_geile}**。' +
        '第1层里，前面的词元各看各的前缀，输出已经不同；第2层看的就是这些不同的东西。',
    },
  };
});
