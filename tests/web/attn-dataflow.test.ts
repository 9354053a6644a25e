import {beforeAll, describe, expect, it} from 'vitest';
import {AttnDataflow, type DataflowState} from '../../web/elements/attn-dataflow.js';
import type {DataflowContent, DataflowStep} from '../../web/shared/content.js';
import {composeFigure} from '../../web/site/figures.js';
import type {Resources} from '../../web/shared/runtime.js';
import {defaults} from '../../web/shared/schema.js';
import {drawTemplate} from '../../web/site/draw.js';
import {shownWidget} from './drawn-widget.js';
import {resourcesFromBuild} from './load-core.js';

const {spec} = AttnDataflow;
let resources: Resources;
beforeAll(async () => {
  resources = await resourcesFromBuild();
});

const step = (id: string, lesson: string, more: Partial<DataflowStep> = {}): DataflowStep => ({
  id,
  lesson,
  title: `步骤${id}`,
  shapeIn: [`进${id}`],
  shapeOut: [`出${id}`],
  parameters: [`参数${id}`, {num: 'n', text: '64'}],
  note: [`注${id}`],
  link: {label: `课${id}`, href: `c3/${lesson}/index.html`},
  things: '',
  ...more,
});
// The steps are in the order of the data; the lessons teach them in another order.
const content: DataflowContent = {
  frame: '解码层',
  steps: [
    step('A', 'c3-l01'),
    step('K', 'c3-l08', {aside: true}),
    step('G', 'c3-l09', {aside: true}),
    step('B', 'c3-l02'),
    step('M', 'c3-l04'),
    step('C', 'c3-l03'),
  ],
};

const show = (patch: Partial<DataflowState>) => shownWidget(resources, spec, patch, content);
const known = ({result}: ReturnType<typeof show>) =>
  result.stages.map(({id, known}) => `${id} ${known}`);

describe('attn-dataflow', () => {
  it('marks a step as known by its lesson, not by its place in the flow', () => {
    expect(known(show({current: 'c3-l03'}))).toEqual([
      'A learnt',
      'K later',
      'G later',
      'B learnt',
      'M later',
      'C new',
    ]);
    expect(known(show({current: 'c3-l01'}))).toEqual([
      'A new',
      'K later',
      'G later',
      'B later',
      'M later',
      'C later',
    ]);
    // A branch adds no step, so every step of the map is known.
    expect(new Set(show({current: 'c3-b4'}).result.stages.map((stage) => stage.known))).toEqual(
      new Set(['learnt']),
    );
  });

  it('opens the new step, or the chosen one', () => {
    expect(show({current: 'c3-l03'}).result.chosen).toBe('C');
    expect(show({current: 'c3-l03', step: 'A'}).result.chosen).toBe('A');
    expect(show({current: 'c3-l03', step: 'nothing'}).result.chosen).toBe('C');
    expect(show({current: 'c3-b4'}).result.chosen).toBe('A');
  });

  it('contains the details of every step', async () => {
    const drawn = await show({current: 'c3-l03'}).draw();
    for (const {id} of content.steps)
      for (const text of ['进', '出', '参数', '注']) expect(drawn).toContain(`${text}${id}`);
    expect(drawn.match(/href="#num-n"/g)).toHaveLength(6);
  });

  it('draws later steps dashed and new ones thick', async () => {
    const drawn = (await show({current: 'c3-l03'}).draw()).replace(/<!--.*?-->/g, '');
    const boxOf = (id: string) =>
      new RegExp(`<g data-thing="?"?\\s+data-step="?${id}"?>\\s*<rect[^>]*>`).exec(drawn)?.[0] ??
      '';
    expect(boxOf('M')).toContain('stroke-dasharray="4 4"');
    expect(boxOf('A')).not.toContain('stroke-dasharray="4 4"');
    expect(boxOf('C')).toContain('var(--weight-soft)');
  });

  it('names the steps that this lesson adds, in the sentence and in the table', () => {
    const {says, table} = show({current: 'c3-l03'});
    expect(says).toBe(
      '前面学过2步。这一课加上「步骤C」：进去「进C」，出来「出C」。虚线框里的以后再学。',
    );
    expect(table.rows.find(([name]) => name === '步骤M')).toEqual([
      '步骤M',
      '课M',
      '以后',
      '进M',
      '出M',
      '参数M64',
    ]);
    expect(show({current: 'c3-b4'}).says).toBe('解码层里的6步都在这里。');
  });

  it('exports one figure with a positive height, also without steps', async () => {
    const state = defaults<DataflowState>(spec.schema);
    const empty = await drawTemplate(
      spec.view(state, spec.compute(resources, state, {frame: '解码层', steps: []})),
    );
    for (const markup of [await show({current: 'c3-l03'}).draw(), empty]) {
      const figure = composeFigure(markup, {title: '数据流', description: '…'});
      expect(figure).toContain('解码层');
      expect(figure).not.toMatch(/NaN|undefined/);
    }
  });
});
