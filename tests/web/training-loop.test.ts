// The loop that runs the steps of a run: its digits are the core's, with any pauses.
import {beforeAll, describe, expect, it, vi} from 'vitest';
import {loadTrain, type Run, type Train} from '../../web/train.js';
import {TrainLoop, type LoopHost} from '../../web/training/loop.js';
import {
  PRESETS,
  sameRun,
  type Command,
  type Report,
  type Settings,
} from '../../web/training/protocol.js';
import type {Slot} from '../../web/training/slot.js';
import type {RunStore, SavedRun} from '../../web/training/store.js';
import {look, poems, settings, trainBytes} from './training-run.js';

function memoryStore(): RunStore & {run: SavedRun | null} {
  const store = {
    run: null as SavedRun | null,
    put: async (_slot: Slot, run: SavedRun) => {
      store.run = run;
      return true;
    },
    get: async () => structuredClone(store.run),
  };
  return store;
}

/** A learner in this process, its reports, and a promise of its end. */
function learner(store: RunStore = memoryStore(), changes: Partial<LoopHost> = {}) {
  const reports: Report[] = [];
  let ended = () => {};
  const end = new Promise<void>((resolve) => (ended = resolve));
  const loop = new TrainLoop({
    report: (report) => {
      reports.push(report);
      if (['done', 'diverged', 'failed'].includes(report.kind)) ended();
    },
    module: () => loadTrain({wasmBinary: trainBytes()}),
    breathe: () => new Promise((resolve) => setImmediate(resolve)),
    now: () => performance.now(),
    store,
    ...changes,
  });
  const start = (changes: Partial<Extract<Command, {kind: 'start'}>> = {}) =>
    loop.receive({
      kind: 'start',
      text: poems,
      settings,
      look,
      slot: 'last',
      saved: false,
      ...changes,
    });
  const of = <K extends Report['kind']>(kind: K) =>
    reports.filter((report): report is Extract<Report, {kind: K}> => report.kind === kind);
  return {
    loop,
    reports,
    end,
    start,
    of,
    losses: () => of('progress').flatMap(({added}) => added.losses),
  };
}

/** The same run by direct calls of the core. */
function plainRun(train: Train, {attention, seed, steps, rate}: Settings): Run {
  return train.open({...train.preset('small'), attention, seed, steps, learningRate: rate}, poems);
}

