// The single training run of a page, shared by its widgets: its progress, its results, and the
// saved state of the last run in this browser.

import type {Port, PortOptions} from './port.js';
import {
  emptyCurve,
  Missing,
  type Command,
  type Curve,
  type Failure,
  type Look,
  type Report,
  type Settings,
  type Shape,
  type Sight,
} from './protocol.js';

export type Phase = 'loading' | 'running' | 'paused' | 'done' | 'diverged' | 'stopped' | 'failed';

export interface Live {
  settings: Settings;
  phase: Phase;
  failure: Failure | null;
  where: Port['where'] | null;
  /** The threads that there are, and how many of them make a step in less time. */
  threads: number;
  quicker: number;
  shape: Shape | null;
  curve: Curve;
  sight: Sight | null;
  /** A few poems that the model wrote during the run. */
  poems: {steps: number; poem: string}[];
  /** Steps of the saved run that this one continued; 0 for a new run. */
  resumedAt: number;
  /** Steps that this browser has saved; null if it saves nothing. */
  saved: number | null;
  /** Approximate duration of one step. */
  secondsPerStep: number | null;
  /** Steps made while the tab was hidden, the last time it was. */
  hidden: {from: number; to: number} | null;
  /** True while the run is paused because the tab is hidden. */
  waiting: boolean;
  memory: number;
  end: {validationLoss: number | null; hash: string} | null;
}

/** The saved facts about the last run after a reload. */
export interface Kept {
  settings: Settings;
  /** Steps of the run, and the saved ones that can be continued. */
  steps: number;
  saved: number | null;
}

export interface DeskHost {
  open: (options: PortOptions) => Promise<Port>;
  /** Throws Missing. */
  corpus: () => Promise<string>;
}

const KEY = 'attn-lessons/training';
/** Steps after which a poem is kept, at growing distances. */
const POEMS_AFTER = [1, 30, 100, 300, 600, 1000, 1500];
const BUSY: readonly Phase[] = ['loading', 'running', 'paused'];

export const busy = (live: Live | null): live is Live => live !== null && BUSY.includes(live.phase);

function newLive(settings: Settings): Live {
  return {
    settings,
    phase: 'loading',
    failure: null,
    where: null,
    threads: 1,
    quicker: 1,
    shape: null,
    curve: emptyCurve(settings.rate),
    sight: null,
    poems: [],
    resumedAt: 0,
    saved: null,
    secondsPerStep: null,
    hidden: null,
    waiting: false,
    memory: 0,
    end: null,
  };
}

/** Fires 'change' on every report, and 'phase' on a change that is announced at once. */
export class TrainDesk extends EventTarget {
  live: Live | null = null;
  readonly #host: DeskHost;
  #port: Port | null = null;
  /** Messages of a stopped run are ignored. */
  #ticket = 0;

  constructor(host: DeskHost) {
    super();
    this.#host = host;
  }

  /** The saved state of the last run; null during a run or if nothing is saved. */
  get kept(): Kept | null {
    return busy(this.live) ? null : readKept();
  }

