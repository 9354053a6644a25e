// The recorded mistakes, the claims of their page, and the table of readings.
import {beforeAll, describe, expect, it} from 'vitest';
import heads from '../../lessons/case/heads/numbers.js';
import failures from '../../lessons/case/failures/numbers.js';
import {AttnFailures} from '../../web/elements/attn-failures.js';
import type {FailuresState} from '../../web/elements/attn-failures/state.js';
import {diagnose, SYMPTOMS, type Readings} from '../../web/elements/attn-failures/rules.js';
import type {FailuresContent} from '../../web/shared/content.js';
import {composeFigure} from '../../web/site/figures.js';
import type {Resources} from '../../web/shared/runtime.js';
import {defaults} from '../../web/shared/schema.js';
import {drawTemplate} from '../../web/site/draw.js';
import {failuresContent} from '../../web/site/failures.js';
import type {NumberContext} from '../../web/site/numbers.js';
import {authorsContext} from './authors-context.js';
import {resourcesFromBuild} from './load-core.js';

const {spec} = AttnFailures;
let resources: Resources;
let content: FailuresContent;
let context: NumberContext;

beforeAll(async () => {
  resources = await resourcesFromBuild();
  content = failuresContent();
  context = await authorsContext();
});

async function show(patch: Partial<FailuresState> = {}) {
  const state = {...defaults<FailuresState>(spec.schema), ...patch};
  const result = spec.compute(resources, state, content);
  const drawn = (await drawTemplate(spec.view(state, result))).replace(/<!--.*?-->/gs, '');
  return {state, result, drawn, says: spec.says(state, result), table: spec.table(state, result)};
}

const softmax = (scores: number[]) => {
  const parts = scores.map(Math.exp);
  const sum = parts.reduce((total, part) => total + part, 0);
  return parts.map((part) => part / sum);
};

