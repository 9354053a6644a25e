// The reader's progress, lessons read and questions answered, shown in a lesson and on the chapter
// map. It is stored in this browser only.

import type {CheckState} from '../elements/attn-check.js';
import {keepAll, keptAll, keptAnswer} from '../shared/answers.js';
import {showPlace} from './place.js';

const REFUSED = '这个浏览器不让本站存东西，或者已经存满了：作答和进度只留到关掉这一页为止。';
const FILE_NAME = 'attn-lessons-progress.json';

/** An element that shows a lesson's progress: the lesson's name and the questions at its end. */
interface Place {
  element: HTMLElement;
  lesson: string;
  quiz: string[];
}

function placesIn(root: ParentNode): Place[] {
  return [...root.querySelectorAll<HTMLElement>('[data-progress]')].map((element) => {
    const {progress = '', quiz = ''} = element.dataset;
    return {element, lesson: progress, quiz: quiz.split(' ').filter(Boolean)};
  });
}

/** Lessons read and questions answered since the page was opened, even if storage refused them. */
const here = new Set<string>();

function wasRead(lesson: string): boolean {
  const {read} = (keptAll()[lesson] ?? {}) as {read?: unknown};
  return read === true || here.has(lesson);
}

/** "✓ 读过 · 课后题答了2/5", or nothing. */
function wordsOf({lesson, quiz}: Place): string {
  const answered = quiz.filter(
    (question) => here.has(question) || (keptAnswer(question)?.guess ?? null) !== null,
  ).length;
  if (answered > 0 && answered === quiz.length) return '✓ 做完';
  return [
    wasRead(lesson) ? '✓ 读过' : '',
    answered > 0 ? `课后题答了${answered}/${quiz.length}` : '',
  ]
    .filter(Boolean)
    .join(' · ');
}

/** The child element with the class; it is created when there is a text to show. */
function childOf(parent: Element, className: string, make: () => HTMLElement): HTMLElement {
  const there = parent.querySelector<HTMLElement>(`:scope > .${className}`);
  if (there) return there;
  const made = make();
  made.className = className;
  parent.append(made);
  return made;
}

function show(places: readonly Place[]): void {
  for (const place of places) {
    const words = wordsOf(place);
    if (words || place.element.querySelector('.progress'))
      childOf(place.element, 'progress', () => document.createElement('span')).textContent = words;
  }
}

/** Shows once, at the end of a lesson or under the map, that the progress could not be stored. */
function showNotStored(): void {
  if (document.querySelector('.refused')) return;
  const notice = document.createElement('p');
  notice.className = 'refused';
  notice.setAttribute('role', 'status');
  notice.textContent = REFUSED;
  document.querySelector('.onward, #map')?.before(notice);
}

function button(words: string, press: () => void): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = words;
  made.addEventListener('click', press);
  return made;
}

function download(): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(
    new Blob([JSON.stringify({version: 1, kept: keptAll()}, null, 1)], {type: 'application/json'}),
  );
  link.download = FILE_NAME;
  link.click();
  // The link is revoked later, since some browsers fetch it a moment after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** The buttons under the map: save the progress to a file, or clear it and undo that. */
function tools(map: Element, update: () => void): void {
  const line = document.createElement('p');
  line.className = 'progress-tools';
  let cleared: Record<string, unknown> | undefined;
  const clear = button('清空进度', () => {
    const next = cleared ?? {};
    cleared = cleared ? undefined : keptAll();
    if (!keepAll(next)) showNotStored();
    clear.textContent = cleared ? '撤销清空' : '清空进度';
    update();
  });
  line.append('进度和作答只存在这个浏览器里。', button('导出进度', download), clear);
  map.append(line);
}

/** Shows the stored progress, and stores the reader's progress from now on. */
export function showProgress(): void {
  const places = placesIn(document);
  const [{lesson} = {lesson: ''}] = places;
  const showDone = showPlace({
    lesson,
    isRead: () => wasRead(lesson),
    isAnswered: (question) => here.has(question) || keptAnswer(question) !== undefined,
  });
  const update = () => {
    show(places);
    showDone();
  };
  update();
  addEventListener('storage', update);
  addEventListener('pageshow', update);

  const map = document.querySelector('#map');
  if (map && Object.keys(keptAll()).length > 0) tools(map, update);

  document.addEventListener('attn-change', (event) => {
    const {target, detail} = event as CustomEvent<{state: CheckState}>;
    if (!(target instanceof Element) || target.localName !== 'attn-check') return;
    const {question, guess} = detail.state;
    if (guess === null) here.delete(question);
    else here.add(question);
    // The widget stores its answer right after it fires the event.
    queueMicrotask(() => {
      if (guess !== null && !keptAnswer(question)) showNotStored();
      update();
    });
  });

  const end = document.querySelector('#provenance');
  if (!end || wasRead(lesson)) return;
  new IntersectionObserver((entries, observer) => {
    if (!entries.some(({isIntersecting}) => isIntersecting)) return;
    observer.disconnect();
    here.add(lesson);
    if (!keepAll({...keptAll(), [lesson]: {read: true}})) showNotStored();
    update();
  }).observe(end);
}
