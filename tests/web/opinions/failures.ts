// <attn-failures>: readings against the thresholds, and the records of the five runs.

import {readFileSync} from 'node:fs';
import type {FailuresState} from '../../../web/elements/attn-failures/state.js';
import {dec, int, Reader, type Shown, sig} from './reading.js';

const KINDS = [
  'scaled',
  'hidden-as-zero',
  'scaled-after-softmax',
  'no-max-subtraction',
  'divided-by-width',
] as const;

interface Record {
  attention: string;
  config: {dModel: number};
  finalLoss: number;
  validationLoss: number;
  losses: [number, number][];
  gradientNorms: [number, number][];
  diagnostics: {
    entropy: number;
    logitDeviation: number;
    jacobianNorm: number;
    largestRowSum: number;
  }[];
}

const records = KINDS.map(
  (kind) => JSON.parse(readFileSync(`lessons/case/failure-${kind}.json`, 'utf8')) as Record,
);

/** The findings of the readings in the order in which to check them, by their first words. */
function readingsOf({entropy: h, deviation: s, jacobian: j}: FailuresState): string[] {
  if (h === null && s === null && j === null) return [];
  // Spread weights have a large Jacobian: both readings can't be right.
  if (h !== null && j !== null && h > 0.5 && j < 1e-4) return ['权重还散着，‖J‖却几乎是0'];
  const found: string[] = [];
  if (h !== null && h < 0.01)
    found.push(
      s !== null && s > 1000 ? '每行几乎只看一个位置，分数的标准差上千' : '每行几乎只看一个位置。',
    );
  if (j !== null && j < 1e-4) found.push('softmax几乎不传梯度');
  if (h !== null && h > 0.99) found.push('每行几乎平分');
  if (h !== null && h > 0.9 && h <= 0.99) found.push('偏平');
  if (h !== null && h >= 0.01 && h < 0.5) found.push('偏尖');
  return found.length > 0 ? found : ['这些读数看不出毛病'];
}

function diagnosisOpinion(state: FailuresState, shown: Shown): string[] {
  const reader = new Reader(shown);
  const readings = readingsOf(state);
  const [first] = readings;
  if (first === undefined) reader.says('把自己模型的读数填进来');
  else reader.says(readings.length > 1 ? `${readings.length}条里先查这一条：${first}` : first);
  if (readings.length <= 1) reader.saysNot('条里先查');
  const own = [state.entropy, state.deviation, state.jacobian];
  const rows = records.map(({diagnostics}) => {
    const {entropy, logitDeviation, jacobianNorm} = diagnostics.at(-1)!;
    return [entropy, logitDeviation, jacobianNorm];
  });
  reader.table(
    own.map((value, i) => [
      reader.cell(i, 0),
      ...rows.map((row) => sig(row[i]!)),
      value === null ? '没有量' : sig(value),
    ]),
  );
  return reader.wrong;
}

/** 低0.003, 高0.120. */
const apart = (value: number) => dec(Math.abs(value), 3);

function galleryOpinion({variant}: FailuresState, shown: Shown): string[] {
  const reader = new Reader(shown);
  const right = records[0]!;
  const own = records.find(({attention}) => attention === variant)!;
  const [loss, later] = [
    own.finalLoss - right.finalLoss,
    own.validationLoss - right.validationLoss,
  ];
  reader.says(
    `末50步的损失比写对的${loss < 0 ? '低' : '高'}*，验证损失${later < 0 ? '低' : '高'}*，`,
    apart(loss),
    apart(later),
  );
  const [start, end] = [own.diagnostics[0]!, own.diagnostics.at(-1)!];
  if (variant === 'hidden-as-zero')
    reader.says('行和还是*，熵*也', dec(end.largestRowSum, 4), dec(end.entropy, 3));
  if (variant === 'scaled-after-softmax') reader.says('行和只有*，', dec(end.largestRowSum, 4));
  // Untrained weights have the deviation 0.02.
  if (variant === 'divided-by-width')
    reader.says(
      '第0步的标准差*，该是d_model·σ²＝*。',
      dec(start.logitDeviation, 4),
      dec(own.config.dModel * 0.02 ** 2, 4),
    );
  reader.table(
    right.losses.map(([step], i) => [
      int(step),
      ...records.map(({losses}) => dec(losses[i]![1], 3)),
      ...records.map(({gradientNorms}) => dec(gradientNorms[i]![1], 3)),
    ]),
  );
  return reader.wrong;
}

export function failuresOpinion(state: FailuresState, shown: Shown): string[] {
  return state.part === 'diagnosis' ? diagnosisOpinion(state, shown) : galleryOpinion(state, shown);
}
