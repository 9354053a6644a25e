import {beforeAll, describe, expect, it} from 'vitest';
import {flipped} from '../../web/elements/attn-float/state.js';
import {AttnFloat} from '../../web/elements/attn-float.js';
import type {FloatState} from '../../web/elements/attn-float/state.js';
import type {Resources} from '../../web/shared/runtime.js';
import {drawnWidget} from './drawn-widget.js';
import {resourcesFromBuild} from './load-core.js';

const {spec} = AttnFloat;
let resources: Resources;
beforeAll(async () => {
  resources = await resourcesFromBuild();
});

const show = (patch: Partial<FloatState> = {}) => drawnWidget(resources, spec, patch);
const keptIn = ({all}: Awaited<ReturnType<typeof show>>['result'], format: string) =>
  all.find((each) => each.format === format)!;

describe('attn-float', () => {
  // float16 has steps of 2⁻¹⁰ behind 1, bfloat16 of 2⁻⁷: 1.001 is nearer to 1 + 2⁻¹⁰, and to 1.
  it('stores 1.001 as the nearest number of each format', async () => {
    const {result, says, table} = await show();
    expect(keptIn(result, 'float16').number.value).toBe(1 + 2 ** -10);
    expect(keptIn(result, 'bfloat16').number.value).toBe(1);
    expect(keptIn(result, 'float32').number.value).toBe(Math.fround(1.001));
    expect(says).toContain('要存1.001：存成最近的1.000977，差2.34×10⁻⁵。');
    expect(says).toContain('加到第2,048个就停在0.5。');
    // e4m3 has nothing between 0 and 2⁻⁹, so each term is 0. In e5m2 numbers from 2⁻⁹ on are 2⁻¹¹
    // apart: there a term of 2⁻¹² is a tie, and the even neighbour is the old sum.
    expect(table.rows.map((row) => row.at(-1))).toEqual(['1', '0.5', '0.0625', '0', '0.0019531']);
  });

  it('turns a bit over: the highest of the exponent makes 1 an infinity', async () => {
    const {result} = await show({value: 1});
    // 0 01111 0000000000; bit 14 is the highest of the exponent.
    expect(result.chosen.number.bits).toBe(0x3c00);
    expect(flipped(result.chosen, 14)).toBe('7c00');
    expect(flipped(result.chosen, 15)).toBe('bc00');
    const {says, drawn} = await show({bits: '7c00'});
    expect(says).toContain('照这一串位读：float16最大只能写到65,504，再大就成了无穷。');
    expect(drawn).toContain('∞');
    expect((await show({bits: '7e00'})).says).toContain('不是数');
    await expect(show({bits: '10000'})).rejects.toThrow('float16只有16位');
  });

  // Every format has a pattern that is no number; only e4m3 lacks an infinity.
  it('stores an infinity as one, and no number as none, in the other formats too', async () => {
    const storedAs = async (bits: string) => {
      const {result, table} = await show({bits});
      expect(result.wanted).toBe(0);
      return table.rows.map((row) => row[8]);
    };
    expect(await storedAs('fc00')).toEqual(['−∞', '−∞', '−∞', '不是数', '−∞']);
    expect(await storedAs('7e00')).toEqual(Array(5).fill('不是数'));
  });

  // 10⁻⁸ is less than half of 2⁻²⁴. Times 1024 it is 171.8 steps of 2⁻²⁴; 172 ÷ 2²⁴ ÷ 1024 =
  // 1.00117·10⁻⁸.
  it('loses a small gradient in float16, and keeps it when it is scaled', async () => {
    const lost = await show({value: 1e-8});
    expect(lost.result.chosen.back).toBe(0);
    expect(lost.says).toContain('成了0');
    const kept = await show({value: 1e-8, scale: 1024});
    expect(kept.result.chosen.back).toBe(172 / 2 ** 34);
    expect(kept.says).toContain('得1.001×10⁻⁸');
  });
});
