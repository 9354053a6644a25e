// The two bundles of the TypeScript: the pages' scripts (build/client) and the builder
// (build/node).
import {readFileSync} from 'node:fs';
import {build as vite} from 'vite';
import {root} from './run.mjs';
import {shortTemplates} from './templates.mjs';

/** Modules that only some widgets use. */
const others =
  'figure|file-bytes|cache|config|growth|mechanism|positions|plane-handle|samples|share-strip|' +
  'value-formats';

/**
 * The modules that every page with widgets loads. They are one file, since small files compress
 * badly on their own. Hydration is not among them: foreign pages contain no drawn widgets.
 */
const always = new RegExp(
  [
    String.raw`/node_modules/(@lit/|lit|d3-ease)(?!.*private-ssr-support)`,
    String.raw`/web/(core|matrix|module|shared/(?!${others})[\w-]+)\.ts$`,
    String.raw`/web/elements/(attn-widget(/[\w-]+)?|define|needs|registry|start|still)\.ts$`,
    String.raw`/build/wasm/attn_core\.mjs$`,
    'teaching-world',
  ].join('|'),
);

/** The modules behind attn-train, which its live part, loaded later, uses as well. */
const ofTrain = new RegExp(
  String.raw`/web/(elements/attn-train(/(state|poem|view|words|run|live-part))?|` +
    String.raw`training/(protocol|records|desk|figure))\.ts$`,
);

/** Each group becomes one file, at most as large as a single widget may be. */
const together = {
  texts: ['check', 'dataflow', 'formula', 'timeline'],
  scaling: ['scaling', 'variance'],
};

/** Imports the file of a group where the registry imports one of its widgets. */
const groupedWidgets = {
  name: 'grouped-widgets',
  enforce: 'pre',
  resolveId(id, importer) {
    const widget = /^\.\/attn-([\w-]+)\.ts$/.exec(id)?.[1];
    if (!widget || importer !== `${root}web/elements/registry.ts`) return null;
    const group = Object.keys(together).find((name) => together[name].includes(widget));
    return group ? `\0widgets/${group}` : null;
  },
  load(id) {
    const widgets = together[id.replace(/^\0widgets\//, '')];
    if (!id.startsWith('\0') || !widgets) return null;
    const files = widgets.map((name) => `${root}web/elements/attn-${name}.ts`);
    return files.map((file) => `export * from ${JSON.stringify(file)};`).join('\n');
  },
};

/** A minified import() in its wrapper, which picks some of the names that the module exports. */
const WRAPPED_IMPORT = new RegExp(
  [
    /[\w$]+\((?:\(\)=>|async\(\)=>\{const\{[^}]*\}=await\()/,
    /import\((?<file>"[^"]*")\)(?:\);return\{[^}]*\}\})?/,
    /,\[\],import\.meta\.url\)/,
  ]
    .map(({source}) => source)
    .join(''),
  'g',
);

/**
 * Vite wraps each import() in a function that first loads the style sheets of the imported script.
 * No such script has any here, so an import() stays as it is written.
 */
const plainImports = {
  name: 'plain-imports',
  enforce: 'pre',
  // Each module gets a function of its own, whose name ends like the module's: it comes into the
  // same chunk, where the minifier puts its body in the place of each call.
  resolveId: (id, importer) =>
    id.includes('vite/preload-helper') ? `\0preload-helper${importer}` : null,
  load: (id) =>
    id.startsWith('\0preload-helper') ? 'export const __vitePreload = (load) => load();' : null,
  generateBundle: {
    // After Vite has written the list of style sheets behind each import().
    order: 'post',
    handler(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        if (chunk.code.includes('__vite__mapDeps'))
          throw new Error(
            `${chunk.fileName}: a script loaded by import() must not import a style sheet`,
          );
        chunk.code = chunk.code.replaceAll(WRAPPED_IMPORT, 'import($<file>)');
      }
    },
  },
};

/** Scripts that run before the first paint are no modules; their variables must not be global. */
const closedScripts = {
  name: 'closed-scripts',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle))
      if (['first', 'early', 'opened'].includes(chunk.name) && chunk.type === 'chunk')
        chunk.code = `(()=>{${chunk.code}})()`;
  },
};

// Libraries have another text for other values, which a shell or a test runner may have set.
process.env.NODE_ENV = 'production';

/** A busy machine must not cause warnings about slow plugins. */
export const checks = {pluginTimings: false};

export const common = {
  configFile: false,
  root,
  logLevel: 'warn',
  publicDir: false,
  define: {'import.meta.env.CARRIED': 'false'},
  worker: {format: 'es'},
  plugins: [shortTemplates, plainImports, closedScripts],
};

/** Terser's output is two to three per cent smaller than that of the bundler's own minifier. */
export const terserOptions = {
  module: true,
  ecma: 2020,
  compress: {passes: 3, keep_fargs: false, unsafe_arrows: true},
};

/**
 * Scripts, styles, fonts and the core for the pages.
 *
 * @param {{minify?: boolean}} [options]  false takes a tenth of the time, and the names of files
 * stay when their content changes
 * @returns {Promise<import('../site/assets.js').ClientAssets>}  what pages must link to
 */
