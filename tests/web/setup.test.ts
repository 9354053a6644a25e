// The set-up on a machine without any programs: PATH contains only the programs that the test
// writes.
import {spawnSync} from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {atLeast} from '../../web/tools/setup.mjs';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'attn-setup-'));
  chmodSync(folder, 0o755);
  symlinkSync(process.execPath, join(folder, 'node'));
});
afterEach(() => rmSync(folder, {recursive: true}));

/** Writes a program that logs its arguments and then runs `body`. */
function program(name: string, body = '') {
  const log = join(folder, 'calls');
  writeFileSync(join(folder, name), `#!/bin/sh\necho "${name} $*" >> ${log}\n${body}\n`, {
    mode: 0o755,
  });
}

function setUp(uid: number) {
  const code = `Object.defineProperty(process, 'getuid', {value: () => ${uid}});
    const {ensure} = await import('./web/tools/setup.mjs');
    const {main} = await import('./web/tools/run.mjs');
    await main(() => ensure('start'));`;
  const {CXX: _, ...env} = process.env;
  const done = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    cwd: new URL('../..', import.meta.url),
    env: {...env, PATH: folder},
    encoding: 'utf8',
  });
  const calls = join(folder, 'calls');
  return {
    status: done.status,
    errors: done.stderr.trim().split('\n'),
    calls: existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : [],
  };
}

describe('set-up', () => {
  test('without root: one line to run, status 1, nothing touched', () => {
    program('apt-get');
    program('npm');
    const {status, errors, calls} = setUp(1000);
    expect(status).toBe(1);
    expect(errors[0]).toContain('缺少：CMake、Ninja、C++20 编译器、Emscripten');
    expect(errors[1]).toContain(
      'sudo apt-get update && sudo apt-get install -y --no-install-recommends ' +
        'cmake ninja-build g++ emscripten',
    );
    expect(errors).toHaveLength(2);
    expect(calls).toEqual([]);
  });

  test('as root: the lists are read, then everything comes in one call', () => {
    const make = ['cmake', 'ninja', 'c++', 'emcc']
      .map((name) => `printf '#!/bin/sh\\n' > ${folder}/${name}; /bin/chmod 755 ${folder}/${name}`)
      .join('\n');
    program('apt-get', make);
    program('npm', 'exit 9');
    const {calls} = setUp(0);
    const apt = calls.filter((call) => call.startsWith('apt-get'));
    expect(apt).toHaveLength(2);
    expect(apt[0]).toMatch(/ update$/);
    expect(apt[1]).toMatch(
      / install -y --no-install-recommends cmake ninja-build g\+\+ emscripten/,
    );
  });

  test('packages that install without their programs are named', () => {
    program('apt-get');
    const {status, errors} = setUp(0);
    expect(status).toBe(1);
    expect(errors.at(-1)).toContain('仍找不到：CMake、Ninja');
  });

  test('no apt-get: names the missing programs', () => {
    const {status, errors} = setUp(0);
    expect(status).toBe(1);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain('没有 apt-get');
  });

  test('an Emscripten that is too old is named with its version', () => {
    for (const name of ['cmake', 'ninja', 'c++', 'emcc']) program(name);
    writeFileSync(join(folder, 'emscripten-version.txt'), '"3.1.5"\n');
    const {status, errors} = setUp(0);
    expect(status).toBe(1);
    expect(errors[0]).toContain('3.1.5');
    expect(errors[0]).toContain('3.1.6');
  });

  test.each([
    ['3.1.6', '3.1.6', true],
    ['3.1.45', '3.1.6', true],
    ['3.1.5', '3.1.6', false],
    ['4.0.0-git', '3.1.6', true],
    ['20.9.0', '20.19', false],
    ['22.0.0', '20.19', true],
    ['3.1', '3.1.6', false],
  ])('version %s is at least %s: %s', (a, b, expected) => {
    expect(atLeast(a, b)).toBe(expected);
  });
});
