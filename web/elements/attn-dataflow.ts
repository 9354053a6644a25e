// <attn-dataflow>: the steps of a decoder layer, of which the reader has learnt some.

import {html, nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import type {DataflowContent, DataflowStep} from '../shared/content.js';
import {color, figure, pin, text, unitsOf, type Token} from '../shared/plot.js';
import {plainRich, showRich, showText, type RichText} from '../shared/rich-text.js';
import type {Resources} from '../shared/runtime.js';
import {nameField, type Schema} from '../shared/schema.js';
import {AttnWidget} from './attn-widget.js';
import type {Spec, Table} from './attn-widget/spec.js';

export interface DataflowState {
  /** 读者在哪一课，如c3-l03 */
  current: string;
  /** 打开哪一步；空着就是这一课新添的那一步 */
  step: string;
}

export interface Stage extends DataflowStep {
  known: 'learnt' | 'new' | 'later';
}

export interface DataflowResult {
  frame: string;
  stages: Stage[];
  chosen: string;
}

const schema: Schema<DataflowState> = {
  current: nameField(''),
  step: nameField(''),
};

/** For a lesson that adds no step, every step counts as learnt. */
function compute(
  _resources: Resources,
  {current, step}: DataflowState,
  {frame, steps}: DataflowContent,
): DataflowResult {
  const adds = steps.some(({lesson}) => lesson === current);
  // The ids of lessons sort in the order of learning.
  const knownAt = (lesson: string) =>
    lesson === current ? 'new' : !adds || lesson < current ? 'learnt' : 'later';
  const stages = steps.map((each) => ({...each, known: knownAt(each.lesson)}) as Stage);
  const chosen =
    stages.find(({id}) => id === step) ?? stages.find(({known}) => known === 'new') ?? stages[0];
  return {frame, stages, chosen: chosen?.id ?? ''};
}

/** Neighbouring steps beside the main line share a row. */
function rowsOf(stages: readonly Stage[]): Stage[][] {
  const rows: Stage[][] = [];
  for (const stage of stages) {
    const before = rows.at(-1);
    if (stage.aside && before?.[0]?.aside) before.push(stage);
    else rows.push([stage]);
  }
  return rows;
}

const BOX = 42;
const SLIM = 28;
const SHELF = 46;
const FLOW = 30;
const GAP = 10;
/** Edges of the boxes and the flow between them, in per cent. */
const LEFT = 4;
const WIDTH = 92;
const STREAM = 14;

const heightOf = ([first]: Stage[]) =>
  first?.aside ? SHELF : first?.known === 'later' ? SLIM : BOX;

const TAGS: Record<Stage['known'], string> = {learnt: '', new: '新 · ', later: ''};

function frameOf(
  x: number,
  y: number,
  width: number,
  height: number,
  stage: Stage,
  chosen: boolean,
): SVGTemplateResult {
  const stroke: Token = stage.known === 'new' ? 'weight' : 'ink-2';
  return svg`<rect x="${x}%" y=${y} width="${width}%" height=${height} rx="5"
    fill=${color(stage.known === 'new' ? 'weight-soft' : 'raised')} stroke=${color(stroke)}
    stroke-width=${chosen ? 2.5 : stage.known === 'later' ? 1 : 1.5}
    stroke-dasharray=${stage.known === 'later' ? '4 4' : nothing}/>`;
}

function box(stage: Stage, y: number, chosen: boolean): SVGTemplateResult {
  const later = stage.known === 'later';
  const height = heightOf([stage]);
  const baseline = y + height / 2 + 5;
  const isNew = stage.known === 'new';
  return svg`<g data-thing=${stage.things}
    data-step=${stage.id}>${frameOf(LEFT, y, WIDTH, height, stage, chosen)}
    ${text(LEFT + 4, baseline, stage.title, {
      size: later ? 12 : 15,
      fill: later ? 'ink-2' : 'ink',
      weight: isNew ? 650 : 400,
    })}
    ${text(LEFT + WIDTH - 3, baseline, tagOf(stage), {
      anchor: 'end',
      size: 11,
      fill: isNew ? 'weight' : 'ink-2',
      weight: isNew ? 650 : 400,
    })}</g>`;
}

const tagOf = ({known, link}: Stage) => `${TAGS[known]}${link.label}`;

/** Steps beside the main line, side by side, each as wide as its text needs. */
function shelf(stages: readonly Stage[], y: number, chosen: string): SVGTemplateResult {
  const needed = stages.map((stage) => Math.max(unitsOf(stage.title), unitsOf(tagOf(stage))) + 1.2);
  const share = WIDTH / needed.reduce((sum, units) => sum + units, 0);
  let end = LEFT;
  return svg`${stages.map((stage, i) => {
    const x = end;
    const width = share * (needed[i] ?? 0) - (i < stages.length - 1 ? 1 : 0);
    end = x + width + 1;
    const later = stage.known === 'later';
    return svg`<g data-thing=${stage.things}
    data-step=${stage.id}>${frameOf(x, y, width, SHELF, stage, stage.id === chosen)}
      ${text(x + width / 2, y + 19, stage.title, {
        anchor: 'middle',
        size: 11,
        fill: later ? 'ink-2' : 'ink',
        weight: stage.known === 'new' ? 650 : 400,
      })}
      ${text(x + width / 2, y + 36, tagOf(stage), {
        anchor: 'middle',
        size: 11,
        fill: stage.known === 'new' ? 'weight' : 'ink-2',
      })}</g>`;
  })}`;
}

/**
 * The flow from y1 to y2: dashed where it only passes steps not learnt yet, with an arrow head
 * where it arrives.
 */
function stream(y1: number, y2: number, solid: boolean, arrives: boolean): SVGTemplateResult {
  return svg`<line x1="${STREAM}%" x2="${STREAM}%" y1=${y1} y2=${arrives ? y2 - 6 : y2}
    stroke=${color('ink-2')} stroke-width="1.5" stroke-dasharray=${solid ? nothing : '3 3'}/>
    ${
      arrives ? pin(STREAM, y2, svg`<path d="M-4.5 -8H4.5L0 0Z" fill=${color('ink-2')}/>`) : nothing
    }`;
}

/** The label of a shape: the first part of a long one. The details show the rest. */
function shapeLabel(rich: RichText): string {
  const shape = plainRich(rich);
  return unitsOf(shape) > 16 ? (shape.split('，')[0] ?? shape) : shape;
}

function map({frame, stages, chosen}: DataflowResult): TemplateResult {
  const rows = rowsOf(stages);
  const shape = (y: number, content: RichText) =>
    text(STREAM + 4, y + FLOW / 2 + 4, shapeLabel(content), {size: 12, fill: 'ink-2'});
  const parts: unknown[] = [];
  let y = 30;
  parts.push(
    stream(y, y + FLOW, true, rows[0]?.[0]?.known !== 'later'),
    shape(y, stages[0]?.shapeIn ?? []),
  );
  y += FLOW;
  rows.forEach((row, i) => {
    const [first] = row;
    if (!first) return;
    parts.push(first.aside ? shelf(row, y, chosen) : box(first, y, first.id === chosen));
    y += heightOf(row);
    const next = rows[i + 1]?.[0];
    const flows = !first.aside && first.known !== 'later';
    const gap = flows ? FLOW : GAP;
    if (next || flows) parts.push(stream(y, y + gap, flows, !next || next.known !== 'later'));
    if (flows) parts.push(shape(y, first.shapeOut));
    if (next || flows) y += gap;
  });
  const label = stages.map(({title, known}) => `${title}（${NAMES[known]}）`).join('，');
  return figure(
    {height: y + 12, label: `${frame}，数据依次经过：${label}`},
    svg`
    <rect x="0" y="8" width="100%" height=${y} rx="8" fill="none" stroke=${color('rule')}
      stroke-width="1.5"/>
    ${text(LEFT, 27, frame, {size: 12, fill: 'ink-2'})}${parts}`,
  );
}

const NAMES: Record<Stage['known'], string> = {learnt: '学过', new: '这一课', later: '以后'};

function details(stage: Stage, chosen: string): TemplateResult {
  const {link} = stage;
  return html`<details class=${stage.known} ?open=${stage.id === chosen} data-step=${stage.id}>
    <summary data-thing=${stage.things}>
      <span class="tag">${TAGS[stage.known] || nothing}${link.label}</span
      ><b>${showText(stage.title)}</b>
    </summary>
    <dl class="facts">
      <dt>进</dt>
      <dd>${showRich(stage.shapeIn)}</dd>
      <dt>出</dt>
      <dd>${showRich(stage.shapeOut)}</dd>
      <dt>参数</dt>
      <dd>${showRich(stage.parameters)}</dd>
    </dl>
    <p>
      ${showRich(stage.note)}${
        stage.known !== 'new' && link.href ? html` <a href=${link.href}>${link.label}</a>` : nothing
      }
    </p>
  </details>`;
}

function view(_state: DataflowState, result: DataflowResult): TemplateResult {
  const later = result.stages.filter(({known}) => known === 'later');
  const learnt = result.stages.filter(({known}) => known !== 'later');
  const list = (stages: Stage[]) => stages.map((stage) => details(stage, result.chosen));
  return html`<div class="flow">
    ${map(result)}
    <div class="steps-list">
      ${list(learnt)}
      ${
        later.length > 0
          ? html`<details class="later-steps" ?open=${later.some(({id}) => id === result.chosen)}>
              <summary>以后各课会加上的${later.length}步</summary>
              ${list(later)}
            </details>`
          : nothing
      }
    </div>
  </div>`;
}

function says(_state: DataflowState, {stages}: DataflowResult): string {
  const learnt = stages.filter(({known}) => known === 'learnt').length;
  const added = stages.filter(({known}) => known === 'new');
  if (added.length === 0) return `解码层里的${learnt}步都在这里。`;
  const words = added
    .map(
      ({title, shapeIn, shapeOut}) =>
        `「${title}」：进去「${plainRich(shapeIn)}」，出来「${plainRich(shapeOut)}」`,
    )
    .join('；');
  return `${learnt > 0 ? `前面学过${learnt}步。` : ''}这一课加上${words}。虚线框里的以后再学。`;
}

function table(_state: DataflowState, {stages}: DataflowResult): Table {
  return {
    columns: ['步骤', '课', '学到哪里', '进', '出', '参数'],
    rows: stages.map((stage) => [
      stage.title,
      stage.link.label,
      NAMES[stage.known],
      plainRich(stage.shapeIn),
      plainRich(stage.shapeOut),
      plainRich(stage.parameters),
    ]),
  };
}

/**
 * The steps of a decoder layer: those learnt, the one this lesson adds, those still to come.
 *
 * @name 数据流图
 * @summary 从词向量到输出要走哪几步，这一课加的是哪一步。
 * @attr current step
 * @fires attn-change  detail: {state, result}
 */
export class AttnDataflow extends AttnWidget<DataflowState, DataflowResult, DataflowContent> {
  static override readonly spec: Spec<DataflowState, DataflowResult, DataflowContent> = {
    tag: 'attn-dataflow',
    title: '到这一课为止的数据流',
    hint: '点一步，看什么形状进、什么形状出、有多少参数。',
    schema,
    content: () => 'dataflow',
    compute,
    view,
    says,
    table,
  };

  protected override body(state: DataflowState, result: DataflowResult): TemplateResult {
    return html`<div
      class="view"
      @click=${this.#choose}
      @toggle=${{handleEvent: this.#opened, capture: true}}
    >
      ${view(state, result)}
    </div>`;
  }

  /** A click on a box of the picture opens its details and selects the step. */
  #choose = (event: MouseEvent): void => {
    const step = (event.target as Element).closest<SVGElement>('g[data-step]')?.dataset['step'];
    const fold =
      step && this.renderRoot.querySelector<HTMLDetailsElement>(`details[data-step="${step}"]`);
    if (!fold) return;
    for (const outer of [fold, fold.closest<HTMLDetailsElement>('.later-steps')])
      outer?.toggleAttribute('open', true);
  };

  #opened = (event: Event): void => {
    const {open, dataset} = event.target as HTMLDetailsElement;
    if (open && dataset['step'] && dataset['step'] !== this.result?.chosen)
      this.change({step: dataset['step']});
  };
}
