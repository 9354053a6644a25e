// The trained model of the case study once more, from the bytes of its file: plain loops over
// numbers of 64 bits.

import {readFileSync} from 'node:fs';
import {dot, softmax} from './arithmetic.js';

const UNKNOWN = 1;

interface Norm {
  gain: number[];
  bias: number[];
}

interface Layer {
  norm1: Norm;
  /** (d, 3d) */
  qkv: number[][];
  /** (d, d) */
  project: number[][];
  norm2: Norm;
  /** (d, d_ff) */
  up: number[][];
  upBias: number[];
  /** (d_ff, d) */
  down: number[][];
  downBias: number[];
}

export interface Head {
  layer: number;
  head: number;
}

export interface Reading {
  /** By layer and head, (T, T): zero above the diagonal. */
  weights: number[][][][];
  /** Loss of each token from the second on, in nats. */
  losses: number[];
}

type Rows = number[][];

/** Every value of a pass; rows are positions. */
export interface Pass {
  ids: number[];
  tokens: Rows;
  positions: Rows;
  input: Rows;
  layers: {
    norm1: Rows;
    qkv: Rows;
    /** By head. */
    weights: Rows[];
    heads: Rows;
    middle: Rows;
    norm2: Rows;
    up: Rows;
    active: Rows;
    output: Rows;
  }[];
  norm: Rows;
  logits: Rows;
}

/** y = x · W for one row, adding row by row of W. */
function through(x: readonly number[], w: readonly (readonly number[])[]): number[] {
  const y = new Array<number>(w[0]!.length).fill(0);
  x.forEach((factor, r) => {
    if (factor !== 0) w[r]!.forEach((value, c) => (y[c]! += factor * value));
  });
  return y;
}

const plus = (a: readonly number[], b: readonly number[]) => a.map((x, i) => x + b[i]!);

function normalised(x: readonly number[], {gain, bias}: Norm): number[] {
  const mean = x.reduce((sum, value) => sum + value, 0) / x.length;
  const variance = x.reduce((sum, value) => sum + (value - mean) ** 2, 0) / x.length;
  return x.map((value, i) => ((value - mean) / Math.sqrt(variance + 1e-5)) * gain[i]! + bias[i]!);
}

const gelu = (x: number) =>
  0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)));

export class SmallGpt {
  readonly block: number;
  readonly heads: number;
  readonly #ids = new Map<string, number>();
  readonly #tokens: number[][];
  readonly #positions: number[][];
  readonly #layers: Layer[];
  readonly #norm: Norm;

  constructor(path: string) {
    const file = readFileSync(path);
    let at = 4; // behind the magic number
    const whole = () => file.readInt32LE((at += 4) - 4);
    const float = () => file.readFloatLE((at += 4) - 4);
    const vocab = whole();
    const block = whole();
    const layers = whole();
    const heads = whole();
    const d = whole();
    const ff = whole();
    whole(); // the kind of attention: scaled
    const characters = whole();
    for (let i = 0; i < characters; i++) this.#ids.set(String.fromCodePoint(whole()), i + 2);
    const vector = (n: number) => Array.from({length: n}, float);
    // Each row has its scale in front.
    const matrix = (rows: number, cols: number) =>
      Array.from({length: rows}, () => {
        const scale = float();
        return Array.from({length: cols}, () => scale * file.readInt8(at++));
      });
    const norm = (): Norm => ({gain: vector(d), bias: vector(d)});
    [this.block, this.heads] = [block, heads];
    this.#tokens = matrix(vocab, d);
    this.#positions = matrix(block, d);
    this.#layers = Array.from({length: layers}, () => ({
      norm1: norm(),
      qkv: matrix(d, 3 * d),
      project: matrix(d, d),
      norm2: norm(),
      up: matrix(d, ff),
      upBias: vector(ff),
      down: matrix(ff, d),
      downBias: vector(d),
    }));
    this.#norm = norm();
    if (at !== file.length) throw new Error(`${path}: ${file.length - at} bytes are left`);
  }

  /** The character of an id; □ for one that has none. */
  sign(id: number): string {
    const [character] = [...this.#ids].find(([, own]) => own === id) ?? ['□'];
    return character === '\n' ? '↵' : character;
  }

  knows(character: string): boolean {
    return this.#ids.has(character);
  }

  /** One pass over at most `block` characters, with one head's output set to zero. */
  pass(characters: readonly string[], without?: Head): Pass {
    const ids = characters.map((character) => this.#ids.get(character) ?? UNKNOWN);
    const tokens = ids.map((id) => this.#tokens[id]!);
    const positions = this.#positions.slice(0, ids.length);
    const input = tokens.map((token, t) => plus(token, positions[t]!));
    let stream = input;
    const layers = this.#layers.map((layer, l) => {
      const norm1 = stream.map((x) => normalised(x, layer.norm1));
      const qkv = norm1.map((x) => through(x, layer.qkv));
      const {maps: weights, outputs: heads} = this.#attend(
        qkv,
        without?.layer === l ? without.head : undefined,
      );
      const middle = stream.map((x, t) => plus(x, through(heads[t]!, layer.project)));
      const norm2 = middle.map((x) => normalised(x, layer.norm2));
      const up = norm2.map((x) => plus(through(x, layer.up), layer.upBias));
      const active = up.map((x) => x.map(gelu));
      stream = middle.map((x, t) => plus(x, plus(through(active[t]!, layer.down), layer.downBias)));
      return {norm1, qkv, weights, heads, middle, norm2, up, active, output: stream};
    });
    const norm = stream.map((x) => normalised(x, this.#norm));
    const logits = norm.map((x) => this.#tokens.map((row) => dot(x, row)));
    return {ids, tokens, positions, input, layers, norm, logits};
  }

  read(characters: readonly string[], without?: Head): Reading {
    const {ids, layers, logits} = this.pass(characters, without);
    const losses = ids.slice(1).map((next, t) => -Math.log(softmax(logits[t]!)[next]!));
    return {weights: layers.map((layer) => layer.weights), losses};
  }

  #attend(qkv: readonly number[][], off: number | undefined) {
    const d = qkv[0]!.length / 3;
    const width = d / this.heads;
    const outputs = qkv.map(() => new Array<number>(d).fill(0));
    const maps = Array.from({length: this.heads}, (_, h) => {
      const part = (x: readonly number[], which: 0 | 1 | 2) =>
        x.slice(which * d + h * width, which * d + (h + 1) * width);
      return qkv.map((row, i) => {
        const scores = qkv.map((other, j) =>
          j > i ? -Infinity : dot(part(row, 0), part(other, 1)) / Math.sqrt(width),
        );
        const weights = softmax(scores);
        for (let j = 0; j <= i && h !== off; j++)
          part(qkv[j]!, 2).forEach((value, c) => {
            outputs[i]![h * width + c]! += weights[j]! * value;
          });
        return weights;
      });
    });
    return {maps, outputs};
  }
}
