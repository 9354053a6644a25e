// The bar under a picture with time in it: play, scrub, step from stop to stop. It only chooses
// `at`; the picture is the same function of `at` at rest, in print, and while it plays.

import {easeCubicInOut} from 'd3-ease';
import {
  html,
  svg,
  type ReactiveController,
  type ReactiveControllerHost,
  type TemplateResult,
} from 'lit';
import {live} from 'lit/directives/live.js';
import {mix, nearestStop, nextStop, type Stop} from './beats.js';
import {color} from './plot.js';

/** The duration of a move to a stop. */
const TRAVEL_MS = 420;
/** Heights of the rail and of the row of names under it. */
const TRACK = 44;
const NAMES = 24;
/** Step of the rail, unless a widget sets another. */
const STEP = 0.001;
/** A delayed frame moves the playhead at most this far. */
const LONGEST_FRAME_MS = 50;

export interface PlayheadOptions {
  /** The duration of one pass from 0 to 1. */
  readonly seconds: number;
  readonly stops: () => readonly Stop[];
  /** The smallest difference of two places; a thousandth of the rail when absent. */
  readonly step?: number;
  readonly at: () => number;
  /** Changes the picture alone, many times a second. */
  readonly show: (at: number) => void;
  /** Playing or scrubbing has ended: attributes, events and links are updated. */
  readonly settle: () => void;
}

const stepsOnly = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

export class Playhead implements ReactiveController {
  #frame = 0;

  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly options: PlayheadOptions,
  ) {
    host.addController(this);
  }

  get playing(): boolean {
    return this.#frame !== 0;
  }

  hostConnected(): void {
    document.addEventListener('visibilitychange', this.#pauseWhenHidden);
  }

  hostDisconnected(): void {
    document.removeEventListener('visibilitychange', this.#pauseWhenHidden);
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  /** Starts again at the beginning after the end; with reduced motion it goes to the next stop. */
  play(): void {
    const {stops, at, show, settle, seconds} = this.options;
    const start = at() >= 1 ? 0 : at();
    if (stepsOnly()) {
      show(at() >= 1 ? 0 : nextStop(stops(), start, 1));
      settle();
      return;
    }
    let last = performance.now();
    let now = start;
    this.#run((time) => {
      now = Math.min(1, now + Math.min(LONGEST_FRAME_MS, time - last) / 1000 / seconds);
      last = time;
      show(now);
      return now < 1;
    });
  }

  pause(): void {
    if (!this.playing) return;
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.options.settle();
    this.host.requestUpdate();
  }

  /** Travels to a place. */
  to(goal: number): void {
    const {at, show, settle} = this.options;
    if (stepsOnly()) {
      this.pause();
      show(goal);
      settle();
      return;
    }
    const from = at();
    const began = performance.now();
    this.#run((time) => {
      const share = Math.min(1, (time - began) / TRAVEL_MS);
      show(share === 1 ? goal : mix(from, goal, easeCubicInOut(Math.max(0, share))));
      return share < 1;
    });
  }

  step(direction: 1 | -1): void {
    this.to(nextStop(this.options.stops(), this.options.at(), direction));
  }

  /** Calls `frame` until it returns false. */
  #run(frame: (time: number) => boolean): void {
    cancelAnimationFrame(this.#frame);
    const next = (time: number) => {
      if (frame(time)) this.#frame = requestAnimationFrame(next);
      else {
        this.#frame = 0;
        this.options.settle();
        this.host.requestUpdate();
      }
    };
    this.#frame = requestAnimationFrame(next);
    this.host.requestUpdate();
  }

  readonly #pauseWhenHidden = (): void => {
    if (document.hidden) this.pause();
  };

  readonly #scrubbed = (event: Event): void => {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    const {stops, step = STEP, show} = this.options;
    const value = Number((event.target as HTMLInputElement).value);
    // A stop between two steps of the rail is met exactly.
    const met = stops().find(({at}) => Math.abs(at - value) <= step / 2);
    show(met?.at ?? value);
  };

  #keyed(event: KeyboardEvent): void {
    const direction = {ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1}[event.key];
    if (direction === undefined || event.shiftKey || this.options.stops().length === 0) return;
    event.preventDefault();
    this.step(direction as 1 | -1);
  }

  /**
   * The bar.
   *
   * @param label   of the rail, for screen readers
   * @param spoken  the place in words
   */
  bar(label: string, spoken: string): TemplateResult {
    const at = this.options.at();
    const stops = this.options.stops();
    const toggle = () => (this.playing ? this.pause() : this.play());
    return html`<div class="playhead live">
      <button
        type="button"
        class="play"
        aria-label=${this.playing ? '暂停' : '播放'}
        aria-pressed=${this.playing ? 'true' : 'false'}
        @click=${toggle}
      >
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d=${this.playing ? 'M3 2h4v12H3zM9 2h4v12H9z' : 'M4 2l10 6-10 6z'} />
        </svg>
      </button>
      <div class="rail">
        <input
          type="range"
          min="0"
          max="1"
          step=${this.options.step ?? STEP}
          aria-label=${label}
          aria-valuetext=${spoken}
          .value=${live(String(at))}
          @input=${this.#scrubbed}
          @change=${this.options.settle}
          @keydown=${(event: KeyboardEvent) => this.#keyed(event)}
        />
        ${this.#track(at, stops)}
      </div>
    </div>`;
  }

  /** The rail under the range input: how far it has come, and the stops by name. */
  #track(at: number, stops: readonly Stop[]): TemplateResult {
    const nearest = nearestStop(stops, at);
    // A stop without a name is on the way to the next one that has a name.
    const current = stops.findIndex(({name}, i) => i >= nearest && name !== '');
    return html`<svg class="track" width="100%" height=${TRACK + (stops.length > 0 ? NAMES : 0)}>
      <line x2="100%" y1=${TRACK / 2} y2=${TRACK / 2} stroke=${color('rule')} stroke-width="4" />
      <line
        x2="${(100 * at).toFixed(2)}%"
        y1=${TRACK / 2}
        y2=${TRACK / 2}
        stroke=${color('ink-2')}
        stroke-width="4"
      />
      ${stops.map((stop, i) => this.#stop(stop, i === current, i, stops.length))}
    </svg>`;
  }

  #stop({at, name}: Stop, current: boolean, i: number, count: number): unknown {
    if (name === '')
      return svg`<line x1="${100 * at}%" x2="${100 * at}%" y1=${TRACK - 6} y2=${TRACK - 3}
        stroke=${color('ink-2')}/>`;
    const anchor = i === 0 && at < 0.02 ? 'start' : i === count - 1 && at > 0.98 ? 'end' : 'middle';
    return svg`<g class="stop" role="button" tabindex="-1" aria-label=${name}
      aria-current=${current ? 'step' : 'false'} @click=${() => this.to(at)}>
      <line x1="${100 * at}%" x2="${100 * at}%" y1=${TRACK - 10} y2=${TRACK - 3}
        stroke=${color('ink-2')}/>
      <text x="${100 * at}%" y=${TRACK + 12} text-anchor=${anchor} font-size="13"
        font-weight=${current ? 650 : 400}
        fill=${color(current ? 'ink' : 'ink-2')}>${name}</text></g>`;
  }
}
