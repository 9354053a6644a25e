// The script of every page: starts the widgets, the search and the theme button, and loads what
// may come later.

import '../shared/tokens.css';
import './page.css';
import './content.css';
import './rail.css';
import widgetStyle from '../shared/widget.css?url';
import wasmUrl from '../../build/wasm/attn_core.wasm?url';
import {switchTheme} from './theme-switch.js';

/** The page has the focus, and none of its controls has it. */
const isFree = (event: Event) =>
  [document.body, document.documentElement].includes(event.composedPath()[0] as HTMLElement);

/** Resolves when the reader first points, types or scrolls. */
const touched = new Promise<unknown>((done) => {
  for (const type of ['pointerover', 'focusin', 'keydown', 'scroll'])
    addEventListener(type, done, {once: true});
});

/** Without a reader's touch, widgets out of sight are hydrated this long after the others. */
const REST_MS = 4000;

/** This browser has stored something, perhaps progress to show. */
function isReturning(): boolean {
  try {
    return localStorage.length > 0;
  } catch {
    return false;
  }
}

const base = new URL(document.documentElement.dataset['base'] ?? './', location.href);

switchTheme();
const search = () => void import('./search.js').then((module) => module.openSearch(base));
const lectureButton = document.querySelector('#lecture-open');
const lecture = () => void import('./lecture.js').then((module) => module.toggleLecture());
document.querySelector('#search-open')?.addEventListener('click', search);
lectureButton?.addEventListener('click', lecture);
if (lectureButton && /[?&]lecture\b/.test(location.search)) lecture();
addEventListener('keydown', (event) => {
  const {key, ctrlKey, metaKey, altKey} = event;
  const commanded = ctrlKey || metaKey;
  if (key === 'k' && commanded) {
    event.preventDefault();
    search();
  }
  // A letter typed into a box or on a control is the control's own.
  if (/^p$/i.test(key) && lectureButton && !commanded && !altKey && isFree(event)) lecture();
});
if (
  [...document.querySelectorAll('main *')].some((element) => element.localName.startsWith('attn-'))
) {
  const wasm = fetch(wasmUrl);
  // startWidgets, which is called later, reports a failure.
  wasm.catch(() => undefined);
  const {startWidgets} = await import('./hydrate.js');
  await startWidgets({
    wasm,
    stylesheets: [new URL(widgetStyle, import.meta.url).href],
    contentBase: new URL('content/', base).href,
    rest: Promise.race([touched, new Promise((done) => setTimeout(done, REST_MS))]),
  });
}
// The rest comes after the widgets, and not before a new reader does something.
if (!isReturning()) await touched;
(await import('./later.js')).startLater();
