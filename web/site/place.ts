// The reader's place in a lesson: its margin marks the section that is being read and those that
// are done.

import {keepAll, keptAll} from '../shared/answers.js';

interface Section {
  id: string;
  link: HTMLAnchorElement;
  part: Element;
  /** The questions in it. */
  questions: string[];
}

function sectionsOfPage(): Section[] {
  return [...document.querySelectorAll<HTMLAnchorElement>('.outline a')].flatMap((link) => {
    const id = link.hash.slice(1);
    const part = document.getElementById(id)?.closest('.part');
    if (!part) return [];
    const checks = [...part.querySelectorAll('attn-check')];
    return [{id, link, part, questions: checks.map((one) => one.getAttribute('question') ?? '')}];
  });
}

/** The sections read since the page was opened, even if storage refused them. */
const here = new Set<string>();

function seenIn(lesson: string): Set<string> {
  const {seen} = (keptAll()[lesson] ?? {}) as {seen?: unknown};
  return new Set([...(Array.isArray(seen) ? (seen as string[]) : []), ...here]);
}

export interface Place {
  lesson: string;
  /** The whole lesson has been read. */
  isRead: () => boolean;
  isAnswered: (question: string) => boolean;
}

/**
 * Marks the section that is being read from now on. Returns a function that marks the sections that
 * are done: read to their end, every question in them answered, opened or skipped.
 */
export function showPlace({lesson, isRead, isAnswered}: Place): () => void {
  const sections = sectionsOfPage();
  const showDone = () => {
    const seen = seenIn(lesson);
    for (const {id, link, questions} of sections)
      link.classList.toggle('done', (isRead() || seen.has(id)) && questions.every(isAnswered));
  };
  // A line across the window: the section that it crosses is being read.
  const observer = new IntersectionObserver(
    (entries) => {
      for (const {target, isIntersecting, boundingClientRect, rootBounds} of entries) {
        const section = sections.find(({part}) => part === target);
        if (!section) continue;
        const {id, link} = section;
        const wasRead = link.ariaCurrent && boundingClientRect.bottom <= (rootBounds?.bottom ?? 0);
        if (isIntersecting) link.ariaCurrent = 'location';
        else link.removeAttribute('aria-current');
        if (isIntersecting || !wasRead || seenIn(lesson).has(id)) continue;
        here.add(id);
        if (!isRead()) keepAll({...keptAll(), [lesson]: {seen: [...seenIn(lesson)]}});
      }
      showDone();
    },
    {rootMargin: '-40% 0px -59.9%'},
  );
  for (const {part} of sections) observer.observe(part);
  return showDone;
}
