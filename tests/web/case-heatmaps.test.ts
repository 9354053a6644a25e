// The claims of the page about heat maps on rows of two lengths and on the trained model's heads.
import {readFileSync} from 'node:fs';
import {beforeAll, expect, it} from 'vitest';
import heatmaps from '../../lessons/case/heatmaps/numbers.js';
import {loadTrain, type TrainedModel} from '../../web/train.js';
import {authorsContext} from './authors-context.js';

interface Copying {
  seed: number;
  characters: number;
  texts: number;
  limit: number;
  ratios: number[];
}

const HEADS = [0, 1, 2, 3, 4, 5, 6, 7];
const RECORD = JSON.parse(readFileSync('lessons/case/copying.json', 'utf8')) as Copying;
const {characters: LENGTH, texts: TEXTS} = RECORD;

let model: TrainedModel;
beforeAll(async () => {
  const train = await loadTrain({
    wasmBinary: new Uint8Array(readFileSync('build/wasm/attn_train.wasm')),
  });
  model = train.openTrained(new Uint8Array(readFileSync('lessons/case/small-scaled.weights')));
});

/** Random common characters, twice in the same order. */
function repeated(seed: number): string {
  const common = model.vocabulary().filter((name) => /^\p{Script=Han}$/u.test(name));
  let x = seed;
  const half = Array.from({length: LENGTH}, () => {
    x = (Math.imul(x, 1103515245) + 12345) & 0x7fffffff;
    return common[(x >> 8) % 600]!;
  }).join('');
  return half + half;
}

/** The mean weight of a head on the place after the earlier occurrence, ÷ that of equal shares. */
function copying(head: number): number {
  let [sum, even] = [0, 0];
  for (let text = 0; text < TEXTS; ++text) {
    const map = model.attentionMap(repeated(RECORD.seed + 777 * text), head >> 2, head % 4);
    const {data, cols} = map.weights;
    for (let i = LENGTH; i < 2 * LENGTH; ++i) {
      sum += data[i * cols + i - LENGTH + 1]!;
      even += 1 / (i + 1);
    }
  }
  return sum / even;
}

it('no head is an induction head: those of the second layer give near equal shares', () => {
  const ratios = HEADS.map(copying);
  expect(RECORD.ratios).toHaveLength(HEADS.length);
  for (const [i, ratio] of ratios.entries()) expect(ratio).toBeCloseTo(RECORD.ratios[i]!, 12);
  for (const ratio of ratios) expect(ratio).toBeLessThan(RECORD.limit);
  for (const ratio of ratios.slice(4)) {
    expect(ratio).toBeGreaterThan(0.7);
    expect(ratio).toBeLessThan(1.3);
  }
});

it('0.3 of 100 is concentrated, 0.6 of 2 is spread', async () => {
  const numbers = heatmaps(await authorsContext());
  const value = (id: string) => Number(numbers[id]!.value);
  // −0.3 ln 0.3 − 0.7 ln(0.7 ÷ 99), ÷ ln 100; −0.6 log₂ 0.6 − 0.4 log₂ 0.4.
  const long = (-0.3 * Math.log(0.3) - 0.7 * Math.log(0.7 / 99)) / Math.log(100);
  expect(value('long_entropy')).toBeCloseTo(long, 12);
  expect(value('short_entropy')).toBeCloseTo(-0.6 * Math.log2(0.6) - 0.4 * Math.log2(0.4), 12);
  expect([value('long_times'), value('short_times')]).toEqual([30, 1.2]);
});
