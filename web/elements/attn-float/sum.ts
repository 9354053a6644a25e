// The sum of equal terms in every format, as it grows term by term.

import {svg, type TemplateResult} from 'lit';
import {general, integer} from '../../shared/format.js';
import {along, color, figure, panel, rule, text, type Token} from '../../shared/plot.js';
import type {FloatResult, FloatState, Kept} from './state.js';

const TOKENS: readonly Token[] = ['ink', 'query', 'key', 'value', 'score'];
const WIDTH = 58;
const TOP = 30;
const TALL = 150;
/** Pixels between the labels beside the ends of the lines. */
const APART = 17;

/** Baselines for labels that shall stand at `wished`, in order from the top, and keep apart. */
function spread(wished: readonly number[]): number[] {
  const order = wished.map((_, i) => i).sort((a, b) => wished[a]! - wished[b]! || a - b);
  const places = [...wished];
  let last = -Infinity;
  for (const i of order) last = places[i] = Math.max(places[i]!, last + APART);
  // The lowest label stays inside the picture and may push the others up.
  let limit = TOP + TALL + 6;
  for (const i of [...order].reverse()) limit = (places[i] = Math.min(places[i]!, limit)) - APART;
  return places;
}

export function sumChart({terms}: FloatState, {all, chosen}: FloatResult): TemplateResult {
  const most = Math.max(1, ...all.flatMap(({sum}) => sum.partial));
  const yOf = (value: number) => TOP + TALL * (1 - value / most);
  const baselines = spread(all.map(({sum}) => yOf(sum.total) + 4));
  const line = ({format, sum}: Kept, i: number) => {
    const points = [0, ...sum.partial].map(
      (value, k) => `${along(k, [0, sum.partial.length])},${(yOf(value) - TOP).toFixed(2)}`,
    );
    const own = format === chosen.format;
    return svg`<polyline points=${points.join(' ')} fill="none" stroke=${color(TOKENS[i] ?? 'ink')}
      stroke-width=${own ? 4 : 2} vector-effect="non-scaling-stroke"/>`;
  };
  return figure(
    {
      height: TOP + TALL + 28,
      label: `1/${integer(terms)}加${integer(terms)}次：${all
        .map(({format, sum}) => `${format}得${general(sum.total, 5)}`)
        .join('，')}`,
    },
    svg`${text(0, 14, `1/${integer(terms)}，加${integer(terms)}次`, {weight: 600})}
    ${panel(
      {x: 0, y: 0, width: WIDTH, height: TOP + TALL},
      svg`${rule(0, 100, TOP)}${rule(0, 100, TOP + TALL)}
      <svg y=${TOP} width="100%" height=${TALL} viewBox="0 0 100 ${TALL}" overflow="visible"
        preserveAspectRatio="none">${all.map(line)}</svg>`,
    )}
    ${all.map(({format, sum}, i) =>
      text(WIDTH + 3, baselines[i] ?? 0, `${format} ${general(sum.total, 5)}`, {
        size: 12,
        weight: format === chosen.format ? 700 : 400,
      }),
    )}
    ${text(0, TOP + TALL + 18, '0项', {size: 11, fill: 'ink-2'})}
    ${text(WIDTH, TOP + TALL + 18, `${integer(terms)}项`, {
      anchor: 'end',
      size: 11,
      fill: 'ink-2',
    })}`,
  );
}
