// Shared by npm run new:lesson and npm run new:element: checks the argument and writes new files.
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname} from 'node:path';
import {Failure, root} from './run.mjs';

/**
 * The one argument of a command.
 *
 * @param {{command: string, example: string, form: RegExp, rule: string}} options
 * @returns {string}
 * @throws {Failure} with one sentence: what is missing or wrong, and how it is right
 */
export function argument({command, example, form, rule}) {
  const [name, ...more] = process.argv.slice(2);
  const usage = `例如：npm run ${command} -- ${example}`;
  if (name === undefined) throw new Failure(`缺少名字，${usage}`);
  if (more.length > 0) throw new Failure(`一次只能建一个，${usage}`);
  if (!form.test(name)) throw new Failure(`“${name}”不合规矩：${rule}，${usage}`);
  return name;
}

/**
 * Writes files that must not be there.
 *
 * @param {Record<string, string>} files  text by path below the project's folder
 * @throws {Failure} naming the first that is there; then nothing is written
 */
export function writeNew(files) {
  const there = Object.keys(files).find((path) => existsSync(root + path));
  if (there) throw new Failure(`已经有 ${there} 了，换一个名字。`);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(root + path), {recursive: true});
    writeFileSync(root + path, text);
    console.log(`新文件 ${path}`);
  }
}

/** Inserts text before the last occurrence of `mark` in a file. */
export function insertBefore(path, mark, text) {
  const before = readFileSync(root + path, 'utf8');
  const at = before.lastIndexOf(mark);
  if (at < 0) throw new Failure(`${path} 里找不到“${mark.trim()}”，没有登记。`);
  writeFileSync(root + path, before.slice(0, at) + text + before.slice(at));
  console.log(`改了 ${path}`);
}
