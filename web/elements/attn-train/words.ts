// Sentences, table and steps of <attn-train>.

import {html, type TemplateResult} from 'lit';
import {fixed, general, integer, plain} from '../../shared/format.js';
import type {Failure, Live} from '../../training/desk.js';
import type {DiagnosticsAt} from '../../training/protocol.js';
import {type CaseRecord, recordedLosses} from '../../training/records.js';
import type {Table} from '../attn-widget/spec.js';
import {kindOf, nameOf, type TrainResult, type TrainState} from './state.js';

const FAILURES: Record<Failure, string> = {
  'no-module': '训练模块载入失败，请检查网络，再点「开始」。',
  'no-corpus':
    '这个站点上没有语料data/tang.txt（构建时下载失败），所以不能现场练；记录的曲线不受影响。',
  'wrong-corpus': '取到的语料不是记录用的那一份，练出来不会相同，所以没有开始。',
  crashed: '训练出了错，停下了；图上留着已经走过的步。可以再点开始。',
};

function agreementText({agreement: found, record, recorded}: TrainResult): string {
  if (!record) return recorded ? '记录还没有取来，先不比。' : '这组设定没有记录可比。';
  if (!found) return '';
  const {compared, firstDifference, until, why} = found;
  const limits = {
    whole: '',
    steps: `记录走了${integer(record.steps)}步，学习率的安排不同，只有前${integer(until)}步可比。`,
    rate: until === 0 ? '学习率与记录不同，不比。' : `改过学习率，只有前${integer(until)}步可比。`,
  };
  if (firstDifference !== null)
    return `✗ 从第${integer(firstDifference)}步起与记录不同。${limits[why]}`;
  return `${compared > 0 ? `✓ 与记录逐位相同：比了${integer(compared)}个数。` : ''}${limits[why]}`;
}

function endText({end}: Live, {record, agreement: found}: TrainResult): string {
  if (!end) return '';
  const same =
    record && found?.why === 'whole' && record.parameterHash === end.hash
      ? '，全部参数的指纹也与记录相同'
      : '';
  return end.validationLoss === null
    ? ''
    : `留出的诗上损失${fixed(end.validationLoss, 3)}${same}。`;
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const LAST = 50;

function saysLive(live: Live, result: TrainResult): string {
  const {phase, curve, settings, failure, shape} = live;
  const steps = curve.losses.length;
  if (phase === 'failed') return FAILURES[failure ?? 'crashed'];
  if (phase === 'loading') return '正在取模块和语料……';
  const loss = curve.losses.at(-1);
  const at =
    loss === undefined ? '还没走一步' : `走了${integer(steps)}步，这一批的损失${fixed(loss, 3)}`;
  if (phase === 'diverged')
    return `走了${integer(steps)}步，下一步发散：损失或梯度不再是有限的数，训练停在这里。学习率${plain(settings.rate)}太大时就会这样。`;
  if (phase === 'done')
    return (
      `练完了，${integer(steps)}步；末${Math.min(LAST, steps)}步平均损失` +
      `${fixed(mean(curve.losses.slice(-LAST)), 3)}。${endText(live, result)}` +
      `${agreementText(result)}`
    );
  const doing = {
    running: '正在练',
    paused: live.waiting ? '标签页在后台，先等着' : '暂停了',
    stopped: '停下了',
  }[phase];
  const warning =
    loss !== undefined && result.blind !== null && loss > 2 * result.blind
      ? '比瞎猜还差得多：学习率太大。'
      : '';
  const still = settings.rate === 0 ? '学习率是0，参数不动，损失只随抽到的诗变。' : '';
  return (
    `${doing}：${shape ? `${integer(shape.parameters)}个参数，` : ''}${at}。${warning}${still}` +
    `${agreementText(result)}`
  );
}

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

/** How many threads work, where there is more than one. */
export function threadsText({threads, quicker}: Live): string {
  if (threads === 1) return '';
  return quicker > 1 ? `${threads}个线程一起算，` : `眼下${threads}个线程不比1个快，只用1个，`;
}

export function says(state: TrainState, result: TrainResult): string {
  return result.live ? saysLive(result.live, result) : saysRecord(result, state);
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
