// Samples of attn-softmax: rows of scores, their names, and stops of the temperature.

import type {Resources} from '../../shared/runtime.js';
import {givenRow} from '../../shared/world.js';
import type {SoftmaxState} from './state.js';

const FALLBACK_LABELS = '甲乙丙丁戊己庚辛壬癸';

function labelOf(labels: readonly string[], i: number): string {
  return labels[i] || FALLBACK_LABELS[i] || `第${i + 1}个`;
}

export interface Preset {
  name: string;
  state: Pick<SoftmaxState, 'scores' | 'labels' | 'offset' | 'pair'>;
}

export function presets({core, world}: Resources): Preset[] {
  const given = givenRow(core, world);
  const preset = (
    name: string,
    scores: readonly number[],
    labels: readonly string[],
    pair: readonly number[],
  ) => ({name, state: {scores, labels, pair, offset: 0}});
  return [
    preset('10 / 3 / −4', [10, 3, -4], ['苹果', '梨', '汽车'], [1, 2]),
    preset('8 / 7 / 9', [8, 7, 9], ['甲', '乙', '丙'], [3, 1]),
    preset('「给了」一行', given.scores, given.tokens, [3, 1]),
    preset('1000 / −1000 / 0', [1000, -1000, 0], [], []),
    preset('88.8 / 100 / 102', [88.8, 100, 102], [], [3, 2]),
  ];
}

export const sameScores = (a: readonly number[], b: readonly number[]) => a.join() === b.join();

/**
 * The labels as shown: given ones, a sample's own, or 甲乙丙. They stay with their scores when tokens
 * come and go.
 */
export function shownLabels(resources: Resources, state: SoftmaxState): string[] {
  const sample = () => presets(resources).find((one) => sameScores(one.state.scores, state.scores));
  const labels = state.labels.length > 0 ? state.labels : (sample()?.state.labels ?? []);
  return state.scores.map((_, i) => labelOf(labels, i));
}

/** The bar sweeps τ from 0.1 to 10, with 1 in its middle. */
export const TEMPERATURES = [
  {at: 0, name: '0.1'},
  {at: 0.25, name: '0.32'},
  {at: 0.5, name: '1'},
  {at: 0.75, name: '3.2'},
  {at: 1, name: '10'},
];
export const placeOf = (temperature: number) =>
  Math.min(1, Math.max(0, (Math.log10(temperature) + 1) / 2));
/** Within this distance of the middle, τ is exactly 1. */
const MIDDLE = 0.004;
export const temperatureAt = (at: number) =>
  Math.abs(at - 0.5) < MIDDLE ? 1 : Number((10 ** (2 * at - 1)).toPrecision(3));
