import {beforeAll, describe, expect, it} from 'vitest';
import {AttnFormula, type FormulaState} from '../../web/elements/attn-formula.js';
import type {FormulaContent} from '../../web/shared/content.js';
import {composeFigure} from '../../web/site/figures.js';
import {readFields} from '../../web/shared/link.js';
import type {Resources} from '../../web/shared/runtime.js';
import {defaults} from '../../web/shared/schema.js';
import {drawTemplate} from '../../web/site/draw.js';
import {resourcesFromBuild} from './load-core.js';

const {spec} = AttnFormula;
let resources: Resources;
beforeAll(async () => {
  resources = await resourcesFromBuild();
});

const PARTS = ['q', 'k', 'product', 'divide', 'sqrt', 'softmax'] as const;

const about = (name: string) => ({name, what: [`${name}是什么，d_k`], why: [`${name}凭什么`]});
const content: FormulaContent = {
  source: ['式（1）的前一半', '某人2017'],
  note: '后面还有两步。',
  parts: {
    q: about('问'),
    k: about('键'),
    product: about('积'),
    divide: about('除'),
    sqrt: about('根'),
    softmax: about('权'),
  },
};

async function show(part?: FormulaState['part']) {
  const state = {...defaults<FormulaState>(spec.schema), ...(part && {part})};
  const result = spec.compute(resources, state, content);
  const drawn = (await drawTemplate(spec.view(state, result))).replace(/<!--.*?-->/g, '');
  return {drawn, says: spec.says(state, result), table: spec.table(state, result)};
}

/** The thick underlines, by part. */
const chosenIn = (drawn: string) =>
  PARTS.filter((part) =>
    new RegExp(`data-part="?${part}"?>(?:(?!</g>)[^])*stroke-width="3.5"`).test(drawn),
  );

describe('attn-formula', () => {
  it('has six parts to click and underlines the chosen one, √d_k by default', async () => {
    const {drawn, says} = await show();
    for (const part of PARTS) expect(drawn).toMatch(new RegExp(`data-part="?${part}"?`));
    expect(chosenIn(drawn)).toEqual(['sqrt']);
    expect(says).toContain('√d_k');
    for (const part of PARTS) expect(chosenIn((await show(part)).drawn)).toEqual([part]);
  });

  it('contains the explanation and the reason of every part, chosen or not', async () => {
    const {drawn, table} = await show('q');
    expect(drawn.match(/<dt>/g)).toHaveLength(6);
    expect(drawn.match(/为什么/g)).toHaveLength(6);
    expect(table.rows).toHaveLength(6);
    for (const [, what = '', why = ''] of table.rows) {
      // Indices are subscripts on the page.
      for (const text of [what, why])
        expect(drawn.replace(/<sub>(\w)<\/sub>/g, '_$1')).toContain(text);
    }
  });

  it('names the source of the equation, and adds the note', async () => {
    const {drawn} = await show();
    for (const text of [...content.source, content.note]) expect(drawn).toContain(text);
  });

  it('exports a figure with its serif letters', async () => {
    const figure = composeFigure((await show()).drawn, {title: '公式', description: '…'});
    expect(figure).toContain('Times New Roman');
    expect(figure).not.toContain('var(--');
  });

  it('falls back to √d_k, with a sentence, for an unknown part', () => {
    const {state, problem} = readFields(spec.schema, (key) => (key === 'part' ? 'mask' : null));
    expect(state.part).toBe('sqrt');
    expect(problem?.message).toContain('softmax');
  });
});
