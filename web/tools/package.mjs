// npm run package: dist/packages/npm, the npm package, and its tarball beside it.
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import {gzipSync} from 'node:zlib';
import {fileURLToPath} from 'node:url';
import {buildIfChanged} from './fresh.mjs';
import {main, root, run} from './run.mjs';
import {ensure} from './setup.mjs';

const packages = `${root}dist/packages`;
const out = `${packages}/npm`;
const write = (name, text) => writeFileSync(`${out}/${name}`, text);

const shortOf = (tag) => tag.slice('attn-'.length);

/** Widgets as the list for editors declares them. */
function declared() {
  const path = `${root}dist/embed/custom-elements.json`;
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  const widgets = manifest.modules[0].declarations.map(({name, tagName, members, summary}) => ({
    tag: tagName,
    className: name,
    name: summary,
    /** The fields of the state that are properties, too. */
    fields: members.filter(({attribute}) => attribute).map(({name: field}) => field),
  }));
  return {manifest, widgets};
}

const common = `/** Events of every widget. */
export interface AttnEvents<State, Result> {
  'attn-ready': CustomEvent<{state: State; result: Result}>;
  'attn-change': CustomEvent<{state: State; result: Result}>;
  'attn-error': CustomEvent<{code: string; message: string}>;
}

/** A widget. \`State\` is its input, \`Result\` what the core computed for it; both plain JSON. */
export interface AttnElement<State, Result> extends HTMLElement {
  /** Setting it replaces the given fields; an equal state changes nothing and fires nothing. */
  get state(): State;
  set state(value: Partial<State>);
  readonly result: Result | undefined;
  /** Returns to the state that the page gave. */
  reset(): void;
  /** The picture as one SVG file. */
  toSVG(): Promise<string>;
  addEventListener<K extends keyof AttnEvents<State, Result>>(
    type: K,
    listener: (this: this, event: AttnEvents<State, Result>[K]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

/** Attributes of every widget. */
export interface AttnAttributes {
  theme?: 'auto' | 'light' | 'dark';
  id?: string;
  class?: string;
}

export interface Bases {
  /** Address of the package's folder \`files\`, for pages that want its files from there. */
  files?: string | URL;
  /** Address of a published course, for the links in widgets; without it they have none. */
  pages?: string | URL;
}

/** Call it right after the imports. */
export declare function setBase(bases: Bases): void;
`;

function widgetTypes({tag, className, name, fields}, {state, result}) {
  const properties = fields.map((field) => `  ${field}: ${className}State['${field}'];`);
  return `import type {AttnElement} from './common.js';
export {setBase, type Bases} from './common.js';

/** The state of ${tag}: ${name}. */
export type ${className}State = ${state};
export type ${className}Result = ${result};

export interface ${className} extends AttnElement<${className}State, ${className}Result> {
${properties.join('\n')}
}

/** Resolves once the tag is registered, or after the page has got a sentence about the failure. */
export declare const ready: Promise<void>;

declare global {
  interface HTMLElementTagNameMap {
    '${tag}': ${className};
  }
}
`;
}

const importAll = (widgets) =>
  widgets.map(
    ({tag, className}) =>
      `import type {${className}, ${className}State} from './${shortOf(tag)}.js';`,
  );

/** Properties of a tag in JSX and in templates of Vue. */
const propertiesOf = ({className}) =>
  `AttnAttributes & {state?: Partial<${className}State>} & Texts<${className}State>`;

const texts = `/** A field is written as itself, or as its attribute spells it. */
type Texts<State> = {[Field in keyof State]?: State[Field] | string | number | boolean};
`;

/** Types for React 19, whose elements take properties and events of every name. */
function reactTypes(widgets) {
  const rows = widgets.map(
    (widget) =>
      `      '${widget.tag}': React.DetailedHTMLProps<React.HTMLAttributes<${widget.className}>, ` +
      `${widget.className}> & ${propertiesOf(widget)} & Listeners;`,
  );
  return `import type * as React from 'react';
import type {AttnAttributes} from './common.js';
${importAll(widgets).join('\n')}

${texts}
interface Listeners {
  'onattn-ready'?: (event: CustomEvent) => void;
  'onattn-change'?: (event: CustomEvent) => void;
  'onattn-error'?: (event: CustomEvent) => void;
}

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
${rows.join('\n')}
    }
  }
}
`;
}

function vueTypes(widgets) {
  const rows = widgets.map(
    (widget) => `    '${widget.tag}': DefineComponent<${propertiesOf(widget)}>;`,
  );
  return `import type {DefineComponent} from 'vue';
import type {AttnAttributes} from './common.js';
${importAll(widgets).join('\n')}

${texts}
declare module 'vue' {
  interface GlobalComponents {
${rows.join('\n')}
  }
}
`;
}

