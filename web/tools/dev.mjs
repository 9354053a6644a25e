// npm run dev: rebuilds while an author edits. A saved page is redrawn alone. After a change of a
// widget's code the pages that are open in a browser load the new scripts at once, and all pages
// are redrawn later; after a change of other code the open pages are redrawn first. A mistake is
// printed with its path and line, and the page keeps its last good content.
import {existsSync, readFileSync, watch} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {build, copyStatic, siteOf} from './build.mjs';
import {buildWasm, pageModules} from './native.mjs';
import {main, root} from './run.mjs';
import {requestedPort, serve} from './serve.mjs';
import {ensure} from './setup.mjs';

const dist = `${root}dist`;
const watched = ['lessons', 'web', 'core', 'wasm'];
/** An editor writes a file in several steps; the rebuild waits this long after the last one. */
const quietMs = 15;
/**
 * Other pages, and files made from pages, are written this long after the last change: drawing
 * keeps this process from answering, and the open page loads in that time.
 */
const laterMs = 2000;
/** The interval at which an open page requests its version. */
const askMs = 30;
/** A page without a request for this long counts as closed. */
const openMs = 2000;

/**
 * Requests the version of this page and reloads the page when the version has changed. The version
 * of the drawn page comes with its address: it may be redrawn again before the first request.
 */
const reloader = `const seen = new URL(import.meta.url).searchParams.get('seen');
const page = location.pathname.replace(/\\/$/, '/index.html');
let now = seen;
while (now === seen) {
  await new Promise((done) => setTimeout(done, ${askMs}));
  now = await fetch('/dev-version' + page).then((answer) => answer.text()).catch(() => seen);
}
location.reload();`;

/** The pages get all of this code with their scripts. */
const isWidgetCode = (path) => /^web\/(elements|shared)\//.test(path);

const isLessonText = (path) => path.startsWith('lessons/') && path.endsWith('.md');

/** A page without its drawn widgets, which the page's scripts then draw themselves. */
const withoutDrawings = (html) => html.replaceAll(' shadowrootmode="open"', '');

/** The text of a page around its widgets. */
const textOf = (html) => html.replace(/<template shadowroot[^]*?<\/template>/g, '');

/** "/c3/l03/index.html" → "lessons/c3/l03/index.md", also for pages that the build makes. */
const sourceOf = (page) => `lessons${page.replace(/\.html$/, '.md')}`;

