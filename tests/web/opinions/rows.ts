// Widgets about one row of scores or weights: sink, lookup, jacobian, groups, memory, rnn.

import type {GroupsState} from '../../../web/elements/attn-groups.js';
import type {JacobianState} from '../../../web/elements/attn-jacobian/compute.js';
import type {LookupState} from '../../../web/elements/attn-lookup/compute.js';
import type {MemoryState} from '../../../web/elements/attn-memory.js';
import type {RnnState} from '../../../web/elements/attn-rnn.js';
import type {SinkState} from '../../../web/elements/attn-sink.js';
import {dot, firstLargest, jacobianOf, normOf, softmax} from './arithmetic.js';
import {binary, dec, int, pct, power, Reader, type Shown, sig, type Value} from './reading.js';

/** exp(s) ÷ (Σ exp(s) + exp(sink)), times the gate. */
export function sinkOpinion({scores, sink, gate}: SinkState, shown: Shown): string[] {
  const reader = new Reader(shown);
  const all = softmax([...scores, sink]);
  const own = all.at(-1)!;
  const weights = all.slice(0, -1);
  const total = weights.reduce((sum, x) => sum + x, 0);
  const plain = softmax(scores);
  reader.says('汇logit取*，这一行取走*，*谁也不给', sig(sink), pct(total), pct(own));
  if (gate !== 1) reader.says('门开到*，最后只取*。', sig(gate), pct(gate * total));
  const names = shown.rows.map((row) => row[0] ?? '');
  reader.table([
    ...scores.map((score, i) => [
      names[i]!,
      sig(score),
      dec(plain[i]!, 3),
      dec(weights[i]!, 3),
      dec(gate * weights[i]!, 3),
    ]),
    ['汇', sig(sink), '', dec(own, 3), ''],
    ['取走', '', '1.000', dec(total, 3), reader.cell(scores.length + 1, 4)],
  ]);
  const [taken = '', door = ''] = reader
    .cell(scores.length + 1, 4)
    .replace('）', '')
    .split('（门');
  reader.is(taken, dec(gate * total, 3));
  reader.is(door, sig(gate));
  return reader.wrong;
}

/** A value that is 0 but for rounding: whatever is printed must be as small. */
const near = (value: number, size: number): Value => ({
  value,
  form: /./,
  half: 10 * size + 1e-12,
  slack: 0,
});

/** ∂(Σ wⱼ vⱼ) ÷ ∂sᵢ = wᵢ (vᵢ − Σ w v). */
export function lookupOpinion(state: LookupState, shown: Shown): string[] {
  const reader = new Reader(shown);
  const {scores} = state;
  const values = scores.map((_, i) => state.values[i] ?? 0);
  const weights = softmax(scores);
  const best = firstLargest(scores);
  const soft = dot(weights, values);
  // Large values cancel.
  const size = 1e-12 * Math.max(...values.map(Math.abs), 1);
  const slopes = weights.map((weight, i) => weight * (values[i]! - soft));
  const slope = (i: number): Value => {
    const value = slopes[i]!;
    // At the edge of what counts as 0 both texts will do.
    if (Math.abs(value) < 1e-12 + size) return near(value, size);
    return sig(value, 3, size + 1e-9 * Math.abs(value));
  };
  const blend = Math.abs(soft) < size * 10 ? near(soft, size) : sig(soft, 4, size);
  const names = shown.rows.map((row) => row[0] ?? '');
  reader.table([
    ...scores.map((score, i) => [
      names[i]!,
      sig(score),
      sig(values[i]!),
      i === best ? '1' : '0',
      dec(weights[i]!, 3),
      '0',
      slope(i),
    ]),
    ['取回', '', '', sig(values[best]!), blend, '', ''],
  ]);
  if (scores.length === 1) {
    reader.says('只有一条，两种查法都取回*，', sig(values[0]!));
    return reader.wrong;
  }
  const ties = scores.filter((score) => score === scores[best]).length;
  if (ties > 1)
    reader.says(
      `有${ties}条并列最高，硬查表只能随便挑一条，这里取最前面的「${names[best]}」，得*；`,
      sig(values[best]!),
    );
  else reader.says(`硬查表只认「${names[best]}」，取回*；`, sig(values[best]!));
  reader.says(ties > 1 ? '一样多，得*。' : '都掺一点，得*。', blend);
  const moved = Math.min(state.moved, scores.length) - 1;
  if (shown.says.includes('倍，硬查表不动'))
    reader.says(`「${names[moved]}」的分数加一点点，软查表的输出跟着变它的*倍`, slope(moved));
  else if (Math.abs(slopes[moved]!) > 1e-12 + size)
    reader.wrong.push(`a slope of ${slopes[moved]} is told as none`);
  return reader.wrong;
}

