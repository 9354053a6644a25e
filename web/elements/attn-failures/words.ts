// Sentence and table of <attn-failures>.

import {fixed, general, integer} from '../../shared/format.js';
import type {Table} from '../attn-widget/spec.js';
import {SCALES} from './diagnosis-view.js';
import type {FailuresResult, FailuresState} from './state.js';
import type {Mistake} from './variants.js';
import {nameOf} from './variants.js';

function difference(value: number): string {
  return `${value < 0 ? '低' : '高'}${fixed(Math.abs(value), 3)}`;
}

export function says(
  state: FailuresState,
  {rows, findings, expectedDeviation}: FailuresResult,
): string {
  if (state.part === 'diagnosis') {
    const [first] = findings;
    return first
      ? `${findings.length > 1 ? `${integer(findings.length)}条里先查这一条：` : ''}${first.reading}`
      : '把自己模型的读数填进来，有几个填几个；或选一个症状。';
  }
  const right = rows.find(({attention}) => attention === 'scaled');
  const own = rows.find(({attention}) => attention === state.variant);
  if (!right || !own) return '';
  const expected = fixed(expectedDeviation, 4);
  const symptoms: Record<Mistake, string> = {
    'hidden-as-zero': `行和还是${fixed(own.largestRowSum, 4)}，熵${fixed(own.entropy, 3)}也不出奇`,
    'scaled-after-softmax': `行和只有${fixed(own.largestRowSum, 4)}，一查就中`,
    'no-max-subtraction': `每一栏都与写对的差不多，要喂大分数才看得出`,
    'divided-by-width': `第0步的标准差${fixed(own.firstDeviation, 4)}，该是d_model·σ²＝${expected}`,
  };
  return (
    `${nameOf(own.attention)}：末50步的损失比写对的${difference(own.loss - right.loss)}，` +
    `验证损失${difference(own.validationLoss - right.validationLoss)}，一个错也没报。` +
    `${symptoms[state.variant]}。`
  );
}

export function table(state: FailuresState, {rows, content}: FailuresResult): Table {
  if (state.part === 'diagnosis') {
    return {
      columns: ['读数', ...rows.map(({attention}) => nameOf(attention)), '你的'],
      rows: SCALES.map(({key, name, of}) => [
        name,
        ...rows.map((row) => general(of(row))),
        state[key] === null ? '没有量' : general(state[key]),
      ]),
    };
  }
  return {
    columns: [
      '步',
      ...content.records.map(({attention}) => `${nameOf(attention)}，损失`),
      ...content.records.map(({attention}) => `${nameOf(attention)}，梯度范数`),
    ],
    rows: (content.records[0]?.losses ?? []).map(([step], i) => [
      integer(step),
      ...content.records.map(({losses}) => fixed(losses[i]?.[1] ?? 0, 3)),
      ...content.records.map(({gradientNorms}) => fixed(gradientNorms[i]?.[1] ?? 0, 3)),
    ]),
  };
}
