// The picture of each lesson on the home page, as markup.

import {color} from '../shared/plot.js';
import {shapesOf, type ThumbName} from './thumbs.js';

const THUMB_OF: Readonly<Record<string, ThumbName>> = {
  'c3-l01': 'projection',
  'c3-l02': 'additive',
  'c3-l03': 'softmax',
  'c3-l04': 'mask',
  'c3-l05': 'values',
  'c3-l06': 'rope',
  'c3-l07': 'heads',
  'c3-l08': 'cache',
  'c3-l09': 'gqa',
  'c3-l10': 'latent',
  'c3-b1': 'chain',
  'c3-b4': 'sink',
};

/** The paths of a small picture, 96 × 72 units. */
export function thumbPaths(name: ThumbName): string {
  const paths = shapesOf(name).map(([d, token, ink, width, dash]) => {
    const paint = width
      ? `fill="none" stroke="${color(token)}" stroke-width="${width}" stroke-linecap="round"`
      : `fill="${color(token)}"`;
    const dashes = dash ? ` stroke-dasharray="${dash}"` : '';
    return `<path d="${d}" ${paint} opacity="${ink}"${dashes}/>`;
  });
  return paths.join('');
}

/** Empty for a lesson without a picture. */
export function lessonPicture(lesson: string): string {
  const name = THUMB_OF[lesson];
  if (!name) return '';
  const attributes = 'class="lesson-picture" viewBox="0 0 96 72" aria-hidden="true"';
  return `<svg ${attributes}>${thumbPaths(name)}</svg>`;
}
