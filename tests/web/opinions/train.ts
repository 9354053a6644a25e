// <attn-train>: the recorded runs as their files tell them, and a run of the page that repeats one.

import {readdirSync, readFileSync} from 'node:fs';
import {shelf, type TrainResult, type TrainState} from '../../../web/elements/attn-train/state.js';
import type {TeachingWorld} from '../../../web/shared/world.js';
import type {Live} from '../../../web/training/desk.js';
import {agreement} from '../../../web/training/agreement.js';
import type {CaseRecord} from '../../../web/training/records.js';
import type {State} from '../random-state.js';
import {type Contents, dec, int, Reader, type Shown, sig, type Value} from './reading.js';

const FOLDER = 'lessons/case';
const RECORDS = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .sort()
  .map((name) => JSON.parse(readFileSync(`${FOLDER}/${name}`, 'utf8')) as CaseRecord)
  .filter(({losses}) => losses !== undefined);
const MAIN = ['small-scaled', 'small-unscaled', 'large-scaled', 'large-unscaled'];

/** A run of the page: its steps, the one from which it differs, and where the rate was changed. */
interface Replay {
  done: number;
  phase: 'running' | 'paused' | 'stopped' | 'done' | 'diverged';
  wrongFrom: number;
  changed: number | null;
}

interface ReplayState extends TrainState {
  /** False while only the main records are there. */
  loaded: boolean;
  replay: Replay | null;
}

const ATTENTION: Record<string, string> = {
  scaled: '÷√d',
  unscaled: '不缩放',
  'hidden-as-zero': '遮住的记0分',
  'scaled-after-softmax': 'softmax之后才÷√d',
  'no-max-subtraction': '不减最大值',
  'divided-by-width': '÷d',
};
type Named = Pick<TrainState, 'preset' | 'attention'> & Partial<TrainState>;
const nameOf = ({preset, attention, layers, heads, width, window}: Named) =>
  preset === 'own'
    ? `${layers}层、${heads}个头、宽${width}、窗口${window}，${ATTENTION[attention]}`
    : `${preset === 'small' ? '小' : '大'}模型，${ATTENTION[attention]}`;

/** The run with these settings: one of the same length, or else the longest. */
function fileOf(state: TrainState, attention: string): CaseRecord | undefined {
  const alike = RECORDS.filter(
    (file) =>
      file.preset === state.preset && file.seed === state.seed && file.attention === attention,
  ).sort((a, b) => b.steps - a.steps);
  return alike.find(({steps}) => steps === state.steps) ?? alike[0];
}

const lossesOf = ({firstLosses, losses}: CaseRecord) =>
  new Map([...losses, ...firstLosses.map((loss, step) => [step, loss] as const)]);

/** The loss that the page's run has at a step; between two recorded ones it does not matter. */
function lossAt(file: CaseRecord, step: number, {wrongFrom}: Replay): number {
  const recorded = lossesOf(file);
  const loss = recorded.get(step) ?? recorded.get(10 * Math.floor(step / 10)) ?? 5;
  return step < wrongFrom ? loss : loss * (1 + 2 ** -50);
}

/** The record that the page's run repeats; the last one if the state has no record. */
const sourceOf = (state: TrainState) => fileOf(state, state.attention) ?? RECORDS.at(-1)!;

/** The result with a run of the page beside the record. */
export function replayed(state: ReplayState, result: TrainResult): TrainResult {
  const {replay} = state;
  if (!replay) return result;
  const source = sourceOf(state);
  const losses = Array.from({length: replay.done}, (_, step) => lossAt(source, step, replay));
  const same = replay.wrongFrom >= replay.done;
  const {rate} = state;
  const first = replay.changed === 0 ? rate : source.learningRate;
  const live: Live = {
    settings: state,
    phase: replay.phase,
    failure: null,
    where: 'worker',
    threads: 1,
    quicker: 1,
    shape: {parameters: source.parameters, layers: 2, heads: 4, block: 64},
    curve: {
      losses,
      gradientNorms: losses.map((loss) => loss / 8),
      learningRates: losses.map((_, step) => step / 1024),
      diagnostics: source.diagnostics.filter(({step}) => step < replay.done),
      peaks: [{step: 0, rate: first}, ...(replay.changed ? [{step: replay.changed, rate}] : [])],
    },
    sight: null,
    poems: [],
    resumedAt: 0,
    saved: null,
    secondsPerStep: 0.2,
    hidden: null,
    waiting: false,
    memory: 1,
    end:
      replay.phase === 'done'
        ? {validationLoss: 4.5, hash: same ? source.parameterHash : '0'}
        : null,
  };
  const {record} = result;
  return {
    ...result,
    live,
    agreement: record && agreement(record, live.settings, live.curve),
  };
}

