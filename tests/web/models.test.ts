import {readdirSync, readFileSync} from 'node:fs';
import {beforeAll, describe, expect, it} from 'vitest';
import {loadCache, type Cache} from '../../web/cache.js';
import {readData} from '../../web/site/data-files.js';
import {modelNumbers, type Model} from '../../web/site/model-numbers.js';
import {modelPages, modelsTable} from '../../web/site/models.js';
import type {NumberSpec} from '../../web/site/numbers.js';

let cache: Cache;
let models: Model[];
let numbers: Record<string, NumberSpec>;
beforeAll(async () => {
  cache = await loadCache({wasmBinary: readFileSync('build/wasm/attn_cache.wasm')});
  models = readdirSync('lessons/models')
    .filter((name) => name.endsWith('.json'))
    .map((name) => {
      const file = readData(`lessons/models/${name}`, 'test');
      const {model, config} = file.value as {model: string; config: Record<string, unknown>};
      const id = name.replace('.json', '');
      return {id, model, cache: cache.readConfig(config), file: {id, model, config, file}};
    });
  numbers = Object.assign({}, ...models.map((model) => modelNumbers(cache, model))) as Record<
    string,
    NumberSpec
  >;
});

const value = (name: string) => Number(numbers[name]?.value);

describe('the models’ numbers', () => {
  it('are those of the config, worked by hand', () => {
    // 25 layers · 8 heads · (256 + 256) · 2 B = 204,800, and 5 · 2 · (512 + 512) · 2 B = 20,480.
    expect(value('gemma-4-26b-a4b.within')).toBe(225280);
    expect(value('gemma-4-26b-a4b.growing')).toBe(20480);
    expect(value('gemma-4-26b-a4b.kind0.token')).toBe(204800);
    // 48 · 3 MiB of states, and 48 · 61,440 B of convolution tails.
    expect(value('qwen3.5-27b.constant')).toBe(144 * 2 ** 20 + 48 * 61440);
    // 61 · (512 + 64) · 2 B, and 61 index keys of 128 · 2 B or 128 B.
    expect(value('deepseek-v3.2.growing')).toBe(70272 + 61 * 256);
    expect(value('deepseek-v3.2.variant0.token')).toBe(70272 + 61 * 128);
    // A cache with windows only stops growing.
    expect(value('mistral-7b-v0.1.growing')).toBe(0);
    expect(numbers['gpt-oss-20b.growing']?.formula).toBe('12层 × 8头 × (64 + 64) × 2 B');
  });

  it('are for the published context, and mark a context that the config lacks', () => {
    // 32 layers · 2 · 1 head · 64 · 2 B = 8,192 B a token, at 2,048 tokens 16 MiB.
    expect(value('falcon-7b.total')).toBe(16 * 2 ** 20);
    // 95 layers · 2 · 8 heads · 128 · 2 B = 389,120 B a token, at 4,096 tokens 1.484 GiB.
    expect(value('deepseek-llm-67b.total')).toBe(389120 * 4096);
    // 60 layers · (512 + 64) · 2 B = 69,120 B a token, at 163,840 tokens 10.547 GiB.
    expect(value('deepseek-v2.total')).toBe(69120 * 163840);
    const marked = modelsTable(models, numbers)
      .split('\n')
      .filter((line) => line.includes('按公布的长度'));
    expect(marked).toHaveLength(4);
    expect(numbers['falcon-7b.context']?.inputs[0]?.source).toContain('模型卡');

    // A length without a published source is marked as assumed, in the cell and on the page.
    const falcon = models.find(({id}) => id === 'falcon-7b')!;
    const withoutContext = {...(falcon.file.file.value as object), context: undefined};
    const bare = {
      ...falcon,
      file: {...falcon.file, file: {...falcon.file.file, value: withoutContext}},
    };
    expect(modelsTable([bare], modelNumbers(cache, bare))).toContain('（没有公布，假设的）');
    expect(modelNumbers(cache, bare)['falcon-7b.context']?.kind).toBe('teaching');
  });

  it('name keys of the file', () => {
    for (const {file, ...model} of models)
      for (const [name, {inputs}] of Object.entries(modelNumbers(cache, {...model, file}))) {
        expect(inputs.length, name).toBeGreaterThan(0);
        for (const {source} of inputs.filter((input) => input.source.includes(' · '))) {
          const [path, keys = ''] = source.split(' · ');
          expect(path, name).toBe(file.file.path);
          for (const key of keys.split(/ [*+/] /)) {
            const found = key
              .split(/\.|\[|\]\.?/)
              .filter(Boolean)
              .reduce<unknown>(
                (at, part) => (at as Record<string, unknown> | undefined)?.[part],
                file.config,
              );
            expect(found, `${name}: ${key}`).not.toBeUndefined();
          }
        }
      }
  });
});

