// State of <attn-decode>, and both ways of generating computed by the core.

import {matrix} from '../../core.js';
import type {DecodeStep, Decoder} from '../../sequence.js';
import {InputError} from '../../shared/input.js';
import type {Resources} from '../../shared/runtime.js';
import {flagField, numberField, type Schema} from '../../shared/schema.js';

export interface DecodeState {
  /** 提示有几个词元 */
  prompt: number;
  /** 接着生成几个 */
  generate: number;
  /** 留着K、V的做法也一起跑；不然只跑每步重算的 */
  cache: boolean;
  /** 跑到哪里：0是开始之前，1是慢的那一种也跑完 */
  at: number;
}

export interface DecodePass extends Omit<DecodeStep, 'output'> {
  /** The attention output of the querying token. */
  output: number[];
}

export interface DecodeResult {
  tokens: string[];
  anew: DecodePass[];
  kept: DecodePass[];
  /** Multiplications for the key and the value of one token. */
  products: number;
  /** True if both ways have the same outputs, bit for bit. */
  identical: boolean;
}

/** Tokens that can be read; the last token of the sentence is only ever generated. */
export const MOST = 4;
const RANGE = {min: 1, max: MOST, integer: true};

export const schema: Schema<DecodeState> = {
  prompt: numberField(2, RANGE),
  generate: numberField(3, RANGE),
  cache: flagField(true),
  at: numberField(1, {min: 0, max: 1}),
};

export function compute(
  {sequence, world}: Resources,
  {prompt, generate}: DecodeState,
): DecodeResult {
  const {tokens} = world;
  if (prompt + generate > tokens.length) {
    throw new InputError(
      'too-long',
      `这句话只有${tokens.length}个词元：提示${prompt}个，最多再生成${tokens.length - prompt}个。`,
    );
  }
  const decoder: Decoder = {
    wQ: matrix(world.W_Q),
    wK: matrix(world.W_K),
    wV: matrix(world.W_V),
    wO: matrix(world.W_O),
    heads: world.n_heads,
    layers: 1,
  };
  const replay = (cached: boolean) =>
    sequence
      .decode(matrix(world.embeddings), decoder, {prompt, generated: generate, cached})
      .map((step): DecodePass => ({...step, output: [...step.output.data]}));
  const [anew, kept] = [replay(false), replay(true)];
  // Object.is distinguishes 0 from −0; other doubles that are equal have equal bits.
  const identical = anew.every(({output}, i) =>
    output.every((x, c) => Object.is(x, kept[i]?.output[c])),
  );
  // A vector times a matrix takes one product for each entry of the matrix.
  const products = decoder.wK.data.length + decoder.wV.data.length;
  return {tokens, anew, kept, products, identical};
}
