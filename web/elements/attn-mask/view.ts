// Pictures of <attn-mask>.

import {html, nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {fixed, percent, scientific} from '../../shared/format.js';
import {color, figure, hatch, rule, text, type Token} from '../../shared/plot.js';
import type {MaskResult, MaskState, Row} from './state.js';
import {chosenRow, sumText} from './words.js';

/** Columns up to which a cell has room for its number on a phone. */
const FEW = 7;

const LEFT = 15;

const COUNT = 84;

const WIDTH = 60;

const TOP = 24;

const LINE = 32;

function end(x: number, y: number, content: string, fill: Token): SVGTemplateResult {
  return text(x, y, content, {anchor: 'end', size: 12, fill});
}

function grid(rows: readonly Row[], hatched: string, chosen: Row | undefined): TemplateResult {
  const n = rows.length;
  const size = n > FEW ? 26 : 34;
  const width = WIDTH / n;
  return figure(
    {height: TOP + size * n + 2, label: `${n}行${n}列的掩码和权重；数值见表格`},
    svg`
    <defs>${hatch(hatched, 'ink-2')}</defs>
    ${rows.map(({label, filler}, j) =>
      text(LEFT + width * (j + 0.5), 16, label, {
        anchor: 'middle',
        size: 12,
        fill: filler ? 'ink-2' : 'ink',
      }),
    )}
    ${end(COUNT, 16, '可见', 'ink-2')}${end(100, 16, '行和', 'ink-2')}
    ${rows.map((row, i) => {
      const {label, filler, visible, defined, sum, cells} = row;
      const y = TOP + size * i;
      const base = y + size / 2 + 4;
      const whole = defined && Math.abs(sum - 1) < 1e-9;
      return svg`${end(LEFT - 2, base, label, filler ? 'ink-2' : 'ink')}${cells.map(
        ({weight, hidden, leak}, j) => {
          const wrong = !defined || leak;
          const shown = wrong || weight > 0 || !hidden;
          const digits = wrong || weight === 1 ? 0 : 1;
          return svg`<rect x="${LEFT + width * j}%" y=${y} width="${width}%" height=${size}
            stroke=${color('rule')}
            fill=${shown ? color(wrong ? 'wrong' : 'weight') : `url(#${hatched})`}
            fill-opacity=${shown ? (0.08 + 0.5 * weight).toFixed(3) : 0.5}/>
          ${
            !shown || (n > FEW && !wrong)
              ? nothing
              : text(
                  LEFT + width * (j + 0.5),
                  base,
                  `${wrong ? '✗' : ''}${defined && n <= FEW ? fixed(100 * weight, digits) : ''}`,
                  {anchor: 'middle', size: 11, fill: wrong ? 'wrong' : 'ink'},
                )
          }`;
        },
      )}
        ${end(COUNT, base, visible === 0 ? '✗0' : String(visible), visible === 0 ? 'wrong' : 'ink')}
        ${end(
          100,
          base,
          `${whole || !defined ? '' : '✗'}${sumText(row)}`,
          whole ? 'ink-2' : 'wrong',
        )}
        ${
          row === chosen
            ? svg`<rect x="${LEFT}%" y=${y + 1} width="${WIDTH}%" height=${size - 2} fill="none"
              stroke=${color('weight')} stroke-width="3"/>`
            : nothing
        }`;
    })}`,
  );
}

/** One row, key by key: score, what enters softmax, weight. */
function detail({label, defined, cells}: Row, labels: readonly string[]): TemplateResult {
  return figure(
    {height: 40 + LINE * cells.length, label: `「${label}」一行各个位置的分数和权重；数值见表格`},
    svg`
    ${text(0, 30, `「${label}」看`, {fill: 'ink-2', size: 12})}
    ${end(36, 30, '分数', 'ink-2')}${end(60, 30, '进softmax', 'ink-2')}
    ${end(100, 30, '权重', 'ink-2')}
    ${cells.map(({score, entering, weight, leak}, j) => {
      const y = 36 + LINE * j;
      const wrong = !defined || leak;
      return svg`${rule(0, 100, y)}${text(0, y + 21, labels[j] ?? '')}${end(
        36,
        y + 21,
        fixed(score, 2),
        'score',
      )}
        ${end(
          60,
          y + 21,
          !defined
            ? '无定义'
            : entering === null
              ? '−∞'
              : Math.abs(entering) < 1e6
                ? fixed(entering, 2)
                : scientific(entering),
          'score',
        )}
        <rect x="63%" y=${y + 9} width="${18 * weight}%" height="14"
          fill=${color(wrong ? 'wrong' : 'weight')}/>
        ${end(
          100,
          y + 21,
          `${wrong ? '✗ ' : ''}${!defined ? '' : weight === 0 ? '0' : percent(weight)}`,
          wrong ? 'wrong' : 'ink',
        )}`;
    })}`,
  );
}

export function view(state: MaskState, result: MaskResult): TemplateResult {
  const row = chosenRow(state, result);
  const block = result.blocks.find((rows) => row && rows.includes(row));
  return html`<p class="reading">
      一行是一个在看的，一列是一个被看的。斜纹：遮住；格里的数：权重的百分数。
    </p>
    <div class=${result.blocks.length > 1 ? 'charts' : 'one'}>
      ${result.blocks.map((rows, i) => grid(rows, `hidden-${i}`, row))}
    </div>
    ${
      row && block
        ? detail(
            row,
            block.map(({label}) => label),
          )
        : nothing
    }`;
}
