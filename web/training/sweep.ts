// Twelve runs in a row: models with one head of growing width, each with and without ÷√d. A
// finished run is kept in this browser at once, and the present one every fifty steps.

import type {AttentionKind} from '../train.js';
import type {Port} from './port.js';
import type {DeskHost} from './desk.js';
import type {Failure, Look, Missing, Report, Settings} from './protocol.js';

export const WIDTHS = [32, 64, 96, 128, 192, 256] as const;
const SIDES = ['scaled', 'unscaled'] as const satisfies readonly AttentionKind[];
type Side = (typeof SIDES)[number];

/** A run of the sweep. */
export interface SweepRun {
  width: number;
  attention: Side;
  /** Mean loss of the last 50 steps; null: it diverged. */
  loss: number | null;
}

export interface SweepPlan {
  seed: number;
  /** Steps of each run. */
  steps: number;
}

export type SweepPhase = 'loading' | 'running' | 'paused' | 'stopped' | 'done' | 'failed';

export interface Sweep {
  plan: SweepPlan;
  phase: SweepPhase;
  failure: Failure | null;
  done: SweepRun[];
  /** The present run; null before its first report. */
  now: {width: number; attention: Side; step: number; loss: number | null} | null;
  /** Seconds that the finished steps took. */
  seconds: number;
}

/** A sweep that this browser kept. */
export type KeptSweep = Pick<Sweep, 'plan' | 'done' | 'seconds'>;

const KEY = 'attn-lessons/sweep';
const RATE = 0.003;
const LAST = 50;
const LAYERS = 2;
const WINDOW = 64;
/** Neither a map nor a poem is drawn. */
const NO_LOOK: Look = {text: '', layer: 0, head: 0, prompt: '', temperature: 0};

/** All runs in the order in which they are made. */
export const RUNS = WIDTHS.flatMap((width) => SIDES.map((attention) => ({width, attention})));

const settingsOfRun = (
  {width, attention}: Pick<SweepRun, 'width' | 'attention'>,
  {seed, steps}: SweepPlan,
): Settings => ({
  preset: 'own',
  attention,
  layers: LAYERS,
  heads: 1,
  width,
  window: WINDOW,
  seed,
  steps,
  rate: RATE,
});

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

export const goingOn = (sweep: Sweep | null): sweep is Sweep =>
  sweep !== null && ['loading', 'running', 'paused'].includes(sweep.phase);

/** Fires 'change' on every report. */
export class SweepDesk extends EventTarget {
  sweep: Sweep | null = null;
  readonly #host: DeskHost;
  #port: Port | null = null;
  #losses: number[] = [];
  /** Messages of a run that was stopped are ignored. */
  #ticket = 0;

  constructor(host: DeskHost) {
    super();
    this.#host = host;
  }

  /** The unfinished sweep of an earlier visit. */
  get kept(): KeptSweep | null {
    return goingOn(this.sweep) ? null : readKept();
  }

  /** Continues the kept sweep if it has the same plan. */
  async start(plan: SweepPlan): Promise<void> {
    if (goingOn(this.sweep)) return;
    const kept = readKept();
    const same = kept?.plan.seed === plan.seed && kept.plan.steps === plan.steps;
    this.sweep = {
      plan,
      phase: 'loading',
      failure: null,
      done: same ? kept.done : [],
      now: null,
      seconds: same ? kept.seconds : 0,
    };
    if (!same) writeKept(null);
    await this.#next();
  }

  pause(): void {
    if (this.sweep?.phase === 'running') this.#port?.post({kind: 'pause'});
  }

  resume(): void {
    if (this.sweep?.phase === 'paused') this.#port?.post({kind: 'resume'});
  }

  /** Ends it and forgets what it kept; the drawn runs stay until the next start. */
  stop(): void {
    if (!goingOn(this.sweep)) return;
    writeKept(null);
    this.#end('stopped');
  }

  async #next(): Promise<void> {
    const {sweep} = this;
    if (!sweep) return;
    this.#close();
    const ticket = this.#ticket;
    const late = () => ticket !== this.#ticket;
    const run = RUNS[sweep.done.length];
    if (!run) {
      writeKept(null);
      this.#end('done');
      return;
    }
    sweep.now = {...run, step: 0, loss: null};
    this.#losses = [];
    this.#tell();
    try {
      const text = await this.#host.corpus();
      if (late()) return;
      const port = await this.#host.open({
        report: (report) => {
          if (!late()) this.#take(report, sweep);
        },
      });
      if (late()) return port.close();
      this.#port = port;
      const settings = settingsOfRun(run, sweep.plan);
      port.post({kind: 'start', text, settings, look: NO_LOOK, slot: 'sweep', saved: true});
    } catch (error) {
      if (late()) return;
      console.warn('attn-lessons: the sweep did not start', error);
      this.#fail((error as Partial<Missing>).failure ?? 'crashed');
    }
  }

  #take(report: Report, sweep: Sweep): void {
    switch (report.kind) {
      case 'begun':
        this.#losses = [...report.curve.losses];
        if (sweep.phase === 'loading') sweep.phase = 'running';
        break;
      case 'progress':
        this.#losses.push(...report.added.losses);
        sweep.seconds += report.seconds;
        break;
      case 'paused':
        sweep.phase = 'paused';
        break;
      case 'resumed':
        sweep.phase = 'running';
        break;
      case 'done':
      case 'diverged':
        return this.#finish(sweep, report.kind === 'done');
      case 'failed':
        console.warn('attn-lessons: the sweep failed', report.code, report.message);
        return this.#fail(report.code === 'no-module' ? 'no-module' : 'crashed');
    }
    if (sweep.now) {
      sweep.now.step = this.#losses.length;
      sweep.now.loss = this.#losses.at(-1) ?? null;
    }
    this.#tell();
  }

  #finish(sweep: Sweep, finite: boolean): void {
    const run = RUNS[sweep.done.length];
    if (!run) return;
    sweep.done = [...sweep.done, {...run, loss: finite ? mean(this.#losses.slice(-LAST)) : null}];
    const {plan, done, seconds} = sweep;
    writeKept({plan, done, seconds});
    void this.#next();
  }

  #fail(failure: Failure): void {
    if (this.sweep) this.sweep.failure = failure;
    this.#end('failed');
  }

  #end(phase: SweepPhase): void {
    this.#close();
    if (this.sweep) Object.assign(this.sweep, {phase, now: null});
    this.#tell();
  }

  #close(): void {
    this.#ticket++;
    this.#port?.close();
    this.#port = null;
  }

  #tell(): void {
    this.dispatchEvent(new Event('change'));
  }
}

/** Refused storage, or storage with other data, counts as empty. */
function readKept(): KeptSweep | null {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? 'null') as KeptSweep | null;
    const right =
      typeof kept?.plan.seed === 'number' &&
      typeof kept.plan.steps === 'number' &&
      kept.done.every(({width}, i) => width === RUNS[i]?.width);
    return right ? kept : null;
  } catch {
    return null;
  }
}

function writeKept(kept: KeptSweep | null): void {
  try {
    if (kept) localStorage.setItem(KEY, JSON.stringify(kept));
    else localStorage.removeItem(KEY);
  } catch {
    // The storage is refused or full: nothing survives a reload.
  }
}
