// Checks of a page before it is rendered: the fields of its head, the picture that opens a lesson,
// the order of its sections, and boxes that are known and closed.

import {BuildError, lineAt, lineOf} from './build-error.js';

/** The sections of a lesson, in order; a lesson without one of them does not build. */
const FRAME = [
  'from',
  'design',
  'fails',
  'improve-1',
  'improve-2',
  'misconceptions',
  'evolution',
  'evidence',
  'sentence',
  'gap',
  'questions',
  'provenance',
];

/** The fields in the head of every page, and the additional ones of a lesson. */
const PAGE_FIELDS = ['title', 'lead'];
const LESSON_FIELDS = ['course', 'question', 'later'];

/** The lessons that the head names; a name like C11 may be another course. */
function named({id, prev, next, later}: Readonly<Record<string, unknown>>): unknown[] {
  const put = Array.isArray(later)
    ? later.map((item: {lesson?: unknown} | null) => item?.lesson)
    : [];
  return [id, prev, next, ...put.filter((lesson) => /^c\d+-/.test(String(lesson)))].filter(
    (lesson) => lesson !== undefined,
  );
}

/**
 * Throws BuildError for the first field that is missing, and for a lesson that is not on the map.
 */
export function checkHead(
  path: string,
  text: string,
  data: Readonly<Record<string, unknown>>,
  lessons: readonly string[],
): void {
  const missing = [...PAGE_FIELDS, ...('id' in data ? LESSON_FIELDS : [])].find(
    (field) => data[field] === undefined || data[field] === null,
  );
  if (missing) throw new BuildError(path, 1, `开头的两行「---」之间缺了「${missing}」`);
  const unknown = named(data).find((lesson) => !lessons.includes(String(lesson)));
  if (unknown !== undefined)
    throw new BuildError(
      path,
      lineOf(text, String(unknown)),
      `章节图chapter.ts里没有「${String(unknown)}」这一课`,
    );
}

/** The first picture of a lesson: a widget, or a table that is drawn as a picture. */
const PICTURE = /^(<attn-(?!check\b)|::: (heat|bars) )/m;

/**
 * Throws BuildError for the first section of the frame that is missing or out of order, and for a
 * lesson without a picture before its first section.
 */
export function checkFrame(path: string, text: string): void {
  let from = 0;
  for (const id of FRAME) {
    const place = text.indexOf(`{#${id}}`);
    if (place < 0) throw new BuildError(path, 1, `这一课缺了「{#${id}}」一节`);
    if (place < from)
      throw new BuildError(
        path,
        lineOf(text, `{#${id}}`),
        `「{#${id}}」一节的次序不对，框架是 ${FRAME.join(' → ')}`,
      );
    from = place;
  }
  const start = text.indexOf(`{#${FRAME[0]}}`);
  if (!PICTURE.test(text.slice(0, start)))
    throw new BuildError(
      path,
      lineAt(text, start),
      '这一节之前要有一张停在失败处的图：一个小工具，或一张 ::: heat、::: bars 的表',
    );
}

/** Throws BuildError for an unknown box, a box that is never closed, and a close without a box. */
export function checkBoxes(path: string, text: string, known: readonly string[]): void {
  let open: {name: string; at: number} | undefined;
  for (const {0: whole, 1: name = '', index: at} of text.matchAll(/^:::+[ \t]*([^\s]*).*$/gm)) {
    const stop = (place: number, message: string): never => {
      throw new BuildError(path, lineAt(text, place), message);
    };
    if (name === '') {
      if (!open) stop(at, '这里的「:::」没有框可收');
      open = undefined;
      continue;
    }
    if (!known.includes(name)) stop(at, `没有叫「${whole}」的框，有 ${known.join('、')}`);
    if (open) stop(open.at, `「::: ${open.name}」这一框没有收尾的「:::」`);
    open = {name, at};
  }
  if (open)
    throw new BuildError(
      path,
      lineAt(text, open.at),
      `「::: ${open.name}」这一框没有收尾的「:::」`,
    );
}
