// Lecture mode: a heading with its text, or a widget, fills the screen, and each step reveals one
// more block. Answers stay closed. The address keeps the place: ?lecture=12.

import lectureStyle from './lecture.css?url';

/** Controls keep their own keys. */
const CONTROLS =
  'input, textarea, select, button, summary, a[href], [role=slider], [role=tab], [tabindex="0"]';

/** A block of the page that is shown whole, with the elements around it below <main>. */
interface Block {
  element: Element;
  around: Element[];
}

const isWidget = (element: Element) => element.localName.startsWith('attn-');

/** The blocks below `parent`, those in sections and veils included. */
function blocksIn(parent: Element, around: Element[] = []): Block[] {
  return [...parent.children].flatMap((element) => {
    if (element.matches('.part, lesson-veil'))
      return element.querySelector('#provenance') ? [] : blocksIn(element, [...around, element]);
    return element.matches('.unveil, nav, .sources-fold, .core-missing, .refused')
      ? []
      : [{element, around}];
  });
}

/** A heading starts a slide; a widget is a slide of its own. */
function slidesOf(blocks: readonly Block[]): Block[][] {
  const slides: Block[][] = [];
  let apart = true;
  for (const block of blocks) {
    const alone = isWidget(block.element);
    const last = slides.at(-1);
    if (!last || apart || alone || block.element.matches('h2, h3')) {
      // A heading without text shares the slide of the next heading.
      if (last?.length === 1 && last[0]!.element.matches('h2') && !alone) last.push(block);
      else slides.push([block]);
    } else last.push(block);
    apart = alone;
  }
  return slides;
}

/** The number of blocks that the first step of a slide shows: its headings and one more. */
function firstStep(slide: readonly Block[]): number {
  const text = slide.findIndex(({element}) => !element.matches('.eyebrow, h1, h2, h3'));
  return text < 0 ? slide.length : text + 1;
}

/** Takes attributes away and gives a function that puts them back. */
function without(selector: string, names: readonly string[]): () => void {
  const taken = [...document.querySelectorAll(selector)].flatMap((element) =>
    names.flatMap((name) => {
      const value = element.getAttribute(name);
      element.removeAttribute(name);
      return value === null ? [] : [{element, name, value}];
    }),
  );
  return () => {
    for (const {element, name, value} of taken) element.setAttribute(name, value);
  };
}

function button(label: string, text: string, press: () => void): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = text;
  made.setAttribute('aria-label', label);
  made.addEventListener('click', press);
  return made;
}

async function addStyle(): Promise<HTMLLinkElement> {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = new URL(lectureStyle, import.meta.url).href;
  document.head.append(link);
  await new Promise((done) =>
    ['load', 'error'].forEach((type) => (link[`on${type}` as 'onload'] = done)),
  );
  return link;
}

let leave: (() => void) | undefined;

/** Enters lecture mode at the slide of the address, or leaves it. */
export async function toggleLecture(): Promise<void> {
  if (leave) {
    leave();
    return;
  }
  const main = document.querySelector('main');
  if (!main) return;
  leave = () => undefined;
  const root = document.documentElement;
  const slides = slidesOf(blocksIn(main));
  const style = await addStyle();
  const ended = new AbortController();
  const {signal} = ended;
  const putBack = [
    without('lesson-veil', ['hidden']),
    without('main attn-check', ['shown', 'guess']),
  ];
  const place = document.createElement('output');
  const dot = document.createElement('div');
  dot.className = 'lecture-dot';
  const bar = document.createElement('div');
  bar.className = 'lecture-bar';
  bar.setAttribute('role', 'toolbar');
  bar.setAttribute('aria-label', '讲课');

  const asked = Number(new URLSearchParams(location.search).get('lecture'));
  let at = Math.min(Math.max(Math.trunc(asked) || 1, 1), slides.length) - 1;
  let shown = firstStep(slides[at]!);

  const setAddress = (value: string | null) => {
    const url = new URL(location.href);
    if (value === null) url.searchParams.delete('lecture');
    else url.searchParams.set('lecture', value);
    history.replaceState(null, '', url);
  };
  const show = () => {
    for (const element of main.querySelectorAll('[data-lecture]'))
      element.removeAttribute('data-lecture');
    const blocks = slides[at]!.slice(0, shown);
    for (const {element, around} of blocks)
      for (const each of [element, ...around]) each.setAttribute('data-lecture', '');
    place.textContent = `${at + 1} / ${slides.length}`;
    setAddress(String(at + 1));
    scrollTo(0, 0);
    if (shown > firstStep(slides[at]!)) blocks.at(-1)?.element.scrollIntoView({block: 'nearest'});
  };
  const step = (by: 1 | -1) => {
    const first = firstStep(slides[at]!);
    if (by > 0 && shown < slides[at]!.length) shown++;
    else if (by < 0 && shown > first) shown--;
    else if (slides[at + by]) {
      at += by;
      shown = by > 0 ? firstStep(slides[at]!) : slides[at]!.length;
    }
    show();
  };
  leave = () => {
    const here = slides[at]?.[0]?.element;
    ended.abort();
    root.classList.remove('lecture');
    for (const each of [bar, dot, style]) each.remove();
    for (const put of putBack) put();
    setAddress(null);
    leave = undefined;
    here?.scrollIntoView();
  };

  bar.append(
    button('上一步', '←', () => step(-1)),
    place,
    button('下一步', '→', () => step(1)),
    button('结束讲课', '结束', () => leave?.()),
  );
  document.body.append(bar, dot);
  root.classList.add('lecture');
  (document.activeElement as HTMLElement | null)?.blur();
  show();

  addEventListener(
    'keydown',
    (event) => {
      const [target] = event.composedPath();
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'Escape') leave?.();
      if (target instanceof Element && target.matches(CONTROLS)) return;
      const by = {ArrowRight: 1, PageDown: 1, ' ': 1, ArrowLeft: -1, PageUp: -1}[event.key];
      if (!by) return;
      event.preventDefault();
      step(by as 1 | -1);
    },
    {signal},
  );
  addEventListener(
    'pointermove',
    ({clientX, clientY}) => {
      dot.style.transform = `translate(${clientX}px, ${clientY}px)`;
    },
    {signal},
  );
}
