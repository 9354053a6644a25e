import {execFileSync} from 'node:child_process';
import {readdirSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {beforeAll, describe, expect, it} from 'vitest';
import type {Cache} from '../../web/cache.js';
import {AttnKvCache} from '../../web/elements/attn-kv-cache.js';
import type {KvCacheState} from '../../web/elements/attn-kv-cache/state.js';
import {FORMATS, type Format} from '../../web/shared/value-formats.js';
import type {ModelsContent} from '../../web/shared/content.js';
import {composeFigure} from '../../web/site/figures.js';
import {readFields} from '../../web/shared/link.js';
import type {Resources} from '../../web/shared/runtime.js';
import {shownWidget} from './drawn-widget.js';
import {contentOf, problemIn, textOf} from './kv-models.js';
import {resourcesFromBuild} from './load-core.js';

const {spec} = AttnKvCache;
const root = fileURLToPath(new URL('../../', import.meta.url));

let resources: Resources;
let cache: Cache;
let content: ModelsContent;
beforeAll(async () => {
  resources = await resourcesFromBuild();
  ({cache} = resources);
  const ids = readdirSync(`${root}lessons/models`)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.replace('.json', ''));
  content = contentOf(cache, ids);
});

const readable = () =>
  content.models.filter((entry) => !('refused' in entry.cache)).map(({id}) => id);

const show = (patch: Partial<KvCacheState> = {}) => shownWidget(resources, spec, patch, content);

const bare = (markup: string) => markup.replace(/<!--.*?-->/gs, '');
const problemOf = (patch: Partial<KvCacheState>) => problemIn(() => show(patch));

describe('attn-kv-cache: bytes', () => {
  it('counts the course’s model by hand', async () => {
    // 16 layers · 4 heads · (256 + 256) · 2 B = 65,536 B a token; 48 · 3 MiB = 144 MiB =
    // 150,994,944 B stay. 65,536 · 32,768 + 150,994,944 = 2,147,483,648 + 150,994,944 =
    // 2,298,478,592.
    const {result, says, draw} = show({model: 'anchor-model', context: 32768});
    expect(result).toMatchObject({
      total: 2298478592,
      growing_per_token: 65536,
      within_window_per_token: 65536,
      constant: 150994944,
    });
    expect(says).toBe(
      'Qwen3.8-27B读到32,768个词元，1条序列，BF16：缓存共2,298,478,592 B（2.14 GiB）。每多一个词元加65,536 B（64 KiB）。',
    );
    const drawn = bare(await draw());
    expect(drawn).toContain('16层 × 4头 × (256 + 256) × 2 B ＝ 每词元65,536 B（64 KiB）');
    expect(drawn).toContain('65,536 × 32,768 + 150,994,944 ＝ 2,298,478,592 B（2.14 GiB）');
  });

  it('says that the bytes of a token are not constant in a model with windows', async () => {
    // gpt-oss-20b: 24 layers · 8 · (64 + 64) · 2 B = 49,152 while the windows fill, and half of it
    // beyond 128 tokens.
    const within = show({model: 'gpt-oss-20b', context: 100});
    expect(within.result).toMatchObject({growing_per_token: 49152, total: 4915200});
    expect(within.says).toContain('不是一个常数');
    const beyond = show({model: 'gpt-oss-20b', context: 4096});
    expect(beyond.says).toContain(
      '窗口都没满时，每多一个词元加49,152 B（48 KiB）；现在只加24,576 B（24 KiB）',
    );
    expect(bare(await beyond.draw())).toContain('24,576 × 128 + 24,576 × 4,096');
  });

  it('multiplies by the batch and accepts another format', () => {
    const one = show({model: 'llama-3.1-8b', context: 1000}).result;
    expect(show({model: 'llama-3.1-8b', context: 1000, batch: 7}).result.total).toBe(
      7 * Number(one.total),
    );
    expect(show({model: 'llama-3.1-8b', context: 1000, dtype: 'fp32'}).result.total).toBe(
      2 * Number(one.total),
    );
    expect(show({model: 'llama-3.1-8b', context: 1000, dtype: 'int4'}).result.total).toBe(
      Number(one.total) / 4,
    );
  });

  it('is exact for sizes beyond the precision of a JavaScript number', () => {
    // 524,288 B · (2³⁰ − 1) · 13,107 sequences passes 2⁵³ and stays below 2⁶³.
    const {result} = show({
      model: 'llama-2-7b',
      context: 2 ** 30 - 1,
      batch: 13107,
      memory: 1,
      compare: [],
    });
    expect(result.total).toBe((524288n * (2n ** 30n - 1n) * 13107n).toString());
    expect(problemOf({model: 'llama-2-7b', context: 2 ** 30, batch: 2 ** 20})).toBe(
      '结果超过2⁶³ − 1字节，不再计算。',
    );
  });

  it('gives the same digits as the command line, for every model', () => {
    const asks: {context: number; batch: number; dtype: 'config' | Format}[] = [
      {context: 100, batch: 1, dtype: 'config'},
      {context: 131072, batch: 3, dtype: 'config'},
      {context: 5000, batch: 1, dtype: 'fp8'},
    ];
    for (const id of readable())
      for (const {context, batch, dtype} of asks) {
        const args = [
          `lessons/models/${id}.json`,
          '--context',
          `${context}`,
          '--batch',
          `${batch}`,
          '--json',
          '--lang',
          'en',
          ...(dtype === 'config' ? [] : ['--dtype', dtype]),
        ];
        const shell = JSON.parse(
          execFileSync('build/native/attn_cache', args, {cwd: root, encoding: 'utf8'}),
        ) as object;
        expect(
          show({model: id, context, batch, dtype, compare: []}).result,
          args.join(' '),
        ).toMatchObject(shell);
      }
  });

  it('accepts every format of the command line', () => {
    for (const dtype of FORMATS) {
      const args = [
        'lessons/models/llama-3.1-8b.json',
        '--context',
        '999',
        '--json',
        '--dtype',
        dtype,
      ];
      const {total} = JSON.parse(
        execFileSync('build/native/attn_cache', args, {cwd: root, encoding: 'utf8'}),
      ) as {total: number};
      expect(show({model: 'llama-3.1-8b', context: 999, dtype}).result.total, dtype).toBe(total);
    }
  });

  it('finds the longest context that fits', () => {
    for (const id of ['llama-3.1-8b', 'gpt-oss-20b', 'qwen3.5-27b']) {
      const {fits} = show({model: id, memory: 2, batch: 3}).result;
      const at = (context: number) => Number(show({model: id, context, batch: 3}).result.total);
      expect(at(Number(fits))).toBeLessThanOrEqual(2 * 2 ** 30);
      expect(at(Number(fits) + 1)).toBeGreaterThan(2 * 2 ** 30);
    }
    // 32 windows of 4,096 tokens are 512 MiB for any context.
    expect(show({model: 'mistral-7b-v0.1', memory: 1}).result.fits).toBe('any');
    expect(show({model: 'qwen3.5-27b', memory: 0.1}).result.fits).toBe(-1);
  });
});

