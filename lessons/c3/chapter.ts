// The chapter map: ten lessons and two branches. A lesson is available when its page exists.
import {defineChapter} from '../../web/site/chapter.js';

export default defineChapter({
  course: 'C3',
  title: '注意力',
  subtitle: '一个词元怎样从别的词元那里取信息',
  lessons: [
    {
      id: 'c3-l01', label: '第1课', topic: '从相似到投影',
      question: '一个词元怎样知道，别的词元里哪些与自己有关？',
      minutes: 20, needs: [],
    },
    {
      id: 'c3-l02', label: '第2课', topic: '加性打分与点积',
      question: '两个向量怎样变成一个分数，而且所有的对一次算完？',
      minutes: 20, needs: ['c3-l01'],
    },
    {
      id: 'c3-l03', label: '第3课', topic: '从分数到权重：softmax与√d',
      question: '一行分数，怎样变成「各看多少」？',
      minutes: 25, needs: ['c3-l02'],
    },
    {
      id: 'c3-l04', label: '第4课', topic: '因果掩码',
      question: '训练时整句都在眼前，怎样不让模型偷看答案？',
      minutes: 20, needs: ['c3-l03'],
    },
    {
      id: 'c3-l05', label: '第5课', topic: '值：权重乘在什么上',
      question: '权重有了，被加权平均的究竟是什么？',
      minutes: 20, needs: ['c3-l03'],
    },
    {
      id: 'c3-l06', label: '第6课', topic: 'RoPE：只转Q和K',
      question: '打分看不见先后，位置该放到哪里？',
      minutes: 25, needs: ['c3-l05'],
    },
    {
      id: 'c3-l07', label: '第7课', topic: '多头注意力',
      question: '一行只有一份100 %，怎样同时问两件事？',
      minutes: 25, needs: ['c3-l05'],
    },
    {
      id: 'c3-l08', label: '第8课', topic: 'KV缓存',
      question: '逐个生成时，哪些计算是白做的？',
      minutes: 20, needs: ['c3-l04', 'c3-l07'],
    },
    {
      id: 'c3-l09', label: '第9课', topic: 'MQA与GQA',
      question: '每个头非得自己存一份K、V吗？',
      minutes: 20, needs: ['c3-l08'],
    },
    {
      id: 'c3-l10', label: '第10课', topic: 'MLA',
      question: '能不能存得比K、V本身还少？',
      minutes: 25, needs: ['c3-l09', 'c3-l06'],
    },
    {
      id: 'c3-b1', label: '岔路B1', topic: 'RNN：注意力之前',
      question: '一个接一个地读，会被什么卡住？',
      minutes: 15, needs: [],
    },
    {
      id: 'c3-b4', label: '旁支B4', topic: '注意力汇',
      question: '没什么可看的时候，100 %往哪里放？',
      minutes: 15, needs: ['c3-l04'],
    },
  ],
});
