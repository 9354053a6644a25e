import {beforeAll, describe, expect, it} from 'vitest';
import {AttnLatent} from '../../web/elements/attn-latent.js';
import type {LatentState} from '../../web/elements/attn-latent/state.js';
import {composeFigure} from '../../web/site/figures.js';
import {InputError} from '../../web/shared/input.js';
import type {Resources} from '../../web/shared/runtime.js';
import {defaults} from '../../web/shared/schema.js';
import {drawnWidget} from './drawn-widget.js';
import {resourcesFromBuild} from './load-core.js';

const {spec} = AttnLatent;
let resources: Resources;
beforeAll(async () => {
  resources = await resourcesFromBuild();
});

const show = (patch: Partial<LatentState> = {}) => drawnWidget(resources, spec, patch);

// q·k of 给了 with 小明, 把, 苹果, 给了, from the published table of the teaching sentence.
const SCORES = [3.7708, -1.9284, 4.4924, -2.3248];

describe('attn-latent', () => {
  it('computes the sentence’s own scores from three numbers per token, both ways', async () => {
    const {result, drawn, says, table} = await show();
    expect(result.kept).toBe(3);
    expect(result.whole).toBe(8);
    result.rows.forEach(({expanded, once}, j) => {
      expect(expanded).toBeCloseTo(SCORES[j]!, 12);
      expect(once).toBeCloseTo(SCORES[j]!, 12);
    });
    expect(result.needed).toBe(1);
    expect(result.error).toBeLessThan(1e-14);
    expect(says).toContain('只是舍入');
    expect(drawn).not.toContain('✗');
    expect(table.rows).toHaveLength(4);
  });

  it('stores the first three components of an embedding', async () => {
    const {result} = await show();
    expect(result.rows.map(({latent}) => latent)).toEqual([
      [1, 0.1, 0.2],
      [0.1, 0.2, 0.8],
      [0.1, 1, 0.1],
      [0.2, 0.2, 1],
    ]);
  });

  it(
    'needs a fold for each distance once the key turns; the one of distance 0 is right for ' +
      'itself',
    async () => {
      const {result, drawn, says} = await show({turn: 'all'});
      expect(result.needed).toBe(4);
      expect(result.ownError).toBeLessThan(1e-14);
      expect(result.error).toBeGreaterThan(1);
      // The slow way: rotate query and key directly, pair (0, 1) by one radian per position, pair
      // (2, 3) by 0.01.
      const {embeddings, W_Q, W_K} = resources.world;
      const by = (x: number[], w: number[][]) =>
        w[0]!.map((_, c) => x.reduce((sum, value, i) => sum + value * w[i]![c]!, 0));
      const turned = ([a, b, c, d]: number[], position: number) => {
        const turn = (x: number, y: number, angle: number) => [
          x * Math.cos(angle) - y * Math.sin(angle),
          x * Math.sin(angle) + y * Math.cos(angle),
        ];
        return [...turn(a!, b!, position), ...turn(c!, d!, position / 100)];
      };
      const q = turned(by(embeddings[3]!, W_Q), 3);
      result.rows.forEach(({expanded}, j) => {
        const k = turned(by(embeddings[j]!, W_K), j);
        expect(expanded).toBeCloseTo(
          q.reduce((sum, value, i) => sum + value * k[i]!, 0),
          12,
        );
      });
      expect(result.rows.at(-1)!.once).toBeCloseTo(SCORES[3]!, 12);
      expect(drawn.match(/✗/g)!.length).toBeGreaterThanOrEqual(3);
      expect(says).toContain('4个不同的折法');
    },
  );

  it('is exact again when the rotated part is stored separately', async () => {
    const {result, says} = await show({turn: 'apart'});
    expect(result.kept).toBe(5);
    expect(result.needed).toBe(1);
    expect(result.error).toBeLessThan(1e-14);
    // The rotated part: 语法 of 给了, 1, times 人 + 物, times the cosine of the distance.
    const answers = [1.1, 0.3, 1.1, 0.4];
    result.rows.forEach(({expanded, distance}, j) => {
      expect(expanded).toBeCloseTo(SCORES[j]! + answers[j]! * Math.cos(distance), 12);
    });
    expect(says).toContain('每个只存5个数');
  });

  it('draws the sizes of DeepSeek-V3: 32,768 numbers a token, or 512 + 64', async () => {
    // 2 × 128 heads × 128; 576 ÷ 32,768 ＝ 1.7578 %.
    const {drawn} = await show({turn: 'apart'});
    expect(drawn).toContain('2 × 128 × 128 ＝ 32,768');
    expect(drawn).toContain('512 ＋ 64 ＝ 576，是1.76 %');
    // Without the separate part, 512 ÷ 32,768 ＝ 1.5625 %.
    expect((await show({turn: 'none'})).drawn).toContain('512，是1.56 %');
    expect((await show({turn: 'apart', heads: 1, width: 8})).drawn).toContain('3,600 %');
  });

  it('stops the up-projection at a rotation that is another one for each token', async () => {
    // Four tokens share the second part of the playhead, from 0.4 on, the farthest first.
    const chain = async (at: number) =>
      /「(.)+?」要R/.exec((await show({turn: 'all', at})).drawn.replace(/<[^>]*>/g, ''))?.[0];
    expect(await chain(0.3)).toBeUndefined();
    expect(await chain(0.5)).toBe('「小明」要R');
    expect(await chain(0.6)).toBe('「把」要R');
    expect(await chain(1)).toBe('「给了」要R');
  });

  it('handles a token that sees only itself', async () => {
    const {says} = await show({turn: 'all', token: '小明'});
    expect(says).toContain('转了等于没转');
  });

  it('refuses a token that is not in the sentence', () => {
    expect(() =>
      spec.compute(resources, {...defaults(spec.schema), token: '梨'}, undefined),
    ).toThrow(InputError);
  });

  it('never shows NaN, and every picture can be exported', async () => {
    for (const turn of ['none', 'all', 'apart'] as const) {
      for (const token of resources.world.tokens) {
        const {drawn, says, table} = await show({turn, token});
        expect(`${drawn} ${says} ${table.rows.join()}`).not.toMatch(/NaN|Infinity|undefined/);
        expect(composeFigure(drawn, {title: '折叠', description: says})).not.toMatch(
          /var\(|style=/,
        );
      }
    }
  });
});
