// The pages of the case in the order in which they are read, grouped by their place in the machine.
import {defineCase} from '../../web/site/case-pages.js';

export default defineCase([
  {
    name: '整台机器',
    what: '一行字进去，下一个字的概率出来。别的页面各讲其中一格。',
    pages: [
      {
        folder: 'overview',
        about: '一行诗走完全程，每一步的形状和每一个数',
        needs: ['c3-l05'],
        able: '画出一个GPT从字到概率的全图，说出每一步的形状、哪一步让字与字往来，算出参数花在哪里。',
        minutes: 20,
      },
    ],
  },
  {
    name: '注意力',
    what: '一行分数变成一行权重，再去取值。结果不变，怎样算得更省？',
    pages: [
      {
        folder: 'implementation',
        about: '四个函数，三处容易写错，与NumPy和PyTorch对答案',
        needs: ['c3-l04', 'c3-l05'],
        able: '写出注意力的四个函数，说出每行的代价，并与别的程序对答案。',
        minutes: 20,
      },
      {
        folder: 'exact',
        about: '运算与搬运，在线softmax，FlashAttention，稀疏与线性',
        needs: ['c3-l03', 'c3-l04'],
        able: '数出注意力要算多少、搬多少，讲清FlashAttention为什么快而结果不变，以及稀疏、线性各放弃什么。',
        minutes: 20,
      },
    ],
  },
  {
    name: '梯度往回走',
    what: '损失从输出往回问：每个数变一点，损失变多少？正向的每一步，反向都有一步。',
    pages: [
      {
        folder: 'backward',
        about: '五张表，一个减号，随时核对',
        needs: ['c3-l03', 'c3-l05'],
        able: '写出注意力的反向，说清为什么减去均值，并用有限差分核对自己的代码。',
        minutes: 20,
      },
    ],
  },
  {
    name: '数怎样写下来',
    what: '公式里是实数，机器里只有16位、32位。写不下，写不准，都会坏事。',
    pages: [
      {
        folder: 'formats',
        about: 'float32、float16、bfloat16，一位一位地看',
        needs: ['c3-l03'],
        able: '说出每种写法能写到多大、多准，知道哪些数必须用float32，并说清损失缩放在救什么。',
        minutes: 20,
      },
    ],
  },
  {
    name: '训练',
    what: '猜错多少，就改多少：梯度走一遍，参数全改一点，再来几千次。',
    pages: [
      {
        folder: 'training',
        about: '现场练一次，与记录逐位对照',
        needs: ['c3-l07'],
        able: '自己把一个小GPT练起来，看懂损失、熵、‖J‖三条曲线，并说清每个选择。',
        minutes: 15,
      },
      {
        folder: 'experiment',
        about: '除与不除√d，大小两个模型',
        needs: ['c3-l03', 'case/training'],
        able: '先查一条道理的前提，再决定信不信它；做一个只差一处的对照实验。',
        minutes: 25,
      },
      {
        folder: 'reproduction',
        about: '文字与偏置，四种组合，各三个种子',
        needs: ['case/training', 'case/experiment'],
        able: '两边的数对不上时，把疑点一处一处分开量，并说清还有什么没有定论。',
        minutes: 15,
      },
      {
        folder: 'design',
        about: '只动一处，几个种子，与什么比，每个指标何时有意义',
        needs: ['case/training', 'case/experiment'],
        able: '设计一个对照实验：配对、报出噪声，并说清结论在什么条件下成立。',
        minutes: 15,
      },
      {
        folder: 'dynamics',
        about: '健康的走法，坏掉的那几十步，训练前后的尺度，一个头的长成',
        needs: ['case/training', 'case/experiment'],
        able: '从一串记录里指出训练是哪一步坏的，并分清q、k的增长与方向的对齐。',
        minutes: 15,
      },
      {
        folder: 'failures',
        about: '六种写错，症状与检查',
        needs: ['c3-l04', 'case/training'],
        able: '用几项便宜的检查，找出不报错的写错。',
        minutes: 20,
      },
      {
        folder: 'diagnosis',
        about: '按症状的次序查，四段可以搬走的检查程序',
        needs: ['c3-l04', 'case/failures'],
        able: '拿到一个训练不好的模型，按从便宜到贵的次序查到出错的那一步。',
        minutes: 15,
      },
      {
        folder: 'exercises',
        about: '先猜再改成两个头；十二次训练，找临界的宽度',
        needs: ['case/training', 'case/experiment'],
        able: '动手之前写下预测，做一个只差一处的扫描，并说清临界值取决于什么。',
        minutes: 30,
      },
    ],
  },
  {
    name: '练好以后',
    what: '参数不再动。写一句诗给它，看每个头把权重放在哪里。',
    pages: [
      {
        folder: 'heads',
        about: '训练好的小模型',
        needs: ['c3-l07'],
        able: '先看基线再看偏好，用关掉一个头的办法检验图上看到的规律。',
        minutes: 15,
      },
      {
        folder: 'heatmaps',
        about: '四种形状，三种误读，五个步骤，归纳头有没有',
        needs: ['case/heads'],
        able: '拿到一张注意力热图，知道先看什么，哪些话不能说，怎样检验想说的话。',
        minutes: 15,
      },
    ],
  },
  {
    name: '回头看',
    what: '讲给自己听，做给自己看，再去读原文。',
    pages: [
      {
        folder: 'review',
        about: '七步的因果链，六个办法，三句话',
        needs: ['case/experiment', 'case/design'],
        able: '不看页面，把一处补丁的来历、前提和结局讲一遍。',
        minutes: 10,
      },
      {
        folder: 'selftest',
        about: '十道题，答案折叠着',
        needs: ['c3-l07', 'case/backward'],
        able: '知道自己哪一处会了，哪一处该回去。',
        minutes: 30,
      },
      {
        folder: 'reading',
        about: '六篇论文，各留意一处',
        needs: ['c3-l07'],
        able: '读一篇论文时，问出条件、查法和不成立会怎样。',
        minutes: 10,
      },
    ],
  },
]);
