// The static server: its answer for each kind of path, and the paths that it must refuse.
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {request} from 'node:http';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {serve, strictPolicy} from '../../web/tools/serve.mjs';

const base = '/课程/attn/';
let folder: string;
let site: {url: string; close: () => Promise<void>};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'attn-serve-'));
  mkdirSync(join(folder, 'dist/c3/l03'), {recursive: true});
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  writeFileSync(join(folder, 'dist-secret.txt'), 'secret');
  writeFileSync(join(folder, 'dist/index.html'), '<p>home');
  writeFileSync(join(folder, 'dist/core.wasm'), 'wasm');
  writeFileSync(join(folder, 'dist/attn.js'), 'js');
  writeFileSync(join(folder, 'dist/c3/l03/index.html'), '<p>lesson');
  site = await serve({
    folder: join(folder, 'dist'),
    base,
    headers: {'Content-Security-Policy': strictPolicy},
    fault: (path) =>
      path === '/attn.js' ? {status: 404, type: 'text/html', body: 'no'} : undefined,
  });
});
afterAll(async () => {
  await site.close();
  rmSync(folder, {recursive: true});
});

/** Sends the path as it is; fetch() would remove `..` first. */
function raw(
  path: string,
  method = 'GET',
): Promise<{status: number; body: string; type: string; location: string}> {
  const {port} = new URL(site.url);
  return new Promise((resolve, reject) => {
    request({host: 'localhost', port, path, method}, (answer) => {
      let body = '';
      answer.setEncoding('utf8').on('data', (text) => (body += text));
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          body,
          type: answer.headers['content-type'] ?? '',
          location: answer.headers.location ?? '',
        }),
      );
    })
      .on('error', reject)
      .end();
  });
}
const at = (path: string) => encodeURI(base) + path;

describe('server', () => {
  test('a folder gives its index, with type, policy and no caching', async () => {
    const answer = await fetch(`${site.url}c3/l03/?a=1`);
    expect(await answer.text()).toBe('<p>lesson');
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('content-security-policy')).toBe(strictPolicy);
    expect(answer.headers.get('cache-control')).toBe('no-cache');
  });

  test('a folder without its slash redirects, so that relative links work', async () => {
    const answer = await raw(at('c3/l03'));
    expect(answer.status).toBe(301);
    expect(answer.location).toBe(at('c3/l03/'));
  });

  test('WebAssembly has the type that streaming needs', async () => {
    expect((await raw(at('core.wasm'))).type).toBe('application/wasm');
  });

  test('HEAD answers without a body', async () => {
    expect(await raw(at(''), 'HEAD')).toMatchObject({status: 200, body: ''});
  });

  test('a fault replaces the right answer', async () => {
    expect(await raw(at('attn.js'))).toMatchObject({status: 404, type: 'text/html', body: 'no'});
  });

  test.each([
    ['a missing file', at('none.html'), 404],
    ['a folder without an index', at('c3/'), 404],
    ['a file with a slash', at('core.wasm/'), 404],
    ['a path outside the base', '/core.wasm', 404],
    ['a path beside the folder', at('../dist-secret.txt'), 404],
    ['dots', at('../secret.txt'), 404],
    ['encoded dots', at('%2e%2e%2fsecret.txt'), 404],
    ['encoded dots below a folder', at('c3/%2e%2e/%2e%2e/%2e%2e/secret.txt'), 404],
    ['a NUL byte', at('core.wasm%00.html'), 404],
    ['a broken escape', at('%E0%A4'), 400],
  ])('%s is refused', async (_, path, status) => {
    const answer = await raw(path);
    expect(answer.status).toBe(status);
    expect(answer.body).not.toContain('secret\n');
    expect(answer.body).not.toBe('secret');
  });

  test('a method that changes things is refused', async () => {
    expect((await raw(at(''), 'POST')).status).toBe(405);
  });

  test('a port in use gives a sentence with a remedy', async () => {
    const port = Number(new URL(site.url).port);
    await expect(serve({folder, port})).rejects.toThrow(`端口 ${port} 已被占用`);
  });
});
