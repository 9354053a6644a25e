// All pages of the gallery.

import type {ChapterLesson} from '../chapter.js';
import type {MadePage} from '../paths.js';
import {embeddingPage} from './embedding-page.js';
import type {Shown} from './shown.js';
import {inWallOrder, wallPage} from './wall-page.js';
import {widgetPage} from './widget-page.js';

export function galleryPages(
  shown: readonly Shown[],
  lessons: readonly ChapterLesson[],
): MadePage[] {
  const ordered = inWallOrder(shown, lessons);
  return [
    wallPage(shown, lessons),
    embeddingPage(),
    ...ordered.map((each, i) => widgetPage(each, {before: ordered[i - 1], after: ordered[i + 1]})),
  ];
}