describe('the models’ pages', () => {
  it('exist for every model, and print only defined numbers', async () => {
    const pages = await modelPages(cache, models);
    expect(pages.map(({path}) => path)).toEqual(models.map(({id}) => `models/${id}/index.md`));
    for (const {path, markdown, data} of pages) {
      const used = [...(markdown + data.lead).matchAll(/\{num ([\w.-]+)\}/g)].map(
        ([, id]) => id ?? '',
      );
      for (const id of used) expect(numbers[id], `${path}: ${id}`).toBeDefined();
      expect(markdown).not.toMatch(/NaN|undefined|\[object/);
    }
  });

  it('give the reason for a refused config, and no numbers', async () => {
    const page = (await modelPages(cache, models)).find(({path}) =>
      path.includes('deepseek-v4-flash'),
    );
    expect(page?.markdown).toContain(
      'compress_ratios把几个词元压成一项缓存，每一项有多大，这里还不会算。',
    );
    expect(page?.markdown).not.toContain('{num');
  });

  it('are compared in one table, ordered by the bytes of a token', () => {
    const [, text = ''] = modelsTable(models, numbers).split('<details');
    const growing = [...text.matchAll(/\{num ([\w.-]+)\.growing\}/g)].map(([, id]) =>
      value(`${id}.growing`),
    );
    expect(growing).toHaveLength(models.filter((model) => !('refused' in model.cache)).length);
    expect(growing).toEqual([...growing].sort((a, b) => a - b));
    for (const {id} of models) expect(text).toContain(`/models/${id}/index.html`);
  });

  /** Each row of the chart by its model: its class, and what the marks' places are. */
  const chartRows = () =>
    new Map(
      modelsTable(models, numbers)
        .split('<li class="')
        .flatMap((row) => {
          const id = /models\/([\w.-]+)\/index\.html/.exec(row.split('</li>')[0] ?? '')?.[1];
          const marks = [...row.matchAll(/<svg x="([\d.]+)%"/g)].map(([, x]) => Number(x));
          const place = (order: string) => Number(RegExp(`data-${order}="(\\d+)"`).exec(row)?.[1]);
          return id ? [[id, {kind: row.split('"')[0], marks, place}] as const] : [];
        }),
    );

  it('are drawn in one chart, by mechanism', () => {
    const rows = chartRows();
    expect(rows.size).toBe(models.filter((model) => !('refused' in model.cache)).length);
    // 32 of 32 heads; 8 of 32; 1 of 71; a latent vector; windows in half the layers; Mamba layers.
    const published = {
      'llama-2-7b': 'mha',
      'llama-3.1-8b': 'gqa',
      'falcon-7b': 'mqa',
      'deepseek-v3': 'mla',
      'gpt-oss-20b': 'window',
      'nemotron-h-56b': 'state',
    };
    for (const [id, kind] of Object.entries(published)) expect(rows.get(id)?.kind, id).toBe(kind);
  });

  it('have their dots on a logarithmic axis, with zero apart', () => {
    const rows = chartRows();
    const x = (id: string, i = 0) => rows.get(id)?.marks.at(-1 - i) ?? NaN;
    // 8, 64 and 512 KiB are equally far apart: the axis goes by factors.
    expect(x('qwen3.5-27b') - x('falcon-7b')).toBeCloseTo(x('llama-2-7b') - x('qwen3.5-27b'), 1);
    // Windows only: nothing grows once they are full. Before that, 128 KiB as Llama-3.1-8B.
    expect(x('mistral-7b-v0.1')).toBeLessThan(x('gemma-3-1b'));
    expect(x('mistral-7b-v0.1', 1)).toBe(x('llama-3.1-8b'));
    for (const {marks} of rows.values())
      for (const at of marks) expect(at).toBeGreaterThanOrEqual(0);
  });

  it('have one place each in every order of the chart', () => {
    const rows = [...chartRows().values()];
    const every = rows.map((_, i) => i);
    for (const order of ['up', 'down', 'mechanism', 'name'])
      expect(rows.map(({place}) => place(order)).sort((a, b) => a - b)).toEqual(every);
    const byMechanism = [...rows].sort((a, b) => a.place('mechanism') - b.place('mechanism'));
    const kinds = byMechanism.map(({kind}) => kind);
    expect([...new Set(kinds)]).toEqual(kinds.filter((kind, i) => kind !== kinds[i - 1]));
  });
});
