// The two bundles of the TypeScript: the pages' scripts (build/client) and the site builder (build/node).
import {readFileSync} from 'node:fs';
import {build as vite} from 'vite';
import {root} from './run.mjs';

/** KaTeX names each font in three formats; every browser that runs the course takes woff2. */
const onlyWoff2 = {
  name: 'only-woff2',
  enforce: 'pre',
  transform(code, id) {
    if (!id.split('?')[0].endsWith('katex.min.css')) return null;
    return code.replace(/,url\([^)]*\.(?:woff|ttf)\) format\("[^"]*"\)/g, '');
  },
};

const files = pattern => new RegExp(`/web/elements/(${pattern})\\.ts$`);

/**
 * What is always loaded together comes in one file: small files compress badly alone. A widget that
 * is not named here has a file of its own.
 */
const chunkGroups = [
  {name: 'widget', priority: 2, test: /\/node_modules\/(@lit|lit)|\/web\/(core|shared\/[\w-]+)\.ts$|attn_core\.mjs$|\/web\/elements\/(attn-widget|start|registry)\.ts$|teaching-world/},
  {name: 'frame', priority: 1, test: files('attn-(check|dataflow|timeline)')},
  {name: 'spread', priority: 1, test: files('attn-(variance|scaling|jacobian)|sides')},
];

const common = {configFile: false, root, logLevel: 'warn', publicDir: false};

/** Scripts, styles, fonts and the core for the pages; returns what pages must link to. */
export async function bundleClient() {
  const outDir = `${root}build/client`;
  await vite({
    ...common,
    base: './',
    plugins: [onlyWoff2],
    build: {
      outDir,
      emptyOutDir: true,
      manifest: true,
      target: 'es2022',
      assetsInlineLimit: 0,
      modulePreload: {polyfill: false},
      rolldownOptions: {
        input: {page: 'web/site/page.ts', theme: 'web/site/theme.ts', attn: 'web/embed/attn.ts'},
        // Other people's pages name this one, so its address never changes.
        output: {
          codeSplitting: {groups: chunkGroups},
          entryFileNames: chunk => (chunk.name === 'attn' ? 'embed/attn.js' : 'assets/[name]-[hash].js'),
        },
      },
    },
  });
  const manifest = JSON.parse(readFileSync(`${outDir}/.vite/manifest.json`, 'utf8'));
  return assetsOf(manifest);
}

function assetsOf(manifest) {
  const page = manifest['web/site/page.ts'];
  const file = key => {
    // A style sheet asked for by address is listed under its full path.
    const entry = manifest[key] ?? manifest[root + key];
    if (!entry) throw new Error(`no ${key} in the client bundle`);
    return entry.file;
  };
  const chunks = {};
  for (const key of Object.keys(manifest)) {
    const tag = /^web\/elements\/(attn-[a-z-]+)\.ts$/.exec(key)?.[1];
    if (tag) chunks[tag] = [...withImports(manifest, key, page.file)];
  }
  const shared = ['web/elements/start.ts'].flatMap(key => (manifest[key] ? [...withImports(manifest, key, page.file)] : []));
  for (const tag of Object.keys(chunks)) chunks[tag] = [...new Set([...shared, ...chunks[tag]])];
  return {
    script: page.file,
    styles: page.css ?? [],
    theme: file('web/site/theme.ts'),
    widgetStyle: file('web/shared/widget.css'),
    wasm: file('build/wasm/attn_core.wasm'),
    chunks,
  };
}

/** A chunk and all that it imports statically, without the entry that every page has. */
function withImports(manifest, key, entryFile, seen = new Set()) {
  const {file, imports = []} = manifest[key];
  if (file === entryFile || seen.has(file)) return seen;
  seen.add(file);
  for (const other of imports) withImports(manifest, other, entryFile, seen);
  return seen;
}

/** The site builder with the lessons' modules; run by Node. */
export async function bundleNode() {
  const outDir = `${root}build/node`;
  await vite({
    ...common,
    build: {
      outDir,
      emptyOutDir: true,
      ssr: true,
      target: 'node20',
      sourcemap: true,
      minify: false,
      // One file, so that a rebuilt one can be loaded anew in the same process.
      rolldownOptions: {input: {site: 'web/site/build.ts'}, output: {codeSplitting: false}},
    },
  });
  return `${outDir}/site.js`;
}
