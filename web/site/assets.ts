// Files of the client build, and the links to them in a page's head.

import {TAGS, widgetClass} from '../elements/registry.js';
import type {Need} from '../shared/runtime.js';
import {attributeOf, type Element} from './html.js';
import {BASE} from './paths.js';

/** Files that pages link to, relative to the site's root. */
export interface ClientAssets {
  script: string;
  styles: string[];
  /** The style sheet of pages that are not lessons. */
  listStyle: string;
  /** The script that runs before the first paint. */
  first: string;
  widgetStyle: string;
  /** Script chunks that every page with widgets needs. */
  chunks: string[];
  /** The scripts and styles of the gallery's wall, and of a widget's page with texts to copy. */
  gallery: Record<'wall' | 'take', {script: string; styles: string[]}>;
  /** The script of the page with all models. */
  models: string;
  /** Those of the pages for iframes. */
  frame: {script: string; early: string; styles: string[]};
  /** Script chunks of a module that only some widgets need. */
  needs: Record<Need, string[]>;
}

/** For commands that compute only numbers or figures and keep no page. */
export const NO_ASSETS: ClientAssets = {
  script: '',
  styles: [],
  listStyle: '',
  first: '',
  widgetStyle: '',
  chunks: [],
  gallery: {wall: {script: '', styles: []}, take: {script: '', styles: []}},
  models: '',
  frame: {script: '', early: '', styles: []},
  needs: {cache: [], model: [], scaling: [], sequence: []},
};

export const styleLink = (file: string) => `<link rel="stylesheet" href="${BASE}${file}">`;

/**
 * A link to a font that the page's formulas need. The browser asks for it before it lays out the
 * text, so that lines seldom break anew once it is there, and after the style sheets.
 */
export const fontLink = (file: string) =>
  `<link rel="preload" href="${BASE}assets/fonts/${file}" as="font" type="font/woff2" ` +
  'fetchpriority="low" crossorigin>';

/** Links to the scripts that a page's widgets share; browsers load them after the text. */
export async function preloadLinks(
  widgets: readonly Element[],
  {widgetStyle, chunks, needs}: ClientAssets,
): Promise<string> {
  if (widgets.length === 0) return '';
  // A widget whose result is in the page calls no second module before the reader touches it.
  const calling = new Set(
    widgets
      .filter((widget) => attributeOf(widget, 'result') === undefined)
      .map(({tagName}) => tagName),
  );
  const classes = await Promise.all(TAGS.filter((tag) => calling.has(tag)).map(widgetClass));
  const needed = new Set(classes.flatMap((widget) => widget.needs));
  const files = new Set([...chunks, ...[...needed].flatMap((need) => needs[need])]);
  return [
    `<link rel="preload" href="${BASE}${widgetStyle}" as="style">`,
    ...[...files].map(
      (file) => `<link rel="modulepreload" fetchpriority="low" href="${BASE}${file}">`,
    ),
  ].join('\n');
}
