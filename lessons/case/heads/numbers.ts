// Numbers of the page about the eight heads: our records compared with the draft's.
import {defineNumbers, type NumberSpec} from '../../../web/site/numbers.js';

const RUNS = {a: 'small-scaled', b: 'small-scaled-20261015', c: 'small-scaled-20261016'} as const;
const HEADS = [0, 1, 2, 3, 4, 5, 6, 7];
const QUOTED = '书稿作者记录的一次训练：同样大小的模型，1500步，三段各24个字';

export default defineNumbers(({recorded, quoted, computed, given, format}) => {
  type Recorded = NumberSpec & {value: number};

  const statistic = (run: string, head: number, key: string, digits: number) =>
    recorded(run, ['portraits', 'heads', head, key], format.fixed(digits));
  const extreme = (pick: 'min' | 'max', of: Recorded[]): Recorded =>
    of.reduce((best, each) =>
      (pick === 'max' ? each.value > best.value : each.value < best.value) ? each : best,
    );
  const over = (run: string, head: number) => {
    const whole = recorded(run, ['validationLoss'], format.fixed(3));
    const without = recorded(run, ['validationLossWithout', head, 'loss'], format.fixed(3));
    return computed(without.value - whole.value, format.fixed(3), {
      formula: '关掉这个头的验证损失 − 原来的验证损失',
      from: {without, whole},
    });
  };

  const ofRun = (id: string, run: string): Record<string, NumberSpec> => {
    const all = (key: string, digits: number) => HEADS.map((i) => statistic(run, i, key, digits));
    const costs = HEADS.map((i) => over(run, i));
    return {
      [`${id}_seed`]: recorded(run, ['seed'], (value) => String(value)),
      [`${id}_loss`]: recorded(run, ['finalLoss'], format.fixed(2)),
      [`${id}_self`]: extreme('max', all('diagonal', 3)),
      [`${id}_previous`]: extreme('max', all('previous', 3)),
      [`${id}_near`]: extreme('min', all('distance', 2)),
      [`${id}_far`]: extreme('max', all('distance', 2)),
      [`${id}_first_least`]: extreme('min', costs.slice(0, 4)),
      [`${id}_first_most`]: extreme('max', costs.slice(0, 4)),
      [`${id}_second_most`]: extreme('max', costs.slice(4)),
    };
  };

  const head = (i: number): Record<string, NumberSpec> => {
    const name = `l${i < 4 ? 0 : 1}h${i % 4}`;
    return {
      [`${name}_entropy`]: statistic(RUNS.a, i, 'entropy', 3),
      [`${name}_self`]: statistic(RUNS.a, i, 'diagonal', 3),
      [`${name}_previous`]: statistic(RUNS.a, i, 'previous', 3),
      [`${name}_distance`]: statistic(RUNS.a, i, 'distance', 2),
      [`${name}_cost`]: over(RUNS.a, i),
    };
  };

  // A head that gives all n characters the same weight.
  const length = recorded(RUNS.a, ['portraits', 'positions'], format.integer);
  const n = length.value;
  let harmonic = 0;
  for (let i = 1; i <= n; ++i) harmonic += 1 / i;
  const even = (value: number, digits: number, formula: string) =>
    computed(value, format.fixed(digits), {formula, from: {n: length}});

  const width = recorded(RUNS.a, ['config', 'dModel'], format.integer);
  const heads = recorded(RUNS.a, ['config', 'nHeads'], format.integer);

  const packed = (keys: (string | number)[], as: Parameters<typeof recorded>[2]) =>
    recorded('small-scaled-packed', keys, as);

  return {
    ...HEADS.map(head).reduce((all, one) => ({...all, ...one})),
    ...ofRun('a', RUNS.a),
    ...ofRun('b', RUNS.b),
    ...ofRun('c', RUNS.c),

    width,
    heads,
    head_width: computed(width.value / heads.value, format.integer, {
      formula: 'd_model ÷ 头数',
      from: {d_model: width, heads},
    }),
    wrong_width: given(64, '切错的宽度'),

    pieces: recorded(RUNS.a, ['portraits', 'pieces'], format.integer),
    piece: length,
    even_entropy: even(1, 0, '每行平分，熵÷ln(看得见的字数)'),
    even_self: even(harmonic / n, 3, '(1 + 1/2 + … + 1/n) ÷ n'),
    even_previous: even((harmonic - 1) / (n - 1), 3, '(1/2 + … + 1/n) ÷ (n − 1)：第一行没有前一位'),
    even_previous_all: even((harmonic - 1) / n, 3, '(1/2 + … + 1/n) ÷ n：把第一行记作0'),
    even_distance: even((n - 1) / 4, 2, '各行平均距离i ÷ 2，再对n行平均：(n − 1) ÷ 4'),
    validation: recorded(RUNS.a, ['validationLoss'], format.fixed(3)),
    characters: recorded(RUNS.a, ['validationTokens'], format.integer),
    parameters: recorded(RUNS.a, ['parameters'], format.integer),
    steps: recorded(RUNS.a, ['stepsDone'], format.integer),
    block: recorded(RUNS.a, ['config', 'blockSize'], format.integer),
    unknown_share: recorded(RUNS.a, ['unknownShare'], format.percent(1)),

    quoted_self: quoted(0.769, format.fixed(3), {source: QUOTED}),
    quoted_previous: quoted(0.45, format.fixed(3), {source: QUOTED}),
    quoted_near: quoted(1.2, format.fixed(2), {source: QUOTED}),
    quoted_far: quoted(4.61, format.fixed(2), {source: QUOTED}),
    quoted_loss: quoted(4.0, format.fixed(2), {source: QUOTED}),
    quoted_uniform: quoted(11.5, format.fixed(1), {source: QUOTED}),
    quoted_characters: quoted(25.5, (value) => `${value}万`, {source: QUOTED}),
    own_characters: given(237_760, '语料字数，不计换行', format.integer),

    weights_raw: packed(['rawBytes'], format.bytes),
    weights_bytes: packed(['bytes'], format.bytes),
    weights_binary: packed(['bytes'], format.binary),
    loss_before: packed(['validationLoss', 'before'], format.fixed(4)),
    loss_after: packed(['validationLoss', 'after'], format.fixed(4)),
    loss_cost: packed(['validationLoss', 'cost'], format.fixed(4)),
  };
});
