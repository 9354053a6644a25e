import {beforeAll, describe, expect, it, vi} from 'vitest';
import type {Scaling} from '../../web/scaling.js';
import {AttnScaling} from '../../web/elements/attn-scaling.js';
import type {ScalingResult, ScalingState} from '../../web/elements/attn-scaling/state.js';
import {composeFigure} from '../../web/site/figures.js';
import {readQuery, writeQuery} from '../../web/shared/link.js';
import type {Resources} from '../../web/shared/runtime.js';
import {defaults} from '../../web/shared/schema.js';
import {drawTemplate} from '../../web/site/draw.js';
import {resourcesFromBuild} from './load-core.js';

const {spec} = AttnScaling;
let scaling: Scaling;
let resources: Resources;

beforeAll(async () => {
  resources = await resourcesFromBuild();
  ({scaling} = resources);
});

async function show<P extends ScalingResult['part']>(part: P, patch: Partial<ScalingState> = {}) {
  const state = {...defaults<ScalingState>(spec.schema), part, ...patch};
  const result = spec.compute(resources, state, undefined) as Extract<ScalingResult, {part: P}>;
  const drawn = (await drawTemplate(spec.view(state, result))).replace(/<!--.*?-->/gs, '');
  return {state, result, drawn, says: spec.says(state, result), table: spec.table(state, result)};
}

describe('attn-scaling, dimension', () => {
  it('shows that entropy and ‖J‖ collapse without scaling and not with it', async () => {
    const {rows} = (await show('dimension')).result;
    for (const key of ['entropy', 'jacobianNorm'] as const) {
      const raw = rows.map((row) => row.raw[key]);
      expect(raw).toEqual([...raw].sort((a, b) => b - a));
      expect(raw.at(-1)! / raw[0]!).toBeLessThan(0.5);
      const scaled = rows.map((row) => row.scaled[key]);
      expect(Math.max(...scaled) / Math.min(...scaled)).toBeLessThan(1.03);
    }
  });

  it('has the same digits as the variance experiment at the same seed', async () => {
    const {rows} = (await show('dimension', {dims: [64]})).result;
    const [other] = scaling.variance({dims: [64], seed: 20261014, samples: 2000, keys: 5});
    expect(rows[0]).toEqual(other);
  });

  it('sorts its dimensions, drops repeats, and repeats colours as shapes', async () => {
    const {result, drawn} = await show('dimension', {dims: [128, 32, 128]});
    expect(result.rows.map(({d}) => d)).toEqual([32, 128]);
    expect(drawn.match(/<circle/g)).toHaveLength(4);
    expect(drawn.match(/<path d="M-4 -4/g)).toHaveLength(4);
    for (const mark of ['✗ 不缩放', '✓ ÷√d']) expect(drawn).toContain(mark);
  });
});

describe('attn-scaling, divisor', () => {
  // Softmax of [8, 3, −2, 0.5] by hand: e⁵ = 148.41, e⁻⁵ = 0.0067, e⁻²·⁵ = 0.0821 relative to 乙:
  // 148.41 / (148.41 + 1 + 0.0067 + 0.0821) = 0.9927. Standard deviations √64 ÷ 1, 8, 64.
  it('compares ÷1, ÷√d and ÷d', async () => {
    const {result, drawn, says, table} = await show('divisor');
    expect(result.rows.map(({divisor}) => divisor)).toEqual([1, 8, 64]);
    expect(result.rows[0]!.weights[0]).toBeCloseTo(0.9927, 4);
    expect(result.rows.map(({std}) => std)).toEqual([8, 1, 0.125]);
    for (const {weights} of result.rows)
      expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 14);
    for (const text of ['✗ ÷1', '✓ ÷√d', '✗ ÷d', '>0.993<', '>0.125<'])
      expect(drawn).toContain(text);
    expect(says).toContain('最大权重99.3 %');
    expect(says).toContain('4个平分是25.0 %');
    expect(table.rows.map(([name]) => name)).toEqual(['÷1＝1', '÷√d＝8', '÷d＝64']);
  });

  it('orders sharpness: ÷1 above ÷√d above ÷d', async () => {
    const {rows} = (await show('divisor', {scores: [3, 1, 0], d: 16})).result;
    expect(rows[0]!.maxWeight).toBeGreaterThan(rows[1]!.maxWeight);
    expect(rows[1]!.maxWeight).toBeGreaterThan(rows[2]!.maxWeight);
  });
});

describe('attn-scaling, init', () => {
  // v = d·σ² is the variance of a component after LayerNorm and W; a product has v·√d = σ²·d^1.5.
  it('measures σ²·d^1.5: slope 1.5, unlike the ½ of unit variance', async () => {
    const {result, says} = await show('init');
    for (const {d, std, predicted, unitVariance} of result.rows) {
      expect(predicted).toBeCloseTo(0.0004 * d ** 1.5, 12);
      expect(unitVariance).toBe(Math.sqrt(d));
      expect(Math.abs(std / predicted - 1)).toBeLessThan(0.05);
    }
    expect(Math.abs(result.slope! - 1.5)).toBeLessThan(0.05);
    expect(says).toMatch(/实测斜率1\.(4[6-9]|5[0-4])，√d那条是0\.50/);
  });

  it('does not run while another part is shown', () => {
    const sweep = vi.spyOn(scaling, 'initSweep');
    for (const part of ['dimension', 'divisor'] as const)
      spec.compute(resources, {...defaults<ScalingState>(spec.schema), part}, undefined);
    expect(sweep).not.toHaveBeenCalled();
    sweep.mockRestore();
  });

  it('distinguishes measurement, prediction and √d without hue', async () => {
    const {drawn, table} = await show('init');
    expect(drawn).toContain('stroke-dasharray="6 4"');
    for (const text of ['实测', '预测σ²d√d', '√d']) expect(drawn).toContain(text);
    expect(table.rows).toHaveLength(4);
  });
});

describe('attn-scaling', () => {
  it('keeps its part in a link', () => {
    const state = {...defaults<ScalingState>(spec.schema), part: 'init' as const, sigma: 0.05};
    const query = writeQuery<ScalingState>(spec.schema, state);
    expect(query).toBe('part=init&sigma=0.05');
    expect(readQuery<ScalingState>(spec.schema, query).state).toEqual(state);
  });

  it('never shows NaN at the extremes, and every part can be exported as a picture', async () => {
    const cases = [
      await show('dimension', {dims: [2]}),
      await show('dimension', {dims: [2, 8, 32, 128, 256, 512]}),
      await show('divisor', {scores: [5]}),
      await show('divisor', {scores: [1e6, -1e6, 0, 0, 0, 0, 0, 0], d: 4096}),
      await show('divisor', {d: 1}),
      await show('init', {dims: [2]}),
      await show('init', {dims: [2, 64], sigma: 0.001}),
      await show('init', {dims: [16, 32], sigma: 1}),
    ];
    for (const {drawn, says, table} of cases) {
      expect(`${drawn} ${says} ${table.rows.join()}`).not.toMatch(/NaN|Infinity|undefined/);
      for (const row of table.rows) expect(row).toHaveLength(table.columns.length);
      expect(composeFigure(drawn, {title: '缩放', description: says})).not.toMatch(/var\(|style=/);
    }
  });
});
