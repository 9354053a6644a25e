// The script of a page that holds one widget and nothing else, for iframes. The query is the
// widget's state; the page around it gets and sends messages.

import '../site/hydrate.js';
import '../shared/tokens.css';
import './frame.css';
import wasmUrl from '../../build/wasm/attn_core.wasm?url';
import widgetStyle from '../shared/widget.css?url';
import {widgetClass} from '../elements/registry.js';
import {startWidgets} from '../elements/start.js';
import {onceSettled} from './drawn.js';
import {exchangeMessages} from './messages.js';
import {postSize} from './size.js';

const wasm = fetch(wasmUrl);
// startWidgets, which is called later, reports a failure.
wasm.catch(() => undefined);

const drawn = document.querySelector('main > :last-child');
if (drawn instanceof HTMLElement) await start(drawn);

async function start(drawn: HTMLElement): Promise<void> {
  const changed = parent === window ? () => undefined : postSize();
  const query = new URLSearchParams(location.search);
  if (query.has('theme')) drawn.setAttribute('theme', query.get('theme') ?? '');
  const widget = await showState(drawn, query);
  if (parent !== window) exchangeMessages(widget as Parameters<typeof exchangeMessages>[0]);
  await startWidgets({
    wasm,
    stylesheets: [new URL(widgetStyle, import.meta.url).href],
    contentBase: new URL(/* @vite-ignore */ '../content/', import.meta.url).href,
    place: 'frame',
  });
  changed();
}

/**
 * The build has drawn the default state. Another state gets an element of its own, around the drawn
 * picture until the core is loaded. Returns the element that has the state.
 */
async function showState(drawn: HTMLElement, query: URLSearchParams): Promise<HTMLElement> {
  const {schema} = (await widgetClass(drawn.localName)).spec;
  const fields = [...query].filter(
    ([key]) => key === 'version' || Object.hasOwn(schema as object, key),
  );
  if (fields.length === 0 || !drawn.shadowRoot) return drawn;
  const still = document.createElement('div');
  still.attachShadow({mode: 'open'}).append(...drawn.shadowRoot.childNodes);
  const fresh = document.createElement(drawn.localName);
  for (const [key, text] of fields) fresh.setAttribute(key, text);
  if (drawn.hasAttribute('theme')) fresh.setAttribute('theme', drawn.getAttribute('theme') ?? '');
  fresh.append(still);
  onceSettled(fresh, (done) => {
    if (done) still.remove();
    else still.toggleAttribute('static', true);
  });
  drawn.replaceWith(fresh);
  return fresh;
}
