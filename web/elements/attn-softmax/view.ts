// Builds the picture of <attn-softmax> for a state.

import type {TemplateResult} from 'lit';
import {general, scientific} from '../../shared/format.js';
import {softmaxFigure, type SoftmaxPicture, type SoftmaxTouch} from './picture.js';
import type {SoftmaxResult, SoftmaxState} from './state.js';
import {entryText, times, weightText} from './words.js';

/** The picture; a widget that answers a reader gives `touch`. */
export function view(
  state: SoftmaxState,
  result: SoftmaxResult,
  touch?: SoftmaxTouch,
): TemplateResult {
  const {trace, labels, powers, ruler} = result;
  const softmax = state.method === 'softmax';
  const weightTexts = labels.map((_, i) => weightText(trace, i));
  const partTexts =
    softmax && powers ? powers.map(shortPower) : trace.parts.map((part) => entryText(part, 4));
  const power = state.temperature === 1 ? 'e^Δ' : 'e^(Δ÷τ)';
  return softmaxFigure(
    {
      names: labels,
      scores: state.scores,
      parts: trace.parts,
      partTexts,
      partsTitle: partsTitle(state, powers !== null),
      weights: trace.weights,
      weightTexts,
      pair: state.pair.map((place) => place - 1),
      ruler: ruler && {
        wide: `Δ ＝ ${general(ruler.gap)}${softmax ? `，${power} ≈ ${times(ruler.ratio)}` : ''}`,
        narrow: `差${general(ruler.gap)}${softmax ? `，${times(ruler.ratio)}倍` : ''}`,
      },
      ghost: touch?.ghost ?? null,
    },
    `权重：${labels.map((name, i) => `${name} ${weightTexts[i]}`).join('，')}`,
    touch,
  );
}

function shortPower(power: number): string {
  return power >= 1e7 || (power > 0 && power < 1e-3) ? scientific(power, 1) : general(power);
}

function partsTitle(
  {method, temperature}: SoftmaxState,
  plainPowers: boolean,
): SoftmaxPicture['partsTitle'] {
  if (method === 'share') return ['s 照原样'];
  if (method === 'shift') return ['s − 最小值'];
  const score = plainPowers ? 's' : '(s−最大值)';
  return ['e', temperature === 1 ? score : `${score}÷τ`];
}
