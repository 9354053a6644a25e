import {beforeAll, describe, expect, it} from 'vitest';
import {matrix, rowsOf, type Core} from '../../web/core.js';
import {AttnSink, type SinkState} from '../../web/elements/attn-sink.js';
import {composeFigure} from '../../web/site/figures.js';
import type {Resources} from '../../web/shared/runtime.js';
import {defaults} from '../../web/shared/schema.js';
import {drawnWidget} from './drawn-widget.js';
import {resourcesFromBuild} from './load-core.js';

const {spec} = AttnSink;
let core: Core;
let resources: Resources;
beforeAll(async () => {
  resources = await resourcesFromBuild();
  ({core} = resources);
});

const show = (patch: Partial<SinkState> = {}) => drawnWidget(resources, spec, patch);

describe('attn-sink', () => {
  it('begins with row 苹果 of the teaching sentence, to four decimals', () => {
    const {embeddings, W_Q, W_K, W_V} = resources.world;
    const [q, k, v] = [W_Q, W_K, W_V].map((w) => core.product(matrix(embeddings), matrix(w)));
    const {scores} = core.attention(q!, k!, v!, {scaled: true, mask: 'causal'});
    const row = rowsOf(scores)[2]!.slice(0, 3);
    expect(defaults<SinkState>(spec.schema).scores).toEqual(row.map((s) => Number(s.toFixed(4))));
  });

  it('leaves 77.7, 56.1, 32.0, 14.7 % to tokens with a sink logit of 0, 1, 2, 3', async () => {
    const stated = ['77.7 %', '56.1 %', '32.0 %', '14.7 %'];
    for (const [sink, text] of stated.entries()) {
      const {says, drawn} = await show({sink});
      expect(says).toContain(`取走${text}`);
      expect(drawn).toContain(`✓ ${text}`);
      expect(drawn).toContain('✗ 100 %');
    }
  });

  it('does not change the plain row, and multiplies by the gate', async () => {
    const {result, says, table} = await show({sink: 1, gate: 0.5});
    expect(result.plain.reduce((sum, w) => sum + w, 0)).toBeCloseTo(1, 14);
    expect(result.takenTotal).toBeCloseTo(result.total / 2, 14);
    expect(says).toContain('门开到0.5');
    expect(table.rows.at(-1)).toEqual(['取走', '', '1.000', '0.561', '0.281（门0.5）']);
  });

  it('draws a falling curve through the current point', async () => {
    const {result} = await show({sink: 2});
    const taken = result.curve.map((point) => point.taken);
    expect([...taken].sort((a, b) => b - a)).toEqual(taken);
    expect(result.curve[0]!.sink).toBe(-6);
    expect(result.curve.at(-1)!.sink).toBe(8);
    expect(taken[0]).toBeGreaterThan(result.takenTotal);
    expect(taken.at(-1)).toBeLessThan(result.takenTotal);
  });

  it('never shows NaN: a million, a closed gate, one score, eight scores', async () => {
    for (const patch of [
      {scores: [1e6, -1e6]},
      {gate: 0},
      {scores: [3], sink: -50},
      {scores: [1, 2, 3, 4, 5, 6, 7, 8], sink: 50},
    ]) {
      const {drawn, says, table} = await show(patch);
      expect(`${drawn} ${says} ${table.rows.join()}`).not.toMatch(/NaN|Infinity|undefined/);
      expect(composeFigure(drawn, {title: '汇', description: says})).not.toMatch(/var\(|style=/);
    }
  });
});
