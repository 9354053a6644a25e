import {describe, expect, it} from 'vitest';
import {AttnMemory, type MemoryState} from '../../web/elements/attn-memory.js';
import {composeFigure} from '../../web/site/figures.js';
import {readFields} from '../../web/shared/link.js';
import type {Resources} from '../../web/shared/runtime.js';
import {defaults} from '../../web/shared/schema.js';
import {drawTemplate} from '../../web/site/draw.js';

const {spec} = AttnMemory;

async function show(patch: Partial<MemoryState> = {}) {
  const state = {...defaults<MemoryState>(spec.schema), ...patch};
  const result = spec.compute({} as Resources, state, undefined);
  const drawn = (await drawTemplate(spec.view(state, result))).replace(/<!--.*?-->/gs, '');
  const steps = (await drawTemplate(spec.steps!(state, result))).replace(/<!--.*?-->/gs, '');
  return {result, drawn, steps, says: spec.says(state, result), table: spec.table(state, result)};
}

describe('attn-memory', () => {
  // 4096² · 2 = 33,554,432 = 32 · 2²⁰; · 256 = 8,589,934,592 = 8 · 2³⁰
  it('computes the bytes of T × T scores, and of T × T × d_a before them', async () => {
    const {result, drawn, says} = await show();
    expect(result.here).toEqual({length: 4096, dot: '33554432', additive: '8589934592'});
    expect(result.pairs).toBe('16777216');
    expect(says).toContain('32 MiB');
    expect(says).toContain('8 GiB，是它的256倍');
    expect(drawn).toContain('<b>4,096</b>');
  });

  // n = 8192, 32 × 32, fp16: 137.4 GB; n = 2048, 16 heads, 24 layers: 3.22 GB in fp16, 6.44 in fp32
  it.each([
    [{length: 8192, heads: 32, layers: 32}, 137_438_953_472],
    [{length: 2048, heads: 16, layers: 24}, 3_221_225_472],
    [{length: 2048, heads: 16, layers: 24, bytes: 4}, 6_442_450_944],
  ])('counts heads, layers and bytes: %o', async (patch, expected) => {
    expect((await show(patch)).result.here.dot).toBe(String(expected));
  });

  it('grows by a factor of four when the length doubles', async () => {
    const {result} = await show({length: 1000});
    expect(result.rows.map(({length}) => length)).toEqual([500, 1000, 2000, 4000]);
    for (const [i, row] of result.rows.slice(1).entries()) {
      expect(BigInt(row.dot)).toBe(4n * BigInt(result.rows[i]!.dot));
      expect(BigInt(row.additive)).toBe(4n * BigInt(result.rows[i]!.additive));
    }
  });

  it('is exact and readable for the smallest and the largest sizes', async () => {
    for (const patch of [
      {length: 1, d_a: 1, bytes: 1},
      {length: 1e8, heads: 4096, layers: 4096, bytes: 8, d_a: 65536},
    ]) {
      const {result, drawn, says, table, steps} = await show(patch);
      expect(`${drawn} ${says} ${table.rows.join()} ${steps}`).not.toMatch(
        /NaN|Infinity|undefined/,
      );
      expect(BigInt(result.here.additive)).toBe(BigInt(result.here.dot) * BigInt(patch.d_a));
    }
    // 10¹⁶ · 2¹² · 2¹² · 2³ · 2¹⁶
    expect(
      (await show({length: 1e8, heads: 4096, layers: 4096, bytes: 8, d_a: 65536})).result.here
        .additive,
    ).toBe(String(10n ** 16n * 2n ** 43n));
  });

  it('names the allowed range of a box, and falls back', () => {
    const {state, problem} = readFields<MemoryState>(spec.schema, (key) =>
      key === 'length' ? '4096.5' : null,
    );
    expect(state.length).toBe(4096);
    expect(problem?.message).toContain('整数');
    expect(() => spec.schema.bytes.read('16')).toThrow('最大');
    expect(spec.schema.length.read('８１９２')).toBe(8192);
  });

  it('draws one picture that can be exported', async () => {
    const {drawn, says} = await show();
    const file = composeFigure(drawn, {title: '内存', description: says});
    expect(file).toContain('✗ 加性');
    expect(file).not.toMatch(/var\(|style=/);
  });
});
