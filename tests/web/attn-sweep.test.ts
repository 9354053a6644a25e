// <attn-sweep>: the recorded sweep in words and pictures, and the runs that a page makes.
import {afterEach, beforeAll, describe, expect, it, vi} from 'vitest';
import {AttnSweep} from '../../web/elements/attn-sweep.js';
import {criticalOf, rowsOf, schema, type SweepState} from '../../web/elements/attn-sweep/state.js';
import type {WidthsContent} from '../../web/shared/content.js';
import type {Resources} from '../../web/shared/runtime.js';
import {defaults} from '../../web/shared/schema.js';
import {drawTemplate} from '../../web/site/draw.js';
import type {Command, Report} from '../../web/training/protocol.js';
import {RUNS, SweepDesk, type SweepRun} from '../../web/training/sweep.js';
import {resourcesFromBuild} from './load-core.js';

const {spec} = AttnSweep;

/** Losses 5 with ÷√d; without it 0.01 more for each step of the list of widths. */
const runs: SweepRun[] = RUNS.map(({width, attention}, i) => ({
  width,
  attention,
  loss: attention === 'scaled' ? 5 : 5 + 0.01 * (i >> 1),
}));
const content: WidthsContent = {
  steps: 300,
  corpus: 'abc',
  command: 'npm run case -- width-32-scaled …',
  seeds: [{seed: 20261014, runs: runs as WidthsContent['seeds'][number]['runs']}],
};

describe('attn-sweep: the widget', () => {
  let resources: Resources;
  beforeAll(async () => {
    resources = await resourcesFromBuild();
  });
  const show = (patch: Partial<SweepState> = {}) => {
    const state = {...defaults(schema), ...patch};
    const result = spec.compute(resources, state, content);
    return {state, result, says: spec.says(state, result), table: spec.table(state, result)};
  };

  // The gaps are 0, 0.01, 0.02, 0.03, 0.04, 0.05.
  it('finds the width from which on every gap is large enough', () => {
    const {says, table, result} = show({apart: 0.03});
    expect(result.critical).toBe(128);
    expect(says).toBe(
      '记录的12次，每次300步：宽32时不除比除高0.000，宽256时高0.050；从宽128起，差到0.03。',
    );
    expect(table.rows[3]).toEqual(['128', '5.0000', '5.0300', '0.0300', '', '', '']);
    expect(show({apart: 0.06}).says).toContain('没有一个宽度起差到0.06');
    expect(show({apart: 0}).result.critical).toBe(32);
  });

  it('asks every wider model too: a gap that closes again does not count', () => {
    const rows = rowsOf(runs);
    rows[4] = {...rows[4]!, gap: 0};
    expect(criticalOf(rows, 0.03)).toBe(256);
    rows[5] = {...rows[5]!, gap: null};
    expect(criticalOf(rows, 0)).toBeNull();
  });

  it('has no record of other settings, and says so', async () => {
    const {says, state, result} = show({steps: 100});
    expect(says).toBe('种子20261014、每次100步，没有记录；点「开始」，可以现场练。');
    const drawn = await drawTemplate(spec.view(state, result));
    expect(drawn).not.toMatch(/NaN|Infinity|undefined/);
  });

  it('draws a sweep that has only begun, and one that diverged', async () => {
    const {state, result} = show();
    for (const done of [[], runs.slice(0, 3), [{...runs[0]!, loss: null}, ...runs.slice(1)]]) {
      const now = {width: 96, attention: 'scaled' as const, step: 7, loss: 6};
      const sweep = {
        plan: {seed: 20261014, steps: 300},
        phase: 'running' as const,
        failure: null,
        done,
        now,
        seconds: 3,
      };
      const live = {...result, live: rowsOf(done), sweep};
      const drawn = await drawTemplate(spec.view(state, live));
      expect(`${drawn}${spec.says(state, live)}`).not.toMatch(/NaN|Infinity|undefined/);
      expect(spec.says(state, live)).toBe(
        `正在练：练完${done.length}次，共12次；眼下宽96、除以√d，第7步。`,
      );
    }
  });
});

