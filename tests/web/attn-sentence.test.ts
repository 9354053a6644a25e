import {beforeAll, describe, expect, it} from 'vitest';
import {AttnSentence} from '../../web/elements/attn-sentence.js';
import {STOPS} from '../../web/elements/attn-sentence/state.js';
import type {Resources} from '../../web/shared/runtime.js';
import {drawnWidget} from './drawn-widget.js';
import {resourcesFromBuild} from './load-core.js';

const {spec} = AttnSentence;
let resources: Resources;

beforeAll(async () => {
  resources = await resourcesFromBuild();
});

const dot = (a: readonly number[], b: readonly number[]) =>
  a.reduce((sum, value, i) => sum + value * b[i]!, 0);

/** x · w, straight from the definition. */
const times = (x: readonly number[], w: readonly (readonly number[])[]) =>
  w[0]!.map((_, column) =>
    dot(
      x,
      w.map((row) => row[column]!),
    ),
  );

/** Causal attention of one token, straight from the definition. */
function slowly(from: number) {
  const {embeddings, W_Q, W_K, W_V} = resources.world;
  const q = times(embeddings[from]!, W_Q);
  const seen = embeddings.slice(0, from + 1);
  const powers = seen.map((x) => Math.exp(dot(q, times(x, W_K)) / Math.sqrt(q.length)));
  const sum = powers.reduce((a, b) => a + b);
  const values = seen.map((x) => times(x, W_V));
  return {
    weights: embeddings.map((_, i) => (powers[i] ?? 0) / sum),
    output: q.map((_, d) => values.reduce((all, v, i) => all + (powers[i]! / sum) * v[d]!, 0)),
  };
}

describe('attn-sentence', () => {
  it('gives every token the weights and the output of the definition', () => {
    resources.world.tokens.forEach((token, from) => {
      const result = spec.compute(resources, {token, at: 0}, undefined);
      const {weights, output} = slowly(from);
      weights.forEach((weight, i) => expect(result.weights[i]).toBeCloseTo(weight, 12));
      output.forEach((value, d) => expect(result.output[d]).toBeCloseTo(value, 12));
    });
  });

  it('prints the shares at rest and says the two largest', async () => {
    const {result, drawn, says, table} = await drawnWidget(resources, spec, {});
    const shares = result.weights.slice(0, 4).map((weight) => `${(100 * weight).toFixed(1)} %`);
    for (const share of shares) expect(drawn).toContain(share);
    expect(drawn).toContain('遮住');
    const [first, second] = [...shares].sort((a, b) => parseFloat(b) - parseFloat(a));
    expect(says).toContain(`${first}，`);
    expect(says).toContain(second);
    expect(table.rows).toHaveLength(5);
    expect(table.rows[4]?.[1]).toBe('遮住');
  });

  it('has a picture of its own at every stop, and the last token hides nothing', async () => {
    const drawings = await Promise.all(
      STOPS.map(async ({at}) => (await drawnWidget(resources, spec, {at})).drawn),
    );
    expect(new Set(drawings).size).toBe(STOPS.length);
    for (const drawn of drawings) expect(drawn).not.toMatch(/NaN|undefined|Infinity/);
    const last = await drawnWidget(resources, spec, {token: '小王', at: 0.6});
    expect(last.drawn).not.toContain('遮住');
    expect(last.says).toContain('没有要遮的');
  });
});
