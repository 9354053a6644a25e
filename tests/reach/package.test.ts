// The package, as npm packs it: in three bundlers, as plain modules, and as one classic script. Its
// digits are those of the site.
import {cpSync, readFileSync, readdirSync} from 'node:fs';
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';
import type {Browser} from 'puppeteer-core';
import {build as vite} from 'vite';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {serve, strictPolicy} from '../../web/tools/serve.mjs';
import {openBrowser, resultsOf, visit} from './browser.js';
import {dist, documentOf, hostFolder, reach} from './places.js';

const require = createRequire(`${reach}package.json`);
const installed = `${reach}node_modules/attn-lessons/`;

const entries = readdirSync(installed)
  .filter((name) => name.endsWith('.js') && !['index.js', 'classic.js'].includes(name))
  .map((name) => name.slice(0, -3));
/** A page with every widget; a check asks the question that the course's first lesson ends with. */
const every = entries.map((name) => `<attn-${name}></attn-${name}>`).join('\n');

/** Widgets with a module of their own, and with an author's text. */
const some = ['softmax', 'kv-cache', 'sink', 'variance', 'timeline'];
const someTags = some.map((name) => `<attn-${name}></attn-${name}>`).join('\n');
/** Links in widgets lead to the course, as on the site. */
const main = () =>
  `import {setBase} from 'attn-lessons/softmax';
  ${some.map((name) => `import 'attn-lessons/${name}';`).join('\n')}
  setBase({pages: ${JSON.stringify(course)}});`;

let browser: Browser;
let site: Record<string, string>;
let course: string;

beforeAll(async () => {
  browser = await openBrowser();
  const server = await serve({folder: dist.slice(0, -1), base: '/attn/'});
  course = server.url;
  const script = `<script type="module" src="${course}embed/attn.js"></script>`;
  const folder = hostFolder('site', {'index.html': documentOf(every, script)});
  const host = await serve({folder: folder.slice(0, -1)});
  const {page} = await visit(browser, host.url);
  site = await resultsOf(page);
  await Promise.all([page.close(), host.close(), server.close()]);
});
afterAll(() => browser.close());

/** Checks the results of a page under a strict policy, and below a path of its own. */
async function shown(folder: string, only?: readonly string[]): Promise<void> {
  const headers = {'Content-Security-Policy': strictPolicy};
  const host = await serve({folder: folder.replace(/\/$/, ''), base: '/讲义/', headers});
  const {page, complaints, asked} = await visit(browser, host.url);
  const results = await resultsOf(page);
  expect(complaints).toEqual([]);
  expect(asked.filter((url) => !url.startsWith(new URL(host.url).href))).toEqual([]);
  const wanted = only ? only.map((name) => `attn-${name}`) : Object.keys(site);
  expect(Object.keys(results).sort()).toEqual([...wanted].sort());
  // Hundreds of numbers: the name of the widget says enough.
  expect(wanted.filter((tag) => results[tag] !== site[tag])).toEqual([]);
  await page.close();
  await host.close();
}