// A step takes a fifth of a second on an idle machine.
describe('training loop', () => {
  let train: Train;
  let expected: {losses: number[]; hash: string};
  beforeAll(async () => {
    train = await loadTrain({wasmBinary: trainBytes()});
    const run = plainRun(train, settings);
    expected = {losses: run.step(settings.steps).losses, hash: run.parameterHash()};
    run.close();
  });

  it('has the sizes of the case’s models', () => {
    for (const [name, sizes] of Object.entries(PRESETS)) {
      const {config} = train.preset(name as 'small' | 'large');
      expect(config).toMatchObject({
        nLayers: sizes.layers,
        nHeads: sizes.heads,
        dModel: sizes.width,
        dFf: 2 * sizes.width,
        blockSize: sizes.window,
      });
    }
  });

  // One layer, two heads, width 16, window 8: tables 1200 · 16 + 8 · 16, projections 4 · 16²,
  // feed-forward 2 · 16 · 32 + 32 + 16, three norms of 2 · 16.
  it('trains a model of other sizes, with the digits of the core', async () => {
    const sizes = {layers: 1, heads: 2, width: 16, window: 8};
    const {start, end, of, losses} = learner();
    await start({settings: {...settings, preset: 'own', ...sizes}});
    await end;
    const parameters = 1208 * 16 + 4 * 256 + 2 * 16 * 32 + 48 + 96;
    expect(of('begun')[0]?.shape).toEqual({parameters, layers: 1, heads: 2, block: 8});
    const {config, ...rest} = train.preset('small');
    const own = {...config, nLayers: 1, nHeads: 2, dModel: 16, dFf: 32, blockSize: 8};
    const run = train.open(
      {...rest, config: own, attention: 'scaled', seed: 7, steps: 4, learningRate: 0.003},
      poems,
    );
    expect(losses()).toEqual(run.step(4).losses);
    expect(of('done')[0]?.hash).toBe(run.parameterHash());
    run.close();
    // The map shows a layer and a head that exist.
    expect(of('sight').at(-1)?.sight.map).toMatchObject({layer: 0, head: 1});
  });

  it('tells runs of other sizes apart, and ignores the sizes of a preset', () => {
    const own: Settings = {...settings, preset: 'own'};
    expect(sameRun(own, {...own, heads: 2})).toBe(false);
    expect(sameRun(own, {...own})).toBe(true);
    expect(sameRun(settings, {...settings, heads: 2})).toBe(true);
    expect(sameRun(settings, own)).toBe(false);
  });

  it('runs exactly the steps of the core, and ends by itself', async () => {
    const {start, end, of, losses} = learner();
    await start();
    await end;
    expect(losses()).toEqual(expected.losses);
    expect(of('begun')[0]).toMatchObject({
      shape: {parameters: 425984, layers: 2, heads: 4, block: 64},
      threads: 1,
    });
    expect(of('done')[0]?.hash).toBe(expected.hash);
    const diagnostics = of('progress').flatMap(({added}) => added.diagnostics);
    // Diagnostics are made at every tenth step and at the last.
    expect(diagnostics.map(({step}) => step)).toEqual([0, 3]);
    const sight = of('sight').at(-1)?.sight;
    expect(sight?.steps).toBe(4);
    expect(sight?.map).toMatchObject({layer: 1, head: 3, characters: [...look.text]});
  });

  it('keeps one thread where two are slower, and the digits stay', async () => {
    // Two threads, on a clock that adds the time of a step.
    let [now, threads] = [0, 2];
    const used: number[] = [];
    const module = async (): Promise<Train> => ({
      ...train,
      threads: 2,
      open: (...given) => {
        const run = train.open(...given);
        const step = (steps: number) => {
          used.push(threads);
          now += threads > 1 ? 250 : 180;
          return run.step(steps);
        };
        return {...run, setThreads: (of) => (threads = of), step};
      },
    });
    const steps = 12;
    const {start, end, of, losses} = learner(memoryStore(), {module, now: () => now});
    await start({settings: {...settings, steps}});
    await end;
    expect(used).toEqual([2, 2, 2, 1, 1, 2, 2, 1, 1, 2, 1, 1]);
    expect(of('begun')[0]?.threads).toBe(2);
    expect(of('progress').at(-1)?.quicker).toBe(1);
    const plain = plainRun(train, {...settings, steps});
    expect(losses()).toEqual(plain.step(steps).losses);
    plain.close();
  });

  it('loses and repeats no step when it is paused and resumed quickly', async () => {
    const {loop, start, end, of, losses} = learner();
    const begun = start();
    // These promises wait for the module.
    for (let i = 0; i < 5; i++) {
      void loop.receive({kind: 'pause'});
      void loop.receive({kind: 'resume'});
      void loop.receive({kind: 'resume'});
    }
    await begun;
    await end;
    expect(losses()).toEqual(expected.losses);
    expect(of('done')[0]?.hash).toBe(expected.hash);
  });

  it('continues from a stored state as if it had never stopped', async () => {
    const store = memoryStore();
    const first = learner(store);
    await first.start();
    await first.loop.receive({kind: 'pause'});
    await vi.waitFor(() => expect(first.of('saved').length).toBeGreaterThan(0));
    first.loop.stop();
    const done = store.run?.curve.losses.length ?? 0;
    expect(done).toBeGreaterThan(0);
    expect(done).toBeLessThan(4);
    const second = learner(store);
    await second.start({saved: true});
    await second.end;
    expect(second.of('begun')[0]?.curve.losses).toEqual(expected.losses.slice(0, done));
    expect(second.losses()).toEqual(expected.losses.slice(done));
    expect(second.of('done')[0]?.hash).toBe(expected.hash);
    // The stored state of another run is not used.
    const third = learner(store);
    await third.start({saved: true, settings: {...settings, seed: 8, steps: 1}});
    await third.end;
    expect(third.of('begun')[0]?.curve.losses).toEqual([]);
  });

  it('uses a new learning rate from the next step on: 0 changes no parameter', async () => {
    const {loop, start, end, of} = learner();
    const begun = start();
    void loop.receive({kind: 'rate', rate: 0});
    await begun;
    await end;
    const [peak] = of('peak');
    const untilThen = plainRun(train, settings);
    untilThen.step(peak?.step ?? 0);
    expect(peak?.step).toBeGreaterThan(0);
    expect(of('done')[0]?.hash).toBe(untilThen.parameterHash());
    untilThen.close();
  });

  it('stops at a non-finite loss and names the step; reports refusals of the core', async () => {
    const wild = learner();
    await wild.start({settings: {...settings, rate: 1e30}});
    await wild.end;
    const [diverged] = wild.of('diverged');
    expect(diverged?.step).toBe(wild.losses().length);
    expect(diverged?.step).toBeLessThan(4);
    // No finite parameters are left to write a text with.
    expect(wild.of('sight').at(-1)?.sight).toMatchObject({poem: null, map: null});
    const refused = learner();
    await refused.start({text: ''});
    await refused.end;
    expect(refused.of('failed')).toMatchObject([{code: 'invalid_argument'}]);
    // The module prints its own error.
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const page = new TextEncoder().encode('<!doctype html>');
    const broken = learner(memoryStore(), {module: () => loadTrain({wasmBinary: page})});
    await broken.start();
    await broken.end;
    expect(broken.of('failed')).toMatchObject([{code: 'internal'}]);
  });

  it('reads any text: empty, too long, unknown; begins a line after an empty prompt', async () => {
    const {loop, start, end, of} = learner();
    await start({settings: {...settings, steps: 1}, look: {...look, text: '', prompt: ''}});
    await end;
    expect(of('sight')[0]?.sight.map).toBeNull();
    expect([...(of('sight')[0]?.sight.poem ?? '')].length).toBeGreaterThan(0);
    await loop.receive({
      kind: 'look',
      look: {...look, text: '春'.repeat(10_000), prompt: '春'.repeat(10_000), head: 99},
    });
    expect(of('sight').at(-1)?.sight.map).toMatchObject({
      head: 3,
      characters: Array(24).fill('春'),
    });
    await loop.receive({kind: 'look', look: {...look, text: '床前𠀀x'}});
    expect(of('sight').at(-1)?.sight.map?.characters).toEqual(Array(4).fill('<unk>'));
    expect(of('failed')).toEqual([]);
  });
});
