// The record of a build: of which inputs dist/ was made.
import {createHash} from 'node:crypto';
import {mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {root} from './run.mjs';

const inputs = [
  'CMakeLists.txt',
  'core',
  'wasm',
  'web',
  'lessons',
  'package-lock.json',
  // The corpus may be downloaded after the site was built.
  'build/corpus/tang.txt',
];
const stamp = `${root}build/built.json`;

function files(path) {
  const found = statSync(root + path, {throwIfNoEntry: false});
  if (!found?.isDirectory()) return found ? [path] : [];
  return readdirSync(root + path)
    .sort()
    .flatMap((name) => files(`${path}/${name}`));
}

function hashOfInputs() {
  const hash = createHash('sha256').update(process.version);
  for (const path of inputs.flatMap(files)) {
    const content = readFileSync(root + path);
    hash.update(`\n${path} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

/** The hash of the inputs and of the dist/ made from them; another build replaces its index. */
function state(inputsHash) {
  const index = statSync(`${root}dist/index.html`, {throwIfNoEntry: false});
  return index && JSON.stringify({inputs: inputsHash, index: [index.ino, index.mtimeMs]});
}

function lastState() {
  const kept = statSync(stamp, {throwIfNoEntry: false});
  return kept && readFileSync(stamp, 'utf8');
}

/** True if dist/ was made of the present inputs. */
export function isUpToDate() {
  const now = state(hashOfInputs());
  return now !== undefined && now === lastState();
}

/** Runs `build` of the whole site, and records of which inputs it was made. */
export async function recorded(build) {
  const before = hashOfInputs();
  await build();
  mkdirSync(`${root}build`, {recursive: true});
  // The hash is that of the inputs when the build began: an edit made meanwhile is built next time.
  writeFileSync(stamp, state(before) ?? '');
}
