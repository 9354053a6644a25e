// Pictures of <attn-online-softmax>: the scores in their blocks with what each adds to the sum, and
// the ledger of the blocks that have been read.

import {html, nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {fixed, general, percent} from '../../shared/format.js';
import {slideHandle} from '../../shared/handle.js';
import {along, color, figure, hatch, panel, rule, text, upright} from '../../shared/plot.js';
import {momentOf, type OnlineResult, type OnlineState, SCORES} from './state.js';
import {small} from './words.js';

/** Callbacks for dragged scores. */
export interface OnlineTouch {
  readonly move: (i: number, value: number) => void;
  readonly done: () => void;
}

const ROW = 44;
const TOP = 26;
/** Per cent: the scores' panel, and the terms' panel. */
const LEFT = {x: 14, width: 36};
const RIGHT = {x: 59, width: 24};

function spanOf(scores: readonly number[]): readonly [number, number] {
  return [Math.min(-1, ...scores), Math.max(6, ...scores)];
}

function rows(
  state: OnlineState,
  result: OnlineResult,
  touch: OnlineTouch | undefined,
): TemplateResult {
  const {scores} = state;
  const {blocks, weights} = result;
  const {index, terms, added, done} = momentOf(state, result);
  const span = spanOf(scores);
  const now = blocks[index];
  const zero = along(0, span);
  const height = TOP + ROW * scores.length + 4;
  const read = (i: number) => now !== undefined && i < now.end;
  /** A new term is not counted before it is added. */
  const shownValue = (i: number) =>
    done
      ? percent(weights[i] ?? 0)
      : added === 0 && i >= (now?.begin ?? 0)
        ? '…'
        : small(terms[i] ?? 0);
  const bar = (score: number, i: number): SVGTemplateResult => {
    const to = along(score, span);
    const [from, width] = [Math.min(zero, to), Math.abs(to - zero)];
    const isMax = now !== undefined && read(i) && score === now.max;
    return svg`<rect x="${from}%" y=${TOP + ROW * i + 14} width="${width}%" height="16"
      fill=${color('score')} fill-opacity=${read(i) ? (isMax ? 1 : 0.6) : 0.25}/>`;
  };
  return figure(
    {
      height,
      label: `${scores.length}个分数分成${blocks.length}块，读到第${index + 1}块`,
      touched: touch !== undefined,
    },
    svg`<defs>${hatch('later', 'ink-2')}</defs>
    ${text(LEFT.x, 15, '分数s', {fill: 'score', weight: 600})}
    ${text(RIGHT.x, 15, done ? 'e^(s−m)和权重' : 'e^(s−m)', {fill: 'weight', weight: 600})}
    ${blocks.map(({begin, end}, b) => {
      const y = TOP + ROW * begin;
      return svg`<rect x="0%" y=${y + 3} width="100%" height=${ROW * (end - begin) - 6} rx="6"
        fill=${b === index ? color('weight-soft') : 'none'}
        fill-opacity="0.6" stroke=${color(b === index ? 'weight' : 'rule')}
        stroke-dasharray=${b > index ? '4 3' : nothing}/>
        ${text(2, y + ROW / 2 + 5, `块${b + 1}`, {size: 12, fill: b > index ? 'ink-2' : 'ink'})}`;
    })}
    ${panel(
      {x: LEFT.x, y: 0, width: LEFT.width, height},
      svg`${upright(zero, TOP + 6, height - 8)}${scores.map(bar)}
      ${
        now
          ? svg`<line x1="${along(now.max, span)}%" x2="${along(now.max, span)}%" y1=${TOP + 4}
              y2=${TOP + ROW * now.end - 4} stroke=${color('ink')} stroke-dasharray="5 3"/>`
          : nothing
      }`,
    )}
    ${scores.map((score, i) =>
      text(LEFT.x + LEFT.width + 1.5, TOP + ROW * i + 27, general(score), {
        size: 12,
        fill: read(i) ? 'ink' : 'ink-2',
      }),
    )}
    ${panel(
      {x: RIGHT.x, y: 0, width: RIGHT.width, height},
      svg`${scores.map((_, i) =>
        read(i)
          ? svg`<rect x="0%" y=${TOP + ROW * i + 14} width="100%" height="16" fill="none"
              stroke=${color('rule')}/><rect x="0%" y=${TOP + ROW * i + 14}
              width="${(100 * Math.min(1, terms[i] ?? 0)).toFixed(2)}%" height="16"
              fill=${color('weight')}/>`
          : svg`<rect x="0%" y=${TOP + ROW * i + 14} width="100%" height="16"
              fill="url(#later)" opacity="0.15"/>`,
      )}`,
    )}
    ${scores.map((_, i) =>
      read(i)
        ? text(98.5, TOP + ROW * i + 27, shownValue(i), {
            anchor: 'end',
            size: 12,
            ...(done && {weight: 600, fill: 'weight' as const}),
          })
        : nothing,
    )}
    ${
      touch
        ? panel(
            {x: LEFT.x, y: 0, width: LEFT.width, height},
            svg`${scores.map((score, i) =>
              slideHandle({
                x: along(score, span),
                y: TOP + ROW * i + 22,
                token: 'score',
                label: `第${i + 1}个分数`,
                spoken: `${general(score)}分，权重${percent(weights[i] ?? 0)}`,
                value: score,
                ...SCORES,
                step: 0.1,
                valueAt: (share) => span[0] + share * (span[1] - span[0]),
                move: (value) => touch.move(i, value),
                done: touch.done,
              }),
            )}`,
          )
        : nothing
    }`,
  );
}

/** One line a block; those that have not been read are empty. */
function ledger(state: OnlineState, result: OnlineResult): TemplateResult {
  const {blocks} = result;
  const {index, added} = momentOf(state, result);
  const line = 34;
  const columns = [0, 22, 46, 72, 100];
  const height = TOP + line * blocks.length + 34;
  const cells = (y: number, texts: readonly string[], bold: boolean) =>
    texts.map((content, c) =>
      text(columns[c] ?? 0, y, content, {
        anchor: c === 0 ? 'start' : c === 4 ? 'end' : 'middle',
        size: 12,
        weight: bold ? 650 : 400,
      }),
    );
  const last = blocks[index];
  return figure(
    {height, label: '每读完一块的m、修正因子与ℓ'},
    svg`${['块', 'm', '×修正', '＋新块', '＝ℓ'].map((name, c) =>
      text(columns[c] ?? 0, 15, name, {
        anchor: c === 0 ? 'start' : c === 4 ? 'end' : 'middle',
        size: 12,
        fill: 'ink-2',
      }),
    )}
    ${blocks.map((block, b) => {
      const y = TOP + line * b;
      if (b > index) return svg`${rule(0, 100, y)}${cells(y + 22, [`${b + 1}`, '·'], false)}`;
      const there = b < index || added === 1;
      return svg`${rule(0, 100, y)}
        ${cells(
          y + 22,
          [
            `${b + 1}`,
            general(block.max),
            b === 0 ? '—' : small(block.correction),
            there ? fixed(block.blockSum, 3) : '…',
            there ? fixed(block.sum, 3) : '…',
          ],
          b === index,
        )}`;
    })}
    ${rule(0, 100, TOP + line * blocks.length)}
    ${text(
      0,
      height - 10,
      last
        ? `手里只有m＝${general(last.max)}${added === 1 ? `和ℓ＝${fixed(last.sum, 3)}` : '和旧的ℓ'}`
        : '手里还什么都没有',
      {
        size: 12,
        fill: 'ink-2',
      },
    )}`,
  );
}

/** The pictures; a widget that answers a reader gives `touch`. */
export function view(
  state: OnlineState,
  result: OnlineResult,
  touch?: OnlineTouch,
): TemplateResult {
  return html`<div class="charts">${rows(state, result, touch)}${ledger(state, result)}</div>`;
}