describe('attn-kv-cache: other designs', () => {
  const designsOf = (model: string) =>
    Object.fromEntries(
      show({model, context: 1024}).result.designs.map(({name, own, perToken}) => [
        name,
        own ? `own ${perToken}` : perToken,
      ]),
    );

  it('compares caches of all, some or one of the heads, and of a latent vector', () => {
    // Per token: 16 layers · heads · 512 · 2 B; MLA 16 · 576 · 2 B.
    expect(designsOf('anchor-model')).toEqual({
      MHA: 393216,
      GQA: 'own 65536',
      MQA: 16384,
      MLA: 18432,
    });
    // 12 heads in groups of 2: 6 groups · 12 layers · 128 · 2 B.
    expect(designsOf('gpt2')).toEqual({MHA: 'own 36864', GQA: 18432, MQA: 3072, MLA: 13824});
    // 71 heads have no equal groups. 32 layers · 71 · 128 · 2 B.
    expect(designsOf('falcon-7b')).toEqual({MHA: 581632, MQA: 'own 8192', MLA: 36864});
    // Keys of 128 + 64 and values of 128: 61 layers · 128 heads · 320 · 2 B.
    expect(designsOf('deepseek-v3')).toEqual({
      MHA: 4997120,
      GQA: 312320,
      MQA: 39040,
      MLA: 'own 70272',
    });
  });

  it('leaves designs out for which the file has too few numbers', async () => {
    // The file does not state the number of query heads.
    expect(designsOf('deepseek-v2')).toEqual({MLA: 'own 69120'});
    expect(bare(await show({model: 'deepseek-v2'}).draw())).not.toContain('换一种存法');
  });
});

