// The learner: runs one step after the other and reports the results. It owns the only run; the
// core counts the steps. It reads messages between two steps.

import {rowsOf} from '../matrix.js';
import {CoreError} from '../module.js';
import type {Run, Train, TrainingSettings} from '../train.js';
import {Crew} from './crew.js';
import {
  emptyCurve,
  sameRun,
  type Command,
  type Curve,
  type Look,
  type Report,
  type Settings,
} from './protocol.js';
import type {Slot} from './slot.js';
import type {RunStore} from './store.js';

/** The records have the loss of every tenth step and diagnostics of every 74th. */
const DIAGNOSTICS_EVERY = [10, 74];
const SAVE_EVERY = 50;
const REPORT_MS = 200;
const SIGHT_MS = 2000;
const VALIDATION_PASSES = 32;
/** Characters of a poem. */
const POEM = 64;
/** Characters of a text that the map shows: as many as fit on a phone. */
const MAP = 24;

export interface LoopHost {
  report: (report: Report) => void;
  /** The module; throws CoreError 'no-module' if it can't be fetched. */
  module: () => Promise<Train>;
  /** Resolves after the waiting messages are read. */
  breathe: () => Promise<void>;
  /** A clock in milliseconds with any origin. */
  now: () => number;
  store: RunStore;
}

interface Learner {
  train: Train;
  run: Run;
  crew: Crew;
  settings: Settings;
  curve: Curve;
  slot: Slot;
}

/** A model with values that are not finite can't be read; the run itself continues. */
function tried<T>(look: () => T): T | null {
  try {
    return look();
  } catch (error) {
    if (error instanceof CoreError) return null;
    throw error;
  }
}

/** The settings of the core for a model of the case, or for one of a reader's own sizes. */
function modelOf(train: Train, {preset, layers, heads, width, window}: Settings): TrainingSettings {
  if (preset !== 'own') return train.preset(preset);
  const {config, ...rest} = train.preset('small');
  const sizes = {nLayers: layers, nHeads: heads, dModel: width, dFf: 2 * width, blockSize: window};
  return {...rest, config: {...config, ...sizes}};
}

const nothingAdded = () => ({losses: [], gradientNorms: [], learningRates: [], diagnostics: []});

export class TrainLoop {
  readonly #host: LoopHost;
  #learner: Learner | null = null;
  #starting: Promise<void> = Promise.resolve();
  #look: Look = {text: '', layer: 0, head: 0, prompt: '', temperature: 0};
  #over = false;
  /** The number of the current loop: a loop with another number has been paused. */
  #turn = 0;
  #added: Omit<Curve, 'peaks'> = nothingAdded();
  #reportedAt = -Infinity;
  #seenAt = -Infinity;
  #seconds = 0;

  constructor(host: LoopHost) {
    this.#host = host;
  }

