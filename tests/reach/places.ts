// Folders of these tests.
import {mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {dirname} from 'node:path';
import {root} from '../../web/tools/run.mjs';

export const reach = `${root}build/reach/`;
export const dist = `${root}dist/`;

/** An empty folder for a host, with the given files; it finds the installed packages. */
export function hostFolder(name: string, files: Record<string, string>): string {
  const folder = `${reach}hosts/${name}/`;
  rmSync(folder, {recursive: true, force: true});
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(folder + path), {recursive: true});
    writeFileSync(folder + path, text);
  }
  return folder;
}

export const documentOf = (body: string, head = ''): string =>
  `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><title>讲义</title>${head}</head>
<body>${body}</body></html>`;