describe('the package', () => {
  it('computes what the definition of softmax says', () => {
    const {trace} = JSON.parse(site['attn-softmax'] ?? '') as {
      trace: {scores: {value: number}[]; weights: {value: number}[]};
    };
    const powers = trace.scores.map(({value}) => Math.exp(value));
    const sum = powers.reduce((a, b) => a + b, 0);
    trace.weights.forEach(({value}, i) => expect(value).toBeCloseTo(powers[i]! / sum, 12));
  });

  it('works in Vite', async () => {
    const page = documentOf(someTags, '<script type="module" src="main.js"></script>');
    const root = hostFolder('vite', {'index.html': page, 'main.js': main()});
    await vite({root, base: './', configFile: false, logLevel: 'warn'});
    await shown(`${root}dist`, some);
  });

  it('works in webpack', async () => {
    const root = hostFolder('webpack', {'main.js': main()});
    const webpack = require('webpack') as (
      options: object,
      done: (error: unknown, stats: {hasErrors(): boolean; toString(): string}) => void,
    ) => void;
    const output = {path: `${root}dist`, filename: 'main.js'};
    const stats = await new Promise<string>((resolve, reject) => {
      webpack(
        {mode: 'production', context: root, entry: './main.js', output, performance: false},
        (error, result) =>
          error || result.hasErrors()
            ? reject(new Error(`${String(error)} ${result?.toString()}`))
            : resolve(result.toString()),
      );
    });
    expect(stats).not.toMatch(/WARNING/);
    const page = documentOf(someTags, '<script defer src="main.js"></script>');
    cpSync(hostFolder('webpack-page', {'index.html': page}), `${root}dist`, {recursive: true});
    await shown(`${root}dist`, some);
  });

  it.each(['esm', 'iife'])('works in esbuild: %s', async (format) => {
    const page = documentOf(someTags, '<script type="module" src="main.js"></script>');
    const root = hostFolder(`esbuild-${format}`, {'main.js': main(), 'dist/index.html': page});
    const esbuild = require('esbuild') as {build(options: object): Promise<{warnings: unknown[]}>};
    const {warnings} = await esbuild.build({
      absWorkingDir: root,
      entryPoints: ['main.js'],
      outdir: 'dist',
      bundle: true,
      minify: true,
      format,
      splitting: format === 'esm',
      logLevel: 'silent',
    });
    if (format === 'esm') expect(warnings).toEqual([]);
    await shown(`${root}dist`, some);
  });

  it('works as plain modules from a folder, every widget', async () => {
    const start = `import {setBase} from './attn-lessons/index.js';
      setBase({pages: ${JSON.stringify(course)}});`;
    const page = documentOf(every, '<script type="module" src="s.js"></script>');
    const root = hostFolder('plain', {'index.html': page, 's.js': start});
    cpSync(installed, `${root}attn-lessons`, {recursive: true});
    await shown(root);
  });

  it('takes its files from an address of their own', async () => {
    const start = `import {setBase} from './attn-lessons/sink.js';
      setBase({files: 'attn-lessons/files'});`;
    const page = documentOf(
      '<attn-sink></attn-sink>',
      '<script type="module" src="s.js"></script>',
    );
    const root = hostFolder('files', {'index.html': page, 's.js': start});
    cpSync(installed, `${root}attn-lessons`, {recursive: true});
    const host = await serve({folder: root.slice(0, -1)});
    const {page: opened, asked} = await visit(browser, host.url);
    expect((await resultsOf(opened))['attn-sink']).toBe(site['attn-sink']);
    const wasm = asked.filter((url) => url.endsWith('.wasm')).map((url) => url.split('/').at(-1));
    expect(wasm.sort()).toEqual(['attn_core.wasm', 'attn_sequence.wasm']);
    await opened.close();
    await host.close();
  });

  it('works as one classic script, opened by double-click, every widget', async () => {
    const start = `<script>attnLessons.setBase({pages: ${JSON.stringify(course)}})</script>`;
    const page = documentOf(`${every}<script src="classic.js"></script>${start}`);
    const root = hostFolder('classic', {'index.html': page});
    cpSync(`${installed}classic.js`, `${root}classic.js`);
    const address = pathToFileURL(`${root}index.html`).href;
    const {page: opened, complaints, asked} = await visit(browser, address);
    const results = await resultsOf(opened);
    expect(Object.keys(site).filter((tag) => results[tag] !== site[tag])).toEqual([]);
    expect(complaints).toEqual([]);
    expect(asked.filter((url) => !url.startsWith('file:'))).toEqual([]);
    await opened.close();
  });

  it('has no links where no course is known', async () => {
    const page = documentOf('<attn-timeline></attn-timeline><script src="classic.js"></script>');
    const root = hostFolder('no-links', {'index.html': page});
    cpSync(`${installed}classic.js`, `${root}classic.js`);
    const {page: opened} = await visit(browser, pathToFileURL(`${root}index.html`).href);
    await resultsOf(opened);
    const links = await opened.evaluate(
      () => document.querySelector('attn-timeline')?.shadowRoot?.querySelectorAll('a').length,
    );
    expect(links).toBe(0);
    await opened.close();
  });

  it('may be imported on a server, where it does nothing', async () => {
    for (const name of ['index', 'softmax'])
      await expect(import(pathToFileURL(`${installed}${name}.js`).href)).resolves.toBeTruthy();
  });

  it('registers a tag that only a shadow root has', async () => {
    const start = `import {define} from './attn-lessons/index.js';
      const root = document.querySelector('div').attachShadow({mode: 'open'});
      root.innerHTML = '<attn-softmax scores="1,2"></attn-softmax>';
      await define('attn-softmax');`;
    const page = documentOf('<div></div>', '<script type="module" src="s.js"></script>');
    const root = hostFolder('shadow', {'index.html': page, 's.js': start});
    cpSync(installed, `${root}attn-lessons`, {recursive: true});
    const host = await serve({folder: root.slice(0, -1)});
    const {page: opened} = await visit(browser, host.url);
    await opened.waitForFunction(() =>
      document.querySelector('div')?.shadowRoot?.querySelector('attn-softmax[ready]'),
    );
    await opened.close();
    await host.close();
  });

  it('lists each widget in the manifest under the entry that registers it', () => {
    const {modules} = JSON.parse(readFileSync(`${installed}custom-elements.json`, 'utf8')) as {
      modules: {path: string; declarations: {tagName: string}[]}[];
    };
    const files = entries.map((name) => `${name}.js`);
    expect(modules.map(({path}) => path).sort()).toEqual(files.sort());
    for (const {path, declarations} of modules)
      expect(declarations.map(({tagName}) => `${tagName.slice('attn-'.length)}.js`)).toEqual([
        path,
      ]);
  });
});
