// Pictures of <attn-decode>: the passes of both ways, cell by cell, and what each has counted.

import {html, nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {integer} from '../../shared/format.js';
import {color, figure, hatch, panel, rule, text} from '../../shared/plot.js';
import {beatsAt, type PassNow, sum, wayAt, type WayNow} from './race.js';
import type {DecodeResult, DecodeState} from './state.js';

const LEFT = 13;
const WIDTH = 14;
const TOP = 50;
const ROW = 50;
const CELL = 36;

/** Key and value of one token in one pass: computed for the first time or again, or taken. */
type Kind = 'first' | 'again' | 'taken';
const LABELS: Record<Kind, string> = {first: '算', again: '✗重算', taken: '✓取'};
const TONES = {first: 'ink', again: 'wrong', taken: 'right'} as const;

/** Left half the key, right half the value; `share` of them is there. */
function halves(share: number, opacity: number): SVGTemplateResult {
  const half = (at: number, token: 'key' | 'value') => {
    const width = Math.min(50, Math.max(0, 100 * share - at));
    return svg`<rect x="${at}%" y="0" width="${width.toFixed(1)}%" height=${CELL}
      fill=${color(token)} fill-opacity=${opacity}/>`;
  };
  return svg`${half(0, 'key')}${share > 0.5 ? half(50, 'value') : nothing}`;
}

function cell(x: number, y: number, kind: Kind, share: number, query: boolean): SVGTemplateResult {
  const tone = TONES[kind];
  const whole = share >= 1;
  return panel(
    {x: x + 0.5, y, width: WIDTH - 1, height: CELL},
    svg`${share > 0 ? halves(share, kind === 'taken' ? 0.08 : 0.3) : nothing}
    ${
      whole && kind === 'again'
        ? svg`<rect width="100%" height=${CELL} fill="url(#again)" fill-opacity="0.45"/>`
        : nothing
    }
    <rect width="100%" height=${CELL} fill="none"
      stroke=${color(share === 0 ? 'rule' : tone === 'ink' ? 'ink-2' : tone)}
      stroke-dasharray=${whole && kind !== 'taken' ? nothing : '4 3'}/>
    ${
      whole
        ? text(50, 22, LABELS[kind], {
            anchor: 'middle',
            size: 12,
            fill: tone,
            weight: 600,
            halo: kind === 'again',
          })
        : nothing
    }
    ${query ? svg`<rect y=${CELL + 2} width="100%" height="5" fill=${color('query')}/>` : nothing}`,
  );
}

const place = (j: number) => LEFT + WIDTH * j;

function passRow({pass, made, begun, ended}: PassNow, i: number, tokens: readonly string[]) {
  const {known, computed, repeated, asking} = pass;
  const y = TOP + ROW * i;
  const taken = known - computed;
  const kind = (j: number): Kind =>
    j < taken ? 'taken' : j < taken + repeated ? 'again' : 'first';
  const share = (j: number) =>
    j < taken ? Number(begun) : Math.min(1, Math.max(0, made - (j - taken)));
  return svg`${rule(0, 100, y)}${text(0, y + 30, `第${i + 1}步`, {
    size: 12,
    fill: begun ? 'ink' : 'ink-2',
  })}
    ${tokens
      .slice(0, known)
      .map((_, j) => cell(place(j), y + 5, kind(j), share(j), ended && j === asking))}
    ${panel(
      {x: place(known), y: y + 5, width: WIDTH, height: CELL},
      text(50, 22, ended ? `→${tokens[known]}` : '待猜', {
        anchor: 'middle',
        size: ended ? 12 : 11,
        fill: ended ? 'ink' : 'ink-2',
        weight: ended ? 600 : 400,
      }),
    )}
    ${text(100, y + 30, integer(Math.floor(made)), {
      anchor: 'end',
      weight: 600,
      fill: begun ? 'ink' : 'ink-2',
    })}`;
}

/** Tokens whose keys and values the cache holds: those that were computed. */
function cache(tokens: readonly string[], {passes, computed}: WayNow, y: number): unknown {
  const all = passes.at(-1)?.pass.known ?? 0;
  return svg`${text(0, y + 24, '缓存', {size: 12, weight: 600})}
    ${tokens.slice(0, all).map((token, j) =>
      panel(
        {x: place(j) + 0.5, y, width: WIDTH - 1, height: CELL},
        svg`${j < computed ? halves(1, 0.3) : nothing}<rect width="100%" height=${CELL} fill="none"
          stroke=${color(j < computed ? 'ink' : 'rule')} stroke-width=${j < computed ? 1.5 : 1}/>
          ${j < computed ? text(50, 22, token, {anchor: 'middle', size: 12}) : nothing}`,
      ),
    )}${text(100, y + 24, `${integer(computed)}份`, {anchor: 'end', weight: 600})}`;
}

/** One row for each pass, one column for each token. */
function lane(
  tokens: readonly string[],
  now: WayNow,
  beats: number,
  cached: boolean,
): TemplateResult {
  const bottom = TOP + ROW * now.passes.length;
  const name = cached ? '留着K、V' : '每步重算';
  const over = beats >= now.beats;
  const counts = now.passes.map(({made}) => integer(Math.floor(made))).join(' + ');
  return figure(
    {
      height: bottom + (cached ? 82 : 30),
      label: `${name}：逐步算了${counts}份K和V`,
    },
    svg`<defs>${hatch('again', 'wrong')}</defs>
    ${text(0, 14, name, {size: 14, weight: 600})}
    ${text(100, 14, over ? `第${integer(now.beats)}拍跑完` : `做完${integer(now.ended)}步`, {
      anchor: 'end',
      size: 12,
      fill: over ? 'right' : 'ink-2',
      weight: over ? 600 : 400,
    })}
    ${tokens.map((token, j) =>
      text(place(j) + WIDTH / 2, TOP - 10, token, {anchor: 'middle', size: 12}),
    )}${text(100, TOP - 10, '算几份', {anchor: 'end', size: 12, fill: 'ink-2'})}
    ${now.passes.map((pass, i) => passRow(pass, i, tokens))}
    ${rule(0, 100, bottom)}${text(0, bottom + 22, '合计', {weight: 600})}${text(
      100,
      bottom + 22,
      `${counts} ＝ ${integer(now.computed)}`,
      {anchor: 'end', weight: 600},
    )}${cached ? cache(tokens, now, bottom + 40) : nothing}`,
  );
}

/** A bar for each way with the keys and values computed so far; the repeats are hatched. */
function totals(ways: readonly {name: string; now: WayNow}[], {anew, products}: DecodeResult) {
  const most = sum(anew, 'computed');
  const share = (count: number) => `${((100 * count) / most).toFixed(2)}%`;
  return figure(
    {height: 18 + 44 * ways.length, label: '各算了几份K和V，几次乘法'},
    svg`<defs>${hatch('repeated', 'wrong')}</defs>
    ${ways.map(({name, now: {computed, repeated}}, i) => {
      const y = 10 + 44 * i;
      const again = repeated > 0 ? `，其中${integer(repeated)}份重复` : '';
      return svg`${text(0, y + 14, `${name}：${integer(computed)}份${again}`, {size: 12})}${text(
        100,
        y + 14,
        `${integer(computed * products)}次乘法`,
        {anchor: 'end', size: 12, weight: 600},
      )}
        <rect x="0" y=${y + 20} width="100%" height="14" fill="none" stroke=${color('rule')}/>
        <rect x="0" y=${y + 20} width=${share(computed)} height="14" fill=${color('key')}
          fill-opacity="0.35"/><rect x=${share(computed - repeated)} y=${y + 20}
          width=${share(repeated)} height="14" fill="url(#repeated)"/>`;
    })}`,
  );
}

export function view(state: DecodeState, result: DecodeResult): TemplateResult {
  const {tokens, anew, kept, products} = result;
  const beats = beatsAt(state, result);
  const ways = [
    {name: '每步重算', now: wayAt(anew, beats), cached: false},
    ...(state.cache ? [{name: '留着K、V', now: wayAt(kept, beats), cached: true}] : []),
  ];
  return html`<p class="reading">
      一行是一步，一格是一个词元的K和V；一拍算一份，要${integer(products)}次乘法${
        state.cache ? '，取现成的不占拍' : ''
      }。格子下面有横条的那个词元在问：用的是它的查询q。
    </p>
    <div class="charts">
      ${ways.map(({now, cached}) => html`<div>${lane(tokens, now, beats, cached)}</div>`)}
    </div>
    ${totals(ways, result)}`;
}
