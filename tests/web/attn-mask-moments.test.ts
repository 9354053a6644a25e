// The pictures of attn-mask while rows are walked, and the effects of painting.
import {beforeAll, describe, expect, it} from 'vitest';
import {AttnMask} from '../../web/elements/attn-mask.js';
import {
  barsAt,
  BEATS,
  orderOf,
  partsAt,
  placeOf,
  shownRow,
  stopsOf,
} from '../../web/elements/attn-mask/moment.js';
import {codeOf, MISTAKES, type MaskState} from '../../web/elements/attn-mask/state.js';
import type {Resources} from '../../web/shared/runtime.js';
import {defaults} from '../../web/shared/schema.js';
import {drawTemplate} from '../../web/site/draw.js';
import {resourcesFromBuild} from './load-core.js';

const {spec} = AttnMask;
let resources: Resources;

beforeAll(async () => {
  resources = await resourcesFromBuild();
});

function show(patch: Partial<MaskState> = {}) {
  const state = {...defaults<MaskState>(spec.schema), ...patch};
  const result = spec.compute(resources, state, undefined);
  return {state, result, rows: result.blocks.flat(), says: spec.says(state, result)};
}

const draw = async ({state, result}: ReturnType<typeof show>) =>
  (await drawTemplate(spec.view(state, result))).replace(/<!--.*?-->/gs, '');

const total = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);

describe('moments of attn-mask', () => {
  it('has a stop a beat and one at the end, named by rows', () => {
    const {result} = show();
    const stops = stopsOf(result);
    // Five rows of four beats, and the end.
    expect(stops).toHaveLength(21);
    expect(stops.map(({name}) => name).filter((name) => name !== '')).toEqual([
      '小明',
      '把',
      '苹果',
      '给了',
      '小王',
      '完',
    ]);
    expect(stops.at(-1)?.at).toBe(1);
  });

  it('is on a stop at each of them, though links round it', () => {
    const {state, result} = show();
    stopsOf(result)
      .slice(0, -1)
      .forEach(({at}, i) => {
        const row = Math.floor(i / BEATS);
        expect(placeOf({...state, at}, result, row)).toBe((i % BEATS) + 1);
        expect(shownRow({...state, at}, result)).toMatchObject({index: row, block: 0});
      });
  });

  it('begins with no number in a cell, and ends with the picture at rest', async () => {
    const start = await draw(show({at: 0}));
    expect(start).not.toMatch(/>[−✗]?\d+\.\d+</);
    const rest = await draw(show({step: 4}));
    expect(rest).toContain('>56.5<');
    expect(await draw(show({step: 4, at: 1}))).toBe(rest);
  });

  it('explains the chosen row at rest, else the last one that hides a true key', () => {
    const label = (patch: Partial<MaskState>) => {
      const {state, result} = show(patch);
      return shownRow(state, result).row.label;
    };
    expect(label({})).toBe('给了');
    expect(label({step: 2})).toBe('把');
    expect(label({mistake: 'open'})).toBe('小王');
    expect(label({kind: 'right', tokens: ['甲', '乙', '丙'], lengths: [1, 2]})).toBe('甲');
  });

  it('gives the freed part to visible keys in the proportion of their weights', () => {
    // Row 给了: 32.53 % lay on 小王; 56.5 ÷ 39.4 = 38.1 ÷ 26.6 = 1.43.
    const row = show().rows[3]!;
    expect(row.freed).toBeCloseTo(0.3253, 4);
    expect(row.ratio?.free).toBeCloseTo(1.43, 2);
    expect(row.ratio?.now).toBeCloseTo(row.ratio?.free ?? NaN, 12);
    const parts = partsAt({...row, order: orderOf('none')}, BEATS);
    const of = (kind: string) => parts.filter((part) => part.kind === kind);
    const sizes = (kind: string) => of(kind).map(({from, to}) => to - from);
    expect(total(sizes('gained'))).toBeCloseTo(row.freed, 12);
    row.cells
      .filter(({masked}) => !masked)
      .forEach(({free, weight}, j) => {
        expect(sizes('kept')[j]).toBeCloseTo(free, 12);
        expect(sizes('gained')[j]).toBeCloseTo(weight - free, 12);
      });
  });

  it('loses and invents nothing on the way, whichever way is taken', () => {
    for (const {id} of MISTAKES) {
      const order = orderOf(id);
      for (const row of show({kind: 'left', lengths: [3, 2], mistake: id, window: 4}).rows) {
        for (let place = order.indexOf('power') + 1; place <= BEATS; place += 0.125) {
          const parts = partsAt({...row, order}, place);
          const whole = total(
            parts.filter(({kind}) => kind !== 'lost').map(({from, to}) => to - from),
          );
          // A hidden score that became 0 may add more than it had, until the sum is divided out.
          const more = id === 'zero' && place < BEATS;
          if (!row.defined) expect(parts).toEqual([]);
          else if (more) expect(whole).toBeGreaterThanOrEqual(1 - 1e-9);
          else expect(whole).toBeCloseTo(1, 9);
        }
        barsAt(partsAt({...row, order}, BEATS), row.cells.length).forEach(({whole}, j) =>
          expect(whole).toBeCloseTo(row.defined ? row.cells[j]!.weight : 0, 12),
        );
      }
    }
  });

  it('prints the powers that softmax adds up', async () => {
    // e^1.8854 = 6.589, e^2.2462 = 9.452; the hidden one has none, or e⁰ = 1 where 0 stands for it.
    const powers = (mistake: MaskState['mistake']) =>
      show({mistake}).rows[3]!.cells.map(({power}) => Number(power.toFixed(2)));
    expect(powers('none')[0]).toBe(6.59);
    expect(powers('none')[2]).toBe(9.45);
    expect(powers('none')[4]).toBe(0);
    expect(powers('zero')[4]).toBe(1);
    // bfloat16 shifts by the maximum, so its largest power is 1.
    expect(Math.max(...powers('bfloat16'))).toBe(1);
    expect(powers('float16')).toEqual([0, 0, 0, 0, 0]);
    expect(await draw(show({at: 0.625}))).toContain('>9.45<');
  });

  it('says each beat, in the order of the way that is taken', () => {
    const {result} = show();
    const stops = stopsOf(result).map(({at}) => at);
    const beats = (mistake: MaskState['mistake']) =>
      stops.slice(12, 16).map((at) => show({mistake, at}).says);
    const [score, hide, power, weight] = beats('none');
    expect(score).toContain('5个位置都打了分');
    expect(hide).toContain('「给了」一行第二拍：遮。1个分数换成−∞');
    expect(hide).toContain('「小王」扣过去了');
    expect(power).toContain('让出了32.5 %');
    expect(weight).toContain('行和是1.000');
    const late = beats('after');
    expect(late[1]).toBe('「给了」一行第二拍：取指数。');
    expect(late[2]).toContain('32.5 %给了不该看的');
    expect(late[3]).toContain('32.5 %不见了，行和是0.675');
    expect(show({at: 0}).says).toContain('「小明」一行还没走到');
  });

  it('turns the answer face down, but not where it leaks', async () => {
    expect(await draw(show({step: 4}))).toContain('>答案<');
    for (const mistake of ['open', 'zero', 'after'] as const)
      expect(await draw(show({step: 4, mistake}))).not.toContain('>答案<');
    // The last row has nothing to predict.
    expect(await draw(show({step: 5}))).not.toContain('>答案<');
  });

  it('compares a wrong way with the right one, cell by cell', async () => {
    const right = show().rows[3]!.cells.map(({weight}) => weight);
    for (const {id} of MISTAKES)
      if (id !== 'wide' && id !== 'query' && id !== 'cross')
        expect(show({mistake: id}).rows[3]!.cells.map((cell) => cell.right)).toEqual(right);
    expect(await draw(show({step: 4, mistake: 'after'}))).toContain('不见了32.5 %');
  });
});

