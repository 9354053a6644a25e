// Bundles whose scripts carry the files that they would fetch: for the npm package and the offline
// pages.
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {basename} from 'node:path';
import {gzipSync} from 'node:zlib';
import {build as rolldown} from 'rolldown';
import {build as vite} from 'vite';
import {checks, common, terserOptions} from './bundle.mjs';
import {root} from './run.mjs';

const files = `${root}web/shared/files.ts`;
const text = JSON.stringify;
const carriedFlag = {'import.meta.env.CARRIED': 'true'};

/** The files that a widget fetches: its texts, as its specification names them, and the corpus. */
function filesFor(tag) {
  const path = `${root}web/elements/${tag}`;
  const source = readFileSync(`${path}.ts`, 'utf8');
  const parts = existsSync(path) ? readdirSync(path) : [];
  const learns = parts.some((name) =>
    readFileSync(`${path}/${name}`, 'utf8').includes('fetchCorpus'),
  );
  const name = /^ {4}content: [^\n]*=> ['`]([\w-]+\/?)/m.exec(source)?.[1];
  return (file) =>
    (learns && file.startsWith('data/')) ||
    (name !== undefined && file.startsWith(`content/${name}${name.endsWith('/') ? '' : '.'}`));
}

/** Files of the site that widgets fetch by their path below its root. */
function sitesFiles() {
  return readdirSync(`${root}dist`, {recursive: true, encoding: 'utf8'})
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /^(content\/.*\.json|data\/.*\.txt)$/.test(path))
    .sort();
}

/**
 * @param {Record<string, string>} entries  the text of the entries that exist in no file
 * @param {Buffer} [worker]  the script of the worker that trains; without it there is none
 * @param {boolean} [inPage]  true: web/site/page.ts fetches the core before other scripts are there
 */
function carrying(entries, {worker, inPage = false} = {}) {
  const bytes = new Map();
  const packed = (name, content) => {
    bytes.set(name, content);
    return `carry(${text(name)}, () => import(${text(`\0packed/${name}.js`)}))`;
  };
  const carry = `import {carry} from ${text(files)};\n`;
  return {
    name: 'carrying',
    enforce: 'pre',
    // Emscripten's own way to its file, which bundlers would copy.
    transform: {
      filter: {id: /\/build\/wasm\/[^/]*\.m?js$/},
      handler: (code) => ({
        code: code.replaceAll(/new URL\("[^"]*\.wasm", ?import\.meta\.url\)/g, '""'),
        map: null,
      }),
    },
    async resolveId(id, importer) {
      const entry = id.replace(root, '');
      if (!importer && entry in entries) return `\0entry/${entry}`;
      if (/^\0packed\/|^carried-contents\//.test(id)) return id;
      if (id === './threads.js' && importer?.endsWith('/worker.ts')) return '\0no-threads';
      if (id.endsWith('worker.ts?worker&url')) return '\0worker';
      if (!/\.(wasm|weights|css)\?url$/.test(id)) return null;
      const found = await this.resolve(id.replace('?url', ''), importer, {skipSelf: true});
      const kind = inPage && importer?.endsWith('/page.ts') ? 'data' : 'file';
      // Other plugins go by the ending.
      return `\0${kind}/${found.id}.js`;
    },
    load(id) {
      if (!/^(\0|carried-contents\/)/.test(id)) return null;
      const [, kind, path] = /^\0?([\w-]+)\/?(.*?)(?:\.js)?$/.exec(id);
      if (kind === 'entry') return entries[path];
      if (kind === 'no-threads')
        return `export const fetchThreads = () => Promise.reject(new Error('one thread'));`;
      if (kind === 'worker') return `${carry}export default ${packed('worker.js', worker ?? '')};`;
      if (kind === 'packed')
        return `export default ${text(gzipSync(bytes.get(path), {level: 9}).toString('base64'))};`;
      if (kind === 'carried-contents')
        return `${carry}${sitesFiles()
          .filter(path === 'all' ? () => true : filesFor(path))
          .map((file) => `${packed(file, readFileSync(`${root}dist/${file}`))};`)
          .join('\n')}`;
      if (kind !== 'file' && kind !== 'data') return null;
      if (path.endsWith('.css'))
        return `import css from ${text(`${path}?inline`)};
          export default 'data:text/css,' + encodeURIComponent(css);`;
      const content = readFileSync(path);
      if (kind === 'data')
        return `export default 'data:application/wasm;base64,${content.toString('base64')}';`;
      return `${carry}export default ${packed(basename(path), content)};`;
    },
  };
}

const output = {
  entryFileNames: '[name].js',
  chunkFileNames: 'parts/[name].js',
};

/** The worker's script, which contains everything it needs. */
async function bundleWorker(minify) {
  const outDir = `${root}build/carried-worker`;
  await vite({
    ...common,
    define: carriedFlag,
    plugins: [carrying({}), ...common.plugins],
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      minify: minify && 'terser',
      terserOptions,
      modulePreload: false,
      rolldownOptions: {
        checks,
        input: {worker: 'web/training/worker.ts'},
        output: {...output, codeSplitting: false},
      },
    },
  });
  return readFileSync(`${outDir}/worker.js`);
}

/**
 * Bundles entries as modules beside each other; what entries share is in `parts/`.
 *
 * @param {Record<string, string>} entries  each entry's text, by its name
 * @param {{outDir: string, inPage?: boolean, minify?: boolean}} options
 */
export async function bundleCarried(entries, {outDir, inPage, minify = true}) {
  const worker = await bundleWorker(minify);
  await vite({
    ...common,
    plugins: [carrying(entries, {worker, inPage}), ...common.plugins],
    base: './',
    define: {'process.env.NODE_ENV': '"production"', ...carriedFlag},
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      minify: minify && 'terser',
      terserOptions,
      modulePreload: false,
      chunkSizeWarningLimit: 1000,
      // As a library, so that each import() stays as it is written.
      lib: {
        entry: Object.fromEntries(Object.keys(entries).map((name) => [name, name])),
        formats: ['es'],
        cssFileName: 'style',
      },
      rolldownOptions: {checks, output},
    },
  });
}

/**
 * One script of an entry of `bundleCarried` and everything that it imports.
 *
 * @param {string} entry  path of the entry
 * @param {{format: 'iife' | 'es', name?: string, without?: (part: string) => boolean}} options
 *     without: parts to leave out, by their names; importing one gives an empty module
 * @returns {Promise<string>}
 */
export async function oneScript(entry, {format, name, without = () => false}) {
  const {output: chunks} = await rolldown({
    input: entry,
    write: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'left-out',
        resolveId: (id) => (without(basename(id, '.js')) ? '\0left-out' : null),
        load: (id) => (id === '\0left-out' ? 'export {};' : null),
      },
    ],
    output: {format, name, codeSplitting: false, minify: false, comments: false},
  });
  return chunks[0].code;
}
