// <attn-forward>: the displayed numbers are those of the forward pass, and what a reader types is
// read or refused.
import {readFileSync} from 'node:fs';
import {beforeAll, describe, expect, it} from 'vitest';
import {AttnForward} from '../../web/elements/attn-forward.js';
import {shortFloat} from '../../web/elements/attn-forward/compute.js';
import {
  type ForwardState,
  LAYERS,
  placeOf,
  STEPS,
  STOPS,
} from '../../web/elements/attn-forward/state.js';
import {useModel} from '../../web/elements/attn-heads/trained-model.js';
import {nextStop} from '../../web/shared/beats.js';
import type {Resources} from '../../web/shared/runtime.js';
import {composeFigure} from '../../web/site/figures.js';
import {loadTrain, type TrainedModel} from '../../web/train.js';
import {drawnWidget, shownWidget} from './drawn-widget.js';
import {resourcesFromBuild} from './load-core.js';
import {randomFrom} from './random-state.js';
import {trainBytes} from './training-run.js';

const {spec} = AttnForward;
let resources: Resources;
let model: TrainedModel;

const show = (patch: Partial<ForwardState>) => shownWidget(resources, spec, patch);
const stepAt = (stage: string, layer = -1) =>
  placeOf(STEPS.findIndex((step) => step.stage === stage && step.layer === layer));

beforeAll(async () => {
  resources = await resourcesFromBuild();
  const train = await loadTrain({wasmBinary: trainBytes()});
  model = train.openTrained(readFileSync('lessons/case/small-scaled.weights'));
  useModel(model);
});

/** Lines of random characters of the vocabulary. */
function randomLines(count: number): string[] {
  const random = randomFrom(14);
  const characters = model.vocabulary().slice(2);
  return Array.from({length: count}, () =>
    Array.from(
      {length: 1 + Math.floor(24 * random())},
      () => characters[Math.floor(characters.length * random())],
    ).join(''),
  );
}

describe('the numbers that are shown', () => {
  // A shown number is the shortest decimal that rounds to the same float: it has the pass's bits.
  it('are those of the forward pass, for 20 random lines, at every step', () => {
    for (const text of randomLines(20)) {
      const {trace, ids} = model.forward(text);
      const T = ids.length;
      const shownAt = (stage: string, layer = -1) =>
        show({text, at: stepAt(stage, layer)})
          .result.values.flat()
          .map(Math.fround);
      const whole: [string, number, Float32Array | undefined][] = [
        ['tokens', -1, trace.tokens],
        ['positions', -1, trace.positions],
        ['input', -1, trace.layers[0]?.input],
        ...trace.layers.flatMap((layer, l): [string, number, Float32Array | undefined][] => [
          ...(['norm1', 'qkv', 'heads', 'middle', 'norm2', 'up', 'active'] as const).map(
            (stage): [string, number, Float32Array] => [stage, l, layer[stage]],
          ),
          ['output', l, trace.layers[l + 1]?.input ?? trace.output],
        ]),
        ['norm', -1, trace.norm],
        ['logits', -1, trace.logits.slice(-1200)],
      ];
      for (const [stage, layer, all] of whole)
        expect(shownAt(stage, layer), `${text} ${stage} ${layer}`).toEqual([...(all ?? [])]);
      for (let layer = 0; layer < LAYERS; layer++) {
        for (let head = 0; head < 4; head++) {
          const {values} = show({text, head, at: stepAt('weights', layer)}).result;
          const map = model.attentionMap(text, layer, head);
          expect(values.flat().map(Math.fround)).toEqual([...map.weights.data]);
        }
      }
      // The probability of each next character is that of the trainer's loss, which sums floats.
      const losses = model.tokenLosses(text);
      for (let row = 1; row < T; row++) {
        const {actual} = show({text, row}).result;
        expect(actual?.id).toBe(ids[row]);
        expect(-Math.log(actual?.probability ?? 0)).toBeCloseTo(losses[row - 1] ?? 0, 4);
      }
    }
  });

  it('keep the float and drop the digits that mean nothing', () => {
    for (const value of [0.1, -1.4566882, 1 / 3, 1e-30, 123456.78, 0].map(Math.fround)) {
      expect(Math.fround(shortFloat(value))).toBe(value);
      expect(String(shortFloat(value)).replace(/[-.]|e.*/g, '').length).toBeLessThanOrEqual(10);
    }
    expect(shortFloat(Math.fround(0.1))).toBe(0.1);
  });

  it('name the likeliest next character that greedy writing takes', () => {
    for (const text of randomLines(5)) {
      const greedy = model.sample({
        prompt: text,
        count: 1,
        temperature: 0,
        topK: 0,
        cached: true,
        seed: 1,
      });
      expect(show({text}).result.next[0]?.id).toBe(greedy.ids[0]);
    }
  });
});

describe('the steps', () => {
  it('are 25, and keys reach each of them', () => {
    expect(STEPS).toHaveLength(4 + 9 * LAYERS + 3);
    let at = 0;
    for (let k = 1; k < STEPS.length; k++) {
      at = nextStop(STOPS, at, 1);
      expect(show({at}).says).toMatch(new RegExp(`^第${k + 1}步，共25步`));
    }
    expect(at).toBe(1);
  });

  it('state the shape of what they make', () => {
    const shapes = Object.fromEntries(
      STEPS.map(({stage}, k) => [stage, show({at: placeOf(k)}).result.shape.join()]),
    );
    expect(shapes).toMatchObject({
      ids: '5',
      tokens: '5,128',
      qkv: '5,384',
      weights: '4,5,5',
      heads: '5,128',
      up: '5,256',
      logits: '5,1200',
    });
  });
});

describe('what a reader types', () => {
  it('is read character by character; unknown ones are named', async () => {
    const {result, drawn} = await drawnWidget(resources, spec, {text: '床前x', at: 0});
    expect(result.typed).toEqual(['床', '前', 'x']);
    expect(result.characters).toEqual(['<unk>', '前', '<unk>']);
    expect(result.ids.filter((id) => id === 1)).toHaveLength(2);
    expect(drawn).toContain('（词表外）');
  });

  it('is refused if empty or longer than the lanes', () => {
    expect(() => show({text: ''})).toThrow('这里还空着');
    expect(() => show({text: '月'.repeat(25)})).toThrow('最多24个字，这里有25个。');
    expect(show({text: '月'.repeat(24)}).result.ids).toHaveLength(24);
  });
});

it('draws lanes with arcs from earlier characters only, and can be exported', async () => {
  const {drawn, says} = await drawnWidget(resources, spec, {at: 0.25});
  expect(drawn.match(/data-figure/g)).toHaveLength(2);
  expect(composeFigure(drawn, {title: '一行字', description: says})).not.toMatch(/var\(|style=/);
});
