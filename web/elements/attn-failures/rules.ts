// A table of rules with their sources: the meaning of three readings of attention, and the first
// thing to check. A rule only names the place to look: the three readings depend on one another,
// and a correct model in its first steps looks like one that divides by too much.

export interface Readings {
  /** 0 … 1, entropy of a row ÷ ln(visible), mean over rows that see more than one position */
  entropy: number | null;
  /** Standard deviation of what enters softmax, over visible pairs */
  deviation: number | null;
  /** 0 … 0.5, mean Frobenius norm of ∂p/∂z */
  jacobian: number | null;
}

export interface Finding {
  /** alarm: stop and check; look: may be fine, check; fine: nothing to check. */
  kind: 'alarm' | 'look' | 'fine';
  reading: string;
  check: string;
  source: string;
}

/** The thresholds of the chapter, as quoted; the results of our own records stand beside them. */
const CHAPTER = '阈值引自书稿';
const OWN = '依据本站的训练记录';
const ALGEBRA = '由定义推出';

export const LIMITS = {
  /** Above this entropy, rows are almost uniform. */
  flat: 0.99,
  /** Below this entropy, rows are almost one-hot. */
  sharp: 0.01,
  /** The chapter's healthy range. */
  healthy: [0.5, 0.9],
  frozen: 1e-4,
  huge: 1000,
} as const;

/** Largest ‖∂p/∂z‖ of any row: two weights of one half. */
export const LARGEST_JACOBIAN = 0.5;

interface Rule extends Finding {
  applies: (readings: Readings) => boolean;
}

const above = (value: number | null, limit: number) => value !== null && value > limit;
const below = (value: number | null, limit: number) => value !== null && value < limit;

/** The rules in the order in which to check them. */
const RULES: readonly Rule[] = [
  {
    kind: 'alarm',
    source: ALGEBRA,
    applies: ({entropy, jacobian}) =>
      above(entropy, LIMITS.healthy[0]) && below(jacobian, LIMITS.frozen),
    reading: '权重还散着，‖J‖却几乎是0：这两个数对不上。',
    check:
      '先查读数怎么算的：只看得见一个位置的行要不要算，遮住的分数有没有混进来，是不是同一层同一批。',
  },
  {
    kind: 'alarm',
    source: CHAPTER,
    applies: ({entropy, deviation}) =>
      below(entropy, LIMITS.sharp) && above(deviation, LIMITS.huge),
    reading: '每行几乎只看一个位置，分数的标准差上千：像是没有缩放。',
    check: '查分数有没有除以√d，是不是在softmax之前除的，有没有重复初始化成太大的权重。',
  },
  {
    kind: 'alarm',
    source: CHAPTER,
    applies: ({entropy, deviation}) =>
      below(entropy, LIMITS.sharp) && !above(deviation, LIMITS.huge),
    reading: '每行几乎只看一个位置。',
    check:
      '量一量分数的标准差。若在涨，查缩放、初始化的标准差和学习率；若不大，查掩码：是不是除了自己都遮住了。',
  },
  {
    kind: 'alarm',
    source: CHAPTER,
    applies: ({jacobian}) => below(jacobian, LIMITS.frozen),
    reading: 'softmax几乎不传梯度：W_Q、W_K冻住了。',
    check: '查分数的大小。W_V、W_O仍有梯度，所以损失还会降，不能拿损失证明它没事。',
  },
  {
    kind: 'look',
    source: CHAPTER,
    applies: ({entropy}) => above(entropy, LIMITS.flat),
    reading: '每行几乎平分。',
    check:
      '若刚开始训练，正常：写对的模型第0步也是这样。若过了几百步还这样，查是不是除以了d而不是√d，再看q、k自己的标准差：它们太小，分数也小。',
  },
  {
    kind: 'look',
    source: OWN,
    applies: ({entropy}) => above(entropy, LIMITS.healthy[1]) && !above(entropy, LIMITS.flat),
    reading: `偏平。书稿说的健康范围是${LIMITS.healthy.join('到')}，但刚过几百步的模型也常在这里。`,
    check:
      '回到第0步，量分数的标准差，与d_model·σ²比：除以√d该等于它，除以d会小√d倍。这比看熵灵敏。',
  },
  {
    kind: 'look',
    source: OWN,
    applies: ({entropy}) => below(entropy, LIMITS.healthy[0]) && !below(entropy, LIMITS.sharp),
    reading: '偏尖，未必是错：不缩放的小模型停在这里，照样学得动。',
    check: '看它是停住了还是还在降，‖J‖有没有跟着掉。在降，就查缩放。',
  },
];

