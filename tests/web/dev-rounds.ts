// An author's hour with npm run dev in a copy of the project: a saved text, a changed widget, a
// mistake. The process ends with every page drawn.

import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {run} from './project-copy.js';

/** The page of the edited lesson and the gallery's page of the edited widget, after each round. */
export interface DevRounds {
  /** The report of each mistake, which is taken back before the next. */
  reports: string[];
  /** After the lesson's text was saved. */
  text: {version: string; page: string};
  /** After the widget's code was saved: with the new scripts at first, then drawn again. */
  code: {version: string; first: string; script: string; page: string; other: string};
  /** After a saved text with an unknown number. */
  mistake: {version: string; page: string; message: string};
  /** After the mistake was taken back. */
  mended: {version: string; page: string};
}

export const TEXT_MARK = '这一句是新的';
export const CODE_MARK = '这一句提示是新的';

const script = `
import {readFileSync, writeFileSync} from 'node:fs';
import {dev} from './web/tools/dev.mjs';

const lesson = 'lessons/c3/l03/index.md';
const widget = 'web/elements/attn-softmax.ts';
const logged = [];
const messages = [];
console.log = (text) => logged.push(text);
console.error = (text) => messages.push(String(text));
const site = await dev({wasm: false});
const get = async (path) => (await fetch(site.url + path)).text();
const version = () => get('dev-version/c3/l03/index.html');
const page = () => get('c3/l03/index.html');
const until = async (holds) => {
  while (!(await holds())) await new Promise((done) => setTimeout(done, 20));
};
/** Saves a changed file and returns the page's version when it has changed. */
const saved = async (path, edit) => {
  const before = await version();
  writeFileSync(path, edit(readFileSync(path, 'utf8')));
  await until(async () => (await version()) !== before);
  return version();
};
const rounds = {reports: []};
for (const {path, text} of JSON.parse(readFileSync('mistakes.json', 'utf8'))) {
  const good = readFileSync(path, 'utf8');
  writeFileSync(path, text);
  await until(() => messages.length > 0);
  rounds.reports.push(messages.splice(0).join());
  await saved(path, () => good);
}
rounds.text = {
  version: await saved(lesson, (text) => text.replace(/({#from}\\n)/, '$1\\n${TEXT_MARK}\\n')),
  page: await page(),
};
const version2 = await saved(widget, (code) => code.replace(/hint: '/, "hint: '${CODE_MARK}"));
rounds.code = {
  version: version2,
  first: await page(),
  script: readFileSync('dist/assets/attn-softmax.js', 'utf8'),
};
await until(() => logged.includes('别的页面也重画好了'));
rounds.code.page = await page();
rounds.code.other = await get('widgets/attn-softmax/index.html');
const good = readFileSync(lesson, 'utf8');
writeFileSync(lesson, good.replace('${TEXT_MARK}', '{num no_such_number}'));
await until(() => messages.length > 0);
rounds.mistake = {version: await version(), page: await page(), message: messages.join()};
rounds.mended = {
  version: await saved(lesson, () => good.replace('${TEXT_MARK}', '')),
  page: await page(),
};
await site.close();
writeFileSync('rounds.json', JSON.stringify(rounds));
process.exit();
`;

/** @param mistakes  files with mistaken texts, saved one after the other */
export async function devRounds(
  project: string,
  mistakes: readonly {path: string; text: string}[],
): Promise<DevRounds> {
  // The copy has no C++, but its folders are watched.
  for (const folder of ['core', 'wasm']) mkdirSync(join(project, folder), {recursive: true});
  writeFileSync(join(project, 'mistakes.json'), JSON.stringify(mistakes));
  writeFileSync(join(project, 'dev-rounds.mjs'), script);
  const {ok, output} = await run(project, 'dev-rounds.mjs');
  if (!ok) throw new Error(output);
  return JSON.parse(readFileSync(join(project, 'rounds.json'), 'utf8')) as DevRounds;
}
