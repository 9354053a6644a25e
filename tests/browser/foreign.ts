// A foreign page on a port of its own; the site is on another port.
import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';

export interface ForeignPage {
  url: string;
  close: () => Promise<void>;
}

/** Serves one document for every path. */
export async function foreignPage(
  html: string,
  headers: Record<string, string> = {},
): Promise<ForeignPage> {
  const server: Server = createServer((_request, response) => {
    response.writeHead(200, {'Content-Type': 'text/html; charset=utf-8', ...headers});
    response.end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

export const documentOf = (body: string, head = '') =>
  `<!doctype html><html lang="zh-CN">
  <head><meta charset="utf-8"><title>讲义</title>${head}</head>
  <body>${body}</body></html>`;

/** The policy of a host page with widgets from `origin`. */
export const policyFor = (origin: string, evalWord = " 'wasm-unsafe-eval'") =>
  [
    "default-src 'none'",
    `script-src 'self' ${origin}${evalWord}`,
    `connect-src 'self' ${origin}`,
    `style-src 'self' ${origin}`,
    `img-src ${origin} data:`,
    `frame-src ${origin}`,
  ].join('; ');