  /** Does nothing during a run. `saved`: continues the saved run. */
  async start(settings: Settings, look: Look, saved = false): Promise<void> {
    if (busy(this.live)) return;
    this.#close();
    const ticket = this.#ticket;
    const live = newLive({...settings});
    this.live = live;
    this.#tell();
    const late = () => ticket !== this.#ticket;
    try {
      const text = await this.#host.corpus();
      if (late()) return;
      const port = await this.#host.open({
        report: (report) => {
          if (!late()) this.#take(report);
        },
      });
      if (late()) return port.close();
      this.#port = port;
      live.where = port.where;
      port.post({kind: 'start', text, settings: live.settings, look, slot: 'last', saved});
    } catch (error) {
      if (late()) return;
      console.warn('attn-lessons: training did not start', error);
      this.#end('failed', error instanceof Missing ? error.failure : 'crashed');
    }
  }

  pause(): void {
    if (this.live?.phase === 'running') this.#post({kind: 'pause'});
  }

  resume(): void {
    if (this.live?.phase === 'paused') this.#post({kind: 'resume'});
  }

  /** Ends the run; its drawings stay until the next run. */
  stop(): void {
    if (!busy(this.live)) return;
    forget();
    this.#end('stopped');
  }

  /** Takes effect from the next step on. */
  setRate(rate: number): void {
    const {live} = this;
    if (busy(live) && live.settings.rate !== rate) this.#post({kind: 'rate', rate});
  }

  look(look: Look): void {
    if (this.live?.sight) this.#post({kind: 'look', look});
  }

  /** The page goes into the background or comes back. */
  visible(visible: boolean): void {
    const {live} = this;
    if (!busy(live) || live.phase === 'loading') return;
    const steps = live.curve.losses.length;
    if (!visible) {
      live.hidden = {from: steps, to: steps};
      // Without a worker, a browser slows a hidden tab to one step a second, so the run is paused.
      if (live.where === 'page' && live.phase === 'running') {
        live.waiting = true;
        this.pause();
      } else this.save();
    } else {
      if (live.hidden) live.hidden.to = steps;
      if (live.waiting) {
        live.waiting = false;
        this.resume();
      }
    }
    this.#tell();
  }

  /** Called when the page may be about to close. */
  save(): void {
    const {live} = this;
    if (!busy(live) || live.phase === 'loading') return;
    writeKept(keptOf(live));
    this.#post({kind: 'save'});
  }

  #post(command: Command): void {
    this.#port?.post(command);
  }

  #close(): void {
    this.#ticket++;
    this.#port?.close();
    this.#port = null;
  }

  #end(phase: 'stopped' | 'failed', failure: Failure | null = null): void {
    this.#close();
    if (this.live) Object.assign(this.live, {phase, failure});
    this.#tell(true);
  }

  #tell(phase = false): void {
    this.dispatchEvent(new Event('change'));
    if (phase) this.dispatchEvent(new Event('phase'));
  }

  #take(report: Report): void {
    const {live} = this;
    if (!live) return;
    switch (report.kind) {
      case 'begun':
        live.shape = report.shape;
        live.threads = report.threads;
        live.quicker = report.threads;
        live.curve = report.curve;
        live.resumedAt = report.curve.losses.length;
        live.settings.rate = report.curve.peaks.at(-1)?.rate ?? live.settings.rate;
        live.phase = 'running';
        break;
      case 'progress':
        this.#add(live, report);
        break;
      case 'peak':
        live.curve.peaks.push({step: report.step, rate: report.rate});
        live.settings.rate = report.rate;
        break;
      case 'sight':
        live.sight = report.sight;
        keepPoem(live, report.sight);
        break;
      case 'paused':
        live.phase = 'paused';
        break;
      case 'resumed':
        live.phase = 'running';
        break;
      case 'saved':
        live.saved = report.steps;
        if (report.steps !== null) writeKept(keptOf(live));
        break;
      case 'done':
        live.end = {validationLoss: report.validationLoss, hash: report.hash};
        live.phase = 'done';
        break;
      case 'diverged':
        live.phase = 'diverged';
        forget();
        break;
      case 'failed':
        console.warn('attn-lessons: training failed', report.code, report.message);
        this.#end('failed', report.code === 'no-module' ? 'no-module' : 'crashed');
        return;
    }
    this.#tell(report.kind !== 'progress' && report.kind !== 'sight' && report.kind !== 'saved');
  }

  #add(live: Live, {added, seconds, quicker, memory}: Extract<Report, {kind: 'progress'}>): void {
    const {curve} = live;
    curve.losses.push(...added.losses);
    curve.gradientNorms.push(...added.gradientNorms);
    curve.learningRates.push(...added.learningRates);
    curve.diagnostics.push(...added.diagnostics);
    live.memory = memory;
    live.quicker = quicker;
    if (added.losses.length > 0) {
      const now = seconds / added.losses.length;
      // A moving average that is smooth enough to estimate the remaining time.
      live.secondsPerStep =
        live.secondsPerStep === null ? now : 0.9 * live.secondsPerStep + 0.1 * now;
    }
  }
}

function keepPoem(live: Live, {steps, poem}: Sight): void {
  if (poem === null) return;
  const due = POEMS_AFTER.filter((after) => after <= steps).length;
  const had = POEMS_AFTER.filter((after) => after <= (live.poems.at(-1)?.steps ?? 0)).length;
  if (due > had) live.poems.push({steps, poem});
}

const keptOf = ({settings, curve, saved}: Live): Kept => ({
  settings,
  steps: curve.losses.length,
  saved,
});

/** Refused storage, or storage with other data, counts as empty. */
function readKept(): Kept | null {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? 'null') as Kept | null;
    return kept && typeof kept.steps === 'number' && typeof kept.settings.seed === 'number'
      ? kept
      : null;
  } catch {
    return null;
  }
}

function writeKept(kept: Kept): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // The storage is refused or full: nothing survives a reload.
  }
}

function forget(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // The storage is refused, so it holds nothing.
  }
}
