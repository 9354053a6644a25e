// The names and descriptions of the mistakes that <attn-failures> shows.

import type {AttentionKind} from '../../train.js';

export type Mistake = Exclude<AttentionKind, 'scaled' | 'unscaled'>;

export interface Variant {
  id: Mistake;
  mark: string;
  name: string;
  wrong: string;
  right: string;
  /** The test that detects it. */
  shows: string;
}

export const VARIANTS: readonly Variant[] = [
  {
    id: 'hidden-as-zero',
    mark: '①',
    name: '遮住的记0分',
    wrong: 'scores[hidden] = 0',
    right: 'scores[hidden] = -inf',
    shows:
      '0分不是不看：e⁰＝1，后面的位置照样分到权重。答案从后面漏进来，训练和验证的损失都更低。只有查后面的权重是不是0，才抓得住。',
  },
  {
    id: 'scaled-after-softmax',
    mark: '②',
    name: 'softmax之后才÷√d',
    wrong: 'softmax(q @ k.T) / sqrt(d)',
    right: 'softmax(q @ k.T / sqrt(d))',
    shows:
      '分数没有变小，权重却整体缩了√d倍：每行加起来不是1。这不是换温度。损失看不出来，查行和一查就中。',
  },
  {
    id: 'no-max-subtraction',
    mark: '③',
    name: '不减最大值',
    wrong: 'exp(s) / exp(s).sum()',
    right: 'exp(s - max) / exp(s - max).sum()',
    shows:
      '分数小的时候，结果只差舍入，曲线几乎重合。float32里分数过了88.7，e的幂就溢出成inf，inf÷inf没有值。要等分数长大那一天才发作，所以要主动喂大分数去试。',
  },
  {
    id: 'divided-by-width',
    mark: '④',
    name: '除以d，不是√d',
    wrong: 'softmax(q @ k.T / d)',
    right: 'softmax(q @ k.T / sqrt(d))',
    shows:
      '分数小了√d倍，每行更接近平分。模型会把q、k学大一些来补，所以训练几百步之后熵只是略高。第0步量分数的标准差最灵敏：它该是多少，算得出来。',
  },
];

export const variantOf = (id: Mistake): Variant =>
  VARIANTS.find((variant) => variant.id === id) ?? (VARIANTS[0] as Variant);

export const nameOf = (attention: AttentionKind): string => {
  const variant = VARIANTS.find(({id}) => id === attention);
  return variant ? `${variant.mark} ${variant.name}` : '✓ 写对的';
};
