// <attn-formula>: softmax(QKᵀ/√d_k), with an explanation of each part.

import {html, nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import type {FormulaContent, FormulaPart} from '../shared/content.js';
import {color, figure, pin, textLines, type Token} from '../shared/plot.js';
import {plainRich, showRich, showText} from '../shared/rich-text.js';
import type {Resources} from '../shared/runtime.js';
import {choiceField, type Schema} from '../shared/schema.js';
import {AttnWidget} from './attn-widget.js';
import type {Spec, Table} from './attn-widget/spec.js';

export interface FormulaState {
  /** 看公式的哪一部分 */
  part: FormulaPart;
}

export interface FormulaResult extends FormulaContent {
  chosen: FormulaPart;
}

/** The part as an inline formula, the colour that it has everywhere, and its name in the page. */
const SIGNS: Record<FormulaPart, {sign: string; hue: Token; thing: string}> = {
  q: {sign: 'Q', hue: 'query', thing: 'q'},
  k: {sign: 'Kᵀ', hue: 'key', thing: 'k'},
  product: {sign: 'QKᵀ', hue: 'score', thing: 'scores'},
  divide: {sign: '÷', hue: 'right', thing: 'sqrt'},
  sqrt: {sign: '√d_k', hue: 'right', thing: 'sqrt'},
  softmax: {sign: 'softmax', hue: 'weight', thing: 'softmax'},
};
const PARTS = Object.keys(SIGNS) as FormulaPart[];

const schema: Schema<FormulaState> = {
  part: choiceField('sqrt', PARTS),
};

/** There is nothing to compute: the formula is text. */
function compute(
  _resources: Resources,
  {part}: FormulaState,
  content: FormulaContent,
): FormulaResult {
  return {...content, chosen: part};
}

// Pixels around the middle of the formula; the fraction's bar lies at y = 0.
const ITALIC = 'KaTeX_Math, "Times New Roman", serif';
const ROMAN = 'KaTeX_Main, "Times New Roman", serif';

function letter(
  x: number,
  y: number,
  content: string,
  size: number,
  hue: Token,
  family = ITALIC,
): SVGTemplateResult {
  return svg`<text x=${x} y=${y} font-size=${size} text-anchor="middle" fill=${color(hue)}
    font-family=${family} font-style=${family === ITALIC ? 'italic' : 'normal'}>${content}</text>`;
}

interface Drawn {
  id: FormulaPart;
  /** The area that can be clicked: x, y, width, height. */
  area: readonly [number, number, number, number];
  /** Its underline (the product has it above): x1, x2, y. */
  line: readonly [number, number, number];
  draw: (hue: Token) => unknown;
}

const bracket = (d: string, hue: Token = 'ink') =>
  svg`<path d=${d} fill="none" stroke=${color(hue)} stroke-width="1.8"/>`;

const DRAWN: readonly Drawn[] = [
  {
    id: 'softmax',
    area: [-116, -26, 100, 48],
    line: [-112, -20, 15],
    draw: (hue) => letter(-66, 8, 'softmax', 28, hue, ROMAN),
  },
  {
    id: 'product',
    area: [12, -72, 80, 24],
    line: [16, 88, -52],
    draw: (hue) => bracket('M16 -47V-52H88V-47', hue),
  },
  {
    id: 'q',
    area: [14, -46, 30, 42],
    line: [17, 42, -9],
    draw: (hue) => letter(29, -18, 'Q', 29, hue),
  },
  {
    id: 'k',
    area: [46, -46, 42, 42],
    line: [49, 87, -9],
    draw: (hue) => svg`${letter(62, -18, 'K', 29, hue)}${letter(81, -29, 'T', 17, hue, ROMAN)}`,
  },
  {
    id: 'divide',
    area: [4, -4, 96, 16],
    line: [8, 96, 4],
    draw: (hue) =>
      svg`<line x1="8" x2="96" y1="4" y2="4" stroke=${color(hue)} stroke-width="2.2"/>`,
  },
  {
    id: 'sqrt',
    area: [20, 13, 64, 44],
    line: [24, 80, 54],
    draw: (hue) =>
      svg`${bracket('M26 33L30 31L37 46L45 16H80', hue)}${letter(56, 43, 'd', 28, hue)}${letter(
        70,
        48,
        'k',
        18,
        hue,
      )}`,
  },
];

function term(
  {id, area: [x, y, width, height], line: [x1, x2, at], draw}: Drawn,
  on: boolean,
): SVGTemplateResult {
  const {hue, thing} = SIGNS[id];
  return svg`<g data-thing=${thing}
    data-part=${id}><rect x=${x} y=${y} width=${width} height=${height} rx="4"
    fill=${color(hue)} fill-opacity=${on ? 0.14 : 0}/>
    ${draw(hue)}
    ${
      id === 'divide' && !on
        ? nothing
        : svg`<line x1=${x1} x2=${x2} y1=${at} y2=${at} stroke=${color(hue)}
          stroke-width=${on ? 3.5 : 1.2} stroke-dasharray=${on ? 'none' : '2 3'}/>`
    }</g>`;
}

function view(_state: FormulaState, {chosen, parts, source, note}: FormulaResult): TemplateResult {
  return html`${figure(
      {height: 188, label: 'softmax，括号里是QKᵀ除以√d_k'},
      svg`
      ${pin(
        50,
        84,
        svg`${DRAWN.map((drawn) =>
          term(drawn, drawn.id === chosen),
        )}${bracket('M2 -44Q-14 4 2 52')}${bracket('M102 -44Q118 4 102 52')}`,
      )}
      ${textLines(50, 164, source, {anchor: 'middle', size: 11, fill: 'ink-2', leading: 17})}`,
    )}
    <dl class="parts">
      ${PARTS.map(
        (id) =>
          html`<div class=${id === chosen ? 'chosen' : ''} data-thing=${SIGNS[id].thing}>
            <dt><b class=${SIGNS[id].hue}>${showText(SIGNS[id].sign)}</b>${parts[id].name}</dt>
            <dd>${showRich(parts[id].what)}</dd>
            <dd><b>为什么</b>${showRich(parts[id].why)}</dd>
          </div>`,
      )}
    </dl>
    <p class="note">${note}</p>`;
}

function says(_state: FormulaState, {chosen, parts}: FormulaResult): string {
  return `现在看的是${SIGNS[chosen].sign}：${parts[chosen].name}。`;
}

function table(_state: FormulaState, {parts}: FormulaResult): Table {
  return {
    columns: ['划线处', '是什么', '为什么在这里'],
    rows: PARTS.map((id) => [
      `${SIGNS[id].sign} ${parts[id].name}`,
      plainRich(parts[id].what),
      plainRich(parts[id].why),
    ]),
  };
}

/**
 * The first half of equation (1) of Vaswani et al. 2017, part by part.
 *
 * @name 一行权重的公式
 * @summary 点公式里的一处，看它算什么，为什么在那里。
 * @attr part
 * @fires attn-change  detail: {state, result}
 */
export class AttnFormula extends AttnWidget<FormulaState, FormulaResult, FormulaContent> {
  static override readonly spec: Spec<FormulaState, FormulaResult, FormulaContent> = {
    tag: 'attn-formula',
    title: '一行权重的公式',
    hint: '每处划线都答两问：它是什么，为什么在那里。',
    schema,
    content: () => 'formula',
    compute,
    view,
    says,
    table,
  };

  protected override body(state: FormulaState, result: FormulaResult): TemplateResult {
    return html`<div class="row live" role="group" aria-label="公式的各部分">
        ${PARTS.map(
          (part) =>
            html`<button
              type="button"
              class="chip"
              data-thing=${SIGNS[part].thing}
              aria-pressed=${part === result.chosen ? 'true' : 'false'}
              @click=${() => this.change({part})}
            >
              <b>${showText(SIGNS[part].sign)}</b
              ><span class="name"> ${result.parts[part].name}</span>
            </button>`,
        )}
      </div>
      <div class="view" @click=${this.#choose}>${view(state, result)}</div>`;
  }

  #choose = (event: MouseEvent): void => {
    const part = (event.target as Element).closest<SVGElement>('g[data-part]')?.dataset['part'];
    if (part) this.change({part: part as FormulaPart});
  };
}
