// Each widget as the gallery shows it: its declaration, title, picture and places.

import {register, TAGS, widgetClass} from '../../elements/registry.js';
import type {ChapterLesson} from '../chapter.js';
import {declarationOf, type Declaration} from '../declarations.js';
import {titleOf, type Widgets} from '../page-widgets.js';
import {widgetPicture} from './pictures.js';
import {placesOf, type Place} from './places.js';

export interface Shown {
  declaration: Declaration;
  /** The title in the default state. */
  title: string;
  picture: string;
  /** The pages that show it. */
  places: Place[];
}

/** Every widget in its default state. */
export async function shownWidgets(
  widgets: Widgets,
  lessons: readonly ChapterLesson[],
): Promise<Shown[]> {
  await register(TAGS);
  const places = placesOf(lessons);
  return Promise.all(
    TAGS.map(async (tag) => {
      const widget = await widgetClass(tag);
      return {
        declaration: declarationOf(widget),
        title: titleOf(widgets.byDefault(widget.spec)),
        picture: await widgetPicture(widgets, tag),
        places: places.get(tag) ?? [],
      };
    }),
  );
}