const HEALTHY: Finding = {
  kind: 'fine',
  source: OWN,
  reading: '这些读数看不出毛病。',
  check:
    '去看FFN、输出层、数据和模型大小。但读数正常不等于注意力写对了：下面四条断言，读数替不了。',
};

/** Tests that no reading replaces: each detects one mistake for certain. */
export const ASSERTIONS: readonly {what: string; how: string}[] = [
  {what: '后面的权重是0', how: '每一行，后面位置的权重都小于1e−8。'},
  {what: '每行加起来是1', how: '乘到V上的那一行权重，和与1差不到1e−5。'},
  {what: '分数很大也不出nan', how: '喂标准差5000的分数，输出里没有inf和nan。'},
  {what: '第0步的标准差对得上', how: '未训练时，softmax收到的分数，标准差约等于d_model·σ²。'},
];

/** Findings in the order in which to check; none without a reading. */
export function diagnose(readings: Readings): Finding[] {
  const {entropy, deviation, jacobian} = readings;
  if (entropy === null && deviation === null && jacobian === null) return [];
  const found = RULES.filter(({applies}) => applies(readings));
  const [impossible] = found;
  // Contradictory readings give this one finding only.
  if (impossible === RULES[0]) return [RULES[0] as Finding];
  return found.length > 0 ? found : [HEALTHY];
}

export type Symptom = 'stuck' | 'poor-text' | 'nan' | 'worse' | 'memory';

/** A symptom and what to check, in order. */
export const SYMPTOMS: readonly {id: Symptom; name: string; checks: readonly string[]}[] = [
  {
    id: 'stuck',
    name: '损失不降',
    checks: [
      '拿几百个重复的字当数据：背得下来吗？背不下来，是代码。',
      '换一个别人确认学得会的任务。',
      '看梯度范数：不是0、也不是上万，才轮到注意力。',
      '量H、分数的标准差、‖J‖，填进上面三格。',
      '都正常，再疑心模型太小、数据太少。',
    ],
  },
  {
    id: 'poor-text',
    name: '损失很好，写出来的却不行',
    checks: [
      '看验证损失：训练好、验证差，是过拟合。',
      '后面位置的权重是不是恰好0：漏看后面，验证损失也会一样好看。',
      '同一段输入走训练和生成两条路，结果差不到1e−5。',
      '长度有没有超过训练时的窗口。',
    ],
  },
  {
    id: 'nan',
    name: '出现nan',
    checks: [
      '分数本身有inf：查q、k、初始化、学习率。',
      '某一行全被遮住：查填充，左填充最常见。',
      'exp之后有inf：没有减最大值，或没有缩放。',
      '归一化之后才有：inf÷inf或0÷0。',
      '梯度裁剪救不了：一行nan会染遍所有参数。',
    ],
  },
  {
    id: 'worse',
    name: '比该有的差一点',
    checks: [
      '一次只去掉或换回一样：缩放、残差、LayerNorm、共用词表、位置、预热、裁剪。',
      '每样至少跑三个种子：种子之间的差，常常比一样东西的作用还大。',
    ],
  },
  {
    id: 'memory',
    name: '显存不够',
    checks: [
      '先估n² × 头数 × 层数 × 每个数的字节。',
      '长序列用不落地的实现（FlashAttention），它不存n × n的矩阵。',
    ],
  },
];
