// WebKitGTK's MiniBrowser on a virtual screen, driven by WebDriver's HTTP commands.
import {spawn, type ChildProcess} from 'node:child_process';
import {createServer, type AddressInfo} from 'node:net';
import {webKitBrowser} from '../../web/tools/setup.mjs';
import {inPage, type Engine} from './engine.js';

const STARTS_WITHIN_MS = 30_000;
const SCRIPT_WITHIN_MS = 300_000;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const {port} = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A virtual screen. The X server chooses the display's number and writes it to a pipe. */
async function screen(): Promise<{display: string; server: ChildProcess}> {
  const server = spawn(
    'Xvfb',
    // The pointer rests in the middle of this large screen, outside the window.
    ['-displayfd', '3', '-screen', '0', '3200x2400x24', '-nolisten', 'tcp'],
    {stdio: ['ignore', 'ignore', 'ignore', 'pipe']},
  );
  const number = await new Promise<string>((resolve, reject) => {
    server.on('error', reject);
    server.on('exit', (code) => reject(new Error(`Xvfb ended with ${code}`)));
    server.stdio[3]!.on('data', (data: Buffer) => resolve(data.toString().trim()));
  });
  return {display: `:${number}`, server};
}

type Command = <T>(method: string, path: string, body?: object) => Promise<T>;

function commands(base: string): Command {
  return async <T>(method: string, path: string, body?: object) => {
    const answer = await fetch(base + path, {
      method,
      ...(body ? {body: JSON.stringify(body)} : {}),
    });
    const {value} = (await answer.json()) as {value: T & {error?: string; message?: string}};
    if (!answer.ok) throw new Error(`WebDriver ${path}: ${value.error}: ${value.message}`);
    return value;
  };
}

async function untilReady(command: Command): Promise<void> {
  for (const began = Date.now(); Date.now() - began < STARTS_WITHIN_MS;) {
    try {
      await command('GET', '/status');
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  throw new Error(`WebKitWebDriver did not answer within ${STARTS_WITHIN_MS} ms`);
}

export async function openWebKit(): Promise<Engine> {
  const {display, server} = await screen();
  const port = await freePort();
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], {
    // The processor draws, since there is no graphics card.
    env: {...process.env, DISPLAY: display, LANG: 'C.UTF-8', LIBGL_ALWAYS_SOFTWARE: '1'},
    stdio: 'ignore',
  });
  const outside = commands(`http://127.0.0.1:${port}`);
  await untilReady(outside);
  const {sessionId, capabilities} = await outside<{
    sessionId: string;
    capabilities: {browserVersion: string};
  }>('POST', '/session', {
    capabilities: {
      alwaysMatch: {
        'webkitgtk:browserOptions': {
          binary: webKitBrowser(),
          // Without the toolbar the window can be as narrow as a phone.
          args: ['--automation', '--full-screen'],
        },
        timeouts: {script: SCRIPT_WITHIN_MS},
      },
    },
  });
  const command: Command = (method, path, body) =>
    outside(method, `/session/${sessionId}${path}`, body);
  const script = `const done = arguments[0];
    Promise.resolve(EXPRESSION).then(
      (value) => done({value}),
      (error) => done({error: String(error)}),
    );`;
  return {
    name: 'WebKit',
    version: `WebKitGTK/${capabilities.browserVersion}`,
    page: inPage(async (expression) => {
      const {value, error} = await command<{value?: unknown; error?: string}>(
        'POST',
        '/execute/async',
        {script: script.replace('EXPRESSION', () => expression), args: []},
      );
      if (error !== undefined) throw new Error(error);
      return value;
    }),
    open: (url) => command('POST', '/url', {url}),
    resize: (width, height) => command('POST', '/window/rect', {x: 0, y: 0, width, height}),
    screenshot: () => command('GET', '/screenshot'),
    // WebDriver has no command for messages; the tests find a widget that fails to start by other
    // means.
    complaints: () => [],
    close: async () => {
      await command('DELETE', '');
      driver.kill();
      server.kill();
    },
  };
}
