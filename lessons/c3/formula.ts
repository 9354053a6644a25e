// The parts of softmax(QKᵀ/√d_k), each with its reason.
import {defineFormula} from '../../web/site/formula.js';

export default defineFormula({
  source: ['式（1）的前一半', 'Vaswani等2017，Attention Is All You Need'],
  note: '掩码加在括号里、softmax之前（第4课）；再乘上V，才是整个式（1）（第5课）。',
  parts: {
    q: {
      name: '查询',
      what: '查询排成的矩阵，形状(T, d_k)，第i行是词元i的q：我在找什么。',
      why: '每个词元都要问一遍别人。一行放一个，一次乘法就全问完了。',
    },
    k: {
      name: '键的转置',
      what: '键排成的矩阵K是(T, d_k)，转置成(d_k, T)，第j列是词元j的k：凭什么找到我。',
      why: '行乘列才是点积。不转置，(T, d_k)和(T, d_k)接不上。',
    },
    product: {
      name: '全部分数',
      what: '(T, T)的分数表，第i行第j列是点积q_i·k_j。',
      why: '点积大，就是这一问和这一键合得来。所有的对，一次矩阵乘法算完。',
    },
    divide: {
      name: '除法',
      what: '每个分数都除以同一个数。',
      why:
        'softmax只看分差，所以要在它之前把分差缩好。放到它之后，一行的和不再是1，' +
        '该饱和的也早已饱和。',
    },
    sqrt: {
      name: '点积的标准差',
      what:
        'd_k是一个键有多少维。开平方得到的是常数，不用学；' +
        '锚点模型是√{num head_dim}，约{num dot_std}。',
      why:
        '各维独立、均值0、方差1时，点积的标准差正是√d_k。除掉它就回到1：' +
        '维数再大，分差也不会跟着失控。',
    },
    softmax: {
      name: '分数到权重',
      what: '逐行来：每个分数取指数，再除以这一行的总和。',
      why: '任意的实数变成一行权重，不小于0，和为1，只看分差，两个词元之比不受第三个影响。',
    },
  },
});
