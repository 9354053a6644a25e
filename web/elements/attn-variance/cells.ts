// The row of weights under the histogram of <attn-variance>: one cell for each key.

import {nothing, svg, type SVGTemplateResult} from 'lit';
import {percent} from '../../shared/format.js';
import {faceFill, inkOf} from '../../shared/heat.js';
import {color, panel, text} from '../../shared/plot.js';
import {rowOf, scoreText, type Layout, type Shown, type VarianceTouch} from './kinds.js';

/** More keys than this are cells without numbers. */
const FEW_KEYS = 8;

export function cells({kind, cell}: Layout, shown: Shown, y: number): SVGTemplateResult {
  const {state, result, touch} = shown;
  const {weights, divisor} = rowOf(shown);
  const width = 100 / weights.length;
  const few = weights.length <= FEW_KEYS;
  const wide = kind === 'wide';
  const chosen = Math.min(state.pair, result.walks.length) - 1;
  return svg`${text(0, y - 11, `同一行的${weights.length}个分数，经过softmax`, {
    size: 13.5,
    weight: 600,
    fill: 'weight',
  })}${weights.map((weight, i) => {
    const ink = inkOf(weight);
    const fill = faceFill(ink, 'weight');
    const score = scoreText((result.scores[i] ?? 0) / divisor);
    const walk = i < result.walks.length;
    const face = svg`<rect width="100%" height=${cell} rx="4" fill=${color('weight')}
        fill-opacity=${ink.toFixed(3)} stroke=${color(i === chosen && few ? 'ink' : 'rule')}
        stroke-width=${i === chosen && few ? 2 : 1}/>
      ${
        few
          ? svg`<text x="50%" y=${cell / 2 + (wide ? 3 : 1)} text-anchor="middle" fill=${fill}
                font-size=${wide ? 18 : 13} font-weight="650">${percent(weight)}</text>
              <text x="50%" y=${cell / 2 + (wide ? 23 : 18)} text-anchor="middle" fill=${fill}
                font-size=${wide ? 12.5 : 11}>${wide ? `分数${score}` : score}</text>`
          : nothing
      }`;
    return panel(
      {x: i * width + (few ? 0.2 : 0), y, width: width - (few ? 0.4 : 0), height: cell},
      svg`${face}${touch && walk && few ? chooser(i, i === chosen, touch, cell) : nothing}`,
    );
  })}`;
}

/** Lies over its cell. */
function chooser(i: number, on: boolean, touch: VarianceTouch, height: number): SVGTemplateResult {
  const choose = () => touch.choose(i + 1);
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    choose();
  };
  return svg`<g class="pick" role="button" tabindex="0" data-token=${i}
    aria-pressed=${on ? 'true' : 'false'} aria-label="描粗第${i + 1}对" @click=${choose}
    @keydown=${press}><rect width="100%" height=${height} rx="4" fill="none"
    pointer-events="all"/></g>`;
}
