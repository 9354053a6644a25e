// Numbers of the ten questions.
import {defineNumbers} from '../../../web/site/numbers.js';

export default defineNumbers(({recorded, computed, given, format}) => {
  const {fixed, integer} = format;
  const bytes = (value: number | bigint) => {
    const mega = Number(value) / 1e6;
    return mega < 1000 ? `${fixed(1)(mega)} MB` : `${fixed(2)(mega / 1000)} GB`;
  };
  const run = 'small-scaled';
  const whole = (value: number, name: string) => given(value, name, integer);
  const d = whole(64, '头宽');
  const width = recorded(run, ['config', 'dModel'], integer);
  const caseHeads = recorded(run, ['config', 'nHeads'], integer);
  const caseD = computed(width.value / caseHeads.value, integer, {
    formula: '模型宽度 ÷ 头数',
    from: {width, heads: caseHeads},
  });
  const [wide, heads] = [whole(512, '模型宽度'), whole(8, '头数')];
  const [right, zero] = ['failure-scaled', 'failure-hidden-as-zero'].map((name) =>
    recorded(name, ['finalLoss'], fixed(3)),
  ) as [ReturnType<typeof recorded>, ReturnType<typeof recorded>];
  const sigma = given(0.02, 'core/gpt/gpt.cpp · kStartDeviation');
  const shape = {
    layers: whole(24, '层数'),
    heads: whole(16, '每层的头数'),
    tokens: whole(2048, '词元数'),
    bytes: whole(2, '每个数的字节'),
  };
  const one = shape.tokens.value ** 2 * shape.bytes.value;
  const all = one * shape.heads.value * shape.layers.value;
  const size = (value: number, formula: string) => computed(value, bytes, {formula, from: shape});
  const [long, window] = [whole(8192, '词元数'), whole(256, '窗口')];
  // Row i has min(i + 1, w) visible positions.
  const pairs = (window.value * (2 * long.value - window.value + 1)) / 2;
  const times = (value: number, formula: string) =>
    computed(value, integer, {formula, from: {n: long, w: window}});
  return {
    d,
    small_std: computed(1 / Math.sqrt(d.value), fixed(3), {formula: '√d ÷ d', from: {d}}),
    case_d: caseD,
    row_sum: computed(1 / Math.sqrt(caseD.value), fixed(4), {formula: '1 ÷ √d', from: {d: caseD}}),
    wide,
    heads,
    head_width: computed(wide.value / heads.value, integer, {
      formula: '模型宽度 ÷ 头数',
      from: {wide, heads},
    }),
    extra: computed(Math.sqrt(heads.value), fixed(2), {
      formula: '√(模型宽度 ÷ 头宽)',
      from: {wide, heads},
    }),
    zero_lower: computed(right.value - zero.value, fixed(2), {
      formula: '写对的损失 − 记作0的损失',
      from: {right, zero},
    }),
    sigma,
    component: computed(Math.sqrt(width.value) * sigma.value, fixed(2), {
      formula: '√模型宽度 · σ',
      from: {width, sigma},
    }),
    start: recorded(run, ['diagnostics', 0, 'logitDeviation'], fixed(2)),
    layers: shape.layers,
    many_heads: shape.heads,
    tokens: shape.tokens,
    one: size(one, 'n² · 字节'),
    one_layer: size(one * shape.heads.value, 'n² · 字节 · 头数'),
    all: size(all, 'n² · 字节 · 头数 · 层数'),
    all_double: size(2 * all, '2 · n² · 字节 · 头数 · 层数'),
    all_long: size(16 * all, '(4n)² · 字节 · 头数 · 层数'),
    window,
    long,
    saving: times(long.value ** 2 / pairs, 'n² ÷ 看得见的对数'),
    saving_causal: times((long.value * (long.value + 1)) / 2 / pairs, '因果的对数 ÷ 看得见的对数'),
  };
});