export function jacobianOpinion(state: JacobianState, shown: Shown): string[] {
  const reader = new Reader(shown);
  const weights = state.scores.length > 0 ? softmax(state.scores) : [...state.probabilities];
  const n = weights.length;
  const matrix = jacobianOf(weights);
  const norm = normOf(matrix);
  const entry = (value: number): Value =>
    value !== 0 && Math.abs(value) < 1e-4 ? power(value, 3) : sig(value);
  shown.rows.forEach((row, i) => {
    reader.is(row[1] ?? '', sig(weights[i]!));
    matrix[i]!.forEach((value, j) => reader.is(row[j + 2] ?? '', entry(value)));
    reader.is(row.at(-1) ?? '', {value: 0, form: /./, half: 2e-6, slack: 0});
  });
  if (norm === 0) {
    reader.says(n === 1 ? '只有一个权重' : '一个权重独占');
    return reader.wrong;
  }
  const most = Math.max(...weights.map((w) => w * (1 - w)));
  reader.says('跟着加它的*倍。', entry(most));
  reader.says('‖J‖＝*，', sig(norm, 3));
  const limit = Math.SQRT1_2 * Math.SQRT1_2;
  if (norm > limit - 1e-9) reader.says('到顶了');
  else if (limit / norm < 10) reader.says('是上限的*。', pct(norm / limit));
  else reader.says('约为上限的*分之一', sig(limit / norm));
  // n weights of 1/n: n diagonal entries (1/n)(1 − 1/n), the others −1/n².
  reader.says(`上限都是0.5，在两个权重各½时取到；${n}个平分是*。`, dec(Math.sqrt(n - 1) / n, 3));
  return reader.wrong;
}

export function groupsOpinion({heads, groups}: GroupsState, shown: Shown): string[] {
  const reader = new Reader(shown);
  const counts: number[] = [];
  for (let count = 1; count <= heads; count++) if (heads % count === 0) counts.push(count);
  reader.table(
    counts.map((count) => [
      int(count),
      count === heads ? 'MHA' : count === 1 ? 'MQA' : `GQA-${count}`,
      int(heads / count),
      reader.cell(counts.indexOf(count), 3),
    ]),
  );
  counts.forEach((count, i) =>
    reader.is(reader.cell(i, 3).replace('倍', ''), sig(count / heads, 3)),
  );
  if (groups === heads) reader.says(`${heads}个查询头各看各的一份K、V`);
  else {
    reader.says('缓存是各存各的*/*，*。', int(groups), int(heads), pct(groups / heads));
    if (groups > 1)
      reader.says(
        '*个查询头分成*组，每组*个看同一份K、V，就是GQA-*：',
        int(heads),
        int(groups),
        int(heads / groups),
        int(groups),
      );
    else reader.says(`${heads}个查询头都看同一份`);
  }
  return reader.wrong;
}

export function memoryOpinion(state: MemoryState, shown: Shown): string[] {
  const reader = new Reader(shown);
  const {length, heads, layers, bytes, d_a} = state;
  const bytesAt = (tokens: number) =>
    BigInt(tokens) * BigInt(tokens) * BigInt(heads) * BigInt(layers) * BigInt(bytes);
  const dotBytes = bytesAt(length);
  reader.says(
    '*个词元，*个头、*层：点积的分数表占*；加性打分先要有中间那一层，照直写占*，是它的*倍。',
    int(length),
    int(heads),
    int(layers),
    binary(dotBytes),
    binary(dotBytes * BigInt(d_a)),
    int(d_a),
  );
  for (const row of shown.rows) {
    const at = bytesAt(Number((row[0] ?? '').replaceAll(',', '')));
    [at, at * BigInt(d_a)].forEach((size, i) => {
      reader.is((row[1 + 2 * i] ?? '').replace(' B', ''), int(size));
      reader.is(row[2 + 2 * i] ?? '', binary(size));
    });
  }
  return reader.wrong;
}

const WIDTH = 512;

/** 57.3 %, 4.3×10⁻¹⁸⁸, or words. */
function leftOf(value: number): Value {
  if (value === 0) return '小到记不下';
  return value < 1e-3 ? power(value, 1) : pct(value);
}

export function rnnOpinion({length}: RnnState, shown: Shown): string[] {
  const reader = new Reader(shown);
  const left = 0.9 ** (length - 1);
  const share = WIDTH / length;
  const [n, w] = [BigInt(length), BigInt(WIDTH)];
  const [updates = '', kept = ''] = /^(.*)，剩(.*)$/.exec(reader.cell(1, 1))?.slice(1) ?? [];
  reader.is(updates, int(length - 1));
  // The smallest doubles have few digits, so two ways to them differ.
  const whole = left === 0 || left > 1e-300;
  if (whole) reader.is(kept, leftOf(left));
  reader.is(reader.cell(0, 1), share < 0.1 ? power(share, 1) : dec(share, 1));
  reader.is(reader.cell(0, 2), int(WIDTH));
  reader.is(reader.cell(2, 1), int(length));
  reader.is(reader.cell(4, 1), int(WIDTH));
  reader.is(reader.cell(3, 1), int(n * w * w));
  reader.is(reader.cell(3, 2), int(n * n * w));
  reader.is(reader.cell(4, 2), int(length * WIDTH));
  if (length === 1) {
    reader.says('只有一个词元');
    return reader.wrong;
  }
  reader.says(
    '*个词元：RNN要一个等一个走*步，第一个词元到句末被改写*次，每次留下90 %',
    int(length),
    int(length),
    int(length - 1),
  );
  if (left === 0) reader.says('最后小到双精度也记不下；');
  else if (whole) reader.says('最后剩*；', leftOf(left));
  if (share < 1) reader.says('平均分到不到1个数。');
  else reader.says('平均分到*个数。', dec(share, 1));
  return reader.wrong;
}
