// Pictures of <attn-params>: the whole model as one strip to scale, and its blocks opened into
// their tensors.

import {html, nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {integer, percent} from '../../shared/format.js';
import {color, figure, text, type Token} from '../../shared/plot.js';
import {
  blockTensors,
  chosenIn,
  GROUPS,
  ofGroup,
  type ParamsResult,
  type ParamsState,
  sumOf,
} from './state.js';
import {GROUP_NAMES, nameOf, shapeOf} from './words.js';

/** Takes the name of a pressed part; an empty name for the whole model. */
export type Choose = (part: string) => void;

const TOKENS: Readonly<Record<string, Token>> = {
  table: 'query',
  attention: 'weight',
  feed_forward: 'value',
  norm: 'ink-2',
  head: 'key',
};
const ROW = 44;
const STRIP = 34;

interface Row {
  part: string;
  name: string;
  note: string;
  count: number;
  token: Token;
}

/** A row that can be pressed: its name, its count and its length to scale. */
function rowOf(row: Row, y: number, most: number, on: boolean, choose?: Choose): SVGTemplateResult {
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    choose?.(on ? '' : row.part);
  };
  return svg`<svg y=${y} width="100%" height=${ROW} overflow="visible">
    <rect width="100%" height=${ROW - 2} rx="4" fill=${on ? color('weight-soft') : 'none'}/>
    ${text(1, 17, row.name, {weight: on ? 700 : 400})}
    ${text(99, 17, integer(row.count), {anchor: 'end', weight: on ? 700 : 400})}
    ${text(1, 37, row.note, {size: 11, fill: 'ink-2'})}
    <rect x="42%" y="27" width="${Math.max(0.3, (57 * row.count) / most).toFixed(2)}%" height="10"
      fill=${color(row.token)}/>
    ${
      choose
        ? svg`<g class="pick" role="button" tabindex="0" aria-pressed=${on ? 'true' : 'false'}
            aria-label="${row.name}，${integer(row.count)}个参数" @click=${() =>
              choose(on ? '' : row.part)} @keydown=${press}><rect width="100%" height=${ROW - 2}
            rx="4" fill="none" pointer-events="all"/></g>`
        : nothing
    }
  </svg>`;
}

function whole({part}: ParamsState, {account}: ParamsResult, choose?: Choose): TemplateResult {
  const rows = GROUPS.map((group): Row => {
    const count = sumOf(ofGroup(account, group));
    const token = TOKENS[group] ?? 'ink';
    const note = `占${percent(count / account.total)}`;
    return {part: group, name: GROUP_NAMES[group] ?? group, note, count, token};
  }).filter(({count}) => count > 0);
  const lit = new Set(chosenIn(account, part).map(({group}) => group as string));
  let from = 0;
  const strip = rows.map(({count, token, part: group}) => {
    const width = (100 * count) / account.total;
    const x = from;
    from += width;
    return svg`<rect x="${x.toFixed(3)}%" y="24" width="${width.toFixed(3)}%" height=${STRIP}
      fill=${color(token)} fill-opacity=${lit.size === 0 || lit.has(group) ? 1 : 0.45}
      stroke=${color('raised')}/>`;
  });
  const most = Math.max(...rows.map(({count}) => count));
  const top = 24 + STRIP + 8;
  return figure(
    {
      height: top + ROW * rows.length,
      label: `${integer(account.total)}个参数：${rows
        .map(({name, note}) => `${name}${note}`)
        .join('，')}`,
      touched: choose !== undefined,
    },
    svg`${text(0, 14, `合计${integer(account.total)}`, {weight: 600})}${strip}
    ${rows.map((row, i) => rowOf(row, top + ROW * i, most, part === row.part, choose))}`,
  );
}

function block({part}: ParamsState, {account}: ParamsResult, choose?: Choose): TemplateResult {
  const rows = blockTensors(account).map((tensor): Row => {
    const {name, group, count, layers, each} = tensor;
    const copies = [layers, each].filter((factor) => factor > 1).map(integer);
    return {
      part: name,
      name: nameOf(name),
      note: [...copies, shapeOf(tensor)].join('×'),
      count,
      token: TOKENS[group] ?? 'ink',
    };
  });
  const most = Math.max(...rows.map(({count}) => count));
  return figure(
    {
      height: 24 + ROW * rows.length,
      label: `${account.layers}个块拆开：${rows
        .map(({name, count}) => `${name}${integer(count)}`)
        .join('，')}`,
      touched: choose !== undefined,
    },
    svg`${text(0, 14, `${integer(account.layers)}个块，拆开`, {weight: 600})}
    ${rows.map((row, i) => rowOf(row, 24 + ROW * i, most, part === row.part, choose))}`,
  );
}

/** The pictures; a widget that answers a reader gives `choose`. */
export function view(state: ParamsState, result: ParamsResult, choose?: Choose): TemplateResult {
  return html`<div class="charts">
    ${whole(state, result, choose)}${block(state, result, choose)}
  </div>`;
}
