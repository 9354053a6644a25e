// <attn-heads source="trained">: what each head of the trained model looks at, and its worth.

import {readFileSync} from 'node:fs';
import type {HeadsState} from '../../../web/elements/attn-heads/state.js';
import {sampleText} from '../../../web/shared/schema.js';
import {entropyOf} from './arithmetic.js';
import {dec, int, pct, Reader, type Shown} from './reading.js';
import {type Head, type Reading, SmallGpt} from './small-gpt.js';

const FOLDER = 'lessons/case';
/** The module computes in floats of 24 bits; sums of a few hundred such numbers lose some. */
const SLACK = 5e-5;

const recorded = JSON.parse(readFileSync(`${FOLDER}/small-scaled.json`, 'utf8')) as {
  validationLoss: number;
  validationLossWithout: (Head & {loss: number})[];
};
let model: SmallGpt | undefined;
const readings = new Map<string, Reading>();

function read(characters: readonly string[], without?: Head): Reading {
  model ??= new SmallGpt(`${FOLDER}/small-scaled.weights`);
  const key = JSON.stringify([characters, without]);
  const made = readings.get(key) ?? model.read(characters, without);
  readings.set(key, made);
  return made;
}

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Own share, share of the position before, distance and entropy, as means over the rows. */
function portrait(weights: readonly (readonly number[])[]) {
  const later = weights.slice(1);
  return {
    own: mean(weights.map((row, i) => row[i]!)),
    before: mean(later.map((row, i) => row[i]!)),
    distance: mean(
      weights.map((row, i) => row.reduce((sum, weight, j) => sum + (i - j) * weight, 0)),
    ),
    entropy: mean(later.map((row, i) => entropyOf(row.slice(0, i + 2), i + 2))),
  };
}

const evenly = (n: number) =>
  Array.from({length: n}, (_, i) => Array.from({length: n}, (_, j) => (j > i ? 0 : 1 / (i + 1))));

export function trainedOpinion({text, layer, head}: HeadsState, shown: Shown): string[] {
  const reader = new Reader(shown);
  // A lone half of a pair is no character.
  const typed = [...text].map((one) => (/^[\ud800-\udfff]$/.test(one) ? '\ufffd' : one));
  const characters = typed.slice(-64);
  const n = characters.length;
  const {weights, losses} = read(characters);
  const without = read(characters, {layer, head}).losses;
  const own = weights[layer]![head]!;
  const sign = (character: string) =>
    character === '\n' ? '↵' : model?.knows(character) ? character : '□';
  reader.table(
    characters.map((character, i) => [
      String(i + 1),
      sign(character),
      ...[losses, without].map((all) => (i === 0 ? '—' : dec(all[i - 1]!, 3, SLACK))),
      ...own[i]!.map((weight, j) => (j > i ? '遮住' : dec(weight, 3, SLACK))),
    ]),
  );
  const name = `L${layer}H${head}在这*个字上：`;
  if (n === 1) {
    reader.says(`${name}只有一个字，只能看自己。`, int(1));
    reader.saysNot('关掉它');
    return reader.wrong;
  }
  const [mine, even] = [portrait(own), portrait(evenly(n))];
  reader.says(
    `${name}看自己*（平分是*），看前一位*（*），平均距离*（*），熵*。`,
    int(n),
    pct(mine.own, 1, SLACK),
    pct(even.own),
    pct(mine.before, 1, SLACK),
    pct(even.before),
    dec(mine.distance, 2, 64 * SLACK),
    dec(even.distance, 2),
    dec(mine.entropy, 3, SLACK),
  );
  const found = recorded.validationLossWithout.find((o) => o.layer === layer && o.head === head);
  reader.says(
    '关掉它，这段平均每字的损失从*变成*；验证集上，从*变成*（记录）。',
    dec(mean(losses), 3, SLACK),
    dec(mean(without), 3, SLACK),
    dec(recorded.validationLoss, 3),
    dec(found?.loss ?? NaN, 3),
  );
  return reader.wrong;
}

/** Few texts, since a slow pass over one takes a while: lines, unknown characters, a long text. */
const TEXTS = [
  '牀前看月光，疑是地上霜。\n舉頭望山月',
  '春眠不覺曉，處處聞啼鳥。',
  '月',
  '床前明月光x\ud800',
  '月落烏啼霜滿天，江楓漁火對愁眠。',
];
const LONG = `${'白日依山盡，黃河入海流。'.repeat(5)}欲窮千里目，更上一層樓。`;

export function sampleTrained(random: () => number): Partial<HeadsState> {
  const share = random();
  const text =
    share < 0.9
      ? TEXTS[Math.floor(TEXTS.length * random())]!
      : share < 0.92
        ? LONG
        : [...sampleText(random)].slice(0, 12).join('');
  return {source: 'trained', text, head: Math.floor(4 * random())};
}
