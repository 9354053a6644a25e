// The trained model: its weights are those of the recorded run, and the claims about its reading
// hold.
import {readFileSync} from 'node:fs';
import {beforeAll, describe, expect, it} from 'vitest';
import packed from '../../lessons/case/small-scaled-packed.json';
import record from '../../lessons/case/small-scaled.json';
import {AttnHeads} from '../../web/elements/attn-heads.js';
import type {HeadsState} from '../../web/elements/attn-heads/state.js';
import {useModel} from '../../web/elements/attn-heads/trained-model.js';
import type {TrainedResult} from '../../web/elements/attn-heads/state.js';
import {
  DOUBLE,
  inTraditional,
  MAPPED,
  otherOf,
  traditionalOf,
} from '../../web/elements/attn-heads/traditional.js';
import {composeFigure} from '../../web/site/figures.js';
import {InputError} from '../../web/shared/input.js';
import type {Resources} from '../../web/shared/runtime.js';
import {defaults} from '../../web/shared/schema.js';
import {drawTemplate} from '../../web/site/draw.js';
import {loadTrain, type Train, type TrainedModel} from '../../web/train.js';
import {resourcesFromBuild} from './load-core.js';

const {spec} = AttnHeads;
const weights = new Uint8Array(readFileSync('lessons/case/small-scaled.weights'));
let resources: Resources;
let train: Train;
let model: TrainedModel;

function compute(patch: Partial<HeadsState> = {}) {
  const state: HeadsState = {...defaults<HeadsState>(spec.schema), source: 'trained', ...patch};
  return {state, result: spec.compute(resources, state, undefined) as TrainedResult};
}

async function show(patch: Partial<HeadsState> = {}) {
  const {state, result} = compute(patch);
  const drawn = (await drawTemplate(spec.view(state, result))).replace(/<!--.*?-->/gs, '');
  return {result, drawn, says: spec.says(state, result), table: spec.table(state, result)};
}

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

beforeAll(async () => {
  resources = await resourcesFromBuild();
  train = await loadTrain({
    wasmBinary: new Uint8Array(readFileSync('build/wasm/attn_train.wasm')),
  });
  // The model is not loaded yet.
  expect(() => compute()).toThrow(InputError);
  model = train.openTrained(weights);
  useModel(model);
});

describe('the published weights', () => {
  it('are those of the recorded run, in at most 1 MB, with the stated loss', () => {
    expect(packed.parameterHash).toBe(record.parameterHash);
    expect(model.parameterHash()).toBe(packed.packedHash);
    expect(weights.length).toBe(packed.bytes);
    expect(weights.length).toBeLessThanOrEqual(1e6);
    const {before, after, cost} = packed.validationLoss;
    expect(before).toBe(record.validationLoss);
    expect(cost).toBe(after - before);
    expect(Math.abs(cost)).toBeLessThan(0.005);
    expect(model.config).toEqual(record.config);
  });

  it('are refused when truncated, and the loaded model cannot be trained', () => {
    expect(() => train.openTrained(weights.slice(0, 1000))).toThrow('too few bytes');
    expect(() => train.openTrained(new TextEncoder().encode('<!doctype html>'.repeat(9)))).toThrow(
      'expected a packed model, got something else',
    );
    const another = train.openTrained(weights);
    another.close();
    expect(() => another.tokenLosses('春')).toThrow('deleted object');
  });
});

describe('traditional characters', () => {
  const known = (character: string) => model.encode(character).ids[0] !== 1;

  it('maps only unknown characters, and only to known ones', () => {
    expect(MAPPED.filter((character) => known(character))).toEqual([]);
    expect(MAPPED.filter((character) => !known(traditionalOf(character)!))).toEqual([]);
    expect(DOUBLE.filter((character) => !known(character) || !known(otherOf(character)!))).toEqual(
      [],
    );
    expect(new Set([...MAPPED, ...DOUBLE]).size).toBe(MAPPED.length + DOUBLE.length);
  });

  it('does not know 床, 间 and 见, and knows their traditional forms', () => {
    expect(compute({text: '床前明月光，林间不见人'}).result.unknown).toEqual(['床', '间', '见']);
    expect(inTraditional('床间见')).toBe('牀間見');
    expect(compute({text: inTraditional('床前明月光，林间不见人')}).result.unknown).toEqual([]);
    expect(compute({text: '白云'}).result.doubtful).toEqual(['云']);
  });
});

