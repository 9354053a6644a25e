// Pictures of attention weights on a text: one head large, and all heads side by side.

import {html, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {fixed} from '../shared/format.js';
import {inkOf} from '../shared/heat.js';
import {color, figure} from '../shared/plot.js';

const UNKNOWN = '□';

export const shownCharacter = (character: string): string =>
  character === '<unk>' || character === '<pad>' ? UNKNOWN : character === '\n' ? '↵' : character;

export const headName = (layer: number, head: number): string => `L${layer}H${head}`;

const SHADES = 20;

/**
 * Squares of side 1, row i from the left up to its own place. There is one path for all squares of
 * a shade, since a long text has two thousand of them.
 */
export function squares(rows: readonly (readonly number[])[]): SVGTemplateResult {
  const paths = new Map<number, string>();
  rows.forEach((row, i) =>
    row.slice(0, i + 1).forEach((weight, j) => {
      const shade = Math.round(inkOf(weight) * SHADES);
      if (shade > 0) paths.set(shade, `${paths.get(shade) ?? ''}M${j} ${i}h1v1h-1z`);
    }),
  );
  return svg`${[...paths]
    .sort(([a], [b]) => a - b)
    .map(
      ([shade, d]) =>
        svg`<path d=${d} fill=${color('weight')} fill-opacity=${(shade / SHADES).toFixed(2)}/>`,
    )}`;
}

export interface HeadMap {
  layer: number;
  head: number;
  /** Row i: the weights of place i on each place up to its own. */
  rows: readonly (readonly number[])[];
}

const CELL = 16;
const LEFT = 20;
const TOP = 48;

/** The map of one head, with the characters of the text. */
export function attentionMap(
  {layer, head, rows}: HeadMap,
  characters: readonly string[],
  when: string,
): TemplateResult {
  const names = characters.map(shownCharacter);
  const n = names.length;
  const name = headName(layer, head);
  const place = (k: number) => CELL * (k + 0.5);
  const [x, y] = [(i: number) => LEFT + place(i), (i: number) => TOP + place(i) + 5];
  return html`${figure(
      {
        // A short text has cells of the same size, in a picture as wide as that of a long one.
        units: LEFT + CELL * Math.max(n, 24),
        height: TOP + CELL * n + 2,
        label: `${when}${name}的注意力，行看列，颜色越深权重越大`,
      },
      svg`<text x="0" y="15" font-size="15" font-weight="600">${`${when}${name}`}</text>
      ${names.map(
        (each, i) => svg`<text x=${x(i)} y=${TOP - 6} text-anchor="middle" font-size="15"
          fill=${color('key')}>${each}</text><text x="0" y=${y(i)} font-size="15"
          fill=${color('query')}>${each}</text>`,
      )}
      <svg x=${LEFT} y=${TOP} width=${CELL * n} height=${CELL * n} viewBox="0 0 ${n} ${n}"
        ><path d="M0 0V${n}H${n}L0 0" fill="none" stroke=${color('rule')}
        vector-effect="non-scaling-stroke"/>${squares(rows)}</svg>`,
    )}
    <p class="reading">
      行在看，列被看；右上一半还没写出来，看不见。越深，权重越大；最大的一格：${strongest(names, rows)}。
    </p>`;
}

/** The second position on, since the first sees only itself. */
function strongest(names: readonly string[], rows: HeadMap['rows']): string {
  let best = {weight: -1, i: 0, j: 0};
  rows.forEach((row, i) => {
    if (i > 0) row.forEach((weight, j) => (best = weight > best.weight ? {weight, i, j} : best));
  });
  return best.weight < 0
    ? '只有一个字'
    : `「${names[best.i]}」看「${names[best.j]}」，${fixed(best.weight, 3)}`;
}

/** Side of a small map with its frame, the space to the next, and the line with its name. */
const SIDE = 100;
const GAP = 8;
const NAME = 20;

const COLUMNS = 4;

/** All heads side by side, four in a row; a press chooses one. */
export function headMaps(
  maps: readonly HeadMap[],
  chosen: Pick<HeadMap, 'layer' | 'head'>,
  choose?: (map: HeadMap) => void,
): TemplateResult {
  const lines = Math.ceil(maps.length / COLUMNS);
  return figure(
    {
      units: COLUMNS * (SIDE + GAP) - GAP,
      height: lines * (SIDE + NAME + GAP) - GAP + 1,
      label: `${maps.length}个头的注意力，并排`,
      touched: choose !== undefined,
    },
    svg`${maps.map((map, k) => {
      const x = (k % COLUMNS) * (SIDE + GAP);
      const y = Math.floor(k / COLUMNS) * (SIDE + NAME + GAP);
      const mine = map.layer === chosen.layer && map.head === chosen.head;
      return svg`<svg x=${x} y=${y} overflow="visible">${small(map, mine, choose)}</svg>`;
    })}`,
  );
}

function small(map: HeadMap, mine: boolean, choose?: (map: HeadMap) => void): SVGTemplateResult {
  const name = headName(map.layer, map.head);
  const n = map.rows.length;
  const key = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    choose?.(map);
  };
  const content = svg`<text x="1" y="14" font-size="14"
      font-weight=${mine ? 700 : 400}>${mine ? `▸${name}` : name}</text>
    <svg y=${NAME} width=${SIDE} height=${SIDE} viewBox="0 0 ${n} ${n}">${squares(map.rows)}</svg>
    <rect x="0.5" y=${NAME} width=${SIDE - 1} height=${SIDE} fill="none" pointer-events="all"
      stroke=${color(mine ? 'query' : 'rule')} stroke-width=${mine ? 2.5 : 1}/>`;
  return choose
    ? svg`<g class="pick" role="button" tabindex="0" aria-label=${`大图画${name}`}
        aria-pressed=${mine ? 'true' : 'false'} @click=${() => choose(map)}
        @keydown=${key}>${content}</g>`
    : content;
}
