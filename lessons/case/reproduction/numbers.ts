// Numbers of the page about the distance to the source's losses: two choices, two ways each.
import {defineNumbers, type NumberSpec} from '../../../web/site/numbers.js';

type Spec = NumberSpec & {value: number};
const SEEDS = ['', '-20261015', '-20261016'];
const LETTERS = ['a', 'b', 'c'];
const QUOTED = 4.0;
const LAST = 50;
const runOf = {
  zero: (seed: string) => `small-scaled${seed}`,
  uniform: (seed: string) => `runs/protocol-small-scaled-poems-uniform${seed}`,
  couplets: (seed: string) => `runs/protocol-small-scaled-couplets-zero${seed}`,
  both: (seed: string) => `runs/protocol-small-scaled-couplets-uniform${seed}`,
};

export default defineNumbers(({recorded, quoted, computed, given, format}) => {
  const {fixed, integer, percent, plain} = format;
  const loss = (run: string) => recorded(run, ['finalLoss'], fixed(2));
  const named = (specs: readonly Spec[]) =>
    Object.fromEntries(specs.map((spec, i) => [LETTERS[i]!, spec]));
  const letters = (name: string, specs: readonly Spec[]) =>
    Object.fromEntries(specs.map((spec, i) => [`${name}_${LETTERS[i]!}`, spec]));
  const mean = (specs: readonly Spec[]) =>
    computed(specs.reduce((sum, {value}) => sum + value, 0) / specs.length, fixed(2), {
      formula: '三个种子的平均',
      from: named(specs),
    });
  const sorted = (specs: readonly Spec[]) => [...specs].sort((a, b) => a.value - b.value);
  const difference = (to: Spec, from: Spec, formula: string) =>
    computed(to.value - from.value, fixed(2), {formula, from: {to, from}});

  const losses = Object.fromEntries(
    Object.entries(runOf).map(([name, run]) => [name, SEEDS.map((seed) => loss(run(seed)))]),
  ) as Record<keyof typeof runOf, Spec[]>;
  const means = Object.fromEntries(
    Object.entries(losses).map(([name, specs]) => [name, mean(specs)]),
  ) as Record<keyof typeof runOf, Spec>;
  const grid = Object.entries(losses).flatMap(([name, specs]) => {
    const [least, , most] = sorted(specs) as [Spec, Spec, Spec];
    return [
      [`${name}_least`, least],
      [`${name}_most`, most],
      [`${name}_mean`, means[name as keyof typeof runOf]],
      [
        `${name}_drop`,
        difference(means.zero, means[name as keyof typeof runOf], '我们的平均 − 这一种的平均'),
      ],
    ] as const;
  });
  const change = (name: string, to: readonly Spec[], from: readonly Spec[]) => {
    const pairs = to.map((spec, i) => difference(spec, from[i]!, '换了的 − 没换的'));
    return {...letters(name, pairs), [`${name}_mean`]: mean(pairs)};
  };
  const source = quoted(QUOTED, fixed(2), {source: '书稿的训练记录，d＝32，除以√d'});
  const [least, , most] = sorted(losses.zero) as [Spec, Spec, Spec];
  const parts = (name: string, run: string) => ({
    [`${name}_share`]: recorded(run, ['lossByTarget', 'unknownShare'], percent(1)),
    [`${name}_unknown`]: recorded(run, ['lossByTarget', 'unknown'], fixed(2)),
    [`${name}_others`]: recorded(run, ['lossByTarget', 'others'], fixed(2)),
    [`${name}_all`]: loss(run),
  });
  return {
    ...Object.fromEntries(grid),
    ...letters('zero', losses.zero),
    quoted: source,
    over_least: difference(least, source, '最低的 − 书稿'),
    over_most: difference(most, source, '最高的 − 书稿'),
    zero_spread: difference(most, least, '三个种子里最大的 − 最小的'),
    ...change('bias', losses.uniform, losses.zero),
    ...change('bias2', losses.both, losses.couplets),
    ...change('text', losses.couplets, losses.zero),
    ...change('text2', losses.both, losses.uniform),
    ...parts('ours', runOf.uniform('')),
    ...parts('theirs', runOf.both('')),
    ...letters(
      'seed',
      SEEDS.map((seed) => recorded(runOf.uniform(seed), ['seed'], plain)),
    ),
    steps: recorded('small-scaled', ['steps'], integer),
    count: given(SEEDS.length, '种子数', integer),
    last: given(LAST, '取平均的步数', integer),
  };
});