  /** Reports every error and never throws. */
  async receive(command: Command): Promise<void> {
    try {
      if (command.kind === 'start') await (this.#starting = this.#start(command));
      else {
        // A message that arrives while the module is starting waits for it.
        await this.#starting.catch(() => undefined);
        this.#obey(command);
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Ends at once and deletes the model. */
  stop(): void {
    this.#turn++;
    this.#learner = null;
  }

  #obey(command: Exclude<Command, {kind: 'start'}>): void {
    const learner = this.#learner;
    if (!learner) return;
    const {report} = this.#host;
    if (command.kind === 'pause') {
      if (this.#over) return;
      this.#turn++;
      this.#flush(learner);
      this.#see(learner);
      void this.#save(learner);
      report({kind: 'paused'});
    } else if (command.kind === 'resume') {
      if (this.#over) return;
      report({kind: 'resumed'});
      void this.#go(learner);
    } else if (command.kind === 'rate') {
      learner.run.setLearningRate(command.rate);
      learner.settings.rate = command.rate;
      const step = learner.curve.losses.length;
      learner.curve.peaks.push({step, rate: command.rate});
      this.#flush(learner);
      report({kind: 'peak', step, rate: command.rate});
    } else if (command.kind === 'look') {
      this.#look = command.look;
      this.#see(learner);
    } else {
      void this.#save(learner);
    }
  }

  async #start({
    text,
    settings,
    look,
    slot,
    saved,
  }: Extract<Command, {kind: 'start'}>): Promise<void> {
    const train = await this.#host.module();
    const {attention, seed, steps, rate} = settings;
    const run = train.open(
      {...modelOf(train, settings), attention, seed, steps, learningRate: rate},
      text,
    );
    const learner: Learner = {
      train,
      run,
      crew: new Crew(train.threads),
      settings: {...settings},
      curve: emptyCurve(rate),
      slot,
    };
    const kept = saved ? await this.#host.store.get(slot) : null;
    if (kept && sameRun(kept.settings, settings)) {
      run.load(kept.state);
      learner.settings = kept.settings;
      learner.curve = kept.curve;
    }
    this.#learner = learner;
    this.#look = look;
    const {nLayers, nHeads, blockSize} = run.settings.config;
    const shape = {
      parameters: run.parameterCount.total,
      layers: nLayers,
      heads: nHeads,
      block: blockSize,
    };
    const curve = structuredClone(learner.curve);
    this.#host.report({kind: 'begun', shape, threads: train.threads, curve});
    void this.#go(learner);
  }

  async #go(learner: Learner): Promise<void> {
    const turn = ++this.#turn;
    try {
      while (this.#turn === turn && this.#step(learner)) await this.#host.breathe();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** False once all steps are done. */
  #step(learner: Learner): boolean {
    const {run, crew, settings, curve} = learner;
    if (curve.losses.length >= settings.steps) return this.#finish(learner);
    run.setThreads(crew.next);
    const began = this.#host.now();
    const {diverged, losses, gradientNorms, learningRates} = run.step(1);
    const seconds = (this.#host.now() - began) / 1000;
    this.#seconds += seconds;
    crew.made(seconds);
    const step = curve.losses.length;
    if (diverged) {
      this.#end(learner);
      this.#host.report({kind: 'diverged', step});
      return false;
    }
    const last = step === settings.steps - 1;
    const diagnostics =
      last || DIAGNOSTICS_EVERY.some((every) => step % every === 0)
        ? [{step, ...run.diagnostics(0)}]
        : [];
    for (const list of [curve, this.#added]) {
      list.losses.push(...losses);
      list.gradientNorms.push(...gradientNorms);
      list.learningRates.push(...learningRates);
      list.diagnostics.push(...diagnostics);
    }
    const now = this.#host.now();
    if (now - this.#reportedAt >= REPORT_MS) this.#flush(learner);
    if (now - this.#seenAt >= SIGHT_MS) this.#see(learner);
    if ((step + 1) % SAVE_EVERY === 0) void this.#save(learner);
    return true;
  }

  #finish(learner: Learner): false {
    this.#end(learner);
    void this.#save(learner);
    const {run} = learner;
    const loss = tried(() => run.validationLoss(VALIDATION_PASSES));
    const validationLoss = Number.isFinite(loss) ? loss : null;
    this.#host.report({kind: 'done', validationLoss, hash: run.parameterHash()});
    return false;
  }

  #end(learner: Learner): void {
    this.#over = true;
    this.#turn++;
    this.#flush(learner);
    this.#see(learner);
  }

  #flush({train, crew}: Learner): void {
    const added = this.#added;
    this.#added = nothingAdded();
    this.#reportedAt = this.#host.now();
    this.#host.report({
      kind: 'progress',
      added,
      seconds: this.#seconds,
      quicker: crew.quicker,
      memory: train.memoryBytes(),
    });
    this.#seconds = 0;
  }

  /** A poem and a map. Neither changes the state of the run. */
  #see({run, curve, settings}: Learner): void {
    const {text, layer, head, prompt, temperature} = this.#look;
    const sampling = {count: POEM, temperature, topK: 0, cached: true, seed: settings.seed};
    const poem = tried(() => run.sample({...sampling, prompt: prompt || '\n'}).text);
    const {nLayers, nHeads} = run.settings.config;
    const at = {layer: Math.min(layer, nLayers - 1), head: Math.min(head, nHeads - 1)};
    const shown = [...text].slice(-MAP).join('');
    const map = shown === '' ? null : tried(() => run.attentionMap(shown, at.layer, at.head));
    const rows = map ? rowsOf(map.weights) : [];
    const finite = rows.flat().every(Number.isFinite);
    this.#seenAt = this.#host.now();
    this.#host.report({
      kind: 'sight',
      sight: {
        steps: curve.losses.length,
        poem,
        map: map && finite ? {characters: map.characters, rows, ...at} : null,
      },
    });
  }

  async #save({run, settings, curve, slot}: Learner): Promise<void> {
    // The state before the next step, which is already a copy.
    const now = {...structuredClone({settings, curve}), state: run.save()};
    const kept = await this.#host.store.put(slot, now);
    this.#host.report({kind: 'saved', steps: kept ? now.curve.losses.length : null});
  }

  #fail(error: unknown): void {
    this.#turn++;
    this.#over = true;
    const message = error instanceof Error ? error.message : String(error);
    this.#host.report({
      kind: 'failed',
      code: error instanceof CoreError ? error.code : 'internal',
      message,
    });
  }
}
