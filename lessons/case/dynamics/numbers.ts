// Numbers of the page about the course of training, all read from the recorded runs.
import {defineNumbers, type Format, type NumberSpec} from '../../../web/site/numbers.js';

const SEEDS = ['', '-20261015', '-20261016'];
const EVERY = 74;
/** Steps of the losses' record, one in ten, and of the diagnostics. */
const LOSS_STEPS = [0, 100, 200, 500, 1000, 1490];
const PATH_STEPS = [0, 74, 222, 444, 888, 1480];
const HEAD_STEPS = [0, 222, 444, 518, 666, 888, 1480];
const THRESHOLD = 0.01;
const TOKENS = 24;
const PAIRS = {ss: 'small-scaled', su: 'small-unscaled', ls: 'large-scaled', lu: 'large-unscaled'};
type Spec = NumberSpec & {value: number};

export default defineNumbers(({core, recorded, computed, given, format}) => {
  const {fixed, general, integer} = format;
  const small = 'small-scaled';
  const mean = (specs: Spec[]) => specs.reduce((sum, {value}) => sum + value, 0) / specs.length;
  const ratio = (after: Spec, before: Spec, as: Format) =>
    computed(after.value / before.value, as, {formula: '练之后 ÷ 练之前', from: {after, before}});
  const difference = (before: Spec, after: Spec) =>
    computed(before.value - after.value, fixed(2), {formula: '前 − 后', from: {before, after}});

  const lossAt = (run: string, step: number) => ({
    step: recorded(run, ['losses', step / 10, 0], integer),
    loss: recorded(run, ['losses', step / 10, 1], fixed(2)),
  });
  const losses = LOSS_STEPS.map((step) => lossAt(small, step));
  const diagnostic = (run: string, step: number, key: string, as: Format) =>
    recorded(run, ['diagnostics', step / EVERY, key], as);
  const path = PATH_STEPS.map((step) => ({
    step: diagnostic(small, step, 'step', integer),
    h: diagnostic(small, step, 'entropy', fixed(3)),
    std: diagnostic(small, step, 'logitDeviation', fixed(2)),
    j: diagnostic(small, step, 'jacobianNorm', fixed(3)),
  }));

  // Growth from before to after, and the part that the growth of q and k does not explain.
  const scale = (run: string, when: string, key: string, as: Format) =>
    recorded(run, ['scales', when, key], as);
  const growth = (run: string) => {
    const times = (key: string) =>
      ratio(
        scale(run, 'after', key, general(3)),
        scale(run, 'before', key, general(3)),
        general(3),
      );
    const [q, k, scores] = [
      times('queryDeviation'),
      times('keyDeviation'),
      times('logitDeviation'),
    ];
    return {
      product: computed(q.value * k.value, general(3), {
        formula: 'q的倍数 · k的倍数',
        from: {q, k},
      }),
      scores,
      rest: computed(scores.value / (q.value * k.value), fixed(1), {
        formula: '分数的倍数 ÷ (q的倍数 · k的倍数)',
        from: {scores, q, k},
      }),
    };
  };
  const ofPair = ([name, run]: [string, string]): [string, NumberSpec][] => {
    const both = (letter: string, key: string, as: (when: number) => Format) =>
      ['before', 'after'].map((when, i): [string, NumberSpec] => [
        `${name}_${letter}${i}`,
        scale(run, when, key, as(i)),
      ]);
    const wide = (when: number) => (name === 'lu' && when === 1 ? integer : fixed(2));
    return [
      ...both('q', 'queryDeviation', () => fixed(2)),
      ...both('k', 'keyDeviation', () => fixed(2)),
      ...both('s', 'logitDeviation', wide),
      ...both('w', 'qkvNorm', () => fixed(1)),
      ...Object.entries(growth(run)).map(([key, spec]): [string, NumberSpec] => [
        `${name}_${key}`,
        spec,
      ]),
    ];
  };
  const rests = Object.values(PAIRS)
    .flatMap((run) => SEEDS.map((seed) => growth(run + seed).rest))
    .sort((a, b) => a.value - b.value);

  /** The first record of a run without ÷√d whose entropy is below the threshold. */
  const collapse = (seed: string) => {
    const run = PAIRS.lu + seed;
    const at = Array.from({length: 21}, (_, i) => i).find(
      (i) => recorded(run, ['diagnostics', i, 'entropy'], fixed(4)).value < THRESHOLD,
    )!;
    return recorded(run, ['diagnostics', at, 'step'], integer);
  };
  const norms = Array.from({length: 20}, (_, i) =>
    recorded(PAIRS.lu, ['gradientNorms', 131 + i, 1], fixed(2)),
  ).sort((a, b) => a.value - b.value);

  // The weights of L0H1 on the verse: row by row, each row up to its own position.
  const weightOf = (step: number, back: number) => {
    const cells = Array.from({length: TOKENS - back}, (_, i) => {
      const row = i + back;
      const key = ['moments', step / EVERY, 'maps', 1, 'weights', (row * (row + 1)) / 2 + i];
      return recorded(`${small}-moments`, key, integer);
    });
    return computed(mean(cells) / 1000, fixed(2), {
      formula: back === 0 ? '各行放在自己身上的权重，取平均' : '各行放在前一位的权重，取平均',
      from: {first_row: cells[0]!, last_row: cells.at(-1)!},
    });
  };
  const heads = HEAD_STEPS.map((step) => ({
    step: recorded(`${small}-moments`, ['moments', step / EVERY, 'steps'], integer),
    previous: weightOf(step, 1),
    self: weightOf(step, 0),
  }));

  const numbered = (prefix: string, rows: Record<string, NumberSpec>[]) =>
    Object.fromEntries(
      rows.flatMap((row, i) =>
        Object.entries(row).map(([key, spec]) => [`${prefix}_${key}_${i}`, spec]),
      ),
    );
  const vocabulary = recorded(small, ['config', 'vocabSize'], integer);
  const block = recorded(small, ['config', 'blockSize'], integer);
  const last = path.at(-1)!;
  const settled = (run: string) =>
    SEEDS.map((seed) => scale(run + seed, 'after', 'logitDeviation', fixed(1)));
  const letters = (prefix: string, specs: NumberSpec[]) =>
    Object.fromEntries(specs.map((spec, i) => [`${prefix}_${'abc'[i]}`, spec]));
  return {
    every: given(EVERY, '每隔多少步记一次诊断'),
    seed: recorded(small, ['seed'], format.plain),
    batch: recorded(small, ['batchSize'], integer),
    block,
    vocabulary,
    know_nothing: computed(core.log(vocabulary.value), fixed(2), {
      formula: 'ln 词表',
      from: {vocabulary},
    }),
    ...Object.fromEntries(
      losses.flatMap(({step, loss}, i) => [
        [`loss_step_${i}`, step],
        [`loss_${i}`, loss],
      ]),
    ),
    early_fall: difference(losses[0]!.loss, losses[2]!.loss),
    late_steps: computed(losses[5]!.step.value - losses[4]!.step.value, integer, {
      formula: '末一次的步数 − 前一次的步数',
      from: {last: losses[5]!.step, before: losses[4]!.step},
    }),
    late_fall: difference(losses[4]!.loss, losses[5]!.loss),
    ...numbered('path', path),
    effective: computed(block.value ** last.h.value, integer, {
      formula: 'n^H：熵是ln(看得见的位置)的几成',
      from: {n: block, H: last.h},
    }),
    flat_jacobian: computed(
      Array.from({length: block.value}, (_, i) => Math.sqrt(i) / (i + 1)).reduce((a, b) => a + b) /
        block.value,
      fixed(3),
      {formula: '√(n−1) ÷ n，n从1到窗口长，取平均', from: {block}},
    ),
    threshold: given(THRESHOLD, '熵低于它算饱和'),
    ...letters('collapse', SEEDS.map(collapse)),
    bad_step_early: lossAt(PAIRS.lu, 200).step,
    bad_loss_early: lossAt(PAIRS.lu, 200).loss,
    bad_step_late: lossAt(PAIRS.lu, 1490).step,
    bad_loss_late: lossAt(PAIRS.lu, 1490).loss,
    norm_records: given(norms.length, '末尾取几次记录'),
    norm_least: norms[0]!,
    norm_most: norms.at(-1)!,
    start_scaled: diagnostic(PAIRS.ls, 0, 'logitDeviation', fixed(2)),
    start_unscaled: diagnostic(PAIRS.lu, 0, 'logitDeviation', fixed(2)),
    end_scaled: diagnostic(PAIRS.ls, 1480, 'logitDeviation', fixed(1)),
    ...Object.fromEntries(Object.entries(PAIRS).flatMap(ofPair)),
    rest_least: rests[0]!,
    rest_most: rests.at(-1)!,
    ...letters('settle_small', settled(PAIRS.ss)),
    ...letters('settle_large', settled(PAIRS.ls)),
    lu_train: recorded(PAIRS.lu, ['diagnostics', 21, 'logitDeviation'], integer),
    ...numbered('head', heads),
    head_rest: computed(1500 - heads[4]!.step.value, integer, {
      formula: '全部的步数 − 这一步',
      from: {steps: recorded(small, ['steps'], integer), step: heads[4]!.step},
    }),
  };
});
