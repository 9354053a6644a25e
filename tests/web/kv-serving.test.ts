// attn-kv-cache with cards, weights, engines and a common beginning.
import {execFileSync} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {beforeAll, describe, expect, it} from 'vitest';
import {AttnKvCache} from '../../web/elements/attn-kv-cache.js';
import type {KvCacheState} from '../../web/elements/attn-kv-cache/state.js';
import {FORMATS} from '../../web/shared/value-formats.js';
import type {ModelsContent} from '../../web/shared/content.js';
import type {Resources} from '../../web/shared/runtime.js';
import {shownWidget} from './drawn-widget.js';
import {contentOf, problemIn} from './kv-models.js';
import {resourcesFromBuild} from './load-core.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const IDS = ['llama-3.1-8b', 'gpt-oss-20b', 'deepseek-v3', 'anchor-model', 'mixtral-8x7b'];

let resources: Resources;
let content: ModelsContent;
beforeAll(async () => {
  resources = await resourcesFromBuild();
  content = contentOf(resources.cache, IDS);
});

const show = (patch: Partial<KvCacheState>) =>
  shownWidget(
    resources,
    AttnKvCache.spec,
    {model: 'llama-3.1-8b', context: 8192, compare: [], ...patch},
    content,
  );
const bare = (markup: string) => markup.replace(/<!--.*?-->/gs, '').replace(/\s+/g, ' ');
const problemOf = (patch: Partial<KvCacheState>) => problemIn(() => show(patch));

describe('attn-kv-cache: serving', () => {
  it('puts weights, a reserve and the cache into one budget', async () => {
    // 8,030,261,248 parameters · 2 B; a tenth of 80 GiB; a sequence takes 131,072 B · 8,192.
    // 85,899,345,920 − 16,060,522,496 − 8,589,934,592 = 61,248,888,832, which is 57.04 GiB.
    const {result, draw} = show({weights: 'bf16'});
    expect(result.serving).toMatchObject({
      parameters: 8030261248,
      weights: 16060522496,
      reserve: 8589934592,
      available: 61248888832,
    });
    // 61,248,888,832 ÷ 131,072 = 467,291.9
    expect(result).toMatchObject({sequences: 57, fits: 467291});
    expect(bare(await draw())).toContain('（8,030,261,248个参数，BF16）');
  });

  it('deals out heads to cards, copies them where there are fewer, and refuses odd parts', () => {
    // 1 GiB in 8 heads.
    expect(show({cards: 2}).result.serving?.card).toBe(2 ** 29);
    expect(show({cards: 8}).result.serving?.card).toBe(2 ** 27);
    expect(show({cards: 16}).result.serving?.card).toBe(2 ** 27);
    expect(problemOf({cards: 3})).toBe(
      '3张卡分不匀8个键值头：卡数应是它的约数或倍数。图仍是上一次的。',
    );
    expect(problemOf({model: 'anchor-model', cards: 5})).toContain('5张卡分不匀4个键值头');
  });

  it('shows what an engine takes and the line of its log', async () => {
    // 57.0425
    const vllm = show({weights: 'bf16', engine: 'vllm'});
    expect(vllm.result.serving?.taken).toEqual({total: 2 ** 30, block: 16});
    expect(bare(await vllm.draw())).toContain(
      '<code class="line">Maximum concurrency for 8,192 tokens per request: 57.04x</code>',
    );
    // 8,200 tokens are 33 times 256 cells: 8,448 · 131,072 B = 1,056 MiB.
    expect(show({context: 8200, engine: 'llama.cpp'}).result.serving?.log[0]).toMatch(
      /^size = 1056\.00 MiB \( *8448 cells, +32 layers/,
    );
  });

  it('keeps a common beginning once, at most the whole context', () => {
    // 3 · 4,096 · 131,072 B
    expect(show({batch: 4, prefix: 4096}).result.serving?.saved).toBe(1610612736);
    expect(show({batch: 4, prefix: 2 ** 30}).result.serving?.saved).toBe(3 * 2 ** 30);
  });

  it('takes a size where the parameters are not counted', () => {
    expect(problemOf({model: 'deepseek-v3', weights: 'fp8'})).toContain('数不出有多少个参数');
    const {serving} = show({model: 'deepseek-v3', weights: 'size', size: 0.5}).result;
    expect(serving).toMatchObject({weights: 2 ** 29, parameters: null});
  });

  it('says so where weights alone do not fit', async () => {
    const {draw, result, state} = show({weights: 'fp32', memory: 24});
    expect(result).toMatchObject({sequences: 0, fits: -1});
    const drawn = bare(await draw());
    expect(drawn).toContain('权重和激活已经放不下');
    expect(drawn).toContain('✗ 24 GiB放不下权重和激活');
    expect(drawn + AttnKvCache.spec.says(state, result)).not.toMatch(/NaN|Infinity|undefined/);
  });

  it('reads values with scales: 34 bytes for 32 values, 18, 4.5 bits', async () => {
    // 65,536 values a token.
    const perToken = (dtype: (typeof FORMATS)[number]) => show({dtype}).result.growing_per_token;
    expect(perToken('q8_0')).toBe((65536 * 34) / 32);
    expect(perToken('q4_0')).toBe((65536 * 18) / 32);
    expect(perToken('nvfp4')).toBe((65536 * 4.5) / 8);
    // A scale of 4 B for each head's keys and values: 32 layers · 8 · 2.
    expect(perToken('fp8_per_head')).toBe(65536 + 4 * 512);
    expect(bare(await show({dtype: 'q8_0'}).draw())).toContain(
      '32层，8个头 × (128 + 128)个数，连同缩放系数每词元69,632 B（68 KiB）',
    );
  });

  it('gives the same digits as the command', () => {
    const asks: (Partial<KvCacheState> & {args: string[]})[] = [
      {cards: 4, batch: 3, weights: 'fp8', args: ['--cards', '4', '--weights', 'fp8']},
      {engine: 'vllm', weights: 'size', size: 20, args: ['--engine', 'vllm', '--weights', '20GiB']},
      {engine: 'llama.cpp', dtype: 'q8_0', args: ['--engine', 'llama.cpp', '--dtype', 'q8_0']},
      {engine: 'sglang', batch: 9, prefix: 500, args: ['--engine', 'sglang', '--prefix', '500']},
    ];
    for (const model of IDS)
      for (const {args, ...patch} of asks) {
        const {batch = 1, weights = 'none', cards = 1} = patch;
        const counted = content.models.find(({id}) => id === model)?.parameters !== undefined;
        if (weights === 'fp8' && !counted) continue;
        const all = [`lessons/models/${model}.json`, '--context', '9000', '--batch', `${batch}`];
        const {card, engine, budget, saved_by_prefix} = JSON.parse(
          execFileSync('build/native/attn_cache', [...all, '--memory', '80', '--json', ...args], {
            cwd: root,
            encoding: 'utf8',
          }),
        ) as Record<string, Record<string, unknown> | undefined>;
        const {serving, sequences, fits} = show({model, context: 9000, ...patch}).result;
        const {memory, weights: held, reserve, available} = serving!;
        expect(
          {memory, weights: held, reserve, available, sequences, longest_context: fits},
          `${model} ${args.join(' ')}`,
        ).toEqual(budget);
        if (cards > 1) expect(serving?.card).toBe(card?.['total']);
        if (engine)
          expect(serving?.taken).toMatchObject({block: engine['block'], total: engine['total']});
        if (patch.prefix) expect(serving?.saved).toBe(saved_by_prefix);
      }
  });
});
