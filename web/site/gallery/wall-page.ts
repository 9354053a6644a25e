// The gallery: a wall of small pictures, one for each widget, in the order of the lessons.

import type {ChapterLesson} from '../chapter.js';
import {escapeHtml} from '../html.js';
import {BASE, type MadePage} from '../paths.js';
import {grouped, type Group} from './places.js';
import type {Shown} from './shown.js';

const shortName = (tag: string) => tag.replace('attn-', '');

function heading({id, title, href}: Group<Shown>): string {
  const text = escapeHtml(title);
  return `<h2 id="${id}">${href ? `<a href="${BASE}${href}">${text}</a>` : text}</h2>`;
}

function tile({declaration: {tag, name, summary}, picture}: Shown, above: string): string {
  return (
    `<div class="tile" id="${tag}">${above}${picture}<div class="tile-text">` +
    `<h3 id="${shortName(tag)}"><a href="${tag}/index.html">${escapeHtml(name)}</a></h3>` +
    `<p>${escapeHtml(summary)}</p></div></div>`
  );
}

/** The widgets in the order of the wall. */
export function inWallOrder(shown: readonly Shown[], lessons: readonly ChapterLesson[]): Shown[] {
  return grouped(shown, lessons).flatMap(({members}) => members);
}

export function wallPage(shown: readonly Shown[], lessons: readonly ChapterLesson[]): MadePage {
  const tiles = grouped(shown, lessons).flatMap((group) =>
    group.members.map((each, i) => tile(each, i === 0 ? heading(group) : '')),
  );
  return {
    path: 'widgets/index.md',
    markdown: [
      '<p class="wall-links" id="common"><a href="embedding/index.html">放进你的网页</a>' +
        `<a href="${BASE}embed/example.html">现成的例子</a></p>`,
      '',
      `<div class="wall">${tiles.join('\n')}</div>`,
      '',
    ].join('\n'),
    data: {
      title: '小工具',
      gallery: 'wall',
      description: '这门课的每个小工具：现场可用，也能放进你的网页。',
      lead: '课里能动手的图都在这面墙上，按课排。点开一张，单独用它，也能连同现在的状态放进你的网页。',
    },
  };
}
