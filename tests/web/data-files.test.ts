// Authors' JSON: every mistake is reported with its line and the page that needs the file.
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {numberAt, readData, requireMatrix, valueAt} from '../../web/site/data-files.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'attn-data-'));
});
afterAll(() => rmSync(folder, {recursive: true, force: true}));

function file(lines: string[]) {
  const path = join(folder, 'data.json');
  writeFileSync(path, lines.join('\n'));
  return readData(path, '第3课');
}

describe('a file of data', () => {
  it('that is not JSON, or does not exist, is reported with its line', () => {
    expect(() => file(['{', ' "a": 1', ' "b": 2', '}'])).toThrow(
      /data\.json:3: 缺一个逗号（第3课需要/,
    );
    expect(() => readData(join(folder, 'none.json'), '第3课')).toThrow(
      /none\.json:1: .*第3课需要它/,
    );
  });

  it('returns a value, and reports the first missing key at the line of its object', () => {
    const data = file(['{', ' "runs": [', '  {"loss": 1},', '  {"loss": 2}', ' ]', '}']);
    expect(valueAt(data, ['runs', '1', 'loss'], '第3课')).toBe(2);
    expect(() => valueAt(data, ['runs', '1', 'norm'], '第3课')).toThrow(
      /:4: 缺少「runs\.1\.norm」（第3课需要它）/,
    );
  });

  it('returns a number, and refuses a value of another type', () => {
    const data = file(['{', ' "config": {', '  "width": "256",', '  "heads": 8', ' }', '}']);
    expect(numberAt(data, ['config', 'heads'], '第3课')).toBe(8);
    expect(() => numberAt(data, ['config', 'width'], '第3课')).toThrow(
      /:3: 「config\.width」应是一个数，现在是"256"（第3课需要它）/,
    );
  });

  it('accepts a matrix of the expected shape only', () => {
    const data = file(['{', ' "good": [[1, 2], [3, 4]],', ' "ragged": [[1, 2], [3]]', '}']);
    expect(() => requireMatrix(data, 'good', 2, 2, '第3课')).not.toThrow();
    expect(() => requireMatrix(data, 'good', 3, 2, '第3课')).toThrow(/:2: 「good」应有3行/);
    expect(() => requireMatrix(data, 'ragged', 2, 2, '第3课')).toThrow(/:3: 「ragged」应有2行/);
  });
});