describe('attn-kv-cache: configs', () => {
  it('reads a pasted config or model file, with bare NaN and Infinity', () => {
    const whole = textOf('nemotron-h-56b');
    expect(whole).toContain('Infinity');
    const {result} = show({config: whole});
    // 10 layers · 8 · 256 · 2 B
    expect(result).toMatchObject({name: '粘贴的配置', growing_per_token: 40960});
    const alone = '{"n_layer": 2, "n_head": 4, "n_embd": 64, "x": NaN}';
    expect(show({config: alone}).result).toMatchObject({growing_per_token: 512, ignored: ['x']});
  });

  it('refuses in Chinese, with the field', () => {
    expect(problemOf({config: '{"num_hidden_layers": 2,'})).toBe(
      '不是合法的JSON：到第1行第25列就断了，后面还缺内容。应为：合法的JSON。图仍是上一次的。',
    );
    expect(problemOf({config: '{"num_attention_heads": 2, "head_dim": 8}'})).toContain(
      'num_hidden_layers；文件里没有写',
    );
    expect(
      problemOf({config: '{"n_layer": 2, "n_head": 1, "head_dim": 8, "mamba_flavour": 1}'}),
    ).toContain('没有见过mamba_flavour这个键');
    // The sentence has the value, the reason and the allowed values.
    expect(problemOf({config: '{"n_layer": 2, "n_head": 32, "hidden_size": 4100}'})).toBe(
      'hidden_size是4100，不能被n_head（32）整除。应为：32的倍数，或另外写明head_dim。图仍是上一次的。',
    );
    expect(problemOf({config: '{"n_layer": "2", "n_head": 1, "head_dim": 8}'})).toBe(
      'n_layer是"2"，类型不对。应为：一个数。图仍是上一次的。',
    );
    expect(problemOf({config: '{"model_type": "mamba", "n_layer": 2, "hidden_size": 8}'})).toBe(
      '模型没有注意力层；它存的是大小不变的循环状态，不是KV缓存。图仍是上一次的。',
    );
    expect(problemOf({config: '[1]'})).toContain('一个对象');
    expect(problemOf({model: 'deepseek-v4-flash'})).toBe(
      'DeepSeek-V4-Flash：compress_ratios把几个词元压成一项缓存，每一项有多大，这里还不会算。图仍是上一次的。',
    );
    expect(problemOf({model: 'gpt-9'})).toContain('没有收「gpt-9」');
    expect(problemOf({compare: ['gpt-9']})).toContain('没有收「gpt-9」');
  });

  it('shows assumptions, variants and ignored keys', async () => {
    const drawn = bare(await show({model: 'gpt-oss-20b'}).draw());
    expect(drawn).toContain('<code>torch_dtype</code> ＝ bfloat16：没有写可用于缓存的数值格式');
    // An engine without windows keeps every token in all 24 layers: 49,152 · 32,768.
    expect(drawn).toContain('推理引擎不截窗口，每个词元都留着：1,610,612,736 B（1.5 GiB）');
    expect(
      bare(await show({config: '{"n_layer": 2, "n_head": 4, "n_embd": 64, "colour": 1}'}).draw()),
    ).toContain('没有用到的键（1）');
  });

  it('lists doubtful keys before any number, until the reader dismisses them', async () => {
    const config = '{"n_layer": 2, "n_head": 4, "n_embd": 64, "attention_flavour": 1}';
    const doubted = show({config});
    expect(bare(await doubted.draw())).toContain('<code>attention_flavour</code> ＝ 1：没有见过');
    const dismissed = show({config, ignore: ['attention_flavour']});
    expect(bare(await dismissed.draw())).not.toContain('attention_flavour</code>');
    expect(dismissed.result.total).toBe(doubted.result.total);
  });
});

describe('attn-kv-cache: pictures', () => {
  it('draws every model without NaN, in binary units only', async () => {
    for (const id of readable())
      for (const context of [1, 32768, 2 ** 30]) {
        const {draw, says, table, result, state} = show({model: id, context});
        const drawn = bare(await draw());
        const text = drawn + says + JSON.stringify(table);
        expect(text, id).not.toMatch(/NaN|Infinity|undefined|\[object/);
        expect(text, id).not.toMatch(/\d\s?[KMGT]B\b/);
        expect(JSON.parse(JSON.stringify(result)), id).toEqual(result);
        expect(
          composeFigure(drawn, {title: spec.tag, description: spec.says(state, result)}),
        ).toContain('</svg>');
      }
  });

  it('draws one block per layer, in the file’s order', async () => {
    // Every sixth of 30 layers is full.
    const drawn = bare(await show({model: 'gemma-4-26b-a4b', compare: []}).draw());
    const strip = /<svg[^>]*data-figure[^>]*逐层存什么[^]*?第1层/.exec(drawn)?.[0] ?? '';
    const fills = [...strip.matchAll(/<rect x="[\d.]+%"[^>]*fill="([^"]+)"/g)]
      .map(([, fill]) => (fill === 'var(--weight)' ? 'F' : 'w'))
      .join('');
    expect(fills).toBe('wwwwwF'.repeat(5));
  });

  it('names up to four models once each, and draws a plain cache with slope 1', () => {
    const {curves} = show({
      model: 'llama-3.1-8b',
      compare: ['llama-3.1-8b', 'gpt2', 'deepseek-v3'],
    }).result;
    expect(curves.map(({name}) => name)).toEqual(['Llama-3.1-8B', 'GPT-2', 'DeepSeek-V3']);
    for (const {points} of curves)
      for (const [i, {total}] of points.entries())
        expect(Number(total)).toBe(2 ** i * Number(points[0]?.total));
  });

  it('reads its attributes and falls back to defaults for unknown ones', () => {
    const attributes: Record<string, string> = {
      model: 'gpt2',
      context: '１０２４',
      batch: '0',
      dtype: 'BF16',
      compare: 'gpt2，deepseek-v3',
      memory: '24',
    };
    const {state, problem} = readFields(spec.schema, (key) => attributes[key] ?? null);
    expect(state).toMatchObject({
      model: 'gpt2',
      context: 1024,
      batch: 1,
      dtype: 'bf16',
      compare: ['gpt2', 'deepseek-v3'],
      memory: 24,
    });
    expect(problem?.message).toBe('batch：这里最小是1。');
    expect(
      readFields(spec.schema, (key) => (key === 'compare' ? 'a,b,c,d' : null)).problem?.message,
    ).toContain('最多再画3个');
  });
});
