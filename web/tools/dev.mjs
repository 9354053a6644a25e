// npm run dev: rebuilds while an author edits. A saved page is redrawn alone; after a change of
// code the pages that are open in a browser are redrawn first, and the others later. A mistake is
// printed with its path and line, and the page keeps its last good content.
import {existsSync, readFileSync, watch} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {build, copyStatic, openSite} from './build.mjs';
import {buildWasm, pageModules} from './native.mjs';
import {main, root} from './run.mjs';
import {requestedPort, serve} from './serve.mjs';
import {ensure} from './setup.mjs';

const dist = `${root}dist`;
const watched = ['lessons', 'web', 'core', 'wasm'];
/** An editor writes a file in several steps; the rebuild waits this long after the last one. */
const quietMs = 30;
/** The interval at which an open page requests its version. */
const askMs = 100;
/** A page without a request for this long counts as closed. */
const openMs = 2000;

/**
 * Requests the version of this page and reloads the page when the version has changed. The version
 * of the drawn page comes with its address: it may be redrawn again before the first request.
 */
const reloader = `const seen = new URL(import.meta.url).searchParams.get('seen');
const page = location.pathname.replace(/\\/$/, '/index.html');
setInterval(async () => {
  const now = await fetch('/dev-version' + page).then(answer => answer.text()).catch(() => seen);
  if (now !== seen) location.reload();
}, ${askMs});`;

const isLessonText = (path) => path.startsWith('lessons/') && path.endsWith('.md');

/** "/c3/l03/index.html" → "lessons/c3/l03/index.md", also for pages that the build makes. */
const sourceOf = (page) => `lessons${page.replace(/\.html$/, '.md')}`;

/** Prints a mistake; the watch continues. */
const report = (error) => console.error(error.message, error.output ?? '');

class Loop {
  #wasm;
  #site;
  #assets;
  /**
   * The version of each redrawn page, by its Markdown file; the other pages have the version of the
   * last whole build.
   */
  #versions = new Map();
  #builds = 0;
  /** The time of each open page's last request, by its Markdown file. */
  #lastRequests = new Map();
  #changed = new Set();
  #timer;
  #work = Promise.resolve();

  constructor({wasm}) {
    this.#wasm = wasm;
  }

  async start() {
    try {
      const built = await build({wasm: this.#wasm, minify: false});
      this.#site = built.site;
      this.#assets = built.assets;
    } catch (error) {
      report(error);
    }
  }

  /** The server's answers to requests that are not for files of dist/. */
  answer(path) {
    if (path === '/dev-reload.js') return {body: reloader, type: 'text/javascript; charset=utf-8'};
    if (path.startsWith('/dev-version/')) {
      const source = sourceOf(path.slice('/dev-version'.length));
      this.#lastRequests.set(source, Date.now());
      return {body: this.#versionOf(source), type: 'text/plain'};
    }
    const page = path.endsWith('/') ? `${path}index.html` : path;
    const file = dist + page;
    if (!file.endsWith('.html') || !existsSync(file)) return undefined;
    const seen = this.#versionOf(sourceOf(page));
    const script = `<script type="module" src="/dev-reload.js?seen=${seen}"></script></head>`;
    return {body: readFileSync(file, 'utf8').replace('</head>', () => script)};
  }

  #versionOf(source) {
    return String(this.#versions.get(source) ?? this.#builds);
  }

  change(path) {
    this.#changed.add(path);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#work = this.#work.then(() => this.#round());
    }, quietMs);
  }

  async #round() {
    const changed = [...this.#changed];
    this.#changed.clear();
    if (changed.length === 0) return;
    const begun = Date.now();
    const seconds = () => `${((Date.now() - begun) / 1000).toFixed(2)} 秒`;
    try {
      const pages = changed.filter((path) => isLessonText(path) && existsSync(root + path));
      if (!this.#site || pages.length < changed.length) {
        // Bundling keeps this process from answering, so pages would count as closed after it.
        const open = this.#openPages();
        await this.#reopen(changed);
        await this.#draw(open);
        console.log(`打开的页面已重画，用了 ${seconds()}`);
        await this.#drawRest(open);
      } else {
        await this.#draw(pages);
        console.log(`${pages.join('、')} 已重画，用了 ${seconds()}`);
        for (const path of pages) await this.#site.writeFollowing(dist, path);
      }
    } catch (error) {
      report(error);
    }
  }

  /** Bundles the scripts and evaluates the authors' modules again. */
  async #reopen(changed) {
    if (this.#wasm && changed.some((path) => /^(core|wasm)\//.test(path)))
      await buildWasm({targets: pageModules});
    const {bundleClient} = await import('./bundle.mjs');
    [this.#site, this.#assets] = await Promise.all([openSite(), bundleClient({minify: false})]);
    copyStatic(dist);
  }

  #openPages() {
    return [...this.#lastRequests]
      .filter(([, at]) => Date.now() - at < openMs)
      .map(([path]) => path);
  }

  async #draw(paths) {
    for (const path of paths) {
      await this.#site.redraw(dist, path, this.#assets);
      this.#builds++;
      this.#versions.set(path, this.#builds);
    }
  }

  /** Draws every page; stops at a new change, after which the next round draws them. */
  async #drawRest(drawn) {
    for (const path of await this.#site.pages()) {
      if (this.#changed.size > 0) return;
      if (!drawn.includes(path)) await this.#draw([path]);
    }
    await this.#site.writeRest(dist, this.#assets);
    console.log('别的页面也重画好了');
  }
}

/**
 * Builds, serves and watches until closed.
 *
 * @param {{port?: number, wasm?: boolean}} [options]  wasm: false takes the modules as they are
 */
export async function dev({port = 0, wasm = true} = {}) {
  const loop = new Loop({wasm});
  // The server comes first: a watch without a server would keep a failed command running.
  const site = await serve({folder: dist, port, fault: (path) => loop.answer(path)});
  await loop.start();
  const watchers = watched.map((folder) =>
    watch(root + folder, {recursive: true}, (_event, name) => loop.change(`${folder}/${name}`)),
  );
  return {
    url: site.url,
    close: async () => {
      for (const watcher of watchers) watcher.close();
      await site.close();
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(async () => {
    const port = requestedPort();
    await ensure('start');
    const {url} = await dev({port});
    console.log(`课程在 ${url}，改动后页面会自己刷新（按 Ctrl+C 结束）`);
  });
}
