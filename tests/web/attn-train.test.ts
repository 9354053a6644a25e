// <attn-train>: the learner behind it, the page's desk, records beside live runs, and the pictures.
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {afterEach, beforeAll, beforeEach, describe, expect, it, vi} from 'vitest';
import {AttnTrain, type TrainResult, type TrainState} from '../../web/elements/attn-train.js';
import {composeFigure} from '../../web/site/figures.js';
import {readFields} from '../../web/shared/link.js';
import type {Resources} from '../../web/shared/runtime.js';
import {defaults} from '../../web/shared/schema.js';
import {drawTemplate} from '../../web/site/draw.js';
import {loadTrain, type Run, type Train} from '../../web/train.js';
import {Missing, TrainDesk, type DeskHost, type Live} from '../../web/training/desk.js';
import {TrainLoop, type LoopHost} from '../../web/training/loop.js';
import type {Port, PortOptions} from '../../web/training/port.js';
import {
  emptyCurve,
  type Command,
  type Look,
  type Report,
  type Settings,
} from '../../web/training/protocol.js';
import {
  agreement,
  keyFor,
  recordedLosses,
  type CaseContent,
  type CaseRecord,
} from '../../web/training/records.js';
import type {RunStore, SavedRun} from '../../web/training/store.js';
import {resourcesFromBuild} from './load-core.js';

const bytes = () => readFileSync('build/wasm/attn_train.wasm');
const poems = '春眠不覺曉，處處聞啼鳥。\n夜來風雨聲，花落知多少。\n'.repeat(40);
const settings: Settings = {preset: 'small', attention: 'scaled', seed: 7, steps: 4, rate: 0.003};
const look: Look = {text: '花落知多少', layer: 1, head: 3, prompt: '夜', temperature: 0};

function memoryStore(): RunStore & {run: SavedRun | null} {
  const store = {
    run: null as SavedRun | null,
    put: async (run: SavedRun) => {
      store.run = run;
      return true;
    },
    get: async () => structuredClone(store.run),
  };
  return store;
}

