// Diagnosis of <attn-failures>: three lines with the recorded runs and the reader's own number on
// them.

import {html, nothing, svg, type TemplateResult} from 'lit';
import {generalTick, tickLabels} from '../../shared/axis.js';
import {general, integer} from '../../shared/format.js';
import {along, color, figure, marker, text} from '../../shared/plot.js';
import {ASSERTIONS, type Finding, LIMITS, type Readings, SYMPTOMS} from './rules.js';
import type {FailuresResult, FailuresState, Symptoms} from './state.js';
import {nameOf} from './variants.js';

interface Scale {
  key: keyof Readings;
  name: string;
  domain: readonly [number, number];
  scale: 'linear' | 'log';
  ticks: readonly number[];
  limits: readonly number[];
  of: (row: Symptoms) => number;
}

export const SCALES: readonly Scale[] = [
  {
    key: 'entropy',
    name: '熵H',
    domain: [0, 1],
    scale: 'linear',
    ticks: [0, 0.5, 0.9, 1],
    limits: [LIMITS.sharp, LIMITS.flat],
    of: ({entropy}) => entropy,
  },
  {
    key: 'deviation',
    name: '分数的标准差（对数轴）',
    domain: [0.001, 10_000],
    scale: 'log',
    ticks: [0.001, 0.1, 10, 1000],
    limits: [LIMITS.huge],
    of: ({deviation}) => deviation,
  },
  {
    key: 'jacobian',
    name: '‖J‖（对数轴）',
    domain: [1e-5, 0.5],
    scale: 'log',
    ticks: [1e-4, 0.01, 0.5],
    limits: [LIMITS.frozen],
    of: ({jacobian}) => jacobian,
  },
];

const SCALE = 78;

function scalesFigure(state: FailuresState, {rows}: FailuresResult): TemplateResult {
  return figure(
    {height: SCALE * SCALES.length, label: '三个读数：记录下的五次训练，与你的数；数值见表格'},
    svg`${SCALES.map(({key, name, domain, scale, ticks, limits, of}, i) => {
      const [lo, hi] = domain;
      const at = (value: number) =>
        2 + 0.96 * along(Math.min(hi, Math.max(lo, value)), domain, scale);
      const own = state[key];
      const y = SCALE * i + 42;
      return svg`${text(0, SCALE * i + 14, name, {weight: 600})}
      <line x1="2%" x2="98%" y1=${y} y2=${y} stroke=${color('ink-2')}/>
      ${limits.map(
        (limit) =>
          svg`<line x1="${at(limit)}%" x2="${at(limit)}%" y1=${y - 9} y2=${y + 9}
            stroke=${color('wrong')} stroke-dasharray="3 2"/>`,
      )}
      ${rows.map((row) =>
        marker(
          row.attention === 'scaled' ? 'dot' : 'cross',
          [at(of(row)), y],
          row.attention === 'scaled' ? 'right' : 'wrong',
        ),
      )}
      ${
        own === null
          ? nothing
          : svg`<svg x="${at(own)}%" y=${y} overflow="visible"><path d="M0 -5L-6 -16H6Z"
            fill=${color('ink')}/></svg>${text(100, SCALE * i + 14, `你的${general(own)}`, {
              anchor: 'end',
              size: 12,
              weight: 600,
            })}`
      }
      ${tickLabels(
        ticks,
        (tick) => ({
          x: at(tick),
          y: y + 22,
          anchor: tick === hi ? 'end' : tick === lo ? 'start' : 'middle',
        }),
        generalTick(),
      )}`;
    })}`,
  );
}

const KIND_MARKS: Record<Finding['kind'], {mark: string; style: string}> = {
  alarm: {mark: '✗ 停下来查', style: 'wrong'},
  look: {mark: '○ 留意', style: 'score'},
  fine: {mark: '✓ 读数正常', style: 'right'},
};

/** The list of findings that the thresholds alone give. */
function caught({rows}: FailuresResult): string {
  const mistakes = rows.filter(({attention}) => attention !== 'scaled');
  const over = mistakes.filter(
    ({entropy, deviation, jacobian}) =>
      entropy > LIMITS.flat ||
      entropy < LIMITS.sharp ||
      deviation > LIMITS.huge ||
      jacobian < LIMITS.frozen,
  );
  if (over.length === 0)
    return `${integer(mistakes.length)}个✗没有一个过线：光靠这三个数，这${integer(mistakes.length)}种错一个也抓不住。`;
  return `过线的只有${over.map(({attention}) => nameOf(attention)).join('、')}。`;
}

export function diagnosis(state: FailuresState, result: FailuresResult): TemplateResult {
  const symptom = SYMPTOMS.find(({id}) => id === state.symptom);
  return html`${scalesFigure(state, result)}
    <p class="reading">
      ● 写对的，✗
      四种写错的，都是训练${integer(result.content.steps)}步之后；红色虚线是书稿给的阈值。${caught(result)}
    </p>
    ${
      result.findings.length > 0
        ? html`<h3>读数的结论，按次序检查</h3>
            <ol class="steps">
              ${result.findings.map(
                ({kind, reading, check, source}) =>
                  html`<li>
                    <b class=${KIND_MARKS[kind].style}>${KIND_MARKS[kind].mark}</b
                    >：${reading}${check}<span class="src">（${source}）</span>
                  </li>`,
              )}
            </ol>`
        : nothing
    }
    ${
      symptom
        ? html`<h3>${symptom.name}，按次序查</h3>
            <ol class="steps">
              ${symptom.checks.map((check) => html`<li>${check}</li>`)}
            </ol>`
        : nothing
    }
    <h3>读数代替不了的四条断言</h3>
    <ol class="steps">
      ${ASSERTIONS.map(({what, how}) => html`<li><b>${what}</b>：${how}</li>`)}
    </ol>`;
}
