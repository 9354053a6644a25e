// State, schema and results of <attn-jacobian>.

import {rowsOf, valuesOf} from '../../core.js';
import {general} from '../../shared/format.js';
import {InputError, normalise} from '../../shared/input.js';
import {type Resources} from '../../shared/runtime.js';
import {numbersField, sampleList, type Field, type Schema} from '../../shared/schema.js';

export interface JacobianState {
  /** 一行权重，加起来是1；scores空着时用它 */
  probabilities: readonly number[];
  /** 一行分数；空着就按probabilities */
  scores: readonly number[];
}

export interface JacobianResult {
  weights: number[];
  /** (n, n) ∂w_i/∂s_j */
  matrix: number[][];
  rowSums: number[];
  norm: number;
  /** ‖J‖ of n equal weights. */
  evenNorm: number;
  /** ‖J‖ of two weights of ½, the largest possible value. */
  tieNorm: number;
}

export const MOST = 8;
export const LEAST = 2;
const SUM_TOLERANCE = 1e-6;
/** A score so low that its weight is exactly 0. */
export const SHUT = -1000;

function probabilitiesField(): Field<readonly number[]> {
  const field = numbersField([0.9999, 0.00005, 0.00005], MOST, {min: 0, max: 1});
  return {
    ...field,
    read: (text) => {
      const values = field.read(text);
      const sum = values.reduce((total, value) => total + value, 0);
      if (Math.abs(sum - 1) > SUM_TOLERANCE)
        throw new InputError(
          'not-a-distribution',
          `加起来要等于1，这里是${general(sum, 8)}，图仍是上一次的。`,
        );
      return values;
    },
    about: import.meta.env.SSR
      ? {
          takes: `至多${MOST}个数，加起来是1`,
          sample: (random) => {
            const parts = sampleList(random, MOST, () => random() + 1e-3);
            const sum = parts.reduce((total, part) => total + part, 0);
            return parts.map((part) => part / sum);
          },
        }
      : undefined,
  };
}

/** Empty if the weights are given directly. */
function scoresField(): Field<readonly number[]> {
  const field = numbersField([], MOST, {min: -1e6, max: 1e6});
  return {...field, read: (text) => (normalise(text) === '' ? [] : field.read(text))};
}

export const schema: Schema<JacobianState> = {
  probabilities: probabilitiesField(),
  scores: scoresField(),
};

export const even = (n: number) => Array.from({length: n}, () => 1 / n);
const tie = (n: number) => Array.from({length: n}, (_, i) => (i < 2 ? 0.5 : 0));

export const PRESETS: readonly {name: string; of: (n: number) => number[]}[] = [
  {name: '平分', of: even},
  {name: '两强各半', of: tie},
  {
    name: '0.9999与其余',
    of: (n) =>
      Array.from({length: n}, (_, i) =>
        i === 0 ? 0.9999 : Number((0.0001 / (n - 1)).toPrecision(8)),
      ),
  },
  {name: '一个独占', of: (n) => Array.from({length: n}, (_, i) => (i === 0 ? 1 : 0))},
];

export function compute({core}: Resources, {probabilities, scores}: JacobianState): JacobianResult {
  const weights = scores.length > 0 ? valuesOf(core.weigh(scores).weights) : [...probabilities];
  const {matrix, rowSums, norm} = core.jacobian(weights);
  const n = weights.length;
  return {
    weights,
    matrix: rowsOf(matrix),
    rowSums,
    norm,
    evenNorm: core.jacobian(even(n)).norm,
    tieNorm: core.jacobian(tie(Math.max(n, LEAST))).norm,
  };
}
