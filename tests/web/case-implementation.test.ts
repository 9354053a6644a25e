// The listings of the page about the implementation, and the agreement of core, NumPy and record.
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import implementation from '../../lessons/case/implementation/numbers.js';
import {matrix, rowsOf, type Core} from '../../web/core.js';
import {listing} from '../../web/site/listings.js';
import {authorsContext} from './authors-context.js';
import {python} from './python.js';

interface Agreement {
  heads: number;
  q: number[][];
  k: number[][];
  v: number[][];
  weights: number[][][];
  output: number[][];
  torch: {largestDifference: number} | null;
}

const FOLDER = 'lessons/case/implementation';
const RECORD = JSON.parse(readFileSync('lessons/case/agreement.json', 'utf8')) as Agreement;
/** Some roundings of numbers near 1: exp is another function in NumPy. */
const ROUNDINGS = 2e-15;

const largest = (a: number[], b: number[]) => {
  expect(a).toHaveLength(b.length);
  return Math.max(...a.map((value, i) => Math.abs(value - b[i]!)));
};

let core: Core;
beforeAll(async () => {
  ({core} = await authorsContext());
});

describe('agreement', () => {
  const ofCore = ({q, k, v, heads}: Agreement) =>
    core.multiHead(matrix(q), matrix(k), matrix(v), {heads, scaled: true, mask: 'causal'});

  const expectAgreement = (run: Agreement) => {
    const trace = ofCore(run);
    expect(largest(run.output.flat(), rowsOf(trace.output).flat())).toBeLessThan(ROUNDINGS);
    const weights = trace.heads.flatMap((head) => rowsOf(head.weights).flat());
    expect(largest(run.weights.flat().flat(), weights)).toBeLessThan(ROUNDINGS);
  };

  it('holds between the core and the recorded run of NumPy, and between it and PyTorch', () => {
    expectAgreement(RECORD);
    expect(RECORD.torch!.largestDifference).toBeLessThan(ROUNDINGS);
  });

  it('holds for a new run where this machine has NumPy, else for the record alone', () => {
    // PyTorch takes seconds to load, so the run leaves it out.
    const script =
      'import sys, runpy; sys.modules["torch"] = None; ' +
      `sys.path.insert(0, "${FOLDER}"); ` +
      `runpy.run_path("${FOLDER}/agreement.py", run_name="__main__")`;
    const text = python('-c', script);
    const run = text === undefined ? RECORD : (JSON.parse(text) as Agreement);
    if (text === undefined) console.warn('No NumPy here: only the recorded run is compared.');
    expectAgreement(run);
    expect(run.q).toEqual(RECORD.q);
  }, 60_000);
});

describe('a listing', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'attn-listing-'));
  });
  afterAll(() => rmSync(folder, {recursive: true, force: true}));

  const file = (text: string) => {
    const path = join(folder, 'some.cpp');
    writeFileSync(path, text);
    return path;
  };

  it('has the lines between its marks, without their common indent', () => {
    const path = file('a;\n  // listing: two\n  b;\n    c;\n  // end\nd;\n');
    expect(listing(path, 'two')).toBe('b;\n  c;');
  });

  it('is refused with path and line where a mark is missing', () => {
    expect(() => listing(file('a;\nb;\n'), 'two')).toThrow(/some\.cpp:3: 缺少标记/);
    expect(() => listing(file('a;\n// listing: two\nb;\n'), 'two')).toThrow(
      /some\.cpp:2: .*缺少「\/\/ end」/,
    );
    expect(() => listing(join(folder, 'none.cpp'), 'two')).toThrow(/none\.cpp:1: 没有/);
  });
});

it('the three mistakes and the large model have the numbers worked by hand', async () => {
  const numbers = implementation(await authorsContext());
  // The first query keeps e^s of e^s + 5: five hidden scores of 0 add 1 each.
  const [q, k] = [RECORD.q[0]!, RECORD.k[0]!];
  const s = [0, 1, 2, 3].reduce((sum, i) => sum + q[i]! * k[i]!, 0) / 2;
  expect(Number(numbers['hidden_share']!.value)).toBeCloseTo(5 / (Math.exp(s) + 5), 12);
  expect(Number(numbers['mixed_sum']!.value)).toBeLessThan(ROUNDINGS);
  // The parameters that Meta publishes as 70B: 68,976,648,192 by its own shapes.
  expect(Number(numbers['big_total']!.value)).toBe(68_976_648_192);
});
