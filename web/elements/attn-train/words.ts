// Sentences, table and steps of <attn-train>.

import {html, type TemplateResult} from 'lit';
import {fixed, general, integer, plain} from '../../shared/format.js';
import type {DiagnosticsAt} from '../../training/protocol.js';
import {type CaseRecord, recordedLosses} from '../../training/records.js';
import type {Table} from '../attn-widget/spec.js';
import {livePart} from './live-part.js';
import {kindOf, LAST, nameOf, type TrainResult, type TrainState} from './state.js';

function saysRecord({record, recorded, other}: TrainResult, state: TrainState): string {
  if (!record) {
    const which = `${nameOf(state)}、种子${plain(state.seed)}`;
    return `${which}${recorded ? '的记录还没有取来' : '没有记录'}；点「开始」，可以现场练。`;
  }
  const [first, last] = [record.diagnostics[0], record.diagnostics.at(-1)];
  const course =
    first && last
      ? `；H从${general(first.entropy, 3)}到${general(last.entropy, 2)}，` +
        `logit的标准差从${general(first.logitDeviation, 2)}到${general(last.logitDeviation, 3)}，` +
        `‖J‖从${general(first.jacobianNorm, 2)}到${general(last.jacobianNorm, 2)}`
      : '';
  const loss = (of: CaseRecord) => (of.finalLoss === null ? '发散' : fixed(of.finalLoss, 2));
  const beside =
    other && other.steps === record.steps
      ? `（${kindOf(other.attention).name}是${loss(other)}）`
      : '';
  return (
    `记录的一次，${nameOf(record)}：${integer(record.stepsDone)}步，` +
    `末${LAST}步平均损失${loss(record)}${beside}${course}。`
  );
}

/** The last recorded value until a step. */
const latest = <T>(all: readonly T[], stepOf: (one: T) => number, step: number): T | undefined =>
  all.findLast((one) => stepOf(one) <= step);

/** A sentence with the losses of both runs and the diagnostics at the step of the replay. */
function saysReplay({record, other, reached}: TrainResult): string {
  if (!record) return '';
  const lossOf = (of: CaseRecord) => {
    const found = latest(recordedLosses(of), ([step]) => step, reached);
    return found ? fixed(found[1], 3) : '—';
  };
  const at = latest(record.diagnostics, ({step}) => step, reached);
  const measures = at
    ? `；H是${general(at.entropy, 3)}，logit的标准差是${general(at.logitDeviation, 3)}，` +
      `‖J‖是${general(at.jacobianNorm, 2)}`
    : '';
  const beside = other ? `（${kindOf(other.attention).name}的那次是${lossOf(other)}）` : '';
  return (
    `回放${nameOf(record)}，第${integer(reached)}步，共${integer(record.stepsDone)}步：` +
    `损失${lossOf(record)}${beside}${measures}。`
  );
}

export function says(state: TrainState, result: TrainResult): string {
  if (result.live) return livePart?.saysLive(result.live, result) ?? '';
  return result.record && state.at < 1 ? saysReplay(result) : saysRecord(result, state);
}

/** The table at rest has a row for every n-th step. */
const REST_EVERY = 50;

export function table(_state: TrainState, {record, live}: TrainResult): Table {
  const recorded = new Map(record ? recordedLosses(record) : []);
  const byStep = (all: readonly DiagnosticsAt[]) => new Map(all.map((at) => [at.step, at]));
  const [ofRecord, ofLive] = [
    byStep(record?.diagnostics ?? []),
    byStep(live?.curve.diagnostics ?? []),
  ];
  const done = live?.curve.losses.length ?? 0;
  const steps = [
    ...new Set([
      ...recorded.keys(),
      ...ofRecord.keys(),
      ...ofLive.keys(),
      ...(done > 0 ? [done - 1] : []),
    ]),
  ]
    .filter((step) => (live ? step < done : step % REST_EVERY === 0 || ofRecord.has(step)))
    .sort((a, b) => a - b);
  const digits = (value: number | undefined) => (value === undefined ? '' : plain(value));
  return {
    columns: [
      '步',
      '记录的损失',
      '现场的损失',
      '相同',
      '熵H',
      'logit标准差',
      '‖J‖',
      '梯度范数',
      '学习率',
    ],
    rows: steps.map((step) => {
      const [there, here] = [recorded.get(step), live?.curve.losses[step]];
      const at = ofLive.get(step) ?? (live ? undefined : ofRecord.get(step));
      return [
        integer(step),
        digits(there),
        digits(here),
        there === undefined || here === undefined ? '' : there === here ? '✓' : '✗',
        digits(at?.entropy),
        digits(at?.logitDeviation),
        digits(at?.jacobianNorm),
        digits(live?.curve.gradientNorms[step]),
        digits(live?.curve.learningRates[step]),
      ];
    }),
  };
}

export function steps(): TemplateResult {
  return html`<ol class="steps">
    <li>每一步从语料前九成的诗里均匀地抽一批，要它猜每个字的下一个。</li>
    <li>损失是−ln(给那个字的概率)的平均。全凭瞎猜，就是ln(词表大小)。</li>
    <li>梯度整个缩到范数不超过1，再走一步AdamW；学习率先升后降，降到最高点的十分之一。</li>
    <li>H、logit的标准差和‖J‖量的是第一层，用这一步的这一批，在更新之前。</li>
    <li>
      粗线是这一页现在算的，细线是事先在本机算好存下的。两边跑的是同一份C++，所以每一位都该相同。
    </li>
  </ol>`;
}
