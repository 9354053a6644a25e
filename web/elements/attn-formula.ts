// <attn-formula>: softmax(QKᵀ/√d_k), each part of which says what it is and why it is there.

import {html, nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import type {Core} from '../core.js';
import {color, figure, pin, textLines, type Token} from '../shared/plot.js';
import {showText} from '../shared/rich-text.js';
import {choiceField, type Schema} from '../shared/schema.js';
import {AttnWidget, type Spec, type Table} from './attn-widget.js';

type PartId = 'q' | 'k' | 'product' | 'divide' | 'sqrt' | 'softmax';

export interface FormulaState {
  part: PartId;
}

interface Part {
  id: PartId;
  /** As a formula in a line of text. */
  sign: string;
  name: string;
  hue: Token;
  what: string;
  why: string;
}

const PARTS: readonly Part[] = [
  {
    id: 'q', sign: 'Q', name: '查询', hue: 'query',
    what: '查询排成的矩阵，形状(T, d_k)，第i行是词元i的q：我在找什么。',
    why: '每个词元都要问一遍别人。一行放一个，一次乘法就全问完了。',
  },
  {
    id: 'k', sign: 'Kᵀ', name: '键的转置', hue: 'key',
    what: '键排成的矩阵K是(T, d_k)，转置成(d_k, T)，第j列是词元j的k：凭什么找到我。',
    why: '行乘列才是点积。不转置，(T, d_k)和(T, d_k)接不上。',
  },
  {
    id: 'product', sign: 'QKᵀ', name: '全部分数', hue: 'score',
    what: '(T, T)的分数表，第i行第j列是点积q_i·k_j。',
    why: '点积大，就是这一问和这一键合得来。所有的对，一次矩阵乘法算完。',
  },
  {
    id: 'divide', sign: '÷', name: '除法', hue: 'right',
    what: '每个分数都除以同一个数。',
    why: 'softmax只看分差，所以要在它之前把分差缩好。放到它之后，一行的和不再是1，该饱和的也早已饱和。',
  },
  {
    id: 'sqrt', sign: '√d_k', name: '点积的标准差', hue: 'right',
    what: 'd_k是一个键有多少维。开平方得到的是常数，不用学。',
    why: '各维独立、均值0、方差1时，点积的标准差正是√d_k。除掉它就回到1：维数再大，分差也不会跟着失控。',
  },
  {
    id: 'softmax', sign: 'softmax', name: '分数到权重', hue: 'weight',
    what: '逐行来：每个分数取指数，再除以这一行的总和。',
    why: '任意的实数变成一行权重，不小于0，和为1，只看分差，两个词元之比不受第三个影响。',
  },
];

const schema: Schema<FormulaState> = {
  part: choiceField('sqrt', '看公式的哪一处', PARTS.map(({id}) => id)),
};

const partOf = ({part}: FormulaState) => PARTS.find(({id}) => id === part) as Part;

/** Nothing to compute: the formula is text. */
function compute(_core: Core, state: FormulaState): Part {
  return partOf(state);
}

// Pixels around the middle of the formula; the fraction's bar lies at y = 0.
const ITALIC = 'KaTeX_Math, "Times New Roman", serif';
const ROMAN = 'KaTeX_Main, "Times New Roman", serif';

function letter(x: number, y: number, content: string, size: number, hue: Token, family = ITALIC): SVGTemplateResult {
  return svg`<text x=${x} y=${y} font-size=${size} text-anchor="middle" fill=${color(hue)} font-family=${family} font-style=${family === ITALIC ? 'italic' : 'normal'}>${content}</text>`;
}

interface Drawn {
  id: PartId;
  /** Where it can be touched: x, y, width, height. */
  area: readonly [number, number, number, number];
  /** Its underline (the product has it above): x1, x2, y. */
  line: readonly [number, number, number];
  draw: (hue: Token) => unknown;
}

const bracket = (d: string, hue: Token = 'ink') => svg`<path d=${d} fill="none" stroke=${color(hue)} stroke-width="1.8"/>`;

const DRAWN: readonly Drawn[] = [
  {id: 'softmax', area: [-116, -26, 100, 48], line: [-112, -20, 15], draw: (hue) => letter(-66, 8, 'softmax', 28, hue, ROMAN)},
  {id: 'product', area: [12, -72, 80, 24], line: [16, 88, -52], draw: (hue) => bracket('M16 -47V-52H88V-47', hue)},
  {id: 'q', area: [14, -46, 30, 42], line: [17, 42, -9], draw: (hue) => letter(29, -18, 'Q', 29, hue)},
  {id: 'k', area: [46, -46, 42, 42], line: [49, 87, -9], draw: (hue) => svg`${letter(62, -18, 'K', 29, hue)}${letter(81, -29, 'T', 17, hue, ROMAN)}`},
  {id: 'divide', area: [4, -4, 96, 16], line: [8, 96, 4], draw: (hue) => svg`<line x1="8" x2="96" y1="4" y2="4" stroke=${color(hue)} stroke-width="2.2"/>`},
  {
    id: 'sqrt', area: [20, 13, 64, 44], line: [24, 80, 54],
    draw: (hue) => svg`${bracket('M26 33L30 31L37 46L45 16H80', hue)}${letter(56, 43, 'd', 28, hue)}${letter(70, 48, 'k', 18, hue)}`,
  },
];

function term({id, area: [x, y, width, height], line: [x1, x2, at], draw}: Drawn, chosen: Part): SVGTemplateResult {
  const part = partOf({part: id});
  const on = chosen.id === id;
  return svg`<g data-part=${id}><rect x=${x} y=${y} width=${width} height=${height} rx="4" fill=${color(part.hue)} fill-opacity=${on ? 0.14 : 0}/>
    ${draw(part.hue)}
    ${id === 'divide' && !on ? nothing : svg`<line x1=${x1} x2=${x2} y1=${at} y2=${at} stroke=${color(part.hue)} stroke-width=${on ? 3.5 : 1.2} stroke-dasharray=${on ? 'none' : '2 3'}/>`}</g>`;
}

function view(_state: FormulaState, chosen: Part): TemplateResult {
  return html`${figure({height: 188, label: 'softmax，括号里是QKᵀ除以√d_k'}, svg`
      ${pin(50, 84, svg`${DRAWN.map((drawn) => term(drawn, chosen))}${bracket('M2 -44Q-14 4 2 52')}${bracket('M102 -44Q118 4 102 52')}`)}
      ${textLines(50, 164, ['式（1）的前一半', 'Vaswani等2017，Attention Is All You Need'], {anchor: 'middle', size: 11, fill: 'ink-2', leading: 17})}`)}
    <dl class="parts">${PARTS.map((part) => html`<div class=${part.id === chosen.id ? 'chosen' : ''}><dt><b class=${part.hue}>${showText(part.sign)}</b>${part.name}</dt>
      <dd>${showText(part.what)}</dd><dd><b>为什么</b>${showText(part.why)}</dd></div>`)}</dl>
    <p class="note">掩码加在括号里、softmax之前（第4课）；再乘上V，才是整个式（1）（第5课）。</p>`;
}

function says(_state: FormulaState, {sign, name}: Part): string {
  return `现在看的是${sign}：${name}。`;
}

function table(): Table {
  return {columns: ['划线处', '是什么', '为什么在这里'], rows: PARTS.map(({sign, name, what, why}) => [`${sign} ${name}`, what, why])};
}

/**
 * The first half of equation (1) of Vaswani et al. 2017, part by part.
 *
 * @attr part
 * @fires attn-change  detail: {state, result}
 */
export class AttnFormula extends AttnWidget<FormulaState, Part> {
  static override readonly spec: Spec<FormulaState, Part> = {
    tag: 'attn-formula', title: '一行权重的公式', hint: '每处划线都答两问：它是什么，为什么在那里。',
    schema, compute, view, says, table,
  };

  protected override body(state: FormulaState, chosen: Part): TemplateResult {
    return html`<div class="row live" role="group" aria-label="公式的各处">${PARTS.map(({id, sign, name}) => html`<button type="button" class="chip"
        aria-pressed=${id === chosen.id ? 'true' : 'false'} @click=${() => this.change({part: id})}><b>${showText(sign)}</b><span class="name"> ${name}</span></button>`)}</div>
      <div class="view" @click=${this.#choose}>${view(state, chosen)}</div>`;
  }

  #choose = (event: MouseEvent): void => {
    const part = (event.target as Element).closest<SVGElement>('g[data-part]')?.dataset['part'];
    if (part) this.change({part: part as PartId});
  };
}
