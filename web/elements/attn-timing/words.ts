// Sentence, table and steps of <attn-timing>.

import {html, type TemplateResult} from 'lit';
import {general, integer} from '../../shared/format.js';
import type {Table} from '../attn-widget/spec.js';
import type {TimingResult, TimingState} from './state.js';

export const milliseconds = (value: number): string => `${general(value, 3)} ms`;
const timesText = (value: number): string => `${general(value, 3)}倍`;

export function says(_state: TimingState, {rows, cold, running}: TimingResult): string {
  const [first] = rows;
  const last = rows.at(-1);
  if (!first || !last) return '';
  const counted =
    first === last
      ? `n＝${integer(first.length)}，要做${general(first.operations)}次运算`
      : `n从${integer(first.length)}到${integer(last.length)}，运算是${timesText(last.times)}`;
  const done = rows.filter(({timed}) => timed !== null);
  const [start, end] = [done[0]?.timed, done.at(-1)?.timed];
  if (!start || !end || cold === null)
    return `${counted}。${running ? '正在热身……' : '时间要在你这台机器上量：按「量一量」。'}`;
  const warmed = `没热身的第一遍${milliseconds(cold)}，热身以后${milliseconds(start.median)}`;
  if (running)
    return `${counted}。正在量：已量${done.length}个长度，还有${rows.length - done.length}个。`;
  if (done.length < rows.length)
    return `${counted}。停下时量了前${done.length}个长度，共${rows.length}个。${warmed}。`;
  return first === last
    ? `${counted}。${warmed}。`
    : `${counted}，量到的时间是${timesText(end.median / start.median)}。${warmed}。`;
}

export function table(_state: TimingState, {rows}: TimingResult): Table {
  const first = rows[0]?.timed;
  return {
    columns: [
      '词元数n',
      '运算',
      '运算的倍数',
      '时间（中位）',
      '最快',
      '最慢',
      '遍数',
      '时间的倍数',
    ],
    rows: rows.map(({length, operations, times, timed}) => [
      integer(length),
      general(operations),
      general(times),
      ...(timed && first
        ? [
            milliseconds(timed.median),
            milliseconds(timed.fastest),
            milliseconds(timed.slowest),
            String(timed.runs),
            general(timed.median / first.median, 3),
          ]
        : ['没有量', '', '', '', '']),
    ]),
  };
}

export function steps({heads, width}: TimingState): TemplateResult {
  return html`<ol class="steps">
    <li>每个长度造固定种子的Q、K、V，${heads}个头，每头${width}维，64位浮点数。</li>
    <li>先跑5遍不计：浏览器要看到一段程序常跑，才把它编译成更快的一份。</li>
    <li>再跑至多7遍，各记时间，取中位。至少3遍；一个长度超过3秒就不再多跑。</li>
    <li>
      量的是这门课自己的核心，一个头一个头地算，没有用显卡。与同一页别的事抢处理器，时间会变长。
    </li>
  </ol>`;
}
