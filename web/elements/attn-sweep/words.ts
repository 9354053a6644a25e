// Sentence, table and steps of <attn-sweep>.

import {html, type TemplateResult} from 'lit';
import {fixed, integer, plain} from '../../shared/format.js';
import {RUNS} from '../../training/sweep.js';
import type {Failure} from '../../training/protocol.js';
import type {Table} from '../attn-widget/spec.js';
import type {SweepResult, SweepState, WidthRow} from './state.js';

const FAILURES: Record<Failure, string> = {
  'no-module': '训练模块载入失败，请检查网络，再点「开始」。',
  'no-corpus': '这个站点上没有语料data/tang.txt，所以不能现场练；记录的点不受影响。',
  'wrong-corpus': '取到的语料不是记录用的那一份，所以没有开始。',
  crashed: '训练出了错，停下了；练完的几次还在。再点「开始」，从没练完的那次接着练。',
};

const above = (gap: number) => `${gap < 0 ? '低' : '高'}${fixed(Math.abs(gap), 3)}`;

/** From which width on the two lines are apart. */
function verdict({apart}: SweepState, rows: readonly WidthRow[], critical: number | null): string {
  const [first] = rows;
  const last = rows.at(-1);
  if (!first || !last || first.gap === null || last.gap === null) return '';
  const ends =
    `宽${first.width}时不除比除${above(first.gap)}，` + `宽${last.width}时${above(last.gap)}`;
  return critical === null
    ? `${ends}；没有一个宽度起差到${plain(apart)}。`
    : `${ends}；从宽${critical}起，差到${plain(apart)}。`;
}

export function says(state: SweepState, {recorded, live, sweep, critical}: SweepResult): string {
  if (sweep && live) {
    const {phase, failure, now, done} = sweep;
    if (phase === 'failed') return FAILURES[failure ?? 'crashed'];
    const made = `练完${done.length}次，共${RUNS.length}次`;
    if (phase === 'done') return `${RUNS.length}次都练完了。${verdict(state, live, critical)}`;
    const name = now
      ? `眼下宽${now.width}、${now.attention === 'scaled' ? '除以√d' : '不除'}，第${integer(now.step)}步`
      : '';
    const doing = {
      loading: '正在取模块和语料',
      running: '正在练',
      paused: '暂停了',
      stopped: '停下了',
    };
    return `${doing[phase]}：${made}${name && `；${name}`}。`;
  }
  if (!recorded)
    return `种子${plain(state.seed)}、每次${integer(state.steps)}步，没有记录；点「开始」，可以现场练。`;
  return `记录的${RUNS.length}次，每次${integer(state.steps)}步：${verdict(state, recorded, critical)}`;
}

export function table(_state: SweepState, {recorded, live}: SweepResult): Table {
  const cells = (row: WidthRow | undefined) =>
    [row?.scaled, row?.unscaled, row?.gap].map((value) =>
      value === null || value === undefined ? '' : fixed(value, 4),
    );
  const rows = live ?? recorded ?? [];
  return {
    columns: [
      '头宽d',
      '记录：除以√d',
      '记录：不除',
      '记录：差',
      '现场：除以√d',
      '现场：不除',
      '现场：差',
    ],
    rows: rows.map(({width}, i) => [String(width), ...cells(recorded?.[i]), ...cells(live?.[i])]),
  };
}

export function steps({steps: count}: SweepState, {command}: SweepResult): TemplateResult {
  return html`<ol class="steps">
    <li>每个模型两层，每层一个头，头宽就是模型的宽d；窗口64，一批32段。</li>
    <li>每个宽度练两次，只差一处：分数除不除以√d。种子、语料、学习率都相同。</li>
    <li>各走${integer(count)}步，取末50步损失的平均；差＝不除的－除的。</li>
    <li>记录由这条命令做成：<code>${command}</code>。</li>
  </ol>`;
}
