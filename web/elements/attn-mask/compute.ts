// Results of <attn-mask>: every row's cells with the chosen mask and the chosen mistake.

import {type Core, type Masking, type Matrix, matrix, rowsOf} from '../../core.js';
import type {Resources} from '../../shared/runtime.js';
import {
  type Cell,
  codeOf,
  type MaskResult,
  type MaskState,
  type Mistake,
  MOST,
  type Row,
} from './state.js';

const FILLER = '补';

/** Component of a padding token's embedding: an arbitrary value, as in a trained model. */
const FILLER_VALUE = 0.5;

interface Layout {
  labels: string[];
  sequence: number[];
}

/**
 * Sequences as rows of cells: one in each row, or several packed into one. Padding has the number
 * −1.
 */
function layOut({kind, tokens, lengths, window}: MaskState, sentence: readonly string[]): Layout[] {
  const labels = tokens.length > 0 ? tokens : sentence;
  const batch = kind !== 'causal' && kind !== 'window';
  const sizes = batch && lengths.length > 0 ? lengths : [Math.min(labels.length, MOST)];
  const width = Math.max(batch ? window : 0, ...sizes);
  const rows: Layout[] = [];
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

export function compute(resources: Resources, state: MaskState): MaskResult {
  let before = 0;
  const blocks = layOut(state, resources.world.tokens).map((layout) => {
    const rows = blockOf(resources, state, layout, before);
    before += rows.length;
    return rows;
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

/** (T, T) visibility by the correct rules and by the ones in use, painted cells included. */
function masksOf(
  core: Core,
  {kind, window, mistake, painted}: MaskState,
  sequence: readonly number[],
  before: number,
): Record<'rule' | 'right' | 'used', Matrix> {
  const reach = kind === 'window' && window > 0 ? window : sequence.length;
  const rules = {
    sequence,
    window: reach,
    insideSequence: kind === 'packed',
    paddingAsks: true,
    inverted: false,
  };
  const rule = core.pastMask(rules);
  const mistaken =
    mistake === 'open'
      ? matrix(rowsOf(rule).map((row) => row.map(() => 0)))
      : core.pastMask({
          ...rules,
          window: mistake === 'wide' ? reach + 1 : reach,
          insideSequence: kind === 'packed' && mistake !== 'cross',
          paddingAsks: mistake !== 'query',
          inverted: mistake === 'inverted',
        });
  const chosen = new Set(painted);
  const paintedOver = (mask: Matrix) =>
    matrix(
      rowsOf(mask).map((row, i) =>
        row.map((entry, j) =>
          chosen.has(codeOf(before + i, j)) ? (entry === 0 ? -Infinity : 0) : entry,
        ),
      ),
    );
  return {rule, right: paintedOver(rule), used: paintedOver(mistaken)};
}

/** One block of rows; `before` rows are in the blocks before it. */
function blockOf(
  {core, world}: Resources,
  state: MaskState,
  {labels, sequence}: Layout,
  before: number,
): Row[] {
  const {mistake, empty} = state;
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
  const open = core.attention(project('W_Q'), project('W_K'), v, {scaled: true, mask: 'none'});
  const masks = masksOf(core, state, sequence, before);
  const trace = core.maskedWeights(open.scores, masks.used, {
    masking: isMasking(mistake) ? mistake : 'infinity',
    emptyRow: empty,
  });
  const correct =
    mistake === 'none'
      ? trace
      : core.maskedWeights(open.scores, masks.right, {masking: 'infinity', emptyRow: empty});
  const [rule, used, scores, free, entering, weights, right, outputs] = [
    masks.rule,
    masks.used,
    open.scores,
    open.weights,
    trace.scores,
    trace.weights,
    correct.weights,
    core.product(trace.weights, v),
  ].map(rowsOf);
  return trace.rows.map((row, i): Row => {
    const powers = powersOf(core, row.defined ? (entering?.[i] ?? []) : [], mistake);
    const cells = labels.map((_, j): Cell => {
      const at = (rows: number[][] | undefined) => rows?.[i]?.[j] ?? 0;
      const weight = at(weights);
      const hidden = at(rule) !== 0;
      const masked = at(used) !== 0;
      return {
        score: at(scores),
        entering: at(entering) === -Infinity ? null : at(entering),
        weight,
        hidden,
        masked,
        // A row that may see only itself by convention leaks nothing.
        leak: weight > 0 && (hidden || masked) && !(empty === 'self' && i === j),
        power: powers[j] ?? 0,
        free: at(free),
        right: at(right),
      };
    });
    return {
      ...row,
      label: labels[i] ?? '',
      filler: sequence[i] === -1,
      sequence: sequence[i] ?? -1,
      output: row.defined && found.some((index) => index >= 0) ? (outputs?.[i] ?? null) : null,
      cells,
      freed: cells.reduce((sum, cell) => sum + (cell.masked ? cell.free : 0), 0),
      ratio: ratioOf(cells, labels),
    };
  });
}

/** The numbers that a row's softmax adds up; −∞ has none. */
function powersOf(core: Core, entering: readonly number[], mistake: Mistake): number[] {
  const finite = entering.filter((score) => score > -Infinity);
  if (finite.length === 0) return [];
  const {parts} = core.weigh(finite, {stable: mistake === 'bfloat16'});
  let next = 0;
  return entering.map((score) => (score > -Infinity ? (parts[next++]?.value ?? 0) : 0));
}

function ratioOf(cells: readonly Cell[], labels: readonly string[]): Row['ratio'] {
  const [a, b] = cells
    .map((cell, j) => ({...cell, label: labels[j] ?? ''}))
    .filter(({hidden, masked, weight, free}) => !hidden && !masked && weight > 0 && free > 0)
    .sort((one, other) => other.free - one.free);
  if (!a || !b) return null;
  return {over: a.label, under: b.label, free: a.free / b.free, now: a.weight / b.weight};
}

/** All other mistakes change the mask itself. */
export function isMasking(mistake: Mistake): mistake is Masking & Mistake {
  return ['zero', 'after', 'bfloat16', 'float16'].includes(mistake);
}
