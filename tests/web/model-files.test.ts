// A mistake in a file of lessons/models stops the build with path, line and a whole sentence.
import {cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {loadCache, type Cache} from '../../web/cache.js';
import {modelNumbers} from '../../web/site/model-numbers.js';
import {Course} from '../../web/site/course.js';
import {modelFile, readModel} from '../../web/site/model-files.js';
import {resourcesFromBuild} from './load-core.js';

const MODELS = 'lessons/models';

let cache: Cache;
let folder: string;
beforeAll(async () => {
  cache = await loadCache({wasmBinary: readFileSync('build/wasm/attn_cache.wasm')});
  folder = mkdtempSync(join(tmpdir(), 'attn-models-'));
});
afterAll(() => rmSync(folder, {recursive: true, force: true}));

/** Reads a file with the text. */
function read(text: string) {
  writeFileSync(join(folder, 'model.json'), text);
  const model = readModel(cache, modelFile('model', '第8课', folder), '第8课');
  modelNumbers(cache, model);
  return model;
}

/** The mistake's message without the folder's name. */
function mistake(text: string): string {
  try {
    read(text);
  } catch (error) {
    return (error as Error).message.replace(`${folder}/`, '');
  }
  return '';
}

const good = (config: string, more = '') => `{
  "model": "M",
  "origin": "手写",${more}
  "config": {
    ${config}
  },
  "provenance": {}
}`;
const WHOLE = `"num_hidden_layers": 64,
    "num_attention_heads": 24,
    "head_dim": 256,
    "num_full_attention_layers": 16,
    "num_linear_attention_layers": 48,
    "linear_attention_state_bytes_total": 150994944`;

describe('a file of a model', () => {
  it('is read if it is correct', () => {
    expect(mistake(good(WHOLE))).toBe('');
  });

  it('with a contradictory config is reported in a sentence, at the line of the first key', () => {
    // Line 8 has num_full_attention_layers. 15 + 48 = 63.
    expect(mistake(good(WHOLE.replace('16', '15')))).toBe(
      'model.json:8: num_full_attention_layers与num_linear_attention_layers加起来是63，' +
        '模型却有64层。应为：合计64。（第8课需要它）',
    );
    // 24 query heads can't share 5 key-value heads.
    expect(mistake(good(`${WHOLE},\n    "num_key_value_heads": 5`))).toMatch(
      /^model\.json:11: num_key_value_heads是5，24个查询头（num_attention_heads）分不匀。/,
    );
  });

  it('with a value of a wrong type, or out of range, is reported at its line', () => {
    expect(mistake(good(WHOLE.replace('24', '"24"')))).toMatch(
      /^model\.json:6: num_attention_heads是"24"，类型不对。应为：一个数。/,
    );
    expect(mistake(good(WHOLE.replace('256', '-256')))).toMatch(/^model\.json:7: head_dim是-256，/);
  });

  it('without a key is reported at the line of the object', () => {
    expect(mistake(good(WHOLE.replace(/"head_dim": 256,\s*/, '')))).toMatch(
      /^model\.json:4: 缓存有多大，要看每个头的宽度；.*（第8课需要它）$/,
    );
    expect(mistake(good(WHOLE).replace('"origin": "手写",', ''))).toBe(
      'model.json:1: 缺少「origin」（第8课需要它）',
    );
  });

  it('with a repeated key is reported at the second one', () => {
    expect(mistake(good(WHOLE.replace('"head_dim"', '"num_hidden_layers": 1,\n"head_dim"')))).toBe(
      'model.json:7: config.num_hidden_layers这个键写了两次。应为：两处只留一处。（第8课需要这个文件）',
    );
    expect(mistake(good('"text_config": {"a": 1,\n"b": {"a": 1},\n"a": 2}'))).toMatch(
      /^model\.json:7: config\.text_config\.a这个键写了两次。/,
    );
  });

  it('that is not JSON is reported in Chinese', () => {
    expect(mistake(good(WHOLE.replace('256', '{')))).toMatch(/^model\.json:\d+: .*\p{Script=Han}/u);
    expect(mistake(good(WHOLE.replace('256,', '256,,')))).toMatch(/^model\.json:7: /);
    expect(mistake(good(WHOLE.replace('256', 'abc')))).toMatch(/^model\.json:7: .*双引号/);
    expect(mistake('')).toMatch(/^model\.json:1: /);
  });

  it('must have known keys only, each in its form', () => {
    expect(mistake(good(WHOLE, '\n"provenence": {},'))).toMatch(
      /^model\.json:4: 模型文件里没有叫「provenence」的键/,
    );
    expect(mistake(good(WHOLE).replace('"M"', '7'))).toMatch(/^model\.json:2: 「model」应是/);
    expect(mistake(good(WHOLE, '\n"quoted": {"x": {"value": 890, "source": "卡"}},'))).toMatch(
      /^model\.json:4: 「quoted\.x\.value」应是照抄的数/,
    );
    expect(mistake(good(WHOLE, '\n"context": {"value": 2048},'))).toBe(
      'model.json:4: 缺少「context.source」（第8课需要它）',
    );
    expect(mistake(good(WHOLE).replace('"provenance": {', '"provenance": {\n"x": "卡"'))).toMatch(
      /^model\.json:13: config里没有「x」/,
    );
  });

  it('may state the reason why its config is refused, which must be the actual one', () => {
    const compressed = `"num_hidden_layers": 2, "num_attention_heads": 2, "head_dim": 4,
    "compress_ratios": [4, 4]`;
    expect(mistake(good(compressed))).toMatch(/^model\.json:6: compress_ratios把几个词元压成一项/);
    expect(read(good(compressed, '\n"refused": "compressed",')).cache).toHaveProperty('refused');
    expect(mistake(good(compressed, '\n"refused": "not_stated",'))).toBe(
      'model.json:4: 「refused」是"not_stated"，这份配置不算的原因却是"compressed"',
    );
    expect(mistake(good(WHOLE, '\n"refused": "compressed",'))).toMatch(
      /^model\.json:4: .*算得出来/,
    );
  });
});

/** The text with one changed value at a time, for each key on one line with its value. */
function* mutations(text: string): Generator<{line: string; changed: string}> {
  for (const [whole, before = ''] of text.matchAll(/(\n\s*"[\w.]+": )[^\n]*?(?=,?\n)/g))
    for (const other of ['-1', '1.5', '"x"', '7'])
      yield {line: before + other, changed: text.replace(whole, () => before + other)};
}

/** Checks that a message has the file, a line of it and a whole sentence. */
function expectWhole(
  message: string,
  file: string,
  {line, changed}: {line: string; changed: string},
) {
  expect(message, line).toMatch(/^[^\n]*\.json:\d+: [^\n]*\p{Script=Han}[^\n]*[。）"]$/u);
  expect(message.startsWith(`${file}:`), `${line}: ${message}`).toBe(true);
  expect(message, line).not.toMatch(/\{(field|value|other|detail)\}|undefined|Error|expected/);
  expect(Number(/:(\d+):/.exec(message)?.[1]), line).toBeLessThanOrEqual(
    changed.split('\n').length,
  );
}

describe('any value for a key of the course’s files', () => {
  const ids = readdirSync(MODELS)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.replace('.json', ''));

  it.each(ids)('%s is read, or the mistake is reported in a sentence', (id) => {
    const text = readFileSync(`${MODELS}/${id}.json`, 'utf8');
    expect(mistake(text)).toBe('');
    for (const mutation of mutations(text)) {
      const message = mistake(mutation.changed);
      if (message !== '') expectWhole(message, 'model.json', mutation);
    }
  });

  it('anchor: the lessons are computed, or the mistake is reported', async () => {
    const modules = await resourcesFromBuild();
    const models = join(folder, 'models');
    cpSync(MODELS, models, {recursive: true});
    const anchor = join(models, 'anchor-model.json');
    const text = readFileSync(anchor, 'utf8');
    for (const mutation of mutations(text.slice(0, text.indexOf('"provenance"')))) {
      writeFileSync(anchor, mutation.changed + text.slice(text.indexOf('"provenance"')));
      try {
        new Course(modules, models).evaluate();
      } catch (error) {
        expectWhole((error as Error).message, anchor, {...mutation, changed: text});
      }
    }
  }, 240_000);
});