export async function bundleClient({minify = true} = {}) {
  const outDir = `${root}build/client`;
  const hash = minify ? '-[hash]' : '';
  await vite({
    ...common,
    plugins: [...common.plugins, groupedWidgets],
    base: './',
    build: {
      outDir,
      emptyOutDir: true,
      manifest: true,
      target: 'es2022',
      minify: minify && 'terser',
      terserOptions,
      assetsInlineLimit: 0,
      // Pages list their chunks in <link rel="modulepreload">.
      modulePreload: false,
      rolldownOptions: {
        checks,
        input: {
          page: 'web/site/page.ts',
          lists: 'web/site/lists.css',
          first: 'web/site/first.ts',
          wall: 'web/site/gallery/wall.ts',
          take: 'web/site/gallery/take.ts',
          models: 'web/site/models-order.ts',
          attn: 'web/embed/attn.ts',
          frame: 'web/embed/frame.ts',
          early: 'web/embed/early.ts',
          opened: 'web/site/opened.ts',
          fit: 'web/embed/fit.ts',
        },
        // Foreign pages link to these files, so their addresses never change.
        output: {
          codeSplitting: {
            groups: [
              {name: 'train', test: ofTrain, includeDependenciesRecursively: false},
              // Dependencies are excluded: the data of lessons/ belongs to the chunks that use it.
              {name: 'widget', test: always, includeDependenciesRecursively: false},
              {
                name: 'model',
                test: /(model-start|trained-model|text-box|character)\.ts$/,
                includeDependenciesRecursively: false,
              },
              {name: 'maps', test: /\/(maps|moments)\.ts$/, includeDependenciesRecursively: false},
              {name: 'tokens', test: /tokens\.css$/},
            ],
          },
          entryFileNames: (chunk) => entryName(chunk.name, hash),
          chunkFileNames: `assets/[name]${hash}.js`,
          assetFileNames: `assets/[name]${hash}[extname]`,
        },
      },
    },
  });
  const manifest = JSON.parse(readFileSync(`${outDir}/.vite/manifest.json`, 'utf8'));
  return assetsOf(manifest);
}

function entryName(name, hash) {
  if (name === 'attn' || name === 'fit') return `embed/${name}.js`;
  if (name === 'opened') return 'assets/opened.js';
  return `${name === 'frame' ? 'embed' : 'assets'}/[name]${hash}.js`;
}

function assetsOf(manifest) {
  const page = manifest['web/site/page.ts'];
  const file = (key) => {
    // A style sheet imported by its address is listed under its full path.
    const entry = manifest[key] ?? manifest[root + key];
    if (!entry) throw new Error(`no ${key} in the client bundle`);
    return entry.file;
  };
  const scriptAndStyles = (key) => ({script: file(key), styles: stylesOf(manifest, key)});
  return {
    script: page.file,
    styles: stylesOf(manifest, 'web/site/page.ts'),
    listStyle: file('web/site/lists.css'),
    first: file('web/site/first.ts'),
    gallery: {
      wall: scriptAndStyles('web/site/gallery/wall.ts'),
      take: scriptAndStyles('web/site/gallery/take.ts'),
    },
    models: file('web/site/models-order.ts'),
    frame: {...scriptAndStyles('web/embed/frame.ts'), early: file('web/embed/early.ts')},
    widgetStyle: file('web/shared/widget.css'),
    chunks: [
      ...new Set(
        ['web/site/hydrate.ts', ...page.imports].flatMap((key) => [
          ...withImports(manifest, key, page.file),
        ]),
      ),
    ],
    needs: {
      cache: [...withImports(manifest, 'web/elements/cache-start.ts', page.file)],
      model: [...withImports(manifest, 'web/elements/model-start.ts', page.file)],
      scaling: [...withImports(manifest, 'web/elements/scaling-start.ts', page.file)],
      sequence: [...withImports(manifest, 'web/elements/sequence-start.ts', page.file)],
    },
  };
}

/** The style sheets of an entry; those of the chunks that it imports come first. */
function stylesOf(manifest, key, seen = new Set()) {
  if (seen.has(key)) return [];
  seen.add(key);
  const {css = [], imports = []} = manifest[key];
  const before = imports.flatMap((other) => stylesOf(manifest, other, seen));
  return [...new Set([...before, ...css])];
}

/** A chunk and all its static imports, without the entry that every page loads. */
function withImports(manifest, key, entryFile, seen = new Set()) {
  const {file, imports = []} = manifest[key];
  if (file === entryFile || seen.has(file)) return seen;
  seen.add(file);
  for (const other of imports) withImports(manifest, other, entryFile, seen);
  return seen;
}

/** The site builder with the lessons' modules, for Node. */
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
      // The bundle is one file, so that the same process can load a rebuilt one again.
      rolldownOptions: {checks, input: {site: 'web/site/build.ts'}, output: {codeSplitting: false}},
    },
  });
  return `${outDir}/site.js`;
}
