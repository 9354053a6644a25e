// npm run new:element -- attn-name: writes a widget that builds, its test, and an estimate of its
// height. The widget's tag is registered by the name of its file.
import {main} from './run.mjs';
import {argument, insertBefore, writeNew} from './scaffold.mjs';

/** The height in pixels at every width, until `npm run heights` has measured it. */
const guessedHeight = 320;

const element = (tag, name) => `// <${tag}>: one number, and e to its power.

import {html, svg, type TemplateResult} from 'lit';
import {general} from '../shared/format.js';
import {slider} from '../shared/number-box.js';
import {figure, text} from '../shared/plot.js';
import type {Resources} from '../shared/runtime.js';
import {numberField, type Schema} from '../shared/schema.js';
import {AttnWidget} from './attn-widget.js';
import type {Spec, Table} from './attn-widget/spec.js';

export interface ${name}State {
  /** 一个分数 */
  score: number;
}

export interface ${name}Result {
  /** e to the power of the score. */
  power: number;
}

const RANGE = {min: -10, max: 10};

const schema: Schema<${name}State> = {
  score: numberField(1, RANGE),
};

function compute({core}: Resources, {score}: ${name}State): ${name}Result {
  return {power: core.exp(score)};
}

/** The build draws the figure with it, and the page the live one. */
function view({score}: ${name}State, {power}: ${name}Result): TemplateResult {
  return figure(
    {height: 40, label: \`e的\${general(score)}次方\`},
    svg\`\${text(0, 26, \`e的\${general(score)}次方＝\${general(power)}\`)}\`,
  );
}

function says({score}: ${name}State, {power}: ${name}Result): string {
  return \`e的\${general(score)}次方是\${general(power)}。\`;
}

function table({score}: ${name}State, {power}: ${name}Result): Table {
  return {columns: ['分数', '次方'], rows: [[general(score), general(power)]]};
}

function steps(): TemplateResult {
  return html\`<ol class="steps">
    <li>这里写这一步是怎样算的。</li>
  </ol>\`;
}

/**
 * One number, and e to its power.
 *
 * @name 这个小工具的名字
 * @summary 一句话：它有什么用。
 * @attr score
 * @fires attn-change  detail: {state, result}
 */
export class Attn${name} extends AttnWidget<${name}State, ${name}Result> {
  static override readonly spec: Spec<${name}State, ${name}Result> = {
    tag: '${tag}',
    title: '这个小工具的题目',
    hint: '推动分数，次方怎样变？',
    schema,
    compute,
    view,
    says,
    table,
    steps,
  };

  protected override controls({score}: ${name}State): TemplateResult {
    const set = (next: number) => this.change({score: next});
    return html\`<div class="dials">
      \${slider(this, {key: 'score', label: '分数', value: score, ...RANGE, step: 0.1, set})}
    </div>\`;
  }
}
`;

const test = (tag, name) => `import {beforeAll, describe, expect, it} from 'vitest';
import {Attn${name}} from '../../web/elements/${tag}.js';
import type {Resources} from '../../web/shared/runtime.js';
import {drawnWidget} from './drawn-widget.js';
import {resourcesFromBuild} from './load-core.js';

const {spec} = Attn${name};
let resources: Resources;

beforeAll(async () => {
  resources = await resourcesFromBuild();
});

describe('${tag}', () => {
  // e⁰ = 1.
  it('computes, draws and says the power', async () => {
    const {result, drawn, says, table} = await drawnWidget(resources, spec, {score: 0});
    expect(result.power).toBe(1);
    expect(drawn).toContain('e的0次方＝1');
    expect(says).toBe('e的0次方是1。');
    expect(table.rows).toEqual([['0', '1']]);
  });
});
`;

await main(async () => {
  const tag = argument({
    command: 'new:element',
    example: 'attn-name',
    form: /^attn(-[a-z][a-z0-9]*)+$/,
    rule: '以attn-开头，只用小写字母、数字和连字符',
  });
  const name = tag
    .split('-')
    .slice(1)
    .map((part) => part[0].toUpperCase() + part.slice(1))
    .join('');
  writeNew({
    [`web/elements/${tag}.ts`]: element(tag, name),
    [`tests/web/${tag}.test.ts`]: test(tag, name),
  });
  insertBefore('web/embed/heights.json', '\n}', `,\n  "${tag}": [320, ${guessedHeight}]`);
  console.log('量一量它的高度：npm run heights，再构建一次：npm run build');
});
