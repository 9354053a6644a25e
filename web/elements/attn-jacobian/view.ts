// Pictures of <attn-jacobian>: the matrix, and its norm on a scale.

import {html, nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {fixed, general, scientific} from '../../shared/format.js';
import {along, color, figure, hatch, text, upright} from '../../shared/plot.js';
import {LEAST, type JacobianResult, type JacobianState} from './compute.js';

const SUBSCRIPTS = '₁₂₃₄₅₆₇₈';
export const weightName = (i: number) => `w${SUBSCRIPTS[i]}`;
export const scoreName = (j: number) => `s${SUBSCRIPTS[j]}`;

interface Unit {
  /** The entry with the largest absolute value. */
  largest: number;
  exponent: number;
  name: string;
}

/** Small matrices get a common power of ten, so that cells stay short and comparable. */
function unitOf(matrix: readonly (readonly number[])[]): Unit {
  const largest = Math.max(...matrix.flat().map(Math.abs));
  if (largest === 0 || largest >= 0.01) return {largest, exponent: 0, name: ''};
  const exponent = Number(largest.toExponential().split('e')[1]);
  return {largest, exponent, name: scientific(10 ** exponent).replace(/^.*×/, '×')};
}

function cellText(value: number, exponent: number): string {
  if (value === 0) return '0';
  const shown = fixed(value / 10 ** exponent, 3);
  return /[1-9]/.test(shown) ? shown : '≈0';
}

/** Adds digits where general() has only two. */
export function small(value: number): string {
  return value !== 0 && Math.abs(value) < 1e-4 ? scientific(value, 3) : general(value);
}

/** A sum of the size of a rounding error is printed as 0. */
export function sumText(sum: number): string {
  return Math.abs(sum) < 1e-12 ? '0' : general(sum);
}

const RIGHT = 12;
const TOP = 26;
const ROW = 44;
/** With more columns than this, the matrix is wider than a phone. */
const FEW = 5;

/**
 * Positive cells are filled and negative ones hatched, deeper for larger values; each has its
 * number.
 */
function heatMap(
  {weights, matrix, rowSums}: JacobianResult,
  {largest, exponent, name}: Unit,
): SVGTemplateResult {
  const left = weights.length > FEW ? 15 : 24;
  const width = (100 - left - RIGHT) / weights.length;
  const size = weights.length < FEW ? 13 : 11;
  return svg`<defs>${hatch('minus', 'score')}</defs>
    ${text(left - 2, 16, name, {anchor: 'end', weight: 600})}
    ${weights.map((_, j) =>
      text(left + width * (j + 0.5), 16, scoreName(j), {anchor: 'middle', fill: 'score'}),
    )}
    ${text(100 - RIGHT / 2, 16, '行和', {anchor: 'middle', fill: 'ink-2', size: 12})}
    ${matrix.map((row, i) => {
      const y = TOP + ROW * i;
      return svg`${text(left - 2, y + 19, weightName(i), {
        anchor: 'end',
        fill: 'weight',
      })}${text(left - 2, y + 35, general(weights[i] ?? 0), {
        anchor: 'end',
        size: 11,
        fill: 'ink-2',
      })}
        ${row.map(
          (value, j) => svg`<rect x="${left + width * j}%" y=${y} width="${width}%" height=${ROW}
            stroke=${color('rule')}
            fill=${value === 0 ? 'none' : value > 0 ? color('weight') : 'url(#minus)'}
          fill-opacity=${value === 0 ? 1 : (0.1 + (0.35 * Math.abs(value)) / largest).toFixed(3)}/>
          ${text(left + width * (j + 0.5), y + ROW / 2 + 5, cellText(value, exponent), {
            anchor: 'middle',
            size,
            halo: value < 0,
          })}`,
        )}
        ${text(100 - RIGHT / 2, y + ROW / 2 + 5, sumText(rowSums[i] ?? 0), {
          anchor: 'middle',
          fill: 'ink-2',
        })}`;
    })}`;
}

/** The position of ‖J‖ between 0 and the largest possible value. */
function gauge({weights, norm, evenNorm, tieNorm}: JacobianResult): TemplateResult {
  const domain = [0, tieNorm] as const;
  const even = along(evenNorm, domain);
  return figure(
    {height: 66, label: '‖J‖在0和上限之间的位置'},
    svg`
    ${text(0, 20, `‖J‖＝${general(norm, 3)}`, {weight: 600})}
    <rect x="0%" width="100%" y="28" height="14" fill=${color('weight-soft')}/>
    <rect x="0%" width="${along(norm, domain)}%" y="28" height="14" fill=${color('weight')}/>
    ${
      weights.length > LEAST
        ? svg`${text(even, 20, `平分${fixed(evenNorm, 3)}▾`, {
            anchor: 'end',
            fill: 'ink-2',
            size: 12,
          })}${upright(even, 24, 46, 'ink-2')}`
        : nothing
    }
    ${text(0, 60, '0', {fill: 'ink-2', size: 12})}
    ${text(100, 60, `上限${fixed(tieNorm, 1)}：两强各半`, {anchor: 'end', fill: 'ink-2', size: 12})}`,
  );
}

export function view(_state: JacobianState, result: JacobianResult): TemplateResult {
  const n = result.weights.length;
  const broad = n > FEW;
  return html`<p class="reading">
      第i行第j列：第j个分数加一点点，第i个权重跟着变它的多少倍。实底为正，斜纹为负。
    </p>
    <div
      class=${broad ? 'sideways broad' : 'sideways'}
      tabindex=${broad ? '0' : nothing}
      role="group"
      aria-label="雅可比矩阵"
    >
      ${figure(
        {height: TOP + ROW * n + 2, label: '雅可比矩阵，各格数值见表格'},
        heatMap(result, unitOf(result.matrix)),
      )}
    </div>
    ${gauge(result)}`;
}
