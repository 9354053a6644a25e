// How a call reaches a module that talks in doubles: the other end of wasm/buffer.h. Arguments and
// results travel in the order in which the interfaces `Core` and `Sequence` declare them.

import type {RawBuffers} from '../wasm/buffer.mjs';

/** Row-major matrix as it crosses the boundary: `data[r * cols + c]`. */
export interface Matrix {
  data: Float64Array;
  rows: number;
  cols: number;
}

/** 'none', 'causal', 'self', or (T_q, T_k) with 0 = visible and −Infinity = hidden. */
export type Mask = 'none' | 'causal' | 'self' | Matrix;

/** Thrown when the core refuses an argument ('invalid_argument') or fails ('internal'). */
export class CoreError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'CoreError';
    this.code = code;
  }
}

/** A matrix from its rows, all of one length. */
export function matrix(rows: readonly (readonly number[])[]): Matrix {
  const cols = rows[0]?.length ?? 0;
  rows.forEach((row, index) => {
    if (row.length !== cols) {
      throw new CoreError(
        'invalid_argument',
        `rows[${index}]: expected ${cols} numbers, got ${row.length}`,
      );
    }
  });
  return {data: Float64Array.from(rows.flat()), rows: rows.length, cols};
}

/** The rows of a matrix. */
export function rowsOf({data, rows, cols}: Matrix): number[][] {
  return Array.from({length: rows}, (_, row) =>
    Array.from(data.subarray(row * cols, (row + 1) * cols)),
  );
}

/** Items of one list at most: 1 GiB, half of what the module's memory can grow to. */
const mostItems = 2 ** 27;

const masks = ['none', 'causal', 'self'];

/** Throws what the core would throw. */
function refuse(name: string, expected: string, got: unknown): never {
  throw new CoreError('invalid_argument', `${name}: expected ${expected}, got ${String(got)}`);
}

/** The arguments of one call as wasm/buffer.h reads them. Types are checked here, ranges there. */
export class Arguments {
  readonly parts: (number | ArrayLike<number>)[] = [];
  length = 0;

  number(name: string, value: number): this {
    if (typeof value !== 'number') refuse(name, 'a number', typeof value);
    return this.#add(value);
  }

  flag(name: string, value: boolean): this {
    if (typeof value !== 'boolean') refuse(name, 'true or false', typeof value);
    return this.#add(Number(value));
  }

  choice(name: string, value: string, choices: readonly string[]): this {
    const position = choices.indexOf(value);
    if (position < 0) {
      refuse(name, choices.join(', '), typeof value === 'string' ? value : typeof value);
    }
    return this.#add(position);
  }

  numbers(name: string, value: ArrayLike<number>): this {
    if (!Array.isArray(value) && !(value instanceof Float64Array)) {
      refuse(name, 'an array of numbers', typeof value);
    }
    if (value.length > mostItems) refuse(name, `at most ${mostItems} numbers`, value.length);
    return this.#add(value.length).#add(value);
  }

  matrix(name: string, value: Matrix): this {
    if (typeof value !== 'object' || value === null) {
      refuse(name, '{data, rows, cols}', typeof value);
    }
    return this.number(`${name}.rows`, value.rows)
      .number(`${name}.cols`, value.cols)
      .numbers(`${name}.data`, value.data);
  }

  mask(value: Mask): this {
    return typeof value === 'string'
      ? this.choice('mask', value, masks)
      : this.#add(masks.length).matrix('mask', value);
  }

  #add(part: number | ArrayLike<number>): this {
    this.parts.push(part);
    this.length += typeof part === 'number' ? 1 : part.length;
    return this;
  }
}

/** Reads one value of a call's results, as wasm/buffer.h writes them, and moves on; it is a copy. */
export type Read<Value> = (from: {values: Float64Array; at: number}) => Value;

export const number: Read<number> = (from) => from.values[from.at++]!;
export const flag: Read<boolean> = (from) => number(from) === 1;
export const orNull: Read<number | null> = (from) => {
  const value = number(from);
  return Number.isNaN(value) ? null : value;
};

export const list =
  <Item>(item: Read<Item>): Read<Item[]> =>
  (from) => {
    const items: Item[] = [];
    for (let length = number(from); length > 0; length--) items.push(item(from));
    return items;
  };

/** The fields in the order in which they travel. */
export const record =
  <Value extends object>(fields: {[Key in keyof Value]: Read<Value[Key]>}): Read<Value> =>
  (from) => {
    const value = {} as Value;
    for (const key in fields) value[key] = fields[key](from);
    return value;
  };

export const numbers = list(number);

export const matrixOf: Read<Matrix> = (from) => {
  const rows = number(from);
  const cols = number(from);
  const length = number(from);
  return {data: from.values.slice(from.at, (from.at += length)), rows, cols};
};

/** Starts a module of this kind from its bytes; the same call in a page, a worker and Node. */
export async function instantiate<Raw extends RawBuffers>(
  bytes: ArrayBuffer | Uint8Array,
): Promise<Raw> {
  const module = await WebAssembly.compile(bytes as BufferSource);
  // It tells when its memory grows; else it would need a system only to stop for good.
  const system: Record<string, Record<string, () => void>> = {};
  for (const {module: from, name} of WebAssembly.Module.imports(module)) {
    (system[from] ??= {})[name] = () => {
      if (name !== 'emscripten_notify_memory_growth') throw new Error(`the core called ${name}`);
    };
  }
  const raw = (await WebAssembly.instantiate(module, system)).exports as unknown as Raw;
  raw._initialize();
  return raw;
}

/** Calls functions of a module that take the input buffer and leave the output buffer. */
export function caller(raw: RawBuffers) {
  const message = (): string => {
    const from = new Uint8Array(raw.memory.buffer, raw.errorMessage());
    return new TextDecoder().decode(from.subarray(0, from.indexOf(0)));
  };
  const checked = (result: number): number => {
    if (result < 0) throw new CoreError(raw.refused() ? 'invalid_argument' : 'internal', message());
    return result;
  };
  // The memory's doubles; a call that lets it grow leaves older views empty.
  const doubles = () => new Float64Array(raw.memory.buffer);

  return <Result>(run: () => number, args: Arguments, read: Read<Result>): Result => {
    let at = checked(raw.input(args.length));
    const heap = doubles();
    for (const part of args.parts) {
      if (typeof part === 'number') {
        heap[at++] = part;
      } else {
        heap.set(part, at);
        at += part.length;
      }
    }
    checked(run());
    return read({values: doubles(), at: raw.output()});
  };
}