describe('painting', () => {
  const cells = (painted: number[], patch: Partial<MaskState> = {}) =>
    show({painted, ...patch}).rows[3]!.cells;

  it('hides a visible pair: its weight is exactly 0, and the others keep their ratio', () => {
    const before = cells([]);
    const after = cells([codeOf(3, 0)]);
    expect(after[0]).toMatchObject({weight: 0, masked: true, hidden: false, leak: false});
    const ratio = (row: typeof before) => row[2]!.weight / row[1]!.weight;
    expect(ratio(after)).toBeCloseTo(ratio(before), 9);
    expect(total(after.map(({weight}) => weight))).toBeCloseTo(1, 12);
  });

  it('shows a hidden pair, which then leaks; a second time undoes the first', () => {
    expect(codeOf(3, 4)).toBe(405);
    // The whole row is visible then: the weight of 小王 is that without a mask.
    expect(cells([405])[4]).toMatchObject({masked: false, hidden: true, leak: true});
    expect(cells([405])[4]?.weight).toBeCloseTo(0.3253, 4);
    expect(cells([405], {mistake: 'open'})[4]).toMatchObject({weight: 0, masked: true});
  });

  it('leaves a row with nothing to see to the convention, and ignores cells outside', () => {
    const {rows, says} = show({painted: [101], step: 1});
    expect(rows[0]).toMatchObject({visible: 0, sum: 0, defined: true});
    expect(says).toContain('有1行什么也看不见');
    expect(show({painted: [612, 4812]}).result).toEqual(show().result);
  });
});
