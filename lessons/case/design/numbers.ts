// Numbers of the page about the design of an experiment: pairs of runs and the noise of seeds.
import {defineNumbers, type NumberSpec} from '../../../web/site/numbers.js';

const SEEDS = ['', '-20261015', '-20261016'];
type Spec = NumberSpec & {value: number};

export default defineNumbers(({core, scaling, recorded, computed, given, format}) => {
  const {fixed, integer} = format;
  const loss = (run: string) => recorded(run, ['finalLoss'], fixed(2));
  const gapOf = (size: string, seed: string) => {
    const [scaled, unscaled] = [loss(`${size}-scaled${seed}`), loss(`${size}-unscaled${seed}`)];
    return computed(unscaled.value - scaled.value, fixed(2), {
      formula: '不除的损失 − 除的损失',
      from: {unscaled, scaled},
    });
  };
  const scaled = SEEDS.map((seed) => loss(`small-scaled${seed}`));
  const unscaled = SEEDS.map((seed) => loss(`small-unscaled${seed}`));
  const gaps = SEEDS.map((seed) => gapOf('small', seed));
  const sorted = (specs: Spec[]) => [...specs].sort((one, other) => one.value - other.value);
  const spread = (specs: Spec[]) => {
    const [least, , most] = sorted(specs) as [Spec, Spec, Spec];
    return computed(most.value - least.value, fixed(2), {
      formula: '三个种子里最大的 − 最小的',
      from: {most, least},
    });
  };
  const letters = (prefix: string, specs: NumberSpec[]) =>
    Object.fromEntries(specs.map((spec, i) => [`${prefix}_${'abc'[i]}`, spec]));
  const parameters = ['small', 'large'].map((size) =>
    recorded(`${size}-scaled`, ['parameters'], integer),
  );
  const [small, large] = parameters as [Spec, Spec];
  const vocabulary = recorded('small-scaled', ['config', 'vocabSize'], integer);
  const [best, worst] = [sorted(unscaled)[0]!, sorted(scaled)[2]!];
  const row = (i: number) => ({
    d: recorded('init-sweep', ['rows', i, 'd'], integer),
    models: recorded('init-sweep', ['rows', i, 'models'], integer),
    std: recorded('init-sweep', ['rows', i, 'unscaled', 'logitDeviation'], fixed(3)),
  });
  const [narrow, wide] = [row(0), row(4)];
  return {
    size_times: computed(large.value / small.value, fixed(1), {
      formula: '大模型的参数 ÷ 小模型的参数',
      from: {large, small},
    }),
    loss: scaled[0]!,
    vocabulary,
    know_nothing: computed(core.log(vocabulary.value), fixed(2), {
      formula: 'ln 词表',
      from: {vocabulary},
    }),
    ...letters(
      'seed',
      SEEDS.map((seed) => recorded(`small-scaled${seed}`, ['seed'], format.plain)),
    ),
    ...letters('scaled', scaled),
    ...letters('unscaled', unscaled),
    ...letters('gap', gaps),
    ...letters(
      'large',
      SEEDS.map((seed) => gapOf('large', seed)),
    ),
    spread_scaled: spread(scaled),
    spread_unscaled: spread(unscaled),
    spread_gap: spread(gaps),
    gap_least: sorted(gaps)[0]!,
    gap_most: sorted(gaps)[2]!,
    gap_mean: computed(gaps.reduce((sum, {value}) => sum + value, 0) / gaps.length, fixed(2), {
      formula: '三个差的平均',
      from: letters('gap', gaps),
    }),
    worst_pair: computed(best.value - worst.value, fixed(2), {
      formula: '不除的里面最低的 − 除的里面最高的',
      from: {best, worst},
    }),
    narrow: narrow.d,
    narrow_models: narrow.models,
    wide: wide.d,
    wide_models: wide.models,
    slope: computed(
      scaling.logSlope(narrow.d.value, narrow.std.value, wide.d.value, wide.std.value),
      fixed(2),
      {formula: '双对数图上首尾两点的斜率', from: {start: narrow.std, end: wide.std}},
    ),
    clip: given(1, 'core/gpt/trainer.h · clip'),
  };
});
