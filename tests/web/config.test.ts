import {execFileSync, spawnSync} from 'node:child_process';
import {readdirSync, readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {beforeAll, describe, expect, it} from 'vitest';
import {loadCache, type Cache, type ModelCache} from '../../web/cache.js';
import {CoreError} from '../../web/core.js';
import words from '../../lessons/data/cache-words.json';
import {refusalSentence} from '../../web/shared/cache-json.js';
import {ConfigTextError, decodedText, parseConfig} from '../../web/config-json.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const models = readdirSync(`${root}lessons/models`)
  .filter((name) => name.endsWith('.json'))
  .sort();

let cache: Cache;
beforeAll(async () => {
  cache = await loadCache({wasmBinary: readFileSync(`${root}build/wasm/attn_cache.wasm`)});
});

const configOf = (file: string) =>
  (parseConfig(readFileSync(`${root}lessons/models/${file}`, 'utf8')) as {config: unknown}).config;

const read = (config: unknown): ModelCache => {
  const result = cache.readConfig(config);
  if ('refused' in result)
    throw new Error(`refused ${result.refused.field}: ${result.refused.reason}`);
  return result;
};

/** The output of the command-line program, as a script sees it. */
function inTheShell(file: string, context: number) {
  const args = [`lessons/models/${file}`, '--context', String(context), '--json', '--lang', 'zh'];
  try {
    return {
      status: 0,
      json: JSON.parse(
        execFileSync('build/native/attn_cache', args, {cwd: root, encoding: 'utf8'}),
      ),
    };
  } catch (error) {
    const {status, stdout} = error as {status: number; stdout: string};
    return {status, json: JSON.parse(stdout)};
  }
}

describe('readConfig', () => {
  it('reads a layout with the key of every number', () => {
    const cache = read({
      model_type: 'anything',
      num_hidden_layers: 2,
      num_attention_heads: 4,
      num_key_value_heads: 2,
      hidden_size: 64,
      torch_dtype: 'bfloat16',
      colour: 'red',
    });
    expect(cache.layout).toEqual([{kind: 'full', layers: 2, heads: 2, kWidth: 16, vWidth: 16}]);
    expect(cache.layerKinds).toEqual([0, 0]);
    expect(cache).toMatchObject({
      dtype: 'bfloat16',
      bytesPerValue: 2,
      layers: 2,
      heads: 4,
      maxContext: 0,
      ignored: ['colour'],
    });
    expect(cache.sources).toContainEqual({
      kind: 0,
      field: 'kWidth',
      path: 'hidden_size / num_attention_heads',
    });
    expect(cache.assumed.map(({code, field, value}) => ({code, field, value}))).toEqual([
      {code: 'derived_head_dim', field: 'head_dim', value: '16'},
    ]);
  });

  it('names the field when it refuses', () => {
    expect(cache.readConfig({n_layer: 2, mamba_flavour: 1, n_head: 1, head_dim: 8})).toEqual({
      refused: {
        code: 'unknown_kind',
        reason: 'unknown_state_key',
        field: 'mamba_flavour',
        value: '1',
        other: '',
        detail: '',
      },
    });
    expect(cache.readConfig(null)).toMatchObject({refused: {code: 'type', field: ''}});
    expect(cache.readConfig(parseConfig('{"num_hidden_layers": NaN}'))).toMatchObject({
      refused: {code: 'range', reason: 'not_in_range', field: 'num_hidden_layers', value: 'NaN'},
    });
  });

  it('lists a key that could matter as doubtful, and ignores it on request', () => {
    const config = {n_layer: 2, attention_flavour: 1, n_head: 1, head_dim: 8};
    const doubted = read(config);
    expect(doubted.doubts).toEqual([{code: 'unknown_key', field: 'attention_flavour', value: '1'}]);
    const ignored = cache.readConfig(config, ['attention_flavour']);
    expect(ignored).toEqual({...doubted, doubts: []});
  });

  it('refuses a circular object', () => {
    const endless: Record<string, unknown> = {};
    endless.inner = endless;
    expect(() => cache.readConfig(endless)).toThrow(CoreError);
  });

  it('has a text for every code', () => {
    for (const file of models) {
      const result = cache.readConfig(configOf(file));
      if ('refused' in result) {
        expect(words.refused).toHaveProperty(result.refused.reason);
        continue;
      }
      for (const {kind} of result.layout) expect(words.kinds).toHaveProperty(kind);
      for (const {code} of result.assumed) expect(words.assumed).toHaveProperty(code);
      for (const {code} of result.variants) expect(words.variants).toHaveProperty(code);
    }
  });
});

describe('page and shell', () => {
  it.each(models)('agree on %s', (file) => {
    const context = 5000;
    const {status, json} = inTheShell(file, context);
    const read = cache.readConfig(configOf(file));
    if ('refused' in read) {
      const {code, field, value} = read.refused;
      expect(status).toBe(2);
      expect(json.refused).toMatchObject({code, field, value});
      expect(refusalSentence(words.refused, read.refused)).toContain(json.refused.reason);
      return;
    }
    const bytes = cache.cacheBytes(read.layout, {
      context,
      batch: 1,
      bytesPerValue: read.bytesPerValue,
    });
    expect(status).toBe(0);
    expect(json).toMatchObject({
      total: Number(bytes.total),
      growing_per_token: Number(bytes.growingPerToken),
      within_window_per_token: Number(bytes.withinWindowPerToken),
      constant: Number(bytes.constant),
      dtype: read.dtype,
    });
    expect(
      json.kinds.map((kind: {bytes_per_token: number}) => BigInt(kind.bytes_per_token)),
    ).toEqual(bytes.kinds.map((kind) => kind.bytesPerToken));
    expect(json.assumed.map((assumption: {field: string}) => assumption.field)).toEqual(
      read.assumed.map(({field}) => field),
    );
    expect(json.variants.map((variant: {total: number}) => BigInt(variant.total))).toEqual(
      read.variants.map(
        ({layout, bytesPerValue}) =>
          cache.cacheBytes(layout, {context, batch: 1, bytesPerValue}).total,
      ),
    );
  });

  it('write large sizes as decimal strings', () => {
    // 61 layers · 576 values · 2 B · 2⁴⁰ tokens
    const {json} = inTheShell('deepseek-v3.json', 2 ** 40);
    expect(json.total).toBe(String(70272n << 40n));
  });
});

describe('longestContext', () => {
  const full = [{kind: 'full' as const, layers: 16, heads: 4, kWidth: 256, vWidth: 256}];
  const query = {context: 0, batch: 1, bytesPerValue: 2};

  it('fits the budget', () => {
    expect(cache.longestContext(full, query, 2 ** 34)).toBe(262144n);
  });

  it('is null for a cache that stops growing, and −1 where nothing fits', () => {
    expect(
      cache.longestContext([{...full[0]!, kind: 'window', window: 1}], query, 2 ** 34),
    ).toBeNull();
    expect(cache.longestContext([{kind: 'state', layers: 1, stateBytes: 10}], query, 9)).toBe(-1n);
  });
});

describe('npm run cache', () => {
  const program = (...args: string[]) => {
    const {status, stdout, stderr} = spawnSync('build/native/attn_cache', args, {
      cwd: root,
      encoding: 'utf8',
      env: {LANG: 'zh_CN.UTF-8'},
    });
    return {status, stdout, stderr};
  };

  it('prints a text with its assumptions and the variants of engines', () => {
    const {status, stdout} = program(
      'lessons/models/mistral-7b-v0.1.json',
      '--context',
      '4096',
      '--batch',
      '2',
    );
    expect(status).toBe(0);
    // 32 layers · 8 heads · 256 values · 2 B = 131,072 B a token, 4,096 tokens, 2 sequences: 1 GiB.
    expect(stdout).toContain('1,073,741,824 B（1 GiB）');
    expect(stdout).toContain('窗口都没满时每个词元：131,072 B（128 KiB）');
    expect(stdout).toContain('layer_types = sliding_attention');
    expect(stdout).toContain('推理引擎不截窗口');
  });

  it('accepts another format than the file’s', () => {
    const bytes = (dtype: string) => {
      const {stdout} = program(
        'lessons/models/llama-3.1-8b.json',
        '--context',
        '1',
        '--dtype',
        dtype,
        '--json',
      );
      return JSON.parse(stdout).total;
    };
    expect(['fp32', 'bf16', 'fp8', 'int4'].map(bytes)).toEqual([262144, 131072, 65536, 32768]);
  });

  it('ends with 2 where the config is refused, and with 1 where the command is wrong', () => {
    const refused = program('lessons/models/deepseek-v4-flash.json', '--context', '1');
    expect(refused).toMatchObject({status: 2, stdout: ''});
    expect(refused.stderr).toContain('compress_ratios');
    expect(program('no-such-file.json', '--context', '1').status).toBe(2);
    // A folder can be opened like a file, but not read.
    expect(program('lessons/models', '--context', '1', '--json')).toMatchObject({
      status: 2,
      stderr: '',
    });
    expect(program('README.md', '--context', '1', '--json')).toMatchObject({status: 2});
    const model = 'lessons/models/gpt2.json';
    for (const args of [
      [],
      [model],
      [model, '--context', '-1'],
      [model, '--context', '1', '--batch', '0'],
      [model, '--context', '1', '--dtype', 'fp9'],
    ]) {
      expect(program(...args).status).toBe(1);
    }
  });
});

describe('parseConfig', () => {
  it('accepts bare NaN and Infinity, and does not change strings', () => {
    expect(parseConfig('{"a": [NaN, Infinity, -Infinity, -1], "NaN": "NaN, \\"Infinity"}')).toEqual(
      {
        a: [NaN, Infinity, -Infinity, -1],
        NaN: 'NaN, "Infinity',
      },
    );
  });

  it('refuses text that is not JSON', () => {
    for (const text of ['', '{', 'NaNs', '[Infinity2]', "{'a': 1}"])
      expect(() => parseConfig(text)).toThrow(ConfigTextError);
  });

  const refusalOf = (text: string) => {
    try {
      parseConfig(text);
    } catch (error) {
      if (error instanceof ConfigTextError) return error.refusal;
      throw error;
    }
    return null;
  };

  it('gives line and column, as the command does', () => {
    for (const [text, line, column, found] of [
      ['{\n  "a": ?\n}', '2', '8', '?'],
      ['{"a": NaN, "b": ?}', '1', '17', '?'],
      ['{"注": 错}', '1', '7', '错'],
      ['[1,]', '1', '4', ']'],
      ["{'a': 1}", '1', '2', "'"],
    ] as const)
      expect(refusalOf(text), text).toMatchObject({
        code: 'not_json',
        reason: 'syntax',
        value: line,
        other: column,
        detail: found,
      });
    expect(refusalOf('{"a": [1')).toMatchObject({reason: 'cut_off', value: '1', other: '9'});
  });

  it('names a key that is given twice', () => {
    expect(refusalOf('{"a": [{"x": {"b": 1, "b": 2}}]}')).toMatchObject({
      code: 'contradiction',
      reason: 'repeated_key',
      field: 'a.x.b',
    });
  });

  it('refuses deep nesting and long texts without a stack overflow', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(refusalOf(nested(64))).toBeNull();
    for (const levels of [65, 5000, 1_000_000])
      expect(refusalOf(nested(levels))).toMatchObject({
        code: 'too_large',
        reason: 'nested_too_deep',
        detail: '64',
      });
    expect(refusalOf(' '.repeat(2 ** 23 + 1))).toMatchObject({
      code: 'too_large',
      reason: 'file_too_large',
      value: '8388609',
    });
  });

  it('reads byte-order marks and UTF-16 of either order', () => {
    const text = '{"键": "值😀"}';
    const little = Uint8Array.from(Buffer.from(text, 'utf16le'));
    const big = Uint8Array.from(Buffer.from(text, 'utf16le').swap16());
    const utf8 = Uint8Array.from(Buffer.from(text));
    for (const bytes of [
      utf8,
      Uint8Array.of(0xef, 0xbb, 0xbf, ...utf8),
      Uint8Array.of(0xff, 0xfe, ...little),
      Uint8Array.of(0xfe, 0xff, ...big),
      little,
      big,
    ])
      expect(decodedText(bytes)).toBe(text);
    expect(parseConfig(`\uFEFF${text}`)).toEqual({键: '值😀'});
  });

  it('reads a hundred thousand keys', () => {
    const keys = Array.from({length: 100_000}, (_, i) => `"key${i}_state": 1`);
    const text = `{${keys.join(', ')}, "n_layer": 1, "n_head": 1, "head_dim": 1}`;
    expect(read(parseConfig(text)).doubts).toHaveLength(1000);
  });
});
