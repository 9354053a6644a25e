// <attn-latent>: keys expanded from latents, against a query with the up-projection folded in, with
// and without a rotation in between.

import {html, nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {fixed, general, scientific} from '../shared/format.js';
import {InputError} from '../shared/input.js';
import {latentRow, type LatentRow, type Turn} from '../shared/cache-latent.js';
import {color, figure, rule, text, type Token} from '../shared/plot.js';
import {type Need, type Resources} from '../shared/runtime.js';
import {choiceField, sampleText, type Schema} from '../shared/schema.js';
import {tabs} from '../shared/tabs.js';
import {AttnWidget} from './attn-widget.js';
import type {Spec, Table} from './attn-widget/spec.js';

export interface LatentState {
  /** 旋转哪一部分：none不转，all整个键都转，apart另有一部分转 */
  turn: Turn;
  /** 谁在问，写那个词 */
  token: string;
}

export interface LatentResult extends LatentRow {
  /** All tokens of the sentence. */
  tokens: string[];
  /** Numbers that are cached for each token, and those of a whole key and value. */
  kept: number;
  whole: number;
}

const TURNS: readonly {turn: Turn; name: string}[] = [
  {turn: 'none', name: '不转'},
  {turn: 'all', name: '整个键都转'},
  {turn: 'apart', name: '转的另存'},
];

const schema: Schema<LatentState> = {
  turn: choiceField<Turn>(
    'none',
    TURNS.map(({turn}) => turn),
  ),
  token: {
    fallback: '给了',
    read: (text) => text.trim(),
    write: (token) => token,
    about: import.meta.env.SSR ? {takes: '教学句里的一个词元', sample: sampleText} : undefined,
  },
};

function compute({core, sequence, world}: Resources, {turn, token}: LatentState): LatentResult {
  const query = world.tokens.indexOf(token);
  if (query < 0)
    throw new InputError('not-an-option', `这里只能是${world.tokens.join('、')}之一。`);
  const row = latentRow({core, sequence}, world, query, turn);
  const {latent = [], turned = []} = row.rows[0] ?? {};
  return {
    ...row,
    tokens: world.tokens,
    kept: latent.length + turned.length,
    whole: 2 * world.d_model,
  };
}

const vector = (values: readonly number[]) =>
  `(${values.map((value) => fixed(value, 2)).join(', ')})`;
/** A difference of the size of a rounding error is shown by its order of magnitude. */
const isRounding = (error: number) => error < 1e-9;
const errorText = (error: number) =>
  error === 0 ? '0' : isRounding(error) ? scientific(error, 1) : general(error, 3);

interface Link {
  name: string;
  tone: Token;
  /** True for a factor that is folded into the query in advance. */
  folded?: boolean;
}

const CHAINS: Record<Turn, {links: Link[]; below: string; good: boolean}[]> = {
  none: [
    {
      links: [
        {name: 'q', tone: 'query', folded: true},
        {name: '升维', tone: 'ink', folded: true},
        {name: 'c_j', tone: 'key'},
      ],
      below: '先乘好，所有j合用',
      good: true,
    },
  ],
  all: [
    {
      links: [
        {name: 'q', tone: 'query', folded: true},
        {name: '转i−j', tone: 'wrong', folded: true},
        {name: '升维', tone: 'ink', folded: true},
        {name: 'c_j', tone: 'key'},
      ],
      below: '夹着j，每个距离一份',
      good: false,
    },
  ],
  apart: [
    {
      links: [
        {name: 'q', tone: 'query', folded: true},
        {name: '升维', tone: 'ink', folded: true},
        {name: 'c_j', tone: 'key'},
      ],
      below: '先乘好，所有j合用',
      good: true,
    },
    {
      links: [
        {name: '另一份q转i', tone: 'query', folded: true},
        {name: '另存的，已转j', tone: 'key'},
      ],
      below: '没有升维，不用折',
      good: true,
    },
  ],
};

/** The factors from left to right; a frame encloses those folded into the query. */
function chains(turn: Turn, y0: number): SVGTemplateResult {
  return svg`${CHAINS[turn].map(({links, below, good}, n) => {
    const y = y0 + 70 * n;
    const width = 100 / links.length;
    const folded = links.filter((link) => link.folded).length;
    return svg`<rect x="0.5%" y=${y - 4} width="${width * folded - 1.5}%" height="62" rx="6"
      fill="none" stroke=${color(good ? 'right' : 'wrong')}
      stroke-dasharray=${good ? nothing : '4 3'}/>
      ${links.map(
        (
          {name, tone},
          i,
        ) => svg`<rect x="${width * i + 2}%" y=${y + 4} width="${width - 4.5}%" height="28" rx="4"
          fill=${color('raised')} stroke=${color(tone)}/>
        ${text(width * (i + 0.5) - 0.25, y + 23, name, {anchor: 'middle', size: 12, fill: tone})}
        ${i > 0 ? text(width * i, y + 23, '·', {anchor: 'middle', weight: 600}) : nothing}`,
      )}
      ${text((width * folded) / 2, y + 50, `${good ? '✓' : '✗'} ${below}`, {
        anchor: 'middle',
        size: 12,
        fill: good ? 'right' : 'wrong',
      })}`;
  })}`;
}

const ROW = 46;

function scores(turn: Turn, {rows}: LatentResult, y0: number): SVGTemplateResult {
  return svg`${text(0, y0, '看谁', {weight: 600})}${text(22, y0, '存下的', {
    weight: 600,
    fill: 'key',
  })}${text(76, y0, '先展开', {
    anchor: 'end',
    weight: 600,
  })}${text(100, y0, '折一次', {anchor: 'end', weight: 600})}
    ${rows.map(({token, distance, latent, turned, folded, expanded, once}, j) => {
      const y = y0 + 10 + ROW * j;
      const good = isRounding(Math.abs(once - expanded));
      return svg`${rule(0, 100, y)}${text(0, y + 19, token)}${text(0, y + 36, `相距${distance}`, {
        size: 11,
        fill: 'ink-2',
      })}
        ${text(22, y + 19, vector(latent), {size: 12, fill: 'key'})}
        ${
          turn === 'all'
            ? text(22, y + 36, `该折成${vector(folded)}`, {size: 11, fill: 'query'})
            : nothing
        }
        ${
          turn === 'apart'
            ? text(22, y + 36, `另存${vector(turned)}`, {size: 11, fill: 'key'})
            : nothing
        }
        ${text(76, y + 19, fixed(expanded, 3), {anchor: 'end'})}
        ${text(100, y + 19, `${good ? '✓' : '✗'} ${fixed(once, 3)}`, {
          anchor: 'end',
          fill: good ? 'right' : 'wrong',
        })}`;
    })}`;
}

function view({turn, token}: LatentState, result: LatentResult): TemplateResult {
  const top = 22 + 70 * CHAINS[turn].length + 28;
  const own = result.rows.at(-1)?.folded ?? [];
  return html`${figure(
    {
      height: top + 16 + ROW * result.rows.length,
      label: `「${token}」的分数：先展开成键，与折进查询，${isRounding(result.error) ? '相等' : '不等'}；数值见表格`,
    },
    svg`
    ${text(0, 13, `折好的查询${vector(own)}`, {fill: 'query', weight: 600, size: 12})}
    ${chains(turn, 28)}${scores(turn, result, top)}`,
  )}`;
}

function says(
  {turn, token}: LatentState,
  {rows, needed, error, ownError, kept, whole}: LatentResult,
): string {
  const many = rows.length;
  const head = `「${token}」看${many}个词元，每个只存${kept}个数，不是K、V的${whole}个。`;
  if (turn !== 'all') {
    return (
      `${head}一个折好的查询够${many}个词元合用，与先展开成键的分数最多差${errorText(error)}：` +
      `只是舍入。${turn === 'apart' ? '位置由另存的2个数去管。' : '可是分数里没有位置。'}`
    );
  }
  if (many === 1)
    return `${head}只看自己，相距0，转了等于没转；换一个靠后的词元，才看得出折不进去。`;
  return (
    `${head}键要转，${many}个距离就要${needed}个不同的折法；只用相距0的那一个，分数最多错${errorText(error)}。` +
    `各用各的又对了（差${errorText(ownError)}），可是省不下什么。`
  );
}

function table(_state: LatentState, {rows}: LatentResult): Table {
  return {
    columns: ['看谁', '相距', '存下的', '该折成', '先展开', '折一次', '相差'],
    rows: rows.map(({token, distance, latent, turned, folded, expanded, once}) => [
      token,
      String(distance),
      vector([...latent, ...turned]),
      vector(folded),
      fixed(expanded, 3),
      fixed(once, 3),
      errorText(Math.abs(once - expanded)),
    ]),
  };
}

function steps({turn}: LatentState, {needed}: LatentResult): TemplateResult {
  return html`<ol class="steps">
    <li>
      存下的：词向量的人、物、语法三个分量，这就是潜向量c。W_K里身份那一行是0，所以键能从c原样做出来。
    </li>
    <li>
      先展开：k＝c·升维矩阵，${turn === 'all' ? '再按位置转；查询也按自己的位置转。' : ''}每个词元做一次，再与q做点积。
    </li>
    <li>
      折一次：升维矩阵先乘到q上，得到3个数，直接与c做点积。${
        turn === 'all'
          ? html`键转过，乘之前q得先转i−j，${needed}个距离就有${needed}个结果。`
          : '对谁都是同一个。'
      }
    </li>
    ${turn === 'apart' ? html`<li>另存的2个数从词向量直接投影，按位置转好再存；它前面没有升维矩阵，不需要折。两段分数相加。</li>` : nothing}
  </ol>`;
}

/**
 * Folding the up-projection of latent keys into the query: exact without rotation; with rotation,
 * one fold for each distance, and decoupled positions as the remedy.
 *
 * @name MLA的折叠
 * @summary 升维矩阵能不能并进查询；位置转过以后还行不行。
 * @attr turn token
 * @fires attn-change  detail: {state, result}
 */
export class AttnLatent extends AttnWidget<LatentState, LatentResult> {
  static override readonly needs: readonly Need[] = ['sequence'];

  static override readonly spec: Spec<LatentState, LatentResult> = {
    tag: 'attn-latent',
    title: '升维矩阵折得进查询吗',
    hint: '先看不转，两条路的分数一不一样；再让整个键都转，看哪几个词元还对。',
    schema,
    compute,
    view,
    says,
    table,
    steps,
  };

  protected override controls({turn, token}: LatentState, {tokens}: LatentResult): TemplateResult {
    return html`${tabs({
        label: '旋转哪一部分',
        name: 'turn',
        choices: TURNS.map((each) => [each.turn, each.name] as const),
        chosen: turn,
        choose: (chosen) => this.change({turn: chosen}),
      })}
      <div class="row" role="group" aria-label="谁在问">
        <span>谁在问</span>${tokens.map(
          (each) =>
            html`<button
              type="button"
              class="chip"
              aria-pressed=${each === token ? 'true' : 'false'}
              @click=${() => this.change({token: each})}
            >
              ${each}
            </button>`,
        )}
      </div>`;
  }
}
