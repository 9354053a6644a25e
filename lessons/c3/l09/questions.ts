// Questions of lesson 9; every answer follows from the core.
import type {LayerKind} from '../../../web/cache.js';
import {rowsOf} from '../../../web/core.js';
import {defineQuestions, rightOption} from '../../../web/site/questions.js';
import {keptBy, withHeads} from '../cache.js';
import {TOKEN} from '../teaching.js';
import {shared} from './example.js';

export default defineQuestions(({core, cache, sequence, model, world}) => {
  const anchor = keptBy(cache, model('anchor-model'));
  const perToken = (layout: LayerKind[]) =>
    Number(cache.cacheBytes(layout, {context: 1, batch: 1, bytesPerValue: 2}).growingPerToken);
  const {num_attention_heads: heads, num_key_value_heads: groups} = model('anchor-model').config;
  const anchorToken = (kept: unknown) => perToken(withHeads(anchor, Number(kept)));

  const one = shared(core, sequence, world, 1);
  const own = shared(core, sequence, world, 2);
  const [a, b] = one.weights.map((weights) => rowsOf(weights)[TOKEN.geile]!);
  const alike = a!.every((weight, token) => Math.abs(weight - b![token]!) < 1e-12);
  const onGiver = a![TOKEN.xiaoming]!;

  const llama8 = model('llama-3.1-8b').config;
  const queriesEach = Number(llama8['num_attention_heads']) / Number(llama8['num_key_value_heads']);

  const plain = (kept: number, width: number): LayerKind[] => [
    {kind: 'full', layers: 32, heads: kept, kWidth: width, vWidth: width},
  ];
  const [narrow, wide] = [perToken(plain(16, 64)), perToken(plain(8, 128))];

  return {
    'shared-times': {
      kind: 'number',
      prompt:
        '锚点模型有{num n_heads}个头。{num n_heads}个头都用同一份K、V，' +
        '缓存是各存各的几分之一？填分母。',
      answer: anchorToken(heads) / anchorToken(1),
      explain:
        '**{num n_heads}**。缓存与存的份数成正比，{num n_heads}份变成1份，' +
        '每词元从{num mha_token_binary}' +
        '变成{num mqa_token_binary}。',
    },
    'same-weights': {
      kind: 'choice',
      prompt: '两个头合用同一份K，各用各的q。它们的权重会变得一模一样吗？',
      options: ['会，键都一样了', '不会，查询不同，分数就不同'],
      answer: rightOption(alike, !alike),
      explain:
        '**不会**。分数是q·k，k一样，q不一样，分数照样不同。合用之后，「给了」这一行头A给小明' +
        '{num one_a_xiaoming}，头B只给{num one_b_xiaoming}。每个头仍有自己的一份100 %。',
    },
    'pooled-giver': {
      kind: 'choice',
      prompt:
        '把教学句两个头的K取平均，合成一份，不再训练。' +
        '头A原来把{num own_a_xiaoming}给小明，现在大约给多少？',
      options: ['还是九成左右', '五成左右', '一成左右'],
      answer: rightOption(onGiver > 0.75, onGiver > 0.3 && onGiver < 0.7, onGiver < 0.2),
      explain:
        '**{num one_a_xiaoming}**。平均之后，「是个人」和「是个东西」的键混在一起，' +
        '小明和苹果在头A看来几乎一样像；' +
        '苹果拿走了{num one_a_pingguo}。',
    },
    'group-size': {
      kind: 'number',
      prompt: '锚点模型{num n_heads}个查询头，存{num n_kv_heads}份K、V。几个查询头合用一份？',
      answer: Number(heads) / Number(groups),
      explain: '{num n_heads} ÷ {num n_kv_heads} ＝ **{num group_size}**个。',
      unit: '个',
    },
    'gqa-eight': {
      kind: 'number',
      quiz: true,
      prompt: 'Llama-3.1-8B有{num llama8_heads}个查询头，是GQA-8。几个查询头合用一份K、V？',
      answer: queriesEach,
      explain:
        '8是**存的份数**，不是每组的头数：' +
        '{num llama8_heads} ÷ {num llama8_kv_heads} ＝ **{num llama8_group}**个合用一份。',
      unit: '个',
    },
    'same-cache': {
      kind: 'choice',
      quiz: true,
      prompt: '两个模型都是32层。甲存16份，每份64维；乙存8份，每份128维。谁的缓存大？',
      options: ['甲，存的份数多', '乙，每份更宽', '一样大'],
      answer: rightOption(narrow > wide, wide > narrow, narrow === wide),
      explain:
        '份数乘每份的维数，16 × 64和8 × 128都是1,024，**一样大**。光看份数不够，两样都要看。',
    },
    'fewer-scores': {
      kind: 'choice',
      quiz: true,
      prompt: '两个头合用一份K、V之后，每一步要算的权重个数怎样变？',
      options: ['减半', '不变', '翻倍'],
      answer: rightOption(
        one.weights.length * 2 === own.weights.length,
        one.weights.length === own.weights.length,
        one.weights.length === own.weights.length * 2,
      ),
      explain:
        '**不变**。几个查询头就有几张权重表，分数一个也没有少算。' +
        '省的是存的和读的，不是打分的次数。',
    },
    'same-output': {
      kind: 'choice',
      quiz: true,
      prompt: '两个头合用一份K、V。拼接起来的输出，列数怎样变？',
      options: ['减半', '不变'],
      answer: rightOption(
        one.output.cols * 2 === own.output.cols,
        one.output.cols === own.output.cols,
      ),
      explain:
        '**不变**。每个查询头照样交出一份，拼起来还是那么多列，W_O不用改。变窄的只有W_K和W_V：' +
        '{num projections_own}个参数变成{num projections_one}个。',
    },
  };
});
