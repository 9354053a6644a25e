// The small picture of <attn-backward>: which gradient comes from which, and how far the walk is.

import {nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {inkOf, type HeatToken} from '../../shared/heat.js';
import {color, figure} from '../../shared/plot.js';
import type {Moment} from './moment.js';
import type {BackwardResult} from './state.js';

const UNIT = 12;
const WIDTH = 332;
const HEIGHT = 216;

interface Node {
  name: 'dO' | 'dV' | 'dP' | 'dS' | 'dQ' | 'dK';
  x: number;
  y: number;
  token: HeatToken;
  /** The step that makes it; −1 is there from the beginning. */
  step: number;
}

const NODES: readonly Node[] = [
  {name: 'dO', x: 282, y: 84, token: 'value', step: -1},
  {name: 'dV', x: 282, y: 178, token: 'value', step: 0},
  {name: 'dP', x: 196, y: 84, token: 'weight', step: 1},
  {name: 'dS', x: 84, y: 84, token: 'score', step: 2},
  {name: 'dQ', x: 0, y: 30, token: 'query', step: 3},
  {name: 'dK', x: 0, y: 138, token: 'key', step: 4},
];

interface Arrow {
  d: string;
  /** Its tip, and whether it points down. */
  tip: readonly [number, number];
  down?: boolean;
  label: string;
  at: readonly [number, number];
  step: number;
}

const ARROWS: readonly Arrow[] = [
  {d: 'M306 126V156', tip: [306, 160], down: true, label: 'Pᵀ×', at: [300, 146], step: 0},
  {d: 'M276 102H246', tip: [242, 102], label: '×Vᵀ', at: [260, 94], step: 1},
  {d: 'M189 102H132', tip: [128, 102], label: '−均值，×P', at: [157, 94], step: 2},
  {d: 'M78 96L57 62', tip: [55, 58], label: '×K', at: [72, 62], step: 3},
  {d: 'M78 110L57 146', tip: [55, 150], label: 'ᵀ×Q', at: [74, 146], step: 4},
];

function grid({x, y, token}: Node, values: readonly (readonly number[])[], filled: number) {
  const most = Math.max(1e-9, ...values.flat().map(Math.abs));
  return values.map((line, r) =>
    line.map((value, c) => {
      const there = r * line.length + c < filled;
      return svg`<rect x=${x + UNIT * c} y=${y + UNIT * r} width=${UNIT - 1} height=${UNIT - 1}
        fill=${there ? color(token) : 'none'}
        fill-opacity=${there ? inkOf(Math.abs(value) / most).toFixed(3) : 1}
        stroke=${color(there ? token : 'rule')} stroke-width="0.6"/>`;
    }),
  );
}

function node(each: Node, {index, filled}: Moment, result: BackwardResult): SVGTemplateResult {
  const values = each.name === 'dO' ? result.grad : result[each.name];
  const count = each.step < index ? Infinity : each.step === index ? filled : 0;
  const [width, height] = [UNIT * (values[0] ?? []).length, UNIT * values.length];
  return svg`<text x=${each.x} y=${each.y - 6} font-size="13" font-weight="650"
      fill=${color(each.token)}>${each.name}</text>${grid(each, values, count)}
    ${
      each.step === index
        ? svg`<rect x=${each.x - 4} y=${each.y - 4} width=${width + 7} height=${height + 7} rx="4"
            fill="none" stroke=${color('ink')} stroke-width="1.6"/>`
        : nothing
    }`;
}

function arrow({d, tip: [x, y], down, label, at, step}: Arrow, {index}: Moment) {
  const token = step === index ? 'ink' : step < index ? 'ink-2' : 'rule';
  // The tip continues the line: down, to the left, or along the slant of the last two.
  const turn = down ? 0 : step < 3 ? 90 : step === 3 ? 144 : 34;
  return svg`<path d=${d} stroke=${color(token)} stroke-width=${step === index ? 2 : 1.4}
      fill="none"/><path d="M0 2L-4 -6H4Z" fill=${color(token)}
      transform="translate(${x} ${y}) rotate(${turn})"/>
    <text x=${at[0]} y=${at[1]} font-size="11.5" text-anchor=${
      down ? 'end' : step < 3 ? 'middle' : 'start'
    } font-weight=${step === index ? 650 : 400}
      fill=${color(step === index ? 'ink' : 'ink-2')}>${label}</text>`;
}

export function flow(moment: Moment, result: BackwardResult): TemplateResult {
  return figure(
    {
      height: HEIGHT,
      label: `梯度从dO往回走，现在是${moment.step.name}`,
      units: WIDTH,
    },
    svg`<text x=${WIDTH} y="14" font-size="12" text-anchor="end"
      fill=${color('ink-2')}>← 往回走</text>
      ${ARROWS.map((each) => arrow(each, moment))}
      ${NODES.map((each) => node(each, moment, result))}`,
  );
}
