// Paths of pages: among the authors' files, and below the site's root.

import {existsSync} from 'node:fs';

/** A placeholder for the relative path to the site's root until the page's address is known. */
export const BASE = '@@base@@/';

/** The page that a Markdown rule works for. */
export interface PageEnv {
  page: {inputPath: string};
}

/** A page that the build makes, for Eleventy. */
export interface MadePage {
  /** The path below lessons/. */
  path: string;
  markdown: string;
  data: Record<string, string>;
}

/** "./lessons/c3/l03/index.md" → "c3/l03" */
export function pageFolder(env: PageEnv): string {
  return env.page.inputPath.replace(/^(\.\/)?lessons\//, '').replace(/\/?[^/]+$/, '');
}

/** The relative path from a page to the site's root: "/c3/l03/" → "../../", "/" → "./". */
export function wayUp(url: string): string {
  const depth = url.split('/').filter(Boolean).length - (url.endsWith('/') ? 0 : 1);
  return depth === 0 ? './' : '../'.repeat(depth);
}

/** "c3-l03" → "c3/l03/" */
export function lessonFolder(lesson: string): string {
  return `${lesson.replace('-', '/')}/`;
}

export function lessonExists(lesson: string): boolean {
  return existsSync(`lessons/${lessonFolder(lesson)}index.md`);
}
