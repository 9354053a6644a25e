// npm run dev: the author's loop. A change under lessons/, web/, core/ or wasm/ builds anew and reloads the page;
// a mistake is told with its path and line, and the page keeps what it last showed.
import {existsSync, readFileSync, watch} from 'node:fs';
import {build} from './build.mjs';
import {main, root} from './run.mjs';
import {portAsked, serve} from './serve.mjs';
import {ensure} from './setup.mjs';

const watched = ['lessons', 'web', 'core', 'wasm'];
const quietMs = 150;
const askMs = 500;

let version = 0;

/** Asks for the version of the build and reloads the page when it is another. */
const reloader = `let seen;
setInterval(async () => {
  const now = await fetch('/dev-version').then(answer => answer.text()).catch(() => seen);
  if (seen !== undefined && now !== seen) location.reload();
  seen = now;
}, ${askMs});`;

function withReloader(path) {
  if (path === '/dev-version') return {body: String(version), type: 'text/plain'};
  if (path === '/dev-reload.js') return {body: reloader, type: 'text/javascript; charset=utf-8'};
  const file = `${root}dist${path.endsWith('/') ? `${path}index.html` : path}`;
  if (!file.endsWith('.html') || !existsSync(file)) return undefined;
  const page = readFileSync(file, 'utf8').replace(
    '</head>',
    '<script type="module" src="/dev-reload.js"></script></head>',
  );
  return {body: page};
}

async function rebuild() {
  const begun = Date.now();
  try {
    await build();
    version++;
    console.log(`已重建，用了 ${((Date.now() - begun) / 1000).toFixed(1)} 秒`);
  } catch (error) {
    console.error(error.message, error.output ?? '');
  }
}

await main(async () => {
  const port = portAsked();
  await ensure('start');
  // Before the first watch, which would keep the command alive without a server.
  const {url} = await serve({folder: `${root}dist`, port, fault: withReloader});
  await rebuild();
  let timer;
  let work = Promise.resolve();
  for (const folder of watched) {
    watch(root + folder, {recursive: true}, () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        work = work.then(rebuild);
      }, quietMs);
    });
  }
  console.log(`课程在 ${url}，改动后页面会自己刷新（按 Ctrl+C 结束）`);
});
