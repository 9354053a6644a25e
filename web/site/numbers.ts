// Named values with their sources. Lessons export them, Markdown prints them.

import type {Cache} from '../cache.js';
import type {Scaling} from '../scaling.js';
import type {Sequence} from '../sequence.js';
import type {Core} from '../core.js';
import * as formats from '../shared/format.js';
import type {TeachingWorld} from '../shared/world.js';
import {numberAt, readData, valueAt, type DataFile} from './data-files.js';

export type NumberKind = 'computed' | 'config' | 'teaching' | 'recorded' | 'quoted';

/** An original source of a value. */
export interface NumberInput {
  name: string;
  value: string;
  /** A file and key, or a paper and table. */
  source: string;
}

export interface NumberSpec {
  value: number | bigint;
  /** The printed text. */
  text: string;
  unit: string;
  kind: NumberKind;
  formula: string;
  inputs: NumberInput[];
  /** The kind as the card prints it, where that differs from the kind's own name. */
  kindName?: string;
}

export type Format = (value: number | bigint) => string;

const asNumber = (value: number | bigint) => Number(value);

/** Prints a value with a given number of digits. */
const rounded =
  (text: (value: number, digits: number) => string, digits: number): Format =>
  (value) =>
    text(asNumber(value), digits);

/** How a value is printed; every page uses these and nothing else. */
export const format = {
  fixed: (digits: number) => rounded(formats.fixed, digits),
  percent: (digits = 1) => rounded(formats.percent, digits),
  integer: formats.integer as Format,
  bytes: formats.bytes as Format,
  binary: formats.binary as Format,
  general: (digits = 4) => rounded(formats.general, digits),
  wan: (digits = 1) => rounded(formats.wan, digits),
  /** Digits without separators: seeds. */
  plain: ((value) => formats.plain(asNumber(value))) as Format,
  scientific: (digits = 2) => rounded(formats.scientific, digits),
};

export interface ModelFile {
  /** The file's name without its ending. */
  id: string;
  model: string;
  config: Record<string, unknown>;
  file: DataFile;
}

export interface NumberContext {
  core: Core;
  /** The module for sizes of KV caches. */
  cache: Cache;
  /** Positions and whatever else tokens in a row need. */
  scaling: Scaling;
  sequence: Sequence;
  world: TeachingWorld;
  /**
   * A file of lessons/models by its name without ending; a broken or missing file stops the build.
   */
  model: (id: string) => ModelFile;
  format: typeof format;
  /** A number of a model's published config. */
  config: (model: ModelFile, key: string, as?: Format) => NumberSpec & {value: number};
  /** A value straight from, or computed from, the teaching vectors. */
  teaching: (
    value: number,
    as: Format,
    about: {formula: string; key: string},
  ) => NumberSpec & {value: number};
  /** A value computed by a formula. `from` lists the values that it was computed from. */
  computed: <T extends number | bigint>(
    value: T,
    as: Format,
    about: {formula: string; unit?: string; from: Record<string, NumberSpec | NumberInput>},
  ) => NumberSpec & {value: T};
  /** A number from another publication, with the place where it stands. */
  quoted: (
    value: number,
    as: Format,
    about: {source: string; unit?: string},
  ) => NumberSpec & {value: number};
  /** A value that one of our own runs recorded in lessons/case, under its keys. */
  recorded: (
    experiment: string,
    keys: readonly (string | number)[],
    as: Format,
    about?: {unit?: string},
  ) => NumberSpec & {value: number};
  /**
   * A value that is not computed: an example that the lesson chose, a seed, the limit of a number
   * format.
   */
  given: (value: number, name: string, as?: Format) => NumberSpec & {value: number};
}

export type NumbersModule = (context: NumberContext) => Record<string, NumberSpec>;

/** Types the export of a `numbers.ts`. */
export function defineNumbers(make: NumbersModule): NumbersModule {
  return make;
}

const GIVEN = '给定的值';
/** The course's own model. */
export const ANCHOR = 'anchor-model';
const WORLD_FILE = 'lessons/data/teaching-world.json';
const plainFormat: Format = (value) =>
  Number.isInteger(Number(value)) ? formats.integer(value) : formats.plain(Number(value));

/** The original sources of a number that was computed from other numbers. */
function leaves(from: Record<string, NumberSpec | NumberInput>): NumberInput[] {
  const seen = new Map<string, NumberInput>();
  for (const item of Object.values(from)) {
    for (const input of 'inputs' in item ? item.inputs : [item])
      seen.set(`${input.name}\n${input.source}`, input);
  }
  return [...seen.values()];
}

/** The functions that a `numbers.ts` gets; every mistake is reported with `neededBy`. */
export function numberContext(
  base: Pick<NumberContext, 'core' | 'cache' | 'scaling' | 'sequence' | 'world' | 'model'>,
  neededBy: string,
): NumberContext {
  // Many numbers are read from one record.
  const records = new Map<string, DataFile>();
  return {
    ...base,
    format,
    config: (model, key, as = plainFormat) => {
      const value = numberAt(model.file, ['config', ...key.split('.')], neededBy);
      const text = as(value);
      // The anchor is the course's own model; the key of any other is printed with the model's
      // name.
      const name = model.id === ANCHOR ? key : `${model.model} ${key}`;
      return {
        value,
        text,
        unit: '',
        kind: 'config',
        formula: '',
        inputs: [{name, value: text, source: `${model.file.path} · ${key}`}],
      };
    },
    teaching: (value, as, {formula, key}) => {
      const text = as(value);
      return {
        value,
        text,
        unit: '',
        kind: 'teaching',
        formula,
        inputs: [{name: key, value: '', source: `${WORLD_FILE} · ${key}`}],
      };
    },
    computed: (value, as, {formula, unit = '', from}) => ({
      value,
      text: as(value),
      unit,
      kind: 'computed',
      formula,
      inputs: leaves(from),
    }),
    quoted: (value, as, {source, unit = ''}) => {
      const text = as(value);
      return {
        value,
        text,
        unit,
        kind: 'quoted',
        formula: '',
        inputs: [{name: '原文数值', value: text, source}],
      };
    },
    recorded: (experiment, keys, as, {unit = ''} = {}) => {
      const file = records.get(experiment) ?? readData(`lessons/case/${experiment}.json`, neededBy);
      records.set(experiment, file);
      const path = keys.map(String);
      const value = numberAt(file, path, neededBy);
      const command = String(valueAt(file, ['command'], neededBy));
      return {
        value,
        text: as(value),
        unit,
        kind: 'recorded',
        formula: '',
        inputs: [{name: command, value: as(value), source: `${file.path} · ${path.join('.')}`}],
      };
    },
    given: (value, name, as = plainFormat) => {
      const text = as(value);
      return {
        value,
        text,
        unit: '',
        kind: 'teaching',
        formula: '',
        inputs: [{name, value: text, source: GIVEN}],
        kindName: GIVEN,
      };
    },
  };
}