/** A learner in this process, everything it said, and a promise of its end. */
function learner(store: RunStore = memoryStore(), changes: Partial<LoopHost> = {}) {
  const reports: Report[] = [];
  let ended = () => {};
  const end = new Promise<void>((resolve) => (ended = resolve));
  const loop = new TrainLoop({
    report: (report) => {
      reports.push(report);
      if (['done', 'diverged', 'failed'].includes(report.kind)) ended();
    },
    module: () => loadTrain({wasmBinary: bytes()}),
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

/** The same run without any of the machinery. */
function plainRun(train: Train, {preset, attention, seed, steps, rate}: Settings): Run {
  return train.open({...train.preset(preset), attention, seed, steps, learningRate: rate}, poems);
}

// A step takes a fifth of a second where nothing else runs.
describe('attn-train: the learner', {timeout: 60_000}, () => {
  let train: Train;
  let expected: {losses: number[]; hash: string};
  beforeAll(async () => {
    train = await loadTrain({wasmBinary: bytes()});
    const run = plainRun(train, settings);
    expected = {losses: run.step(settings.steps).losses, hash: run.parameterHash()};
    run.close();
  });

  it('makes the steps of the core, no other, and ends by itself', async () => {
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
    // Every tenth step, and the last.
    expect(diagnostics.map(({step}) => step)).toEqual([0, 3]);
    const sight = of('sight').at(-1)?.sight;
    expect(sight?.steps).toBe(4);
    expect(sight?.map).toMatchObject({layer: 1, head: 3, characters: [...look.text]});
  });

  it('loses and repeats no step when it is paused and resumed in a hurry', async () => {
    const {loop, start, end, of, losses} = learner();
    const begun = start();
    // These wait for the module.
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

  it('goes on from what was kept as if it had never stopped', async () => {
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
    // Another run's state is left alone.
    const third = learner(store);
    await third.start({saved: true, settings: {...settings, seed: 8, steps: 1}});
    await third.end;
    expect(third.of('begun')[0]?.curve.losses).toEqual([]);
  });

  it('takes another learning rate from the next step on: 0 moves nothing', async () => {
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

  it('stops where numbers end, with the step, and says what the core refuses', async () => {
    const wild = learner();
    await wild.start({settings: {...settings, rate: 1e30}});
    await wild.end;
    const [diverged] = wild.of('diverged');
    expect(diverged?.step).toBe(wild.losses().length);
    expect(diverged?.step).toBeLessThan(4);
    // Nothing finite is left to write with.
    expect(wild.of('sight').at(-1)?.sight).toMatchObject({poem: null, map: null});
    const refused = learner();
    await refused.start({text: ''});
    await refused.end;
    expect(refused.of('failed')).toMatchObject([{code: 'invalid_argument'}]);
    // The module's own complaint.
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const page = new TextEncoder().encode('<!doctype html>');
    const broken = learner(memoryStore(), {module: () => loadTrain({wasmBinary: page})});
    await broken.start();
    await broken.end;
    expect(broken.of('failed')).toMatchObject([{code: 'internal'}]);
  });

  it('reads any text: none, too long, unknown; begins a line where nothing is given', async () => {
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

describe('attn-train: the desk', () => {
  let kept: Map<string, string>;
  beforeEach(() => {
    kept = new Map();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
      removeItem: (key: string) => kept.delete(key),
    });
  });
  afterEach(() => vi.unstubAllGlobals());

  /** A desk whose learner is a list of commands, and speaks when told. */
  function deskWith(changes: Partial<DeskHost> = {}, where: Port['where'] = 'worker') {
    const posted: Command[] = [];
    const reports: PortOptions['report'][] = [];
    const closed = vi.fn();
    const desk = new TrainDesk({
      open: async ({report}) => {
        reports.push(report);
        return {where, post: (command) => posted.push(command), close: closed};
      },
      corpus: async () => poems,
      ...changes,
    });
    const say = (report: Report) => reports.at(-1)?.(report);
    const begin = async () => {
      await desk.start(settings, look);
      say({
        kind: 'begun',
        shape: {parameters: 1, layers: 2, heads: 4, block: 64},
        threads: 2,
        curve: emptyCurve(0.003),
      });
    };
    const walk = (losses: number[]) =>
      say({
        kind: 'progress',
        seconds: 0.2 * losses.length,
        memory: 1,
        added: {losses, gradientNorms: losses, learningRates: losses, diagnostics: []},
      });
    return {
      desk,
      posted,
      reports,
      closed,
      say,
      begin,
      walk,
      kinds: () => posted.map(({kind}) => kind),
    };
  }

  it('starts one learner for five clicks', async () => {
    const {desk, reports, kinds} = deskWith();
    await Promise.all(Array.from({length: 5}, () => desk.start(settings, look)));
    expect(reports.length).toBe(1);
    expect(kinds()).toEqual(['start']);
  });

  it('pauses, resumes, stops; what a stopped learner still says comes to nothing', async () => {
    const {desk, say, begin, walk, kinds, closed} = deskWith();
    desk.pause();
    await begin();
    walk([7, 6]);
    desk.resume();
    desk.pause();
    expect(kinds()).toEqual(['start', 'pause']);
    say({kind: 'paused'});
    desk.pause();
    desk.resume();
    expect(kinds()).toEqual(['start', 'pause', 'resume']);
    desk.stop();
    expect(closed).toHaveBeenCalledOnce();
    walk([5]);
    expect(desk.live).toMatchObject({phase: 'stopped', curve: {losses: [7, 6]}});
    expect(desk.kept).toBeNull();
  });

  it('a stop while things are being fetched ends it', async () => {
    let give = (_text: string) => {};
    const {desk, reports} = deskWith({corpus: () => new Promise((resolve) => (give = resolve))});
    const started = desk.start(settings, look);
    desk.stop();
    give(poems);
    await started;
    expect(reports).toEqual([]);
    expect(desk.live?.phase).toBe('stopped');
  });

  it('says what is missing, and can be started again', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    let there = false;
    const {desk, kinds} = deskWith({
      corpus: () => (there ? Promise.resolve(poems) : Promise.reject(new Missing('no-corpus'))),
    });
    await desk.start(settings, look);
    expect(desk.live).toMatchObject({phase: 'failed', failure: 'no-corpus'});
    there = true;
    await desk.start(settings, look);
    expect(kinds()).toEqual(['start']);
    const other = deskWith();
    await other.desk.start(settings, look);
    other.say({kind: 'failed', code: 'no-module', message: '404'});
    expect(other.desk.live).toMatchObject({phase: 'failed', failure: 'no-module'});
    await other.begin();
    expect(other.desk.live).toMatchObject({phase: 'running', threads: 2});
  });

  it('goes on in a hidden tab and says how far it came; in the page itself it waits', async () => {
    const worker = deskWith();
    await worker.begin();
    worker.walk([7]);
    worker.desk.visible(false);
    worker.walk([6, 5]);
    worker.desk.visible(true);
    expect(worker.desk.live).toMatchObject({phase: 'running', hidden: {from: 1, to: 3}});
    expect(worker.kinds()).toEqual(['start', 'save']);

    const page = deskWith({}, 'page');
    await page.begin();
    page.desk.visible(false);
    page.say({kind: 'paused'});
    expect(page.desk.live).toMatchObject({phase: 'paused', waiting: true});
    page.desk.visible(true);
    page.say({kind: 'resumed'});
    expect(page.desk.live).toMatchObject({phase: 'running', waiting: false});
    expect(page.kinds()).toEqual(['start', 'pause', 'resume']);
    // A reader's own pause is left alone.
    page.desk.pause();
    page.say({kind: 'paused'});
    page.desk.visible(false);
    page.desk.visible(true);
    expect(page.kinds()).toEqual(['start', 'pause', 'resume', 'pause', 'save']);
  });

  it('remembers the run for the next visit: steps made, and steps that can be taken up', async () => {
    const {desk, say, begin, walk} = deskWith();
    await begin();
    walk([7, 6, 5]);
    say({kind: 'saved', steps: 2});
    expect(desk.kept).toBeNull();
    desk.save();
    expect(new TrainDesk({} as DeskHost).kept).toEqual({settings, steps: 3, saved: 2});
    say({kind: 'diverged', step: 3});
    expect(new TrainDesk({} as DeskHost).kept).toBeNull();
    kept.set('attn-lessons/training', '{"steps":');
    expect(new TrainDesk({} as DeskHost).kept).toBeNull();
  });
});

/** A run of 1,500 steps, with losses n ÷ 1000 + 4 and the diagnostics of two steps. */
const loss = (step: number) => 7 - step / 1000;
function record(changes: Partial<CaseRecord> = {}): CaseRecord {
  const at = (step: number) => ({
    step,
    entropy: 1 - step / 3000,
    logitDeviation: 0.05 * (step + 1),
    largestLogit: 1,
    jacobianNorm: 0.2 / (step + 1),
    queryDeviation: 1,
    keyDeviation: 1,
    qkvNorm: 1,
    diagonal: 0.1,
    largestRowSum: 1,
  });
  return {
    experiment: 'small-scaled',
    command: 'npm run case -- small-scaled',
    corpus: 'f'.repeat(64),
    preset: 'small',
    attention: 'scaled',
    seed: 20261014,
    steps: 1500,
    warmupSteps: 100,
    learningRate: 0.003,
    parameters: 425984,
    vocabulary: 1200,
    stepsDone: 1500,
    finalLoss: 5.5,
    firstLosses: Array.from({length: 20}, (_, step) => loss(step)),
    losses: [
      ...Array.from({length: 150}, (_, i): [number, number] => [10 * i, loss(10 * i)]),
      [1499, loss(1499)],
    ],
    diagnostics: [at(0), at(74), at(1499)],
    parameterHash: '0123456789abcdef',
    validationLoss: 5.6,
    poem: {prompt: '春', text: '風<unk>。\n月'},
    ...changes,
  };
}
const unscaled = record({experiment: 'small-unscaled', attention: 'unscaled', finalLoss: 5.7});

const state = (changes: Partial<TrainState> = {}): TrainState => ({
  ...defaults<TrainState>(AttnTrain.spec.schema),
  ...changes,
});
function curveOf(steps: number, changes: Partial<Live['curve']> = {}): Live['curve'] {
  const losses = Array.from({length: steps}, (_, step) => loss(step));
  const diagnostics = record().diagnostics.filter(({step}) => step < steps);
  return {
    ...emptyCurve(0.003),
    losses,
    gradientNorms: losses,
    learningRates: losses,
    diagnostics,
    ...changes,
  };
}

describe('attn-train: live beside recorded', () => {
  it('each recorded loss counts once', () => {
    // 20 first ones, then 20, 30, … 1490 and 1499: 148 + 1.
    expect(recordedLosses(record()).length).toBe(20 + 148 + 1);
  });

  it('the same digits, to the last', () => {
    // Losses 0 … 19, 20, 30, … 100: 29; three diagnostics of two steps.
    expect(agreement(record(), state(), curveOf(101))).toEqual({
      compared: 29 + 6,
      firstDifference: null,
      until: 1500,
      why: 'whole',
    });
    const off = curveOf(101);
    off.losses[30]! += 2 ** -50;
    expect(agreement(record(), state(), off).firstDifference).toBe(30);
    const turned = curveOf(101);
    turned.diagnostics = turned.diagnostics.map((at) =>
      at.step === 74 ? {...at, entropy: at.entropy + 2 ** -53} : at,
    );
    expect(agreement(record(), state(), turned).firstDifference).toBe(74);
  });

  it('only where the settings are the record’s', () => {
    // Another length: the warm-up alone. Loss 100 is made by updates 0 … 99.
    const short = agreement(record(), state({steps: 200}), curveOf(200));
    expect(short).toMatchObject({until: 101, why: 'steps', compared: 29 + 6});
    // Another rate from step 50 on: loss 50 is still the record's. 20 + 20, 30, 40, 50; diagnostics of step 0.
    const peaks = [
      {step: 0, rate: 0.003},
      {step: 50, rate: 1},
    ];
    expect(agreement(record(), state(), curveOf(120, {peaks}))).toMatchObject({
      until: 51,
      why: 'rate',
      compared: 24 + 3,
    });
    const other = agreement(
      record(),
      state({rate: 1}),
      curveOf(120, {peaks: [{step: 0, rate: 1}]}),
    );
    expect(other).toMatchObject({until: 0, why: 'rate', compared: 0});
  });

  it('the record of as many steps comes first', () => {
    const short = record({experiment: 'failure-scaled', steps: 300});
    expect(keyFor([record(), short], state({steps: 300}))?.experiment).toBe('failure-scaled');
    expect(keyFor([short, record()], state({steps: 500}))?.experiment).toBe('small-scaled');
    expect(keyFor([record()], state({seed: 1}))).toBeUndefined();
  });
});

describe('attn-train: the widget', () => {
  const {spec} = AttnTrain;
  const other = record({experiment: 'small-scaled-20261015', seed: 20261015});
  const content: CaseContent = {records: [record(), unscaled], others: [other]};
  let resources: Resources;
  beforeAll(async () => {
    resources = await resourcesFromBuild();
  });

  function show(
    changes: Partial<TrainState> = {},
    live: Partial<Live> | null = null,
    given = content,
  ) {
    const now = state(changes);
    const computed = spec.compute(resources, now, given) as TrainResult;
    const run = live && {
      settings: {...now},
      phase: 'running' as const,
      failure: null,
      where: 'worker' as const,
      threads: 1,
      curve: curveOf(101),
      shape: {parameters: 425984, layers: 2, heads: 4, block: 64},
      sight: null,
      poems: [],
      resumedAt: 0,
      saved: null,
      secondsPerStep: 0.2,
      hidden: null,
      waiting: false,
      memory: 1,
      end: null,
      ...live,
    };
    const result: TrainResult = {
      ...computed,
      live: run,
      agreement:
        run && computed.record ? agreement(computed.record, run.settings, run.curve) : null,
    };
    const draw = async () =>
      (await drawTemplate(spec.view(now, result))).replace(/<!--.*?-->/gs, '');
    return {now, result, says: spec.says(now, result), table: spec.table(now, result), draw};
  }

  it('at rest it is the record, beside the other side of ÷√d', async () => {
    const {result, says, table, draw} = show();
    expect(result).toMatchObject({
      record: {experiment: 'small-scaled'},
      other: {experiment: 'small-unscaled'},
      wanted: null,
      live: null,
    });
    expect(says).toBe(
      '记录的一次，小模型，÷√d：1,500步，末50步平均损失5.50（不缩放是5.70）；H从1到0.5，logit的标准差从0.05到75，‖J‖从0.2到0.00013。',
    );
    const drawn = await draw();
    expect(drawn.match(/<svg data-figure/g)?.length).toBe(5);
    expect(drawn).toContain('風□。 ／ 月');
    expect(composeFigure(drawn, {title: 'x', description: 'y'})).toContain('</svg>');
    // Full digits, with the step.
    expect(table.rows.find(([step]) => step === '50')?.[1]).toBe('6.95');
    expect(JSON.parse(JSON.stringify(result))).toEqual(result);
  });

  it('asks for records that did not come with it, and does without', async () => {
    expect(show({seed: 20261015}).result).toMatchObject({
      record: null,
      wanted: 'case/small-scaled-20261015',
    });
    const large = record({experiment: 'large-scaled', preset: 'large'});
    expect(show({preset: 'large'}, null, {records: [large], others: []}).result).toMatchObject({
      record: large,
      other: null,
      wanted: null,
    });
    const none = show({seed: 5});
    expect(none.result.wanted).toBeNull();
    expect(none.says).toBe('小模型，÷√d、种子5没有记录；点「开始」，可以现场练。');
    const bare = show({}, null, {records: [], others: []});
    expect(await bare.draw()).toContain('data-figure');
  });

  it('live: compares out loud, and tells where it must not', () => {
    expect(show({}, {}).says).toContain(
      '正在练：425,984个参数，走了101步，这一批的损失6.900。✓ 与记录逐位相同：比了35个数。',
    );
    const changed = curveOf(101, {
      peaks: [
        {step: 0, rate: 0.003},
        {step: 50, rate: 1},
      ],
    });
    expect(show({}, {curve: changed}).says).toContain('改过学习率，只有前51步可比。');
    expect(show({steps: 200}, {}).says).toContain(
      '记录走了1,500步，学习率的安排不同，只有前101步可比。',
    );
    expect(show({seed: 5}, {}).says).toContain('这组设定没有记录可比。');
    const done = show(
      {},
      {phase: 'done', curve: curveOf(1500), end: {validationLoss: 5.6, hash: '0123456789abcdef'}},
    );
    expect(done.says).toContain('留出的诗上损失5.600，全部参数的指纹也与记录相同。');
    expect(
      show(
        {},
        {phase: 'done', curve: curveOf(1500), end: {validationLoss: 5.6, hash: 'f'.repeat(16)}},
      ).says,
    ).not.toContain('指纹');
  });

  it('every end has its sentence', () => {
    expect(show({rate: 1e6}, {phase: 'diverged', curve: curveOf(2)}).says).toContain(
      '走了2步，下一步发散',
    );
    expect(show({}, {curve: curveOf(3, {losses: [7, 6, 5000]})}).says).toContain(
      '比瞎猜还差得多：学习率太大。',
    );
    expect(show({rate: 0}, {}).says).toContain('学习率是0，参数不动');
    for (const failure of ['no-module', 'no-corpus', 'wrong-corpus', 'crashed'] as const) {
      expect(show({}, {phase: 'failed', failure}).says).toMatch(/。$/);
    }
    expect(show({}, {phase: 'paused'}).says).toContain('暂停了');
    expect(show({}, {phase: 'stopped'}).says).toContain('停下了');
    expect(show({}, {phase: 'loading', curve: curveOf(0)}).says).toContain('正在取');
  });

  it('draws every state without a number that is none', async () => {
    const map = {
      characters: ['春', '<unk>'],
      rows: [
        [1, 0],
        [0.25, 0.75],
      ],
      layer: 0,
      head: 0,
    };
    const curves = [
      curveOf(0),
      curveOf(1),
      curveOf(101),
      curveOf(3, {losses: [7, 2e6, 1e9]}),
      curveOf(1500),
    ];
    for (const curve of curves) {
      for (const sight of [
        null,
        {steps: 1, poem: '\n<unk>', map: null},
        {steps: 100, poem: '風。', map},
      ]) {
        for (const changes of [
          {},
          {preset: 'large'},
          {seed: 5},
          {attention: 'hidden-as-zero'},
        ] as Partial<TrainState>[]) {
          const {draw, says, table, result} = show(changes, {
            curve,
            sight,
            poems: [{steps: 1, poem: '雲'}],
          });
          const told = (await draw()) + says + JSON.stringify(table);
          expect(told).not.toMatch(/NaN|Infinity|undefined|\[object/);
          expect(JSON.parse(JSON.stringify(result))).toEqual(result);
        }
      }
    }
    const {draw} = show({}, {sight: {steps: 1, poem: '', map}});
    expect(await draw()).toContain('「□」看「□」，0.750');
  });

  it('reads its attributes', () => {
    const attributes: Record<string, string> = {
      preset: 'LARGE',
      attention: 'unscaled',
      seed: '２',
      steps: '0',
      rate: '1e-2',
      autostart: '',
    };
    const {state: read, problem} = readFields(spec.schema, (key) => attributes[key] ?? null);
    expect(read).toMatchObject({
      preset: 'large',
      attention: 'unscaled',
      seed: 2,
      steps: 1500,
      rate: 0.01,
      autostart: true,
    });
    expect(problem?.message).toBe('steps：这里最小是1。');
  });
});

describe('the recorded runs', () => {
  const folder = 'lessons/case';
  const files = existsSync(folder)
    ? readdirSync(folder).filter((name) => name.endsWith('.json'))
    : [];
  const runs = files
    .map(
      (name) =>
        JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')) as CaseRecord & {
          config: object;
          batchSize: number;
        },
    )
    .filter((run) => 'losses' in run);

  it('are there', () => {
    expect(runs.map(({experiment}) => experiment)).toEqual(
      expect.arrayContaining(['small-scaled', 'small-unscaled', 'large-scaled', 'large-unscaled']),
    );
  });

  it('begin with the digits that this module makes', async () => {
    const text = readFileSync('build/corpus/tang.txt', 'utf8');
    const train = await loadTrain({wasmBinary: bytes()});
    for (const {
      experiment,
      preset,
      attention,
      seed,
      steps,
      learningRate,
      firstLosses,
      diagnostics,
    } of runs) {
      const run = train.open({...train.preset(preset), attention, seed, steps, learningRate}, text);
      const first = run.step(1);
      const {entropy, jacobianNorm} = run.diagnostics(0);
      expect([...first.losses, ...run.step(1).losses], experiment).toEqual(firstLosses.slice(0, 2));
      expect({entropy, jacobianNorm}, experiment).toEqual({
        entropy: diagnostics[0]?.entropy,
        jacobianNorm: diagnostics[0]?.jacobianNorm,
      });
      run.close();
    }
  }, 120_000);
});
