// Sentence and table of <attn-position>.

import {fixed, general, integer} from '../../shared/format.js';
import {PLACES} from '../../shared/positions.js';
import type {Table} from '../attn-widget/spec.js';
import {KINDS, type PositionResult, type PositionState, SHOWN} from './state.js';

export const CHANGED = 1e-9;

/** Facts that the picture doesn't show. */
export function facts(
  {kind, dim, offset}: PositionState,
  {distance, waves, rotated, parts}: PositionResult,
): string {
  if (kind === 'none') return '没有位置，距离也进不了分数。';
  const apart =
    distance === null ? '' : `相隔${integer(offset)}的这两个编码相距${fixed(distance, 4)}。`;
  if (kind === 'learnt')
    return `${PLACES}行×${dim}列＝${integer(PLACES * dim)}个参数，这里随机抽，代替学出来的。${apart}`;
  const [last = 0] = waves.slice(-1);
  const circle = `转一圈，第1对走${general(waves[0] ?? 0, 4)}个位置，第${waves.length}对走${general(last, 4)}个。`;
  if (kind === 'sinusoidal') return circle + apart;
  return rotated < dim
    ? `${circle}分数里，转的${rotated}维给${fixed(parts[0], 3)}，` +
        `余下${dim - rotated}维不管隔多远都给${fixed(parts[1], 3)}。`
    : circle;
}

export function says(state: PositionState, result: PositionResult): string {
  const {kind, offset, at, order, causal, layers} = state;
  const name = KINDS.find((each) => each.kind === kind)?.name ?? '';
  if (order.length > 0) {
    const changed = result.moved
      .filter(({difference: gap}) => gap >= CHANGED)
      .map(({token}) => token);
    return `${kind === 'none' ? '不加位置' : `位置用${name}`}，${causal ? '有因果掩码' : '没有掩码'}，${layers}层：${
      changed.length === 0
        ? '换了次序，每个词元的输出一个数都没变，只是跟着换了地方。'
        : `换了次序，${changed.join('、')}的输出变了${changed.length < result.moved.length ? '，其余的没变' : ''}。`
    }`;
  }
  if (result.score === null)
    return `可学的表只有0到${PLACES - 1}，位置${integer(at + offset)}没有那一行，取不到编码。`;
  const here = `k在${integer(at)}、q在${integer(at + offset)}，分数${fixed(result.score, 3)}`;
  if (kind === 'none') return `${here}。站在哪里、隔多远，都是这个数。`;
  const unseen = kind === 'rotary' ? offset >= PLACES : at + offset >= PLACES;
  const rest = unseen
    ? `这样的${kind === 'rotary' ? '距离' : '位置'}训练时没有过：算得出，没学过。`
    : '';
  const main =
    result.spread < CHANGED
      ? `同样隔${integer(offset)}个，换到哪里都一样。`
      : `同样隔${integer(offset)}个，换个位置，分数最多差${fixed(result.spread, 3)}。`;
  const leak =
    result.turned.length > 0
      ? `把V也转了，取回的向量随位置最多差${fixed(result.leak[1], 3)}；不转，差${fixed(result.leak[0], 3)}。`
      : '';
  return `${here}。${main}${rest}${leak}`;
}

export function table(
  {offset}: PositionState,
  {course: scores, codes, moved, kept, turned}: PositionResult,
): Table {
  if (moved.length > 0) {
    return {
      columns: ['词元', '原来第几个', '现在第几个', '原来的输出', '现在的输出', '最多差'],
      rows: moved.map(({token, from, to, before, after, difference: gap}) => [
        token,
        String(from),
        String(to),
        ...[before, after].map((values) => values.map((value) => fixed(value, 3)).join(', ')),
        fixed(gap, 3),
      ]),
    };
  }
  const values = codes.length > 0;
  return {
    columns: [
      'k的位置',
      'q的位置',
      '分数',
      ...(turned.length > 0 ? ['V不转，取回', 'V也转，取回'] : []),
      ...(values ? ['k的位置的编码'] : []),
    ],
    rows: [
      ...new Set([
        ...codes.map(({place}) => place).filter((place) => place < SHOWN),
        0,
        1,
        2,
        3,
        10,
        20,
        40,
        60,
        64,
        80,
        95,
      ]),
    ].map((place) => [
      String(place),
      integer(place + offset),
      scores[place] === null ? '没有这一行' : fixed(scores[place] ?? 0, 3),
      ...(turned.length > 0 ? [fixed(kept[place] ?? 0, 3), fixed(turned[place] ?? 0, 3)] : []),
      ...(values
        ? [
            codes
              .find((code) => code.place === place)
              ?.values.map((value) => fixed(value, 4))
              .join(', ') ?? '',
          ]
        : []),
    ]),
  };
}
