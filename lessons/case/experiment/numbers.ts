// Numbers of the experiment that did not reproduce: three seeds of each pair, compared with the
// draft's.
import {defineNumbers, type Format, type NumberSpec} from '../../../web/site/numbers.js';

const SEEDS = {a: '', b: '-20261015', c: '-20261016'} as const;
const KINDS = ['scaled', 'unscaled'] as const;
type Size = 'small' | 'large';
type Kind = (typeof KINDS)[number];
type Seed = keyof typeof SEEDS;
type Numbers = Record<string, NumberSpec>;

/** Steps between two records of the diagnostics. */
const EVERY = 74;
const COLLAPSED = 222;
/** The draft's last recorded step, and the step from which the range of ‖J‖ is given. */
const COMPARED = 1480;
const SETTLED = 740;
const SOURCE = '书稿作者记录的训练：同样大小的模型，1500步，一个种子';

/** The draft's losses at the end. */
const CHAPTER_LOSS: Record<Size, Record<Kind, number>> = {
  small: {scaled: 4, unscaled: 4.17},
  large: {scaled: 4.23, unscaled: 5.18},
};
/** The draft's large model: step, then H, standard deviation and ‖J‖ without and with ÷√d. */
const CHAPTER_STEPS: [number, [number, number, number], [number, number, number]][] = [
  [0, [0.712, 1.63, 0.2975], [0.9985, 0.1, 0.2017]],
  [222, [0.0022, 982.9, 0.00471], [0.6437, 2.21, 0.3029]],
  [444, [0.0003, 3176.5, 0.00051], [0.6754, 1.62, 0.2938]],
  [888, [0.0001, 5416.2, 0.0002], [0.5714, 1.75, 0.2996]],
  [1480, [0.0001, 5458.8, 0.00008], [0.5745, 1.78, 0.3089]],
];

