// Questions of lesson 8; every answer follows from the core.
import {defineQuestions, rightOption} from '../../../web/site/questions.js';
import {keptBy} from '../cache.js';
import {TOKEN} from '../teaching.js';
import {bothWays, computations, formulas, GENERATED, PROMPT, secondKeys} from './example.js';

export default defineQuestions(({core, cache, sequence, model, world}) => {
  const {anew, kept} = bothWays(sequence, world, {prompt: PROMPT, generated: GENERATED});

  // The pass that guesses 小王, the last token of the sentence.
  const last = kept.at(-1)!;
  const asks = (token: string) => world.tokens[last.asking] === token;

  // Whether keys of the second layer change when a fourth token is read, with no mask.
  const [few, more] = [3, 4].map((read) => secondKeys(core, world, read, 'none'));
  const change = (token: number) =>
    Math.max(...few![token]!.map((value, c) => Math.abs(value - more![token]![c]!)));

  // Another token in the second place: only the keys before it stay the same.
  const edited = {...world, embeddings: [...world.embeddings]};
  edited.embeddings[1] = world.embeddings[4]!;
  const read = 4;
  const [original, changed] = [world, edited].map((w) => secondKeys(core, w, read, 'causal'));
  const valid = original!.findIndex((row, i) => row.some((value, c) => value !== changed![i]![c]));

  const layout = keptBy(cache, model('llama-2-7b'));
  const bytes = (context: number, batch: number) =>
    cache.cacheBytes(layout, {context, batch, bytesPerValue: 2}).total;
  const ratio = Number(bytes(4096, 4)) / Number(bytes(2048, 2));

  const one = bothWays(sequence, world, {prompt: 4, generated: 1});

  return {
    'count-anew': {
      kind: 'number',
      prompt:
        '提示是「小明 把」，接着生成「苹果」「给了」「小王」。每一步都把已有的词元从头送一遍，' +
        '每送一个词元就算一份K和V。三步一共算多少份？',
      answer: computations(anew),
      explain:
        '三步开始时各有{num anew_1}、{num anew_2}、{num anew_3}个词元，' +
        '合计**{num decode_all}**份。' +
        '「小王」一出来就停，没有再送进去，所以不算它的。',
      unit: '份',
    },
    'whose-query': {
      kind: 'choice',
      prompt: '已经有「小明 把 苹果 给了」，要猜下一个词元。这一步真正用到的，是谁的查询q？',
      options: ['「小王」的', '「给了」的', '四个词元的都要用'],
      answer: rightOption(asks('小王'), asks('给了'), false),
      explain:
        '是**「给了」**的，已经在那里的最后一个词元。「小王」还没有出来，没有向量，也就没有q。' +
        '前面三个词元的q早已用过，猜的是它们各自的下一个。',
    },
    'without-mask': {
      kind: 'choice',
      prompt:
        '假如没有因果掩码，词元看得见后面的。读进第四个词元之后，' +
        '**第二层**里「把」的键k还和原来一样吗？',
      options: ['一样，键只由词元自己决定', '变了，存着的旧键作废'],
      answer: rightOption(change(TOKEN.ba) === 0, change(TOKEN.ba) > 0),
      explain:
        '**变了**，三个旧词元的键最多差{num change_open}。第一层的键只看词元自己，没有变；' +
        '可第二层的输入是第一层的输出，「把」若看得见新来的，它的输出就变了。',
    },
    'one-step': {
      kind: 'number',
      quiz: true,
      prompt: '提示4个词元，只生成1个。与每步重算相比，留着K、V能少算多少份？',
      answer: computations(one.anew) - computations(one.kept),
      explain:
        '一份也省不下，**0**。提示里的词元都是头一回见，每个都得算。缓存省的是从第二步起的重复。',
      unit: '份',
    },
    'long-run': {
      kind: 'number',
      quiz: true,
      prompt: '提示1个词元，生成100个。每步重算，一共要算多少份K和V？',
      answer: formulas.anew(1, 100),
      explain: '1 + 2 + … + 100 ＝ **5,050**。留着只算100份，正好一步一份。',
      unit: '份',
    },
    'edit-second': {
      kind: 'number',
      quiz: true,
      prompt:
        '缓存里有四个词元的K、V，共许多层。把第2个词元换成别的，其余不动。' +
        '还能接着用的，是前几个词元的缓存？',
      answer: valid,
      explain:
        '只有前**1**个。第2个自己换了，第3、4个看得见它，从第二层起键和值都跟着变。' +
        '所以改提示，越靠后改越省；开头相同的几段提示，可以合用开头那一段缓存。',
      unit: '个',
    },
    'twice-twice': {
      kind: 'number',
      quiz: true,
      prompt: '上下文加倍，同时服务的请求也加倍。KV缓存是原来的几倍？',
      answer: ratio,
      explain: '**4**倍：与长度成正比，也与请求数成正比。各个请求的前文不同，缓存不能合用。',
      unit: '倍',
    },
  };
});
