// The race of both ways: in one beat, each computes the key and the value of one token. What is
// taken from the cache is there at once.

import type {Stop} from '../../shared/beats.js';
import type {DecodePass, DecodeResult, DecodeState} from './state.js';

export const sum = (passes: readonly DecodePass[], of: 'computed' | 'repeated'): number =>
  passes.reduce((total, pass) => total + pass[of], 0);

/** A stop's place times the number of beats is this close to a whole beat. */
const ROUNDING = 1e-9;

/** Beats until the playhead; a fraction of the last one is under way. */
export function beatsAt({at}: Pick<DecodeState, 'at'>, {anew}: DecodeResult): number {
  const beats = at * sum(anew, 'computed');
  const whole = Math.round(beats);
  return Math.abs(beats - whole) < ROUNDING ? whole : beats;
}

/** One pass of a way at a moment. */
export interface PassNow {
  pass: DecodePass;
  /** Tokens whose key and value it has, of its own making: whole ones and a fraction. */
  made: number;
  begun: boolean;
  ended: boolean;
}

export interface WayNow {
  passes: PassNow[];
  /** Keys and values computed, and those of them that had been computed before; whole ones. */
  computed: number;
  repeated: number;
  /** Passes that have ended. */
  ended: number;
  /** Beats that the whole way takes. */
  beats: number;
}

/** A way after some beats. */
export function wayAt(all: readonly DecodePass[], beats: number): WayNow {
  let start = 0;
  const passes = all.map((pass): PassNow => {
    const made = Math.min(pass.computed, Math.max(0, beats - start));
    const now = {pass, made, begun: beats > start, ended: beats >= start + pass.computed};
    start += pass.computed;
    return now;
  });
  return {
    passes,
    computed: passes.reduce((total, {made}) => total + Math.floor(made), 0),
    // A pass repeats the oldest tokens first.
    repeated: passes.reduce(
      (total, {pass, made}) => total + Math.min(pass.repeated, Math.floor(made)),
      0,
    ),
    ended: passes.filter(({ended}) => ended).length,
    beats: start,
  };
}

/** A stop after every beat; the ends of the slower way's passes have names. */
export function stopsOf({anew}: DecodeResult): Stop[] {
  const total = sum(anew, 'computed');
  let end = 0;
  const names = new Map(anew.map(({computed}, i) => [(end += computed), `第${i + 1}步`] as const));
  return Array.from({length: total + 1}, (_, beat) => ({
    at: beat / total,
    name: names.get(beat) ?? '',
  }));
}