export default defineNumbers(({core, scaling, recorded, quoted, computed, given, format}) => {
  const {fixed, general, integer} = format;
  const runOf = (size: Size, kind: Kind, seed: Seed) => `${size}-${kind}${SEEDS[seed]}`;
  const seeds = Object.keys(SEEDS) as Seed[];
  const loss = (size: Size, kind: Kind, seed: Seed) =>
    recorded(runOf(size, kind, seed), ['finalLoss'], fixed(2));
  const at = (run: string, step: number, key: string, as: Format) =>
    recorded(run, ['diagnostics', step / EVERY, key], as);
  const last = (run: string, key: string, as: Format) =>
    recorded(run, ['diagnostics', 21, key], as);
  const mean = (values: (NumberSpec & {value: number})[], what: string) =>
    computed(values.reduce((sum, {value}) => sum + value, 0) / values.length, fixed(2), {
      formula: `三个种子的${what}，取平均`,
      from: Object.fromEntries(values.map((value, i) => [`seed_${i + 1}`, value])),
    });
  const gap = (size: Size, seed: Seed) => {
    const [scaled, unscaled] = [loss(size, 'scaled', seed), loss(size, 'unscaled', seed)];
    return computed(unscaled.value - scaled.value, fixed(2), {
      formula: '不缩放的损失 − 缩放的损失',
      from: {unscaled, scaled},
    });
  };

  const ofSize = (size: Size): Numbers => {
    const gaps = seeds.map((seed) => gap(size, seed));
    const values = gaps.map(({value}) => value);
    const width = recorded(runOf(size, 'scaled', 'a'), ['config', 'dModel'], integer);
    const heads = recorded(runOf(size, 'scaled', 'a'), ['config', 'nHeads'], integer);
    const head = computed(width.value / heads.value, integer, {
      formula: '模型宽度 ÷ 头数',
      from: {width, heads},
    });
    const theirs = CHAPTER_LOSS[size];
    const [own, other] = [
      quoted(theirs.scaled, fixed(2), {source: SOURCE}),
      quoted(theirs.unscaled, fixed(2), {source: SOURCE}),
    ];
    return {
      ...Object.fromEntries(
        seeds.flatMap((seed, i) => [
          [`${size}_${seed}_scaled`, loss(size, 'scaled', seed)],
          [`${size}_${seed}_unscaled`, loss(size, 'unscaled', seed)],
          [`${size}_${seed}_gap`, gaps[i]!],
          ...KINDS.flatMap((kind) => {
            const run = runOf(size, kind, seed);
            return [
              [
                `${size}_${seed}_${kind}_end_h`,
                last(run, 'entropy', fixed(size === 'large' && kind === 'unscaled' ? 4 : 2)),
              ],
              [
                `${size}_${seed}_${kind}_end_j`,
                last(run, 'jacobianNorm', fixed(size === 'large' && kind === 'unscaled' ? 4 : 2)),
              ],
            ] as const;
          }),
        ]),
      ),
      [`${size}_gap`]: mean(gaps, '差'),
      [`${size}_gap_least`]: gaps[values.indexOf(Math.min(...values))]!,
      [`${size}_gap_most`]: gaps[values.indexOf(Math.max(...values))]!,
      ...Object.fromEntries(
        KINDS.map((kind) => [
          `${size}_${kind}`,
          mean(
            seeds.map((seed) => loss(size, kind, seed)),
            '损失',
          ),
        ]),
      ),
      [`${size}_quoted_scaled`]: own,
      [`${size}_quoted_unscaled`]: other,
      [`${size}_quoted_gap`]: computed(theirs.unscaled - theirs.scaled, fixed(2), {
        formula: '不缩放的损失 − 缩放的损失',
        from: {unscaled: other, scaled: own},
      }),
      [`${size}_width`]: width,
      [`${size}_head`]: head,
      [`${size}_ff`]: recorded(runOf(size, 'scaled', 'a'), ['config', 'dFf'], integer),
      [`${size}_parameters`]: recorded(runOf(size, 'scaled', 'a'), ['parameters'], integer),
      [`${size}_start`]: at(runOf(size, 'unscaled', 'a'), 0, 'logitDeviation', fixed(2)),
      [`${size}_start_h`]: at(runOf(size, 'unscaled', 'a'), 0, 'entropy', fixed(2)),
      [`${size}_expected`]: computed(
        width.value * sigma.value ** 2 * Math.sqrt(head.value),
        fixed(2),
        {
          formula: '模型宽度 · σ² · √d',
          from: {width, sigma, head},
        },
      ),
    };
  };

  const sigma = given(0.02, 'core/gpt/gpt.cpp · kStartDeviation');

  // The large model during training, compared with the draft's.
  const ours = {
    h: ['entropy', fixed(4)],
    std: ['logitDeviation', general(4)],
    j: ['jacobianNorm', fixed(5)],
  } as const;
  const names = ['h', 'std', 'j'] as const;
  const path = Object.fromEntries(
    CHAPTER_STEPS.flatMap(([step, unscaled, scaled]) =>
      names.flatMap((name, i) =>
        (
          [
            ['unscaled', unscaled],
            ['scaled', scaled],
          ] as const
        ).flatMap(([kind, theirs]) => [
          [
            `${kind}_${step}_${name}`,
            at(runOf('large', kind, 'a'), step, ours[name][0], ours[name][1]),
          ],
          [`${kind}_${step}_${name}_quoted`, quoted(theirs[i]!, format.plain, {source: SOURCE})],
        ]),
      ),
    ),
  );
  /** The factor by which ‖J‖ has fallen since step 0 without ÷√d, at a recorded step. */
  const fall = (seed: Seed, step: number) => {
    const run = runOf('large', 'unscaled', seed);
    const first = at(run, 0, 'jacobianNorm', fixed(4));
    const then = at(run, step, 'jacobianNorm', fixed(5));
    return computed(first.value / then.value, integer, {
      formula: `‖J‖：第0步 ÷ 第${step}步`,
      from: {first, then},
    });
  };
  const ofSeed = (seed: Seed): Numbers => {
    const run = runOf('large', 'unscaled', seed);
    return {
      [`${seed}_seed`]: recorded(run, ['seed'], format.plain),
      [`${seed}_early_h`]: at(run, EVERY, 'entropy', fixed(3)),
      [`${seed}_h`]: at(run, COLLAPSED, 'entropy', fixed(4)),
      [`${seed}_j`]: at(run, COLLAPSED, 'jacobianNorm', fixed(4)),
      [`${seed}_std`]: at(run, COLLAPSED, 'logitDeviation', integer),
      [`${seed}_steady_h`]: at(runOf('large', 'scaled', seed), COLLAPSED, 'entropy', fixed(2)),
      [`${seed}_steady_j`]: at(runOf('large', 'scaled', seed), COLLAPSED, 'jacobianNorm', fixed(2)),
      [`${seed}_steady_std`]: at(
        runOf('large', 'scaled', seed),
        COLLAPSED,
        'logitDeviation',
        fixed(1),
      ),
      [`${seed}_fall`]: fall(seed, COMPARED),
    };
  };
  /** The smallest or largest value of all records from the collapse on, in the three runs. */
  const extreme = (kind: Kind, key: string, pick: 'min' | 'max', as: Format) => {
    const all = seeds.flatMap((seed) =>
      Array.from({length: 22 - COLLAPSED / EVERY}, (_, i) =>
        recorded(runOf('large', kind, seed), ['diagnostics', COLLAPSED / EVERY + i, key], as),
      ),
    );
    return all.reduce((best, each) =>
      (pick === 'max' ? each.value > best.value : each.value < best.value) ? each : best,
    );
  };

  // Untrained models: the measured deviation compared with σ²·d^1.5.
  const DIMS = [32, 64, 128, 256, 512];
  const rows = DIMS.map((_, i) => {
    const d = recorded('init-sweep', ['rows', i, 'd'], integer);
    const measured = recorded('init-sweep', ['rows', i, 'unscaled', 'logitDeviation'], fixed(3));
    const predicted = computed(sigma.value ** 2 * d.value * Math.sqrt(d.value), fixed(3), {
      formula: 'σ² · d^1.5',
      from: {sigma, d},
    });
    return {d, measured, predicted};
  });
  const sweep = rows.reduce<Numbers>((all, {d, measured, predicted}, i) => {
    const n = DIMS[i]!;
    return {
      ...all,
      [`sweep_${n}_d`]: d,
      [`sweep_${n}_models`]: recorded('init-sweep', ['rows', i, 'models'], integer),
      [`sweep_${n}_root`]: computed(Math.sqrt(d.value), fixed(2), {formula: '√d', from: {d}}),
      [`sweep_${n}_predicted`]: predicted,
      [`sweep_${n}_measured`]: measured,
      [`sweep_${n}_ratio`]: computed(measured.value / Math.sqrt(d.value), fixed(3), {
        formula: '实测 ÷ √d',
        from: {measured, d},
      }),
      [`sweep_${n}_h`]: recorded('init-sweep', ['rows', i, 'unscaled', 'entropy'], fixed(3)),
    };
  }, {});
  const off = rows.map(({measured, predicted}) => Math.abs(measured.value / predicted.value - 1));
  const farthest = rows[off.indexOf(Math.max(...off))]!;
  const [start, end] = [rows[0]!, rows.at(-1)!];
  const [quarter, whole] = [rows[1]!, rows[3]!];

  const falls = seeds
    .flatMap((seed) =>
      Array.from({length: (COMPARED - SETTLED) / EVERY + 1}, (_, i) =>
        fall(seed, SETTLED + i * EVERY),
      ),
    )
    .sort((one, other) => one.value - other.value);
  const [jBefore, jAfter] = [path['unscaled_0_j_quoted']!, path['unscaled_1480_j_quoted']!];
  const vocabulary = recorded('small-scaled', ['config', 'vocabSize'], integer);

  return {
    ...ofSize('small'),
    ...ofSize('large'),
    ...path,
    ...ofSeed('a'),
    ...ofSeed('b'),
    ...ofSeed('c'),
    ...sweep,
    steps: recorded('small-scaled', ['steps'], integer),
    collapsed: given(COLLAPSED, '看的是哪一步'),
    early: given(EVERY, '每隔多少步记一次诊断'),
    vocabulary,
    know_nothing: computed(core.log(vocabulary.value), fixed(2), {
      formula: 'ln 词表',
      from: {vocabulary},
    }),
    most_h: extreme('unscaled', 'entropy', 'max', fixed(4)),
    most_j: extreme('unscaled', 'jacobianNorm', 'max', fixed(4)),
    steady_least_h: extreme('scaled', 'entropy', 'min', fixed(2)),
    steady_most_h: extreme('scaled', 'entropy', 'max', fixed(2)),
    steady_least_j: extreme('scaled', 'jacobianNorm', 'min', fixed(2)),
    steady_most_j: extreme('scaled', 'jacobianNorm', 'max', fixed(2)),
    sigma,
    sweep_off: computed(Math.max(...off), format.percent(1), {
      formula: '|实测 ÷ 预测 − 1|，五种d里最大的',
      from: farthest,
    }),
    slope: computed(
      scaling.logSlope(start.d.value, start.measured.value, end.d.value, end.measured.value),
      fixed(2),
      {formula: '双对数图上首尾两点的斜率', from: {start: start.measured, end: end.measured}},
    ),
    times_predicted: computed(whole.predicted.value / quarter.predicted.value, integer, {
      formula: '(256 ÷ 64)^1.5',
      from: {d_256: whole.d, d_64: quarter.d},
    }),
    times_measured: computed(whole.measured.value / quarter.measured.value, fixed(2), {
      formula: 'd＝256的标准差 ÷ d＝64的标准差',
      from: {d_256: whole.measured, d_64: quarter.measured},
    }),
    compared: given(COMPARED, '比的是哪一步'),
    settled: given(SETTLED, '从哪一步起取范围'),
    least_fall: falls[0]!,
    most_fall: falls.at(-1)!,
    quoted_fall: computed(
      Number(jBefore.value) / Number(jAfter.value),
      (ratio) => integer(100 * Math.round(Number(ratio) / 100)),
      {
        formula: '书稿的‖J‖：第0步 ÷ 第1480步',
        from: {first: jBefore, end: jAfter},
      },
    ),
    quoted_wrong_d32: quoted(0.0128, fixed(4), {source: '书稿给d＝32的预测'}),
    quoted_wrong_h: quoted(0.0004, fixed(4), {source: '书稿正文给的末尾的熵'}),
    own_characters: given(237_760, '语料字数，不计换行', integer),
    quoted_characters: quoted(25.5, (value) => `${value}万`, {source: SOURCE}),
  };
});
