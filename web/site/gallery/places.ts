// The pages on which authors show each widget, and the groups that the gallery makes of them.

import {readdirSync, readFileSync} from 'node:fs';
import type {ChapterLesson} from '../chapter.js';
import {lessonFolder} from '../paths.js';

/** A page that shows a widget. */
export interface Place {
  /** The folder below lessons/, "" for the home page. */
  folder: string;
  /** The page's address below the site's root, with the widget's anchor where it has one. */
  href: string;
  title: string;
  /** How many other widgets the page shows before it. */
  order: number;
}

export interface Group<T> {
  /** The heading's anchor. */
  id: string;
  title: string;
  /** The address of the lesson, below the site's root. */
  href?: string;
  members: T[];
}

/** "index.md" → "", "c3/l03/index.md" → "c3/l03" */
const folderOf = (path: string) => path.replace(/(^|\/)index\.md$/, '');

/** The folders of the lessons in their order, then the other pages by their names. */
function foldersInOrder(lessons: readonly ChapterLesson[]): string[] {
  const taught = lessons.map(({id}) => lessonFolder(id).slice(0, -1));
  const all = readdirSync('lessons', {recursive: true, encoding: 'utf8'})
    .filter((path) => path.endsWith('index.md'))
    .map(folderOf)
    .sort();
  return [
    ...taught.filter((folder) => all.includes(folder)),
    ...all.filter((folder) => !taught.includes(folder)),
  ];
}

/** The places of every tag, the lessons first. */
export function placesOf(lessons: readonly ChapterLesson[]): Map<string, Place[]> {
  const places = new Map<string, Place[]>();
  for (const folder of foldersInOrder(lessons)) {
    const page = folder && `${folder}/`;
    const text = readFileSync(`lessons/${page}index.md`, 'utf8');
    const lesson = lessons.find(({id}) => lessonFolder(id) === page);
    const given = /^title:\s*(.*?)\s*$/m.exec(text)?.[1] ?? folder;
    const title = lesson ? `${lesson.label} ${lesson.topic}` : folder ? given : '首页';
    let order = 0;
    for (const [, tag = '', attributes = ''] of text.matchAll(/^<(attn-[\w-]+)([^>]*)>/gm)) {
      const known = places.get(tag) ?? [];
      if (known.some((place) => place.folder === folder)) continue;
      const id = /\bid="([^"]+)"/.exec(attributes)?.[1];
      const href = `${page}index.html${id ? `#${id}` : ''}`;
      places.set(tag, [...known, {folder, href, title, order: order++}]);
    }
  }
  return places;
}

/** Groups in the order of the course, each in the order in which its first page shows them. */
export function grouped<T extends {places: readonly Place[]}>(
  all: readonly T[],
  lessons: readonly ChapterLesson[],
): Group<T>[] {
  const isLesson = ({folder}: Place) => lessons.some(({id}) => lessonFolder(id) === `${folder}/`);
  /** More than half of the lessons show it. */
  const isCommon = ({places}: T) => places.filter(isLesson).length > lessons.length / 2;
  const inLesson = ({places}: T, id: string) => `${places[0]?.folder}/` === lessonFolder(id);
  const at = (start: RegExp) => (each: T) => start.test(each.places[0]?.folder ?? 'none');
  const groups: (Omit<Group<T>, 'members'> & {holds: (each: T) => boolean})[] = [
    {id: 'home', title: '首页', href: 'index.html', holds: at(/^$/)},
    {id: 'every', title: '每一课', holds: isCommon},
    ...lessons.map(({id, label, topic}) => ({
      id,
      title: `${label} ${topic}`,
      href: `${lessonFolder(id)}index.html`,
      holds: (each: T) => inLesson(each, id) && !isCommon(each),
    })),
    {id: 'case', title: '案例', href: 'index.html#case', holds: at(/^case\//)},
    {id: 'other', title: '其他', holds: at(/^(?!c\d+\/|case\/|$)/)},
  ];
  const orderOf = ({places}: T) => places[0]?.order ?? 0;
  const ordered = [...all].sort((a, b) => orderOf(a) - orderOf(b));
  return groups
    .map(({holds, ...group}) => ({...group, members: ordered.filter(holds)}))
    .filter(({members}) => members.length > 0);
}
