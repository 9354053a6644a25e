// State of <attn-latent>, and the scores of the teaching sentence both ways.

import {latentRow, type LatentRow, type Turn} from '../../shared/cache-latent.js';
import {InputError} from '../../shared/input.js';
import type {LatentSizes} from '../../sequence.js';
import type {Resources} from '../../shared/runtime.js';
import {choiceField, numberField, sampleText, type Schema} from '../../shared/schema.js';

export interface LatentState {
  /** 旋转哪一部分：none不转，all整个键都转，apart另有一部分转 */
  turn: Turn;
  /** 谁在问，写那个词 */
  token: string;
  /** 折叠演到哪里：0是三个因子分开，1是折好，或折不进去 */
  at: number;
  /** 尺寸：x有几个数 */
  dmodel: number;
  /** 尺寸：几个头 */
  heads: number;
  /** 尺寸：一个头的键有几个数 */
  width: number;
  /** 尺寸：潜向量有几个数 */
  rank: number;
  /** 尺寸：转的那一段有几个数 */
  rope: number;
}

export interface LatentResult extends LatentRow {
  /** All tokens of the sentence. */
  tokens: string[];
  /** Numbers that are cached for each token, and those of a whole key and value. */
  kept: number;
  whole: number;
  /** The numbers of a token in a model of the chosen sizes. */
  sizes: LatentSizes;
}

export const TURNS: readonly {turn: Turn; name: string}[] = [
  {turn: 'none', name: '不转'},
  {turn: 'all', name: '整个键都转'},
  {turn: 'apart', name: '转的另存'},
];

/** Ranges of the sizes; those of DeepSeek-V3 stand at first. */
export const SIZES = {
  dmodel: {min: 64, max: 20480, integer: true},
  heads: {min: 1, max: 256, integer: true},
  width: {min: 8, max: 512, integer: true},
  rank: {min: 8, max: 8192, integer: true},
  rope: {min: 0, max: 1024, integer: true},
};

export const schema: Schema<LatentState> = {
  turn: choiceField<Turn>(
    'none',
    TURNS.map(({turn}) => turn),
  ),
  token: {
    fallback: '给了',
    read: (text) => text.trim(),
    write: (token) => token,
    about: import.meta.env.SSR ? {takes: '教学句里的一个词元', sample: sampleText} : undefined,
  },
  at: numberField(1, {min: 0, max: 1}),
  dmodel: numberField(7168, SIZES.dmodel),
  heads: numberField(128, SIZES.heads),
  width: numberField(128, SIZES.width),
  rank: numberField(512, SIZES.rank),
  rope: numberField(64, SIZES.rope),
};

export function compute(
  {core, sequence, world}: Resources,
  {turn, token, heads, width, rank, rope}: LatentState,
): LatentResult {
  const query = world.tokens.indexOf(token);
  if (query < 0)
    throw new InputError('not-an-option', `这里只能是${world.tokens.join('、')}之一。`);
  const row = latentRow({core, sequence}, world, query, turn);
  const {latent = [], turned = []} = row.rows[0] ?? {};
  return {
    ...row,
    tokens: world.tokens,
    kept: latent.length + turned.length,
    whole: 2 * world.d_model,
    sizes: sequence.latentSizes({heads, width, rank, rope: turn === 'apart' ? rope : 0}),
  };
}

/** A difference of the size of a rounding error is shown by its order of magnitude. */
export const isRounding = (error: number): boolean => error < 1e-9;