describe('attn-heads, trained', () => {
  it('has rows that sum to 1 and see no later token, in every head', () => {
    for (const layer of [0, 1]) {
      for (const head of [0, 1, 2, 3]) {
        compute({layer, head}).result.weights.forEach((row, i) => {
          expect(Math.abs(mean(row) * row.length - 1)).toBeLessThan(1e-5); // floats
          row.slice(i + 1).forEach((weight) => expect(weight).toBe(0));
        });
      }
    }
  });

  // Row i of n spreads evenly over i + 1 tokens. Its own share: (1 + 1/2 + … + 1/24)/24 =
  // 3.775958/24; the previous token's, over the 23 rows that have one: (3.775958 − 1)/23; the
  // distance: the mean of i/2, 23/4.
  it('compares eight heads with a uniform one', () => {
    const {heads, uniform, characters} = compute().result;
    expect(characters).toHaveLength(24);
    expect(heads).toHaveLength(8);
    expect(uniform.entropy).toBeCloseTo(1, 12);
    expect(uniform.diagonal).toBeCloseTo(3.775958 / 24, 6);
    expect(uniform.previous).toBeCloseTo(2.775958 / 23, 6);
    expect(uniform.distance).toBeCloseTo(5.75, 12);
    for (const {layer, head, portrait} of heads) {
      const {weights: map} = compute({layer, head}).result;
      expect(portrait.diagonal).toBeCloseTo(mean(map.map((row, i) => row[i]!)), 6);
      const distances = map.map((row, i) => row.reduce((sum, w, j) => sum + w * (i - j), 0));
      expect(portrait.distance).toBeCloseTo(mean(distances), 5);
    }
  });

  it('measures the value of a head: for each character of the text, and on validation text', () => {
    for (const {layer, head, effect, recorded} of compute().result.heads) {
      const {losses, without} = compute({layer, head}).result;
      expect(losses).toHaveLength(23);
      expect(effect).toBeCloseTo(mean(without) - mean(losses), 12);
      const found = record.validationLossWithout.find((h) => h.layer === layer && h.head === head)!;
      expect(recorded).toBe(found.loss - record.validationLoss);
    }
    // Every head of layer 0 matters more on the validation text than any head of layer 1.
    const of = (wanted: number) =>
      compute().result.heads.flatMap((h) => (h.layer === wanted ? [h.recorded] : []));
    expect(Math.min(...of(0))).toBeGreaterThan(Math.max(...of(1)));
  });

  it('predicts a poem better than the same characters shuffled', () => {
    const text = '牀前看月光，疑是地上霜。';
    const shuffled = '月，霜牀。是看光前地疑上';
    expect(mean(compute({text}).result.losses)).toBeLessThan(
      mean(compute({text: shuffled}).result.losses),
    );
    expect(mean(compute({text}).result.losses)).toBeLessThan(compute().result.blind);
  });

  it('continues a text: greedy without randomness, else by the seed; k = 1 is greedy', () => {
    const write = (patch: Partial<HeadsState>) => compute(patch).result.written.text;
    expect(write({temperature: 0, seed: 1})).toBe(write({temperature: 0, seed: 2}));
    expect(write({seed: 1})).toBe(write({seed: 1}));
    expect(write({seed: 1})).not.toBe(write({seed: 2}));
    expect(write({topk: 1, seed: 3})).toBe(write({temperature: 0}));
    // The page claims that the likeliest character is always one outside the vocabulary.
    expect(write({temperature: 0}).replaceAll('<unk>', '')).toMatch(/^[，。\n]*$/);
  });

  it('reads the end of a long text and says so', async () => {
    const {result, says} = await show({text: '春'.repeat(70)});
    expect([result.characters.length, result.skipped]).toEqual([64, 6]);
    expect(result.written.beyondBlock).toBe(true);
    expect(says).not.toMatch(/NaN|undefined/);
    const huge = compute({text: '月'.repeat(10_000)}).result;
    expect(huge.skipped).toBe(9_936);
  });

  it('reads one character, half a pair, unknown ones; refuses an empty text', async () => {
    const one = await show({text: '月', row: 9});
    expect(one.says).toContain('只有一个字');
    expect([one.result.row, one.result.losses]).toEqual([0, []]);
    expect((await show({text: '月\ud800花'})).result.characters).toEqual(['月', '<unk>', '花']);
    expect((await show({text: 'abc'})).drawn).toContain('□');
    expect(() => compute({text: ''})).toThrow('这里还空着');
  });

  it('draws pictures that can be exported, and its table has every weight', async () => {
    const {drawn, says, table, result} = await show({layer: 1, head: 3});
    expect(composeFigure(drawn, {title: '头', description: says})).not.toMatch(/var\(|style=/);
    expect(says).toContain('L1H3');
    expect(table.rows).toHaveLength(24);
    expect(table.rows[5]![4 + 5]).toBe(result.weights[5]![5]!.toFixed(3));
    expect(table.rows[5]![4 + 6]).toBe('遮住');
  });
});
