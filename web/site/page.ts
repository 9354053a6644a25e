// The script of every page: widgets come alive, numbers show their sources, search and theme work.

import '@lit-labs/ssr-client/lit-element-hydrate-support.js';
import 'katex/dist/katex.min.css';
import '../shared/tokens.css';
import './page.css';
import widgetStyle from '../shared/widget.css?url';
import wasmUrl from '../../build/wasm/attn_core.wasm?url';
import * as world from '../../lessons/data/teaching-world.json';
import {runtime} from '../shared/runtime.js';
import {showSources} from './number-cards.js';
import {switchTheme} from './theme-switch.js';

const base = new URL(document.documentElement.dataset['base'] ?? './', location.href);

/** The core, or a reason why the page stays as it was built. */
async function wakeWidgets(): Promise<void> {
  const widgets = [...document.querySelectorAll('*')].filter((element) => element.localName.startsWith('attn-'));
  if (widgets.length === 0) return;
  try {
    const [{loadCore}, {register}, bytes] = await Promise.all([
      import('../core.js'),
      import('../elements/registry.js'),
      fetch(wasmUrl).then((response) => (response.ok ? response.arrayBuffer() : Promise.reject(new Error(`${wasmUrl}: ${response.status}`)))),
    ]);
    const core = await loadCore({wasmBinary: bytes});
    Object.assign(runtime, {core, world, stylesheet: new URL(widgetStyle, import.meta.url).href, contentBase: new URL('content/', base).href});
    await register(widgets.map((widget) => widget.localName));
  } catch (error) {
    console.warn('attn-lessons: the core did not load', error);
    const notice = document.createElement('p');
    notice.className = 'core-missing';
    notice.setAttribute('role', 'status');
    notice.textContent = '计算模块没能载入，下面的图停在构建时的样子；文字、公式和数字都是全的。';
    widgets[0]?.before(notice);
    for (const widget of widgets) widget.toggleAttribute('static', true);
  }
}

showSources();
switchTheme();
document.querySelector('#search-open')?.addEventListener('click', () => {
  void import('./search.js').then(({openSearch}) => openSearch(base));
});
addEventListener('keydown', (event) => {
  if (event.key === 'k' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    void import('./search.js').then(({openSearch}) => openSearch(base));
  }
});
await wakeWidgets();
