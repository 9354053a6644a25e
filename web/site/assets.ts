// Files of the client build, and the links to them in a page's head.

import {TAGS, widgetClass} from '../elements/registry.js';
import type {Need} from '../shared/runtime.js';
import {attributeOf, type Element} from './html.js';
import {BASE} from './paths.js';

/** Files that pages link to, relative to the site's root. */
export interface ClientAssets {
  script: string;
  styles: string[];
  /** For the pages that are no lesson. */
  listStyle: string;
  theme: string;
  widgetStyle: string;
  /** Script chunks that every page with widgets needs. */
  chunks: string[];
  /** Of the page with all widgets, and of the pages with one alone. */
  gallery: {script: string; styles: string[]};
  frame: {script: string; early: string; styles: string[]};
  /** Script chunks of a module that only some widgets need. */
  needs: Record<Need, string[]>;
}

/** Enough where only numbers or figures are wanted: no page is kept then. */
export const NO_ASSETS: ClientAssets = {
  script: '',
  styles: [],
  listStyle: '',
  theme: '',
  widgetStyle: '',
  chunks: [],
  gallery: {script: '', styles: []},
  frame: {script: '', early: '', styles: []},
  needs: {cache: [], scaling: [], sequence: []},
};

export const styleLink = (file: string) => `<link rel="stylesheet" href="${BASE}${file}">`;

/** Links to the scripts that a page's widgets share; they load after the text, never before it. */
export async function preloadLinks(
  widgets: readonly Element[],
  {widgetStyle, chunks, needs}: ClientAssets,
): Promise<string> {
  if (widgets.length === 0) return '';
  // A widget whose result the page brings calls no second module before a reader touches it.
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