describe('the sweep', () => {
  afterEach(() => vi.unstubAllGlobals());

  /** A desk whose runs end when the test says so. */
  function desk() {
    const posted: Command[] = [];
    let report: (report: Report) => void = () => {};
    let closed = 0;
    const made = new SweepDesk({
      corpus: async () => '詩',
      open: async (options) => {
        report = options.report;
        return {where: 'worker', post: (command) => posted.push(command), close: () => closed++};
      },
    });
    const settle = () => new Promise((resolve) => setTimeout(resolve));
    const step = (losses: number[]) =>
      report({
        kind: 'progress',
        added: {losses, gradientNorms: [], learningRates: [], diagnostics: []},
        seconds: 1,
        quicker: 1,
        memory: 0,
      });
    return {
      made,
      posted,
      settle,
      step,
      report: (one: Report) => report(one),
      closed: () => closed,
      started: () => posted.filter(({kind}) => kind === 'start'),
    };
  }

  function storage() {
    const kept = new Map<string, string>();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    });
    return kept;
  }

  const plan = {seed: 3, steps: 2};
  const begun: Report = {
    kind: 'begun',
    threads: 1,
    shape: {parameters: 1, layers: 2, heads: 1, block: 64},
    curve: {losses: [], gradientNorms: [], learningRates: [], diagnostics: [], peaks: []},
  };
  const done: Report = {kind: 'done', validationLoss: null, hash: ''};

  it('makes twelve runs, narrow first, and keeps the mean of the last steps', async () => {
    storage();
    const {made, settle, step, report, started} = desk();
    await made.start(plan);
    for (let run = 0; run < 12; run++) {
      await settle();
      report(begun);
      step([run, run + 1]);
      report(done);
    }
    await settle();
    expect(started().map((command) => command.kind === 'start' && command.settings)).toEqual(
      RUNS.map(({width, attention}) => expect.objectContaining({width, attention, heads: 1})),
    );
    expect(made.sweep?.phase).toBe('done');
    expect(made.sweep?.done.map(({loss}) => loss)).toEqual(RUNS.map((_, run) => run + 0.5));
    expect(made.kept).toBeNull();
  });

  it('goes on after a reload with the runs that were done, and asks for the half one', async () => {
    storage();
    const first = desk();
    await first.made.start(plan);
    await first.settle();
    first.report(begun);
    first.step([4, 6]);
    first.report(done);
    await first.settle();
    // The page closes in the middle of the second run; another one opens.
    const second = desk();
    expect(second.made.kept?.done).toEqual([{width: 32, attention: 'scaled', loss: 5}]);
    await second.made.start(plan);
    await second.settle();
    expect(second.started()[0]).toMatchObject({
      slot: 'sweep',
      saved: true,
      settings: {width: 32, attention: 'unscaled'},
    });
    // A learner that continues from its saved steps counts these losses too.
    second.report({...begun, curve: {...begun.curve, losses: [8]}} as Report);
    second.step([9]);
    second.report(done);
    expect(second.made.sweep?.done[1]?.loss).toBe(8.5);
  });

  it('keeps nothing of another plan, and forgets a sweep that is stopped', async () => {
    const kept = storage();
    const {made, settle, step, report, closed, started} = desk();
    await made.start(plan);
    await settle();
    report(begun);
    step([1]);
    report(done);
    await settle();
    expect(kept.size).toBe(1);
    made.stop();
    expect(kept.size).toBe(0);
    expect(closed()).toBe(2);
    expect(made.sweep?.phase).toBe('stopped');
    await made.start({...plan, seed: 4});
    await settle();
    expect(started().at(-1)).toMatchObject({settings: {seed: 4, width: 32, attention: 'scaled'}});
  });

  it('marks a run that diverged, pauses and resumes, and fails in a sentence', async () => {
    storage();
    const {made, posted, settle, report} = desk();
    await made.start(plan);
    await settle();
    report(begun);
    made.pause();
    report({kind: 'paused'});
    expect(made.sweep?.phase).toBe('paused');
    made.resume();
    report({kind: 'resumed'});
    expect(posted.map(({kind}) => kind)).toEqual(['start', 'pause', 'resume']);
    report({kind: 'diverged', step: 1});
    expect(made.sweep?.done).toEqual([{width: 32, attention: 'scaled', loss: null}]);
    await settle();
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    report({kind: 'failed', code: 'no-module', message: 'lost'});
    expect(warn).toHaveBeenCalled();
    warn.mockRestore();
    expect(made.sweep).toMatchObject({phase: 'failed', failure: 'no-module'});
    // The finished run is still there.
    expect(made.kept?.done).toHaveLength(1);
  });

  it('works where the browser refuses storage', async () => {
    vi.stubGlobal('localStorage', {
      getItem: () => {
        throw new Error('refused');
      },
      setItem: () => {
        throw new Error('refused');
      },
      removeItem: () => {
        throw new Error('refused');
      },
    });
    const {made, settle, report, step} = desk();
    await made.start(plan);
    await settle();
    report(begun);
    step([1]);
    report(done);
    await settle();
    expect(made.sweep?.done).toHaveLength(1);
    expect(made.kept).toBeNull();
  });
});