/** The written page of a Markdown file, or undefined. */
function contentOf(source) {
  const file = dist + source.replace(/^lessons/, '').replace(/\.md$/, '.html');
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** Prints a mistake; the watch continues. */
const report = (error) => console.error(error.message, error.output ?? '');

class Loop {
  #wasm;
  #site;
  /** Whether the opened site draws with older code than that of the last change. */
  #siteIsOld = false;
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
  #laterTimer;
  /** The pages drawn since the last change of code; undefined when that is all of them. */
  #drawn;
  /** The redrawn pages whose figures are not written yet. */
  #withoutFigures = new Set();
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
    const source = sourceOf(page);
    const html = contentOf(source);
    if (!page.endsWith('.html') || html === undefined) return undefined;
    const seen = this.#versionOf(source);
    const script = `<script type="module" src="/dev-reload.js?seen=${seen}"></script></head>`;
    // Hydration fails where other code has drawn the page.
    const isOld = this.#drawn && !this.#drawn.has(source);
    return {body: (isOld ? withoutDrawings(html) : html).replace('</head>', () => script)};
  }

  #versionOf(source) {
    return String(this.#versions.get(source) ?? this.#builds);
  }

  change(path) {
    this.#changed.add(path);
    clearTimeout(this.#timer);
    clearTimeout(this.#laterTimer);
    this.#timer = setTimeout(() => this.#then(() => this.#round()), quietMs);
  }

  /** Does one piece of work after the other, and prints a mistake. */
  #then(work) {
    this.#work = this.#work.then(work).catch(report);
  }

  async #round() {
    const changed = [...this.#changed];
    this.#changed.clear();
    if (changed.length === 0) return;
    const begun = Date.now();
    const seconds = () => `${((Date.now() - begun) / 1000).toFixed(2)} 秒`;
    try {
      const pages = changed.filter((path) => isLessonText(path) && existsSync(root + path));
      // Bundling keeps this process from answering, so pages would count as closed after it.
      const open = this.#openPages();
      if (this.#site && pages.length === changed.length) {
        if (this.#siteIsOld) await this.#openSite();
        await this.#redraw(pages);
        this.#publish(pages);
        console.log(`${pages.join('、')} 已重画，用了 ${seconds()}`);
      } else {
        if (this.#site && changed.every(isWidgetCode)) await this.#newScripts(open);
        else await this.#renew(changed, open);
        console.log(`打开的页面已更新，用了 ${seconds()}`);
      }
    } finally {
      this.#laterTimer = setTimeout(() => this.#then(() => this.#writeLater()), laterMs);
    }
  }

  /** Bundles the scripts and makes the open pages load them. */
  async #newScripts(open) {
    const {bundleClient} = await import('./bundle.mjs');
    const assets = await bundleClient({minify: false});
    this.#siteIsOld = true;
    this.#drawn = new Set();
    copyStatic(dist);
    if (JSON.stringify(assets) === JSON.stringify(this.#assets)) this.#publish(open);
    // The written pages link to files that have other names now.
    else await this.#renew([], open, assets);
  }

  /** Opens the site with the code as it is now. */
  async #openSite() {
    const {bundleNode} = await import('./bundle.mjs');
    this.#site = await siteOf(await bundleNode());
    this.#siteIsOld = false;
    this.#drawn = new Set();
  }

  /**
   * Bundles the scripts if they are not given, opens the site again and draws the open pages. They
   * are drawn while the scripts are bundled, since names of files rarely change; where they do,
   * once more.
   */
  async #renew(changed, open, scripts) {
    if (this.#wasm && changed.some((path) => /^(core|wasm)\//.test(path)))
      await buildWasm({targets: pageModules});
    const {bundleClient} = await import('./bundle.mjs');
    await this.#openSite();
    const bundling = scripts ?? bundleClient({minify: false});
    const before = this.#assets;
    const drawing = before && this.#redraw(open);
    const [drawn, bundled] = await Promise.allSettled([drawing, bundling]);
    if (bundled.status === 'rejected') throw bundled.reason;
    copyStatic(dist);
    const same = JSON.stringify(bundled.value) === JSON.stringify(before);
    if (!same) this.#assets = bundled.value;
    if (drawn.status === 'rejected') throw drawn.reason;
    if (!same) await this.#redraw(open);
    this.#publish(open);
  }

  #openPages() {
    return [...this.#lastRequests]
      .filter(([, at]) => Date.now() - at < openMs)
      .map(([path]) => path);
  }

  async #redraw(paths) {
    for (const path of paths) {
      await this.#site.redraw(dist, path, this.#assets);
      this.#drawn?.add(path);
      this.#withoutFigures.add(path);
    }
  }

  /** Makes browsers load these pages. */
  #publish(paths) {
    for (const path of paths) this.#versions.set(path, ++this.#builds);
  }

  /** Writes all that is older than the last change; stops at a new one. */
  async #writeLater() {
    if (this.#drawn) {
      const open = this.#openPages();
      if (this.#siteIsOld) await this.#openSite();
      for (const path of new Set([...open, ...(await this.#site.pages())])) {
        // Requests that came while a page was drawn are answered first.
        await new Promise(setImmediate);
        if (this.#changed.size > 0) return;
        if (this.#drawn.has(path)) continue;
        const before = contentOf(path);
        await this.#redraw([path]);
        // An open page has the new widgets already, and a reader's place in them.
        const after = contentOf(path);
        if (!before || !after || textOf(after) !== textOf(before)) this.#publish([path]);
      }
      await this.#site.writeRest(dist, this.#assets);
      this.#drawn = undefined;
      this.#withoutFigures.clear();
      console.log('别的页面也重画好了');
    }
    for (const path of this.#withoutFigures) {
      await this.#site.writeFollowing(dist, path);
      this.#withoutFigures.delete(path);
    }
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