export function trainOpinion(
  state: ReplayState,
  shown: Shown,
  _world: TeachingWorld,
  _contents: Contents,
): string[] {
  const reader = new Reader(shown);
  const file = fileOf(state, state.attention);
  const there = (one: CaseRecord | undefined) =>
    one && (state.loaded || MAIN.includes(one.experiment)) ? one : undefined;
  const record = there(file);
  if (state.replay) liveOpinion(reader, state, state.replay, file, record);
  else if (record) {
    const other = there(fileOf(state, state.attention === 'scaled' ? 'unscaled' : 'scaled'));
    if (state.at < 1) replayOpinion(reader, state.at, record, other);
    else restOpinion(reader, record, other);
    restTable(reader, record);
  } else {
    const why = file ? '的记录还没有取来' : '没有记录';
    const words = `${nameOf(state)}、种子${state.seed}${why}；点「开始」，可以现场练。`;
    reader.is(shown.says, words, 'says');
    reader.table([]);
  }
  return reader.wrong;
}

const digits = (value: number | undefined) =>
  value === undefined ? '' : String(value).replace(/^-/, '−');

function restOpinion(reader: Reader, record: CaseRecord, other: CaseRecord | undefined): void {
  const {diagnostics} = record;
  const [from, to] = [diagnostics[0]!, diagnostics.at(-1)!];
  const loss = (of: CaseRecord) => (of.finalLoss === null ? '发散' : dec(of.finalLoss, 2));
  const beside = other?.steps === record.steps ? other : undefined;
  reader.says(
    `记录的一次，${nameOf(record)}：*步，末50步平均损失*` +
      `${beside ? `（${ATTENTION[beside.attention]}是*）` : ''}；H从*到*，` +
      `logit的标准差从*到*，‖J‖从*到*。`,
    int(record.stepsDone),
    loss(record),
    ...(beside ? [loss(beside)] : []),
    sig(from.entropy, 3),
    sig(to.entropy, 2),
    sig(from.logitDeviation, 2),
    sig(to.logitDeviation, 3),
    sig(from.jacobianNorm, 2),
    sig(to.jacobianNorm, 2),
  );
}

/** The numbers at a place of the playhead: those of the last recorded step until there. */
function replayOpinion(reader: Reader, at: number, record: CaseRecord, other?: CaseRecord): void {
  const step = Math.round(at * record.stepsDone);
  const loss = (of: CaseRecord) => {
    const recorded = [...lossesOf(of)].filter(([each]) => each <= step);
    return dec(recorded.sort(([a], [b]) => b - a)[0]![1], 3);
  };
  const measured = record.diagnostics.filter((each) => each.step <= step);
  const {entropy, logitDeviation, jacobianNorm} = measured[measured.length - 1]!;
  reader.says(
    `回放${nameOf(record)}，第*步，共*步：损失*` +
      `${other ? `（${ATTENTION[other.attention]}的那次是*）` : ''}；H是*，` +
      `logit的标准差是*，‖J‖是*。`,
    int(step),
    int(record.stepsDone),
    loss(record),
    ...(other ? [loss(other)] : []),
    sig(entropy, 3),
    sig(logitDeviation, 3),
    sig(jacobianNorm, 2),
  );
}

function restTable(reader: Reader, record: CaseRecord): void {
  const {diagnostics} = record;
  const losses = lossesOf(record);
  const rows: Value[][] = [];
  for (let step = 0; step < record.steps; step++) {
    const at = diagnostics.find((each) => each.step === step);
    if (!at && !(step % 50 === 0 && losses.has(step))) continue;
    const measured = [at?.entropy, at?.logitDeviation, at?.jacobianNorm].map(digits);
    rows.push([int(step), digits(losses.get(step)), '', '', ...measured, '', '']);
  }
  reader.table(rows);
}