describe('attn-failures', () => {
  // q·k = 8, 3, −2, d = 16: divided by 4 that is 2, 0.75, −0.5.
  it('computes one row the right way and the wrong way', async () => {
    const right = [...softmax([2, 0.75, -0.5]), 0];
    const wrongs = {
      'hidden-as-zero': softmax([2, 0.75, -0.5, 0]),
      'scaled-after-softmax': [...softmax([8, 3, -2]).map((w) => w / 4), 0],
      'divided-by-width': [...softmax([0.5, 0.1875, -0.125]), 0],
    } as const;
    for (const [variant, wrong] of Object.entries(wrongs)) {
      const {example} = (await show({variant: variant as keyof typeof wrongs})).result;
      right.forEach((w, i) => expect(example.right[i]).toBeCloseTo(w, 12));
      wrong.forEach((w, i) => expect(example.wrong[i]).toBeCloseTo(w, 12));
    }
    // The scores are fifty times as large: e^100 overflows a float, and ∞ ÷ ∞ is undefined.
    const {result, drawn} = await show({variant: 'no-max-subtraction'});
    expect(result.example.wrong[0]).toBeNull();
    expect(drawn).toContain('nan');
  });

  it('compares every run with the right one', async () => {
    const {result} = await show();
    const [right, zero, after, plain, width] = result.rows;
    expect(result.rows.map(({attention}) => attention)).toEqual([
      'scaled',
      'hidden-as-zero',
      'scaled-after-softmax',
      'no-max-subtraction',
      'divided-by-width',
    ]);
    // The page claims that no mistake has a higher loss, and that the leaking run has the lowest.
    for (const row of result.rows.slice(1)) expect(row.loss).toBeLessThan(right!.loss);
    for (const row of [right!, after!, plain!, width!]) expect(zero!.loss).toBeLessThan(row.loss);
    expect(zero!.validationLoss).toBeLessThan(right!.validationLoss);
    // A row divided by √32 sums to 0.17678.
    expect(after!.largestRowSum).toBeCloseTo(1 / Math.sqrt(32), 5);
    for (const row of [right!, zero!, plain!, width!]) {
      expect(row.largestRowSum).toBeCloseTo(1, 5);
    }
    // Before training: d_model σ² = 128 · 0.0004, and √32 times less. One model is a small sample,
    // so 5 % are allowed.
    expect(result.expectedDeviation).toBeCloseTo(0.0512, 12);
    expect(right!.firstDeviation / 0.0512).toBeCloseTo(1, 1);
    expect((width!.firstDeviation * Math.sqrt(32)) / 0.0512).toBeCloseTo(1, 1);
  });

  it('names the symptom of each mistake', async () => {
    expect((await show({variant: 'scaled-after-softmax'})).says).toContain('行和只有0.1768');
    expect((await show({variant: 'divided-by-width'})).says).toContain('0.0512');
    for (const variant of ['hidden-as-zero', 'no-max-subtraction'] as const) {
      const {says, drawn} = await show({variant});
      expect(says).toMatch(/末50步的损失比写对的低/);
      expect(says + drawn).not.toMatch(/NaN|undefined/);
    }
  });

  it('says that none of the four mistakes crosses a threshold of the three readings', async () => {
    const {drawn, says, result} = await show({part: 'diagnosis'});
    expect(drawn).toContain('4个✗没有一个过线');
    expect(result.findings).toEqual([]);
    expect(says).toContain('有几个填几个');
  });

  it('draws pictures that can be exported, and tables of all steps', async () => {
    for (const part of ['gallery', 'diagnosis'] as const) {
      const {drawn, says} = await show({part, entropy: 0.001, deviation: 3000, jacobian: 1e-5});
      expect(composeFigure(drawn, {title: '图', description: says})).not.toMatch(/var\(|style=/);
    }
    const {table} = await show();
    expect(table.rows).toHaveLength(content.records[0]!.losses.length);
    expect(table.columns).toHaveLength(11);
  });
});

describe('diagnosis', () => {
  const read = (patch: Partial<Readings>) =>
    diagnose({entropy: null, deviation: null, jacobian: null, ...patch});
  const first = (patch: Partial<Readings>) => read(patch)[0]!;

  it('gives no diagnosis without a reading, and accepts a single one', () => {
    expect(read({})).toEqual([]);
    expect(first({deviation: 2}).kind).toBe('fine');
    expect(first({jacobian: 1e-6}).reading).toContain('不传梯度');
    expect(first({entropy: 0.995}).check).toContain('除以了d');
  });

  // The recorded large unscaled run of the chapter: H 0.0001, deviation 5458.8, ‖J‖ 0.00008.
  it('lists missing scaling first and the saturated softmax second', () => {
    const found = read({entropy: 0.0001, deviation: 5458.8, jacobian: 0.00008});
    expect(found.map(({kind}) => kind)).toEqual(['alarm', 'alarm']);
    expect(found[0]!.reading).toContain('没有缩放');
    expect(found[1]!.reading).toContain('不传梯度');
    expect(first({entropy: 0.005, deviation: 3}).reading).not.toContain('没有缩放');
  });

  it('does not diagnose a right model at step 0, whose weights are flat too', () => {
    const {entropy, logitDeviation, jacobianNorm} = content.records[0]!.diagnostics[0]!;
    const found = read({entropy, deviation: logitDeviation, jacobian: jacobianNorm});
    expect(found.map(({kind}) => kind)).toEqual(['look']);
    expect(found[0]!.check).toContain('若刚开始训练，正常');
  });

  it('finds no fault in the trained right model, and still recommends the assertions', () => {
    const last = content.records[0]!.diagnostics.at(-1)!;
    const found = read({
      entropy: last.entropy,
      deviation: last.logitDeviation,
      jacobian: last.jacobianNorm,
    });
    expect(found.map(({kind}) => kind)).toEqual(['fine']);
    expect(found[0]!.check).toContain('四条断言');
  });

  // ‖J‖ of a row is 0 only for a one-hot row, so it can't be 0 with H above 0.5.
  it('refuses readings that contradict each other', () => {
    const found = read({entropy: 0.7, deviation: 2, jacobian: 1e-6});
    expect(found).toHaveLength(1);
    expect(found[0]!.reading).toContain('对不上');
  });

  it('orders the causes of every symptom', () => {
    expect(SYMPTOMS.map(({id}) => id)).toEqual(['stuck', 'poor-text', 'nan', 'worse', 'memory']);
    for (const {checks} of SYMPTOMS) expect(checks.length).toBeGreaterThan(1);
  });
});

describe('claims of the pages of the case', () => {
  const values = (numbers: Record<string, {value: unknown}>) => (id: string) =>
    Number(numbers[id]?.value);

  it('heads: previous-token heads in two of three runs; layer 0 matters more in all', () => {
    const of = values(heads(context));
    expect(of('even_previous')).toBeCloseTo(0.1207, 4);
    expect(of('even_previous_all')).toBeCloseTo(0.1157, 4);
    for (const run of ['a', 'c']) expect(of(`${run}_previous`)).toBeGreaterThan(0.35);
    expect(of('b_previous')).toBeLessThan(0.25);
    expect(of('b_self')).toBeGreaterThan(0.5);
    for (const run of ['a', 'b', 'c']) {
      expect(of(`${run}_first_least`)).toBeGreaterThan(of(`${run}_second_most`));
    }
    expect(of('l0h0_cost')).toBeGreaterThan(of('l0h1_cost'));
  });

  it('failures: dividing by d stays above the threshold; a right model at step 0 is flat', () => {
    const of = values(failures(context));
    expect(of('width_entropy')).toBeLessThan(of('flat'));
    expect(of('right_first_entropy')).toBeGreaterThan(of('flat'));
    expect(of('after_entropy')).toBeLessThan(of('after_quoted_entropy') - 0.2);
    for (const run of ['after', 'plain', 'width']) {
      expect(of(`${run}_lower`)).toBeGreaterThan(0);
      expect(of(`${run}_lower`)).toBeLessThan(of('seed_spread'));
    }
    expect(of('float32_limit')).toBe(88.7);
  });
});
