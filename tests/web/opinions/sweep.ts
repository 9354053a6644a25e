// attn-sweep: the recorded runs as their files tell them.

import {readdirSync, readFileSync} from 'node:fs';
import type {SweepState} from '../../../web/elements/attn-sweep/state.js';
import type {State} from '../random-state.js';
import {dec, int, Reader, type Shown, type Value} from './reading.js';

const FOLDER = 'lessons/case/runs';
interface File {
  config: {dModel: number; nHeads: number};
  attention: string;
  seed: number;
  steps: number;
  finalLoss: number;
}
const FILES = readdirSync(FOLDER)
  .filter((name) => name.startsWith('width-'))
  .map((name) => JSON.parse(readFileSync(`${FOLDER}/${name}`, 'utf8')) as File);

export function sweepOpinion(state: SweepState, shown: Shown): string[] {
  const reader = new Reader(shown);
  const mine = FILES.filter(({seed, steps}) => seed === state.seed && steps === state.steps);
  if (mine.length === 0) {
    reader.says(`种子${state.seed}、每次*步，没有记录；点「开始」，可以现场练。`, int(state.steps));
    reader.table([]);
    return reader.wrong;
  }
  const widths = [...new Set(mine.map(({config}) => config.dModel))].sort((a, b) => a - b);
  const lossOf = (width: number, kind: string) =>
    mine.find(({config, attention}) => config.dModel === width && attention === kind)!.finalLoss;
  const gaps = widths.map((width) => lossOf(width, 'unscaled') - lossOf(width, 'scaled'));
  reader.table(
    widths.map((width, i): Value[] => [
      String(width),
      dec(lossOf(width, 'scaled'), 4),
      dec(lossOf(width, 'unscaled'), 4),
      dec(gaps[i]!, 4),
      ...['', '', ''],
    ]),
  );
  reader.says('记录的12次，每次*步：', int(state.steps));
  const side = (gap: number) => (gap < 0 ? '低' : '高');
  const [narrow, wide] = [gaps[0]!, gaps.at(-1)!];
  reader.says(`宽${widths[0]}时不除比除${side(narrow)}*，`, dec(Math.abs(narrow), 3));
  reader.says(`宽${widths.at(-1)}时${side(wide)}*；`, dec(Math.abs(wide), 3));
  // From the widest model down, as long as the two are apart.
  let critical: number | undefined;
  for (let i = widths.length - 1; i >= 0 && gaps[i]! >= state.apart; i--) critical = widths[i];
  if (critical === undefined) reader.says('；没有一个宽度起差到');
  else reader.says('；从宽*起，差到', int(critical));
  return reader.wrong;
}

/** Settings of the record more often than others. */
export const sampleSweep = (state: State, random: () => number): State =>
  random() < 0.7 ? {...state, seed: 20261014, steps: 300} : state;