function liveOpinion(
  reader: Reader,
  state: ReplayState,
  replay: Replay,
  file: CaseRecord | undefined,
  record: CaseRecord | undefined,
): void {
  const {done, phase} = replay;
  const source = sourceOf(state);
  const own = (step: number) => lossAt(source, step, replay);
  const losses = record ? lossesOf(record) : new Map<number, number>();
  const measuredAt = (step: number) => source.diagnostics.find((at) => at.step === step);
  const rows: Value[][] = [];
  for (let step = 0; step < done; step++) {
    const at = measuredAt(step);
    const there = losses.get(step);
    if (there === undefined && !at && step !== done - 1) continue;
    const same = there === undefined ? '' : there === own(step) ? '✓' : '✗';
    rows.push([
      int(step),
      digits(there),
      digits(own(step)),
      same,
      ...[at?.entropy, at?.logitDeviation, at?.jacobianNorm].map(digits),
      digits(own(step) / 8),
      digits(step / 1024),
    ]);
  }
  reader.table(rows);
  if (phase === 'diverged')
    return reader.says(
      `走了*步，下一步发散：损失或梯度不再是有限的数，训练停在这里。学习率*太大时就会这样。`,
      int(done),
      digits(state.rate),
    );
  if (phase === 'done') {
    const last = Array.from({length: Math.min(50, done)}, (_, i) => own(done - 1 - i));
    reader.says(
      `练完了，*步；末*步平均损失*。留出的诗上损失4.500`,
      int(done),
      String(last.length),
      dec(last.reduce((sum, loss) => sum + loss, 0) / last.length, 3),
    );
  } else {
    const doing = {running: '正在练', paused: '暂停了', stopped: '停下了'}[phase];
    if (done === 0) reader.says(`${doing}：*个参数，还没走一步。`, int(source.parameters));
    else
      reader.says(
        `${doing}：*个参数，走了*步，这一批的损失*。`,
        int(source.parameters),
        int(done),
        dec(own(done - 1), 3),
      );
    if (state.rate === 0) reader.says('学习率是0，参数不动，损失只随抽到的诗变。');
    else reader.saysNot('参数不动');
  }
  compared(reader, state, replay, {file, record, steps: [...losses.keys()]});
}

/** The end of the sentence: how much of the run can be compared, and whether it is the same. */
function compared(
  reader: Reader,
  {steps, rate}: ReplayState,
  {done, phase, changed, wrongFrom}: Replay,
  {
    file,
    record,
    steps: recorded,
  }: {
    file: CaseRecord | undefined;
    record: CaseRecord | undefined;
    steps: readonly number[];
  },
): void {
  if (!record) return reader.says(file ? '记录还没有取来，先不比。' : '这组设定没有记录可比。');
  const whole = steps === record.steps;
  // The rates of two schedules are the same until the end of the warm-up.
  let until = whole ? steps : Math.min(steps, record.steps, record.warmupSteps + 1);
  let limit = whole
    ? ''
    : `记录走了*步，学习率的安排不同，只有前${until.toLocaleString('en')}步可比。`;
  if (changed !== null && rate !== record.learningRate) {
    // The loss of a step is computed before its update.
    const before = changed === 0 ? 0 : changed + 1;
    if (before < until) {
      until = before;
      limit = until === 0 ? '学习率与记录不同，不比。' : `改过学习率，只有前*步可比。`;
    }
  }
  const values = limit.includes('记录走了') ? [int(record.steps)] : [int(until)];
  const fill = limit.includes('*') ? values : [];
  const compare = recorded.filter((step) => step < Math.min(done, until));
  const measured = record.diagnostics.filter(({step}) => step < Math.min(done, until));
  const different = compare.filter((step) => step >= wrongFrom);
  if (different.length > 0)
    reader.says(`✗ 从第*步起与记录不同。${limit}`, int(Math.min(...different)), ...fill);
  else if (compare.length > 0)
    reader.says(
      `✓ 与记录逐位相同：比了*个数。${limit}`,
      int(compare.length + 3 * measured.length),
      ...fill,
    );
  else if (limit) reader.says(limit, ...fill);
  const fingerprint =
    phase === 'done' && limit === '' && wrongFrom >= done ? reader.says : reader.saysNot;
  fingerprint.call(reader, '全部参数的指纹也与记录相同');
}

/** Settings of records, with all of them loaded or not, and a run of the page beside some. */
export function sampleTrain(state: State, random: () => number, contents: Contents): State {
  const one = <T>(...values: readonly T[]): T => values[Math.floor(values.length * random())] as T;
  const loaded = random() < 0.8;
  shelf.clear();
  if (loaded)
    for (const {experiment} of RECORDS)
      shelf.set(experiment, contents.get(`case/${experiment}`) as CaseRecord);
  const steps = one(1500, 1500, 300, 60, state['steps'] as number);
  const phase = one<Replay['phase']>('running', 'paused', 'stopped', 'done', 'diverged');
  const done =
    phase === 'done' && steps <= 1500 ? steps : Math.floor(Math.min(steps, 400) * random());
  const replay: Replay = {
    done,
    phase: phase === 'done' && done !== steps ? 'running' : phase,
    wrongFrom: one(Infinity, Infinity, Math.floor(done * random())),
    changed: one(null, null, 0, Math.floor(done * random())),
  };
  return {
    ...state,
    seed: one(20261014, 20261014, 20261015, 20261016, state['seed'] as number),
    steps,
    rate: one(0.003, state['rate'] as number),
    loaded,
    at: one(1, 1, random(), 0),
    replay: random() < 0.5 ? null : replay,
  };
}
