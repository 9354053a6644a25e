// Results of <attn-mask>: every row's cells with the chosen mask and the chosen mistake.

import {type Masking, matrix, rowsOf} from '../../core.js';
import type {Resources} from '../../shared/runtime.js';
import {type MaskResult, type MaskState, type Mistake, MOST, type Row} from './state.js';

const FILLER = '补';

/** Component of a padding token's embedding: an arbitrary value, as in a trained model. */
const FILLER_VALUE = 0.5;

/**
 * Sequences as rows of cells: one in each row, or several packed into one. Padding has the number
 * −1.
 */
function layOut(
  {kind, tokens, lengths, window}: MaskState,
  sentence: readonly string[],
): {labels: string[]; sequence: number[]}[] {
  const labels = tokens.length > 0 ? tokens : sentence;
  const batch = kind !== 'causal' && kind !== 'window';
  const sizes = batch && lengths.length > 0 ? lengths : [Math.min(labels.length, MOST)];
  const width = Math.max(batch ? window : 0, ...sizes);
  const rows: {labels: string[]; sequence: number[]}[] = [];
  let at = 0;
  sizes.forEach((size, i) => {
    let row = rows.at(-1);
    if (!row || kind !== 'packed' || row.labels.length + size > width)
      rows.push((row = {labels: [], sequence: []}));
    for (let j = 0; j < size; j++, at++) {
      row.labels.push(labels[at] ?? `${at + 1}`);
      row.sequence.push(i);
    }
  });
  for (const row of rows) {
    while (row.labels.length < width) {
      const end = kind === 'left' ? 0 : row.labels.length;
      row.labels.splice(end, 0, FILLER);
      row.sequence.splice(end, 0, -1);
    }
  }
  return rows;
}

export function compute({core, world}: Resources, state: MaskState): MaskResult {
  const {kind, window, mistake, empty} = state;
  const blocks = layOut(state, world.tokens).map(({labels, sequence}) => {
    const found = labels.map((label, i) => (sequence[i] === -1 ? -1 : world.tokens.indexOf(label)));
    const x = matrix(
      found.map(
        (index, i) =>
          world.embeddings[index] ??
          Array<number>(world.d_model).fill(sequence[i] === -1 ? FILLER_VALUE : 0),
      ),
    );
    const project = (name: 'W_Q' | 'W_K' | 'W_V') => core.product(x, matrix(world[name]));
    const v = project('W_V');
    const {scores} = core.attention(project('W_Q'), project('W_K'), v, {
      scaled: true,
      mask: 'none',
    });
    const reach = kind === 'window' && window > 0 ? window : labels.length;
    const rules = {
      sequence,
      window: reach,
      insideSequence: kind === 'packed',
      paddingAsks: true,
      inverted: false,
    };
    const right = rowsOf(core.pastMask(rules));
    const mask =
      mistake === 'open'
        ? matrix(right.map((row) => row.map(() => 0)))
        : core.pastMask({
            ...rules,
            window: mistake === 'wide' ? reach + 1 : reach,
            insideSequence: kind === 'packed' && mistake !== 'cross',
            paddingAsks: mistake !== 'query',
            inverted: mistake === 'inverted',
          });
    const trace = core.maskedWeights(scores, mask, {
      masking: isMasking(mistake) ? mistake : 'infinity',
      emptyRow: empty,
    });
    const [before, entering, weights, outputs] = [
      scores,
      trace.scores,
      trace.weights,
      core.product(trace.weights, v),
    ].map(rowsOf);
    return trace.rows.map((row, i): Row => ({
      ...row,
      label: labels[i] ?? '',
      filler: sequence[i] === -1,
      output: row.defined && found.some((index) => index >= 0) ? (outputs?.[i] ?? null) : null,
      cells: labels.map((_, j) => {
        const weight = weights?.[i]?.[j] ?? 0;
        const enters = entering?.[i]?.[j] ?? 0;
        const hidden = right[i]?.[j] !== 0;
        // A row that may see only itself by convention leaks nothing.
        const leak = weight > 0 && hidden && !(empty === 'self' && i === j);
        return {
          score: before?.[i]?.[j] ?? 0,
          entering: enters === -Infinity ? null : enters,
          weight,
          hidden,
          leak,
        };
      }),
    }));
  });
  const rows = blocks.flat();
  const sum = (of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0);
  return {
    blocks,
    cells: rows.length,
    real: sum(({filler}) => (filler ? 0 : 1)),
    pairs: sum(({visible}) => visible),
    allPairs: sum(({cells}) => cells.length),
    emptyRows: sum(({visible}) => (visible === 0 ? 1 : 0)),
  };
}

/** All other mistakes change the mask itself. */
export function isMasking(mistake: Mistake): mistake is Masking & Mistake {
  return ['zero', 'after', 'bfloat16', 'float16'].includes(mistake);
}
