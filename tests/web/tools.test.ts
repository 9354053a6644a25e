// What the commands say when they are called wrongly, or from a folder with an unusual name.
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
  return {status, said: stderr.trim().split('\n')};
}

describe('commands', () => {
  test('run from a folder whose path has other characters than an address may have', () => {
    const folder = mkdtempSync(join(tmpdir(), '课程 一-'));
    try {
      cpSync('web/tools', join(folder, 'web/tools'), {recursive: true});
      // The command itself answers, before it builds anything.
      expect(call('build.mjs', ['--only', 'pictures'], {}, folder)).toEqual({
        status: 1,
        said: ['--only 只能是 figures 或 numbers，现在是“pictures”。'],
      });
    } finally {
      rmSync(folder, {recursive: true});
    }
  });

  test('an option that there is not is told in one line, without a stack', () => {
    for (const tool of ['build.mjs', 'bench.mjs', 'case.mjs', 'fuzz.mjs']) {
      const {status, said} = call(tool, ['--nonsense']);
      expect(status, tool).toBe(1);
      expect(said, tool).toHaveLength(1);
      expect(said[0], tool).toMatch(/^参数不对：.*--nonsense/);
    }
  });

  test('a PORT that is none is named', () => {
    for (const tool of ['start.mjs', 'dev.mjs']) {
      expect(call(tool, [], {PORT: '80x'}), tool).toEqual({
        status: 1,
        said: ['PORT 应是 0 到 65535 之间的整数，现在是“80x”。'],
      });
    }
  });

  test('npm run dev ends where its port is taken', async () => {
    const taken = createServer().listen(0, 'localhost');
    await once(taken, 'listening');
    const {port} = taken.address() as AddressInfo;
    const dev = spawn(process.execPath, ['web/tools/dev.mjs'], {
      env: {...process.env, PORT: String(port)},
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    try {
      let said = '';
      dev.stderr.on('data', (text: Buffer) => (said += text.toString()));
      const [status] = (await once(dev, 'close')) as [number];
      expect(status).toBe(1);
      expect(said).toContain(`端口 ${port} 已被占用`);
    } finally {
      dev.kill();
      taken.close();
    }
  });
});
