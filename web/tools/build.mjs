// npm run build: writes the core, the scripts and the pages into dist/. The old dist/ stays until
// the new one is complete.
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import {parseArgs} from 'node:util';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {recorded} from './built.mjs';
import {corpusFile, corpusIfPossible, corpusIsThere} from './corpus.mjs';
import {buildWasm, pageModules} from './native.mjs';
import {Failure, main, root} from './run.mjs';
import {ensure} from './setup.mjs';

const dist = `${root}dist`;
const next = `${root}build/next`;

/** Source maps: a mistake in a bundled module is reported with the author's path and line. */
process.setSourceMapsEnabled(true);

async function openSite() {
  // Imported here because the commands must start before any package is installed.
  const {bundleNode} = await import('./bundle.mjs');
  const site = await siteOf(await bundleNode());
  // Mistakes in the authors' modules are reported before the scripts are bundled.
  site.evaluate();
  return site;
}

/** The site builder of a bundle. */
export async function siteOf(script) {
  // The query makes Node load a rebuilt bundle again.
  const {Site} = await import(`${pathToFileURL(script).href}?${Date.now()}`);
  const bytes = (name) => readFileSync(`${root}build/wasm/${name}.wasm`);
  return Site.open({
    core: bytes('attn_core'),
    cache: bytes('attn_cache'),
    scaling: bytes('attn_scaling'),
    sequence: bytes('attn_sequence'),
    train: bytes('attn_train'),
    weights: readFileSync(`${root}lessons/case/small-scaled.weights`),
  });
}

function asFailure(error) {
  return error?.name === 'BuildError' ? new Failure(error.message) : error;
}

/** Writing over a file takes much longer than reading two. */
function copyChanged(from, to) {
  if (!existsSync(to) || !readFileSync(from).equals(readFileSync(to))) copyFileSync(from, to);
}

/** The files of a site that no page is drawn for. */
export function copyStatic(out) {
  const client = `${root}build/client`;
  for (const entry of readdirSync(client, {recursive: true, withFileTypes: true})) {
    const folder = out + entry.parentPath.slice(client.length);
    if (!entry.isFile() || folder.includes('/.vite')) continue;
    mkdirSync(folder, {recursive: true});
    copyChanged(`${entry.parentPath}/${entry.name}`, `${folder}/${entry.name}`);
  }
  cpSync(`${root}web/site/favicon.svg`, `${out}/favicon.svg`);
  // The text's SHA-256 is checked. Without the text attn-train explains what is missing.
  if (corpusIsThere()) cpSync(corpusFile, `${out}/data/tang.txt`);
  for (const name of ['html', 'css', 'js'])
    cpSync(`${root}web/embed/example.${name}`, `${out}/embed/example.${name}`);
}

async function buildAll(options) {
  rmSync(next, {recursive: true, force: true});
  mkdirSync(next, {recursive: true});
  const site = await openSite();
  const {bundleClient} = await import('./bundle.mjs');
  const assets = await bundleClient(options);
  await site.build(next, assets);
  copyStatic(next);
  // Two renames: dist/ is always a complete site, the old one or the new one.
  const old = `${root}build/old`;
  rmSync(old, {recursive: true, force: true});
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(next, dist);
  rmSync(old, {recursive: true, force: true});
  return {site, assets};
}

async function redrawFigures() {
  if (!existsSync(dist)) throw new Failure('还没有 dist/，先运行 npm run build。');
  const site = await openSite();
  await site.render();
  const names = await site.writeFigures(dist);
  console.log(`重画了 ${names.length} 张图，在 dist/figures/。`);
}

async function rewriteNumbers() {
  const path = `${dist}/numbers.json`;
  const before = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).numbers : [];
  const site = await openSite();
  await site.render();
  const after = site.writeNumbers(dist);
  const key = (number) => `${number.page} ${number.id}`;
  const old = new Map(before.map((number) => [key(number), number.text]));
  const now = new Map(after.map((number) => [key(number), number.text]));
  let changed = 0;
  for (const [name, text] of now) {
    if (old.get(name) === text) continue;
    changed++;
    console.log(old.has(name) ? `${name}: ${old.get(name)} → ${text}` : `${name}: 新，${text}`);
  }
  for (const [name, text] of old) {
    if (now.has(name)) continue;
    changed++;
    console.log(`${name}: 没有了，原来是 ${text}`);
  }
  console.log(`共 ${now.size} 个数字，${changed} 个有变化。`);
}

/**
 * Builds the whole site, or only its figures or numbers.
 *
 * @param {object} [options]
 * @param {'figures' | 'numbers'} [options.only]  everything when left out
 * @param {boolean} [options.wasm]  false: uses the modules in build/wasm as they are
 * @param {boolean} [options.minify]  false: the build is faster, the pages' scripts are larger
 * @returns {Promise<{site: object, assets: object} | undefined>}  after a whole build, the objects
 * that draw single pages again
 * @throws {Failure} with path:line for an author's mistake; dist/ then stays as it was
 */
export async function build({only, wasm = true, minify = true} = {}) {
  if (wasm) await buildWasm({targets: pageModules});
  try {
    if (only === 'figures') await redrawFigures();
    else if (only === 'numbers') await rewriteNumbers();
    else return await buildAll({minify});
    return undefined;
  } catch (error) {
    throw asFailure(error);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(async () => {
    const {values} = parseArgs({options: {only: {type: 'string'}}});
    if (![undefined, 'figures', 'numbers'].includes(values.only))
      throw new Failure(`--only 只能是 figures 或 numbers，现在是“${values.only}”。`);
    await ensure('build');
    await corpusIfPossible();
    if (values.only) await build({only: values.only});
    else await recorded(build);
  });
}
