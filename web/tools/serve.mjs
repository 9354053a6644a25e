// A small server of static files, for `npm start` and for the browser tests.
import {createReadStream, statSync} from 'node:fs';
import {createServer} from 'node:http';
import {extname, join, sep} from 'node:path';
import {Readable} from 'node:stream';
import {createGzip} from 'node:zlib';
import {Failure} from './run.mjs';

const types = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml; charset=utf-8',
  '.zip': 'application/zip',
};

/** The content security policy under which every page must work. */
export const strictPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "connect-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
].join('; ');

/** Headers that give a page SharedArrayBuffer, and so threads. */
export const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

/**
 * The port that PORT asks for, 4173 without it.
 *
 * @throws {Failure} if PORT is no port
 */
export function requestedPort() {
  const port = Number(process.env.PORT ?? 4173);
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new Failure(`PORT 应是 0 到 65535 之间的整数，现在是“${process.env.PORT}”。`);
  }
  return port;
}

/**
 * The file's state; undefined where the file does not exist or the path is invalid, for example too
 * long.
 */
function stat(path) {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/**
 * The file that a path below `folder` stands for.
 *
 * @param {string} folder  without a slash at its end
 * @param {string} path    decoded, starting with a slash
 * @returns {{file: string} | {redirect: string} | undefined}  redirect: a folder without its slash
 */
export function resolve(folder, path) {
  const file = join(folder, path);
  if (path.includes('\0') || (file !== folder && !file.startsWith(folder + sep))) return undefined;
  const found = stat(file);
  if (found?.isFile()) return path.endsWith('/') ? undefined : {file};
  if (!found?.isDirectory()) return undefined;
  const index = join(file, 'index.html');
  if (!stat(index)?.isFile()) return undefined;
  return path.endsWith('/') ? {file: index} : {redirect: `${path}/`};
}

/**
 * Serves `folder` until closed.
 *
 * @param {object} options
 * @param {string} options.folder
 * @param {number} [options.port]   0, the default, takes any free one
 * @param {string} [options.base]   the path of the site, with both slashes; outside it all is 404
 * @param {Record<string, string>} [options.headers]  sent with every answer
 * @param {(path: string) => Partial<{status: number, type: string, body: string}> | undefined}
 *     [options.fault]  another answer for a path below the base; each part replaces the right one
 * @returns {Promise<{url: string, close: () => Promise<void>}>}  url: origin and base
 * @throws {Failure} if the port is taken
 */
export function serve({folder, port = 0, base = '/', headers = {}, fault = () => undefined}) {
  const server = createServer((request, response) => {
    // body: text, or {file}
    const answer = (status, type, body) => {
      // Text is compressed, as on the hosts that readers use.
      const packed =
        /^text|javascript|json|xml|wasm/.test(type) &&
        /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
      response.writeHead(status, {
        // Widgets on foreign pages, and in sandboxed frames, send requests from another origin.
        'Access-Control-Allow-Origin': '*',
        'Cross-Origin-Resource-Policy': 'cross-origin',
        ...headers,
        'Cache-Control': 'no-cache',
        'Content-Type': type,
        Vary: 'Accept-Encoding',
        ...(packed ? {'Content-Encoding': 'gzip'} : {}),
      });
      if (request.method === 'HEAD') return response.end();
      const source = typeof body === 'string' ? Readable.from([body]) : createReadStream(body.file);
      source.on('error', () => response.destroy());
      (packed ? source.pipe(createGzip()) : source).pipe(response);
    };
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return answer(405, types['.txt'], '405\n');
    let path;
    try {
      path = decodeURIComponent(request.url.replace(/[?#].*/s, ''));
    } catch {
      return answer(400, types['.txt'], '400\n');
    }
    if (!path.startsWith(base)) return answer(404, types['.txt'], `404 ${path}\n`);
    const below = path.slice(base.length - 1);
    const found = resolve(folder, below);
    if (found?.redirect) {
      response.writeHead(301, {
        ...headers,
        Location: encodeURI(base.slice(0, -1) + found.redirect),
      });
      return response.end();
    }
    const wrong = fault(below);
    const type = wrong?.type ?? types[extname(found?.file ?? '.txt')] ?? 'application/octet-stream';
    if (!found && wrong?.body === undefined) return answer(404, type, `404 ${path}\n`);
    answer(wrong?.status ?? 200, type, wrong?.body ?? found);
  });
  return new Promise((resolvePromise, reject) => {
    server.on('error', (error) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new Failure(`端口 ${port} 已被占用。换一个再来，例如：PORT=${port + 1} npm start`)
          : new Failure(`无法在端口 ${port} 上提供网页：${error.message}`),
      ),
    );
    server.listen(port, 'localhost', () => {
      resolvePromise({
        url: `http://localhost:${server.address().port}${encodeURI(base)}`,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            server.closeAllConnections();
          }),
      });
    });
  });
}
