// npm run offline: dist/offline, one HTML file a lesson that opens by double-click and carries all
// that it needs, the chapter map, and the site as a zip.
import {readdirSync, readFileSync, mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {posix} from 'node:path';
import {fileURLToPath} from 'node:url';
import {gzipSync} from 'node:zlib';
import {buildIfChanged} from './fresh.mjs';
import {main, root} from './run.mjs';
import {ensure} from './setup.mjs';

const dist = `${root}dist/`;
const out = `${dist}offline/`;
const bundle = `${root}build/carried-page/`;

const read = (path) => readFileSync(dist + path, 'utf8');

/** The pages that become files, by the path of their index; the value is the file's name. */
function filesOf() {
  const lessons = readdirSync(`${dist}c3`).filter((name) => /^[lb]\d+$/.test(name));
  return new Map([
    ['index.html', 'index.html'],
    ...lessons.sort().map((name) => [`c3/${name}/index.html`, `c3-${name}.html`]),
  ]);
}

/** Without the drawings of the build: the scripts draw each widget when the page is opened. */
function withoutDrawings(html) {
  let text = '';
  let depth = 0;
  let last = 0;
  for (const {0: tag, index} of html.matchAll(/<template shadowroot[^>]*>|<\/template>/g)) {
    if (tag !== '</template>') {
      if (depth++ === 0) text += html.slice(last, index);
    } else if (--depth === 0) last = index + tag.length;
  }
  return (text + html.slice(last)).replaceAll(/ defer-hydration(="")?/g, '');
}

const dataUrl = (type, bytes) => `data:${type};base64,${bytes.toString('base64')}`;

/** A style sheet of the site, with its fonts inside. */
function sheet(path) {
  const text = read(path).replaceAll(/url\(["']?([^"')]+\.woff2)["']?\)/g, (_, font) => {
    const file = posix.join(posix.dirname(path), font);
    return `url(${dataUrl('font/woff2', readFileSync(dist + file))})`;
  });
  return `<style>${text.replaceAll('</style', String.raw`<\/style`)}</style>`;
}

/** The address in an offline file for one of the site's; undefined where the page is not there. */
function addressIn(files, from, address) {
  const [, path, rest] = /^([^?#]*)(.*)$/.exec(address);
  const file = files.get(posix.join(posix.dirname(from), path));
  return file && file + rest;
}

/** Links lead to the other files. A page that is only on the site is named, and no link. */
function linked(html, files, from) {
  const isLocal = (address) => !/^(#|data:|[a-z]+:)/.test(address);
  return html
    .replaceAll(/(<a\b[^>]*?) href="([^"]*)"/g, (whole, before, address) => {
      if (!isLocal(address)) return whole;
      const to = addressIn(files, from, address);
      return to ? `${before} href="${to}"` : `${before} title="这一页在完整的站点里"`;
    })
    .replaceAll(/(&quot;href&quot;:&quot;)([^&]*)(&quot;)/g, (whole, before, address, after) =>
      isLocal(address) ? `${before}${addressIn(files, from, address) ?? ''}${after}` : whole,
    );
}

const LOADER = `addEventListener('DOMContentLoaded', async () => {
  try {
    const packed = atob(document.getElementById('attn-script').textContent);
    const bytes = Uint8Array.from(packed, (letter) => letter.charCodeAt(0));
    const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    const script = document.createElement('script');
    script.type = 'module';
    script.textContent = await new Response(unpacked).text();
    document.head.append(script);
  } catch {
    document.querySelector('main').insertAdjacentHTML('afterbegin', '<p class="core-missing" ' +
      'role="status">这个浏览器太旧，小工具没有启动；换一个2023年以后的浏览器就能用。</p>');
  }
});`;

const STYLE = `<style>a:not([href]) { color: inherit; text-decoration: none; }
.bar nav a:not([href]), #search-open { display: none; }</style>`;

const WITHOUT_SCRIPTS =
  '<noscript><p class="core-missing">小工具要有脚本才画得出来，这个浏览器把脚本关了。</p></noscript>';

/** Names of the tags on a page, without \`attn-\`. */
const tagsOf = (html) => new Set([...html.matchAll(/<attn-([\w-]+)/g)].map(([, name]) => name));

/** True for a part of the scripts that no widget of the page uses. */
function unused(tags) {
  const needs = new Set();
  for (const tag of tags) {
    const source = readFileSync(`${root}web/elements/attn-${tag}.ts`, 'utf8');
    const [, list = ''] = /static override readonly needs[^=]*= \[([^\]]*)\]/.exec(source) ?? [];
    for (const [need] of list.matchAll(/\w+/g)) needs.add(need);
    if (tag === 'heads') needs.add('model');
  }
  if (needs.has('model')) needs.add('trained');
  return (part) => {
    const start = /^(\w+)-start\d*$/.exec(part)?.[1];
    if (start) return !needs.has(start);
    const widget = /^attn-(.*?)\d*$/.exec(part)?.[1];
    return widget !== undefined && widget !== 'widget' && !tags.has(widget);
  };
}

