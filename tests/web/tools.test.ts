// The commands' messages after a wrong call, and their calls from a folder with an unusual name.
import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {cpSync, mkdtempSync, rmSync} from 'node:fs';
import {createServer} from 'node:net';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';

function call(
  tool: string,
  args: string[] = [],
  env: Record<string, string> = {},
  cwd = process.cwd(),
) {
  const {status, stderr} = spawnSync(process.execPath, [`web/tools/${tool}`, ...args], {
    cwd,
    encoding: 'utf8',
    env: {...process.env, ...env},
  });
  return {status, errors: stderr.trim().split('\n')};
}

describe('commands', () => {
  test('run from a folder whose path has characters that an address may not have', () => {
    const folder = mkdtempSync(join(tmpdir(), '课程 一-'));
    try {
      cpSync('web/tools', join(folder, 'web/tools'), {recursive: true});
      // The command prints this itself, before it builds anything.
      expect(call('build.mjs', ['--only', 'pictures'], {}, folder)).toEqual({
        status: 1,
        errors: ['--only 只能是 figures 或 numbers，现在是“pictures”。'],
      });
    } finally {
      rmSync(folder, {recursive: true});
    }
  });

  test('an unknown option is reported in one line, without a stack', () => {
    for (const tool of ['build.mjs', 'bench.mjs', 'case.mjs', 'fuzz.mjs']) {
      const {status, errors} = call(tool, ['--nonsense']);
      expect(status, tool).toBe(1);
      expect(errors, tool).toHaveLength(1);
      expect(errors[0], tool).toMatch(/^参数不对：.*--nonsense/);
    }
  });

  test('an invalid PORT is named', () => {
    for (const tool of ['start.mjs', 'dev.mjs']) {
      expect(call(tool, [], {PORT: '80x'}), tool).toEqual({
        status: 1,
        errors: ['PORT 应是 0 到 65535 之间的整数，现在是“80x”。'],
      });
    }
  });

  test('npm run dev ends if its port is in use', async () => {
    const taken = createServer().listen(0, 'localhost');
    await once(taken, 'listening');
    const {port} = taken.address() as AddressInfo;
    const dev = spawn(process.execPath, ['web/tools/dev.mjs'], {
      env: {...process.env, PORT: String(port)},
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    try {
      let errors = '';
      dev.stderr.on('data', (text: Buffer) => (errors += text.toString()));
      const [status] = (await once(dev, 'close')) as [number];
      expect(status).toBe(1);
      expect(errors).toContain(`端口 ${port} 已被占用`);
    } finally {
      dev.kill();
      taken.close();
    }
  });
});