function writeTypes(widgets, types) {
  write('common.d.ts', common);
  // \`common\` has types only; the file lets a bundler resolve the name.
  for (const widget of widgets)
    write(`${shortOf(widget.tag)}.d.ts`, widgetTypes(widget, types.get(widget.tag)));
  const every = widgets
    .map(({tag, className: name}) => {
      return `export type {${name}, ${name}State, ${name}Result} from './${shortOf(tag)}.js';`;
    })
    .join('\n');
  write(
    'index.d.ts',
    `${every}
export {setBase, type Bases} from './common.js';
export type {AttnAttributes, AttnElement, AttnEvents} from './common.js';

/** Registers tags that the page's own document does not contain, as inside a shadow root. */
export declare function define(...tags: (keyof HTMLElementTagNameMap)[]): Promise<void>;
`,
  );
  write('react.d.ts', reactTypes(widgets));
  write('vue.d.ts', vueTypes(widgets));
}

/** The manifest, with each widget in the entry that registers it. */
function manifestOf({schemaVersion, modules: [{kind, declarations, exports}]}) {
  return {
    schemaVersion,
    modules: declarations.map((declaration, i) => {
      const path = `${shortOf(declaration.tagName)}.js`;
      const {declaration: named, ...definition} = exports[i];
      const own = {...definition, declaration: {...named, module: path}};
      return {kind, path, declarations: [declaration], exports: [own]};
    }),
  };
}

function packageJson(widgets) {
  const {version, description, license} = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  const entry = (name) => ({types: `./${name}.d.ts`, default: `./${name}.js`});
  return {
    name: 'attn-lessons',
    version,
    description,
    license,
    type: 'module',
    main: './index.js',
    types: './index.d.ts',
    customElements: './custom-elements.json',
    // Every entry registers tags.
    sideEffects: true,
    exports: {
      '.': entry('index'),
      ...Object.fromEntries(widgets.map(({tag}) => [`./${shortOf(tag)}`, entry(shortOf(tag))])),
      './react': {types: './react.d.ts'},
      './vue': {types: './vue.d.ts'},
      './classic.js': './classic.js',
      './custom-elements.json': './custom-elements.json',
      './files/*': './files/*',
      './package.json': './package.json',
    },
  };
}

const source = (path) => JSON.stringify(`${root}web/${path}.ts`);

const entryOf = ({tag, className}) => `import {begin} from ${source('embed/package')};
import 'carried-contents/${tag}';
export {setBase} from ${source('embed/package')};
export const ready = begin('${tag}', async () =>
  (await import(${source(`elements/${tag}`)})).${className});`;

/** The files that \`setBase({files})\` serves, by the names that the scripts know. */
function copyFiles() {
  const to = `${out}/files`;
  mkdirSync(to, {recursive: true});
  for (const name of ['core', 'cache', 'scaling', 'sequence', 'train'])
    cpSync(`${root}build/wasm/attn_${name}.wasm`, `${to}/attn_${name}.wasm`);
  cpSync(`${root}lessons/case/small-scaled.weights`, `${to}/small-scaled.weights`);
  for (const name of ['content', 'data'])
    cpSync(`${root}dist/${name}`, `${to}/${name}`, {recursive: true});
  cpSync(`${root}build/carried-worker/worker.js`, `${to}/worker.js`);
}

/**
 * Writes dist/packages/npm and packs it.
 *
 * @returns {Promise<string>}  the tarball
 */
export async function packNpm() {
  // Imported here because the command must start before any package is installed.
  const {bundleCarried, oneScript} = await import('./carried.mjs');
  const {typesOf} = await import('./package-types.mjs');
  rmSync(out, {recursive: true, force: true});
  const {manifest, widgets} = declared();
  const all = `import 'carried-contents/all';
export * from ${source('embed/package-all')};`;
  await bundleCarried(
    {index: all, ...Object.fromEntries(widgets.map((each) => [shortOf(each.tag), entryOf(each)]))},
    {outDir: out},
  );
  const classic = await oneScript(`${out}/index.js`, {format: 'iife', name: 'attnLessons'});
  write('classic.js', classic);
  writeTypes(widgets, typesOf(widgets));
  write('custom-elements.json', `${JSON.stringify(manifestOf(manifest), null, 1)}\n`);
  write('package.json', `${JSON.stringify(packageJson(widgets), null, 2)}\n`);
  cpSync(`${root}LICENSE`, `${out}/LICENSE`);
  cpSync(`${root}web/embed/package.md`, `${out}/README.md`);
  copyFiles();
  const {stdout} = await run('npm', ['pack', '--json', '--pack-destination', packages], {cwd: out});
  return `${packages}/${JSON.parse(stdout)[0].filename}`;
}

const kilobytes = (bytes) => `${Math.ceil(bytes / 1000)} kB`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(async () => {
    await ensure('build');
    await buildIfChanged();
    const tarball = await packNpm();
    const classic = readFileSync(`${out}/classic.js`);
    const scripts = readdirSync(out).filter((name) => name.endsWith('.js')).length;
    console.log(
      `${tarball.slice(root.length)}：${kilobytes(statSync(tarball).size)}，入口${scripts - 1}个；` +
        `classic.js ${kilobytes(classic.length)}（gzip ${kilobytes(gzipSync(classic).length)}）`,
    );
  });
}