const plain = (text) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** Takes long attributes of widgets out of a page; the packed script puts them back. */
function withoutLongAttributes(html) {
  const given = [];
  const text = html.replaceAll(/<attn-[\w-]+ [^>]*>/g, (tag) => {
    const own = {};
    const rest = tag.replaceAll(/ (data|result)="([^"]*)"/g, (_, name, value) => {
      own[name] = plain(value);
      return '';
    });
    if (Object.keys(own).length === 0) return tag;
    return rest.replace(/>$/, ` data-given="${given.push(own) - 1}">`);
  });
  const script = `const given = ${JSON.stringify(given)};
for (const widget of document.querySelectorAll('[data-given]')) {
  for (const [name, value] of Object.entries(given[widget.dataset.given]))
    widget.setAttribute(name, value);
  widget.removeAttribute('data-given');
}
`;
  return {html: text, script};
}

async function offlinePage(path, files, oneScript) {
  const bare = withoutDrawings(read(path));
  const script = await oneScript(`${bundle}offline.js`, {
    format: 'es',
    without: unused(tagsOf(bare)),
  });
  const {html, script: prelude} = withoutLongAttributes(linked(bare, files, path));
  const packed = gzipSync(prelude + script, {level: 9}).toString('base64');
  const local = (address) => posix.join(posix.dirname(path), address);
  return html
    .replace(/data-base="[^"]*"/, 'data-base="carried:///"')
    .replaceAll(/<link rel="(preload|modulepreload)"[^>]*>\n?/g, '')
    .replaceAll(/<link rel="stylesheet" href="([^"]*)">/g, (_, address) => sheet(local(address)))
    .replace(/<link rel="icon" href="([^"]*)"/, (_, address) => {
      const bytes = readFileSync(dist + local(address));
      return `<link rel="icon" href="${dataUrl('image/svg+xml', bytes)}"`;
    })
    .replaceAll(/<script type="module"[^>]*><\/script>\n?/g, '')
    .replace(/<script src="([^"]*)"><\/script>/, (_, address) => {
      const first = read(local(address)).replaceAll('</script', String.raw`<\/script`);
      return `<script>${first}</script>`;
    })
    .replace('</head>', () => `${STYLE}\n<script>${LOADER}</script>\n</head>`)
    .replace(/<main[^>]*>/, (tag) => `${tag}\n${WITHOUT_SCRIPTS}`)
    .replace('</body>', () => {
      return `<script type="application/gzip" id="attn-script">${packed}</script>\n</body>`;
    });
}

/** The site as one file; its bytes depend on the site alone. */
async function zipOfSite() {
  const {zipSync} = await import('fflate');
  const files = readdirSync(dist, {recursive: true, withFileTypes: true})
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.replaceAll('\\', '/').replace('//', '/'))
    .map((path) => path.slice(dist.length))
    .filter((path) => !/^(offline|packages|pdf)\//.test(path))
    .sort();
  const entries = files.map((path) => [`attn-lessons/${path}`, readFileSync(dist + path)]);
  return zipSync(Object.fromEntries(entries), {level: 6, mtime: new Date(2026, 0, 1)});
}

/**
 * Writes dist/offline.
 *
 * @returns {Promise<Map<string, number>>}  the bytes of each file, by its name
 */
export async function writeOffline() {
  // Imported here because the command must start before any package is installed.
  const {bundleCarried, oneScript} = await import('./carried.mjs');
  const entry = `import ${JSON.stringify(`${root}web/site/offline.ts`)};`;
  await bundleCarried({offline: entry}, {outDir: bundle, inPage: true});
  rmSync(out, {recursive: true, force: true});
  mkdirSync(out, {recursive: true});
  const files = filesOf();
  const sizes = new Map();
  const write = (name, content) => {
    writeFileSync(out + name, content);
    sizes.set(name, Buffer.byteLength(content));
  };
  for (const [path, name] of files) write(name, await offlinePage(path, files, oneScript));
  write('attn-lessons.zip', await zipOfSite());
  return sizes;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(async () => {
    await ensure('build');
    await buildIfChanged();
    for (const [name, bytes] of await writeOffline())
      console.log(`dist/offline/${name}  ${Math.ceil(bytes / 1000)} kB`);
  });
}
