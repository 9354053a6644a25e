import {beforeAll, describe, expect, it} from 'vitest';
import {AttnTiming} from '../../web/elements/attn-timing.js';
import {measure, summary, type Progress} from '../../web/elements/attn-timing/measure.js';
import {type TimingState} from '../../web/elements/attn-timing/state.js';
import type {Resources} from '../../web/shared/runtime.js';
import {drawnWidget} from './drawn-widget.js';
import {resourcesFromBuild} from './load-core.js';

const {spec} = AttnTiming;
let resources: Resources;
beforeAll(async () => {
  resources = await resourcesFromBuild();
});

const show = (patch: Partial<TimingState> = {}) => drawnWidget(resources, spec, patch);

describe('attn-timing', () => {
  // 4 · 64² · 64 = 1,048,576 operations; at 512 tokens 8² times as many.
  it('counts 4n²d operations a head, 64 times as many for 8 times the tokens', async () => {
    const {says, table} = await show();
    expect(table.rows.map((row) => row[1])).toEqual([
      '1,048,576',
      '4,194,304',
      '1.68×10⁷',
      '6.71×10⁷',
    ]);
    expect(table.rows.map((row) => row[2])).toEqual(['1', '4', '16', '64']);
    expect(says).toContain('运算是64倍');
    expect(says).toContain('按「量一量」');
    expect((await show({heads: 3, width: 10, lengths: [10]})).result.rows[0]?.operations).toBe(
      12000,
    );
  });

  it('puts lengths in order, each once', () => {
    expect(spec.schema.lengths.read('512, 64,512，8')).toEqual([8, 64, 512]);
  });

  it('takes the middle of the runs', () => {
    expect(summary([5, 1, 9])).toEqual({median: 5, fastest: 1, slowest: 9, runs: 3});
    expect(summary([4, 1, 9, 2])).toEqual({median: 3, fastest: 1, slowest: 9, runs: 4});
  });

  it('measures each length, in order, and at least three times', async () => {
    const state = {lengths: [8, 70], heads: 2, width: 4};
    const reports: Progress[] = [];
    await measure(
      resources,
      state,
      () => false,
      ({cold, timed}) => reports.push({cold, timed: new Map(timed)}),
    );
    expect(reports.map(({timed}) => [...timed.keys()])).toEqual([[8], [8, 70]]);
    for (const {runs, fastest, median, slowest} of reports[1]!.timed.values()) {
      expect(runs).toBeGreaterThanOrEqual(3);
      expect(fastest).toBeLessThanOrEqual(median);
      expect(median).toBeLessThanOrEqual(slowest);
    }
    expect(reports[1]!.cold).toBeGreaterThan(0);
  });

  it('ends within one piece once it is stopped', async () => {
    let asked = 0;
    const reports: Progress[] = [];
    await measure(
      resources,
      {lengths: [256], heads: 1, width: 8},
      () => ++asked > 2,
      (progress) => reports.push(progress),
    );
    expect(asked).toBe(3);
    expect(reports).toEqual([]);
  });

  it('draws measured lengths as multiples of the first', async () => {
    const {state, result} = await show({lengths: [64, 128]});
    const timed = (median: number) => ({median, fastest: median, slowest: median, runs: 7});
    const rows = result.rows.map((row, i) => ({...row, timed: timed(i === 0 ? 2 : 7)}));
    const done = {rows, cold: 5, running: false};
    expect(spec.says(state, done)).toContain('量到的时间是3.5倍。没热身的第一遍5 ms，热身以后2 ms');
    expect(spec.table(state, done).rows[1]!.slice(3)).toEqual(['7 ms', '7 ms', '7 ms', '7', '3.5']);
    const half = {rows: [rows[0]!, result.rows[1]!], cold: 5, running: true};
    expect(spec.says(state, half)).toContain('已量1个长度，还有1个');
    // Stopped early, the times of a part are not set against the operations of the whole.
    const stopped = spec.says(state, {...half, running: false});
    expect(stopped).toContain('停下时量了前1个长度，共2个');
    expect(stopped).not.toContain('量到的时间');
  });

  it('never shows NaN, for one length and for seven', async () => {
    for (const lengths of [[8], [8, 16, 32, 64, 128, 512, 1024]]) {
      const {drawn, says, table} = await show({lengths});
      expect(`${drawn} ${says} ${table.rows.join()}`).not.toMatch(/NaN|Infinity|undefined/);
    }
  });
});
