import {beforeAll, describe, expect, it} from 'vitest';
import {AttnSoftmax} from '../../web/elements/attn-softmax.js';
import type {SoftmaxState} from '../../web/elements/attn-softmax/state.js';
import type {Resources} from '../../web/shared/runtime.js';
import {defaults} from '../../web/shared/schema.js';
import {composeFigure} from '../../web/site/figures.js';
import {drawTemplate} from '../../web/site/draw.js';
import {resourcesFromBuild} from './load-core.js';
import {randomFrom} from './random-state.js';

const {spec} = AttnSoftmax;
let resources: Resources;

beforeAll(async () => {
  resources = await resourcesFromBuild();
});

function show(patch: Partial<SoftmaxState>) {
  const state = {...defaults<SoftmaxState>(spec.schema), ...patch};
  const result = spec.compute(resources, state, undefined);
  const table = spec.table(state, result);
  return {
    state,
    result,
    says: spec.says(state, result),
    weights: table.rows.map((row: readonly string[]) => row.at(-1)),
  };
}

const fruit = {scores: [10, 3, -4], labels: ['苹果', '梨', '汽车']};

describe('attn-softmax', () => {
  // e⁸, e⁷, e⁹ = 2980.96, 1096.63, 8103.08 of 12180.68
  it('gives 8, 7, 9 their softmax and says how a gap of one becomes a factor of e', () => {
    const {weights, says} = show({});
    expect(weights).toEqual(['24.5 %', '9.0 %', '66.5 %']);
    expect(says).toContain('「丙」比「甲」高1分，权重是它的2.72倍');
  });

  // −4 ÷ (10 + 3 − 4)
  it('shows a negative share and says why it is not a weight', () => {
    const {weights, says} = show({...fruit, method: 'share'});
    expect(weights).toEqual(['111.1 %', '33.3 %', '−44.4 %']);
    expect(says).toContain('「汽车」分到−44.4 %');
    expect(says).toContain('不能小于0');
  });

  it('says that a division by a sum of 0 is undefined', () => {
    expect(show({scores: [1, -1], method: 'share'}).says).toContain('无定义');
    expect(show({scores: [2, 2], method: 'shift'}).says).toContain('无定义');
  });

  // (s − min): 14, 7, 0, then with −11: 21, 14, 7, 0
  it(
    'lets an unrelated token change the split under the shifted share, and not under ' + 'softmax',
    () => {
      const four = {scores: [10, 3, -4, -11], labels: [...fruit.labels, '石头']};
      expect(show({...four, method: 'shift'}).says).toContain(
        '没有「石头」时「苹果」和「梨」之比是2.00 : 1，有它是1.50 : 1',
      );
      const {ratio} = show({...four, scores: [3, 2, 1, 0]}).result;
      expect(ratio!.withLast).toBeCloseTo(Math.E, 12);
      expect(ratio!.withoutLast).toBeCloseTo(Math.E, 12);
    },
  );

  it.each([[[1000, -1000, 0]], [[88.8, 100, 102]]])('never shows NaN for %j', (scores) => {
    for (const stable of [true, false]) {
      for (const precision of ['float32', 'float64'] as const) {
        const {weights, says, result} = show({scores, stable, precision});
        expect(`${weights.join()} ${says}`).not.toMatch(/NaN|Infinity|undefined/);
        if (stable) expect(result.trace.valid).toBe(true);
      }
    }
    const naive = show({scores, stable: false, precision: 'float32'});
    expect(naive.weights).toContain('无定义');
    expect(naive.says).toContain('溢出');
  });

  it('accepts one token, 200 tokens, and a constant that changes nothing', () => {
    expect(show({scores: [-3]}).says).toContain('100.0 %');
    const many = show({scores: Array.from({length: 200}, (_, i) => i / 10)});
    expect(many.result.trace.weights.reduce((sum, {value}) => sum + value, 0)).toBeCloseTo(1, 12);
    expect(show({offset: 5}).weights).toEqual(show({}).weights);
  });

  // 2^s = e^(s·ln 2): gaps of one become factors of two
  it('uses powers of two at temperature 1/ln 2', () => {
    const {trace} = show({scores: [1, 0], temperature: 1 / Math.LN2}).result;
    expect(trace.weights[0]!.value).toBeCloseTo(2 / 3, 12);
  });

  it('draws one picture with the same numbers, which can be exported', async () => {
    const {state, result, says} = show({...fruit, method: 'share'});
    const file = composeFigure(await drawTemplate(spec.view(state, result)), {
      title: '分数到权重',
      description: says,
    });
    expect(file).toContain('−44.4 %');
    expect(file).toContain('<title>分数到权重</title>');
    expect(file).not.toMatch(/var\(|<!--|NaN|style=/);
  });

  // 2000 leads the second score, 500, by 1500; both others have weight exactly 0
  it('measures the lead over the second score, at any index', () => {
    expect(show({scores: [0, 500, 2000]}).says).toContain('比第二名高1,500分');
  });

  // 1e308 − (−1e308) and 1e308 + 1e308 are above 1.8e308
  it('names the overflow and prints no infinity', () => {
    expect(show({scores: [-1e308, 0, 1e308]}).says).toContain('比第二名高1.00×10³⁰⁸分');
    expect(show({scores: [-1e308, 1e308]}).says).toContain('超过双精度的范围');
    expect(show({scores: [1e308, 1e308], method: 'share'}).says).toContain('溢出');
    // e^709.5 is 1.35e308: one fits into a double, the sum of two does not
    expect(show({scores: [709.5, 709.5], stable: false}).says).toContain('溢出');
    // e^−744 is 1e−323; the share of the first is 10³²³ times as large
    expect(show({scores: [0, -744]}).says).toContain('拿走几乎全部：100.0 %');
  });

  // (s − 0) ÷ 1e308: the middle share is too small for a double and prints as 0 too
  it('names the lowest score, not the first share of 0', () => {
    expect(show({scores: [1e308, 5e-324, 0], method: 'shift'}).says).toContain('最低分的「丙」');
  });

  // e^709.5 = 1.35e308 twice overflows, and so does 1e308 twice: a part divided by it is no share
  it('prints no share of a sum that overflowed', () => {
    const none = ['无定义', '无定义', '无定义'];
    expect(show({scores: [709.5, 709.5, 0], stable: false}).weights).toEqual(none);
    expect(show({scores: [1e308, 1e308, 1], method: 'share'}).weights).toEqual(none);
    // e^89 is above 3.4e38
    expect(show({scores: [0, 1, 89], stable: false, precision: 'float32'}).weights).toEqual(none);
  });

  it('prints a share above the largest double ÷ 100 as a power of ten', () => {
    // 1e308 ÷ (1e308 + 4 − 1e308) with the sum in order: (1e308 − 1e308) + 4 = 4
    expect(show({scores: [1e308, -1e308, 4], method: 'share'}).weights).toEqual([
      '2.50×10³⁰⁹ %',
      '−2.50×10³⁰⁹ %',
      '100.0 %',
    ]);
  });

  // −1e308 is −∞ in float32, below all others: 16.3 is ahead of −4.5 by 20.8
  it('ranks a score below the range of float32 as the lowest', () => {
    const far = {precision: 'float32', scores: [-1e308, -4.5, 16.3]} as const;
    expect(show(far).says).toContain('「丙」比「乙」高20.8分');
    expect(show({...far, scores: [-1e308, 16.3]}).says).toContain('高出的分数超过float32的范围');
  });

  it('states the lead of random rows, extremes included, as a slow version computes it', () => {
    const random = randomFrom(12);
    const extremes = [0, -1e308, 1e308, 500, 2000, 1e-320, -745, 709.7];
    for (let i = 0; i < 500; i++) {
      const scores = Array.from({length: 2 + Math.floor(4 * random())}, () =>
        random() < 0.4
          ? (extremes[Math.floor(extremes.length * random())] ?? 0)
          : Math.round(200 * random() - 100) / 10,
      );
      const {says} = show({scores, labels: scores.map((_, j) => `第${j}个`)});
      const sorted = [...scores].sort((a, b) => b - a);
      const [high = 0, second = 0] = sorted;
      expect(says, String(scores)).not.toMatch(/NaN|Infinity|undefined|e[+-]\d/);
      if (high === second) expect(says, String(scores)).toContain('同分');
      else expect(says, String(scores)).toContain(`「第${scores.indexOf(high)}个」比`);
      const lead = /高([\d.,]+)分/.exec(says)?.[1]?.replaceAll(',', '');
      // The lead is printed with four significant digits, and from a thousand on as an integer.
      if (lead !== undefined)
        expect(Math.abs(Number(lead) - (high - second)), String(scores)).toBeLessThanOrEqual(
          Math.max(0.5e-3 * (high - second), 1e-300),
        );
    }
  });
});
