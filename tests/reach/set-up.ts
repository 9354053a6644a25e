// Before the tests: the package and the offline pages are made from dist/, and what the package is
// tried in is installed in build/reach by its own lock file.
import {copyFileSync, existsSync, mkdirSync, readFileSync, rmSync} from 'node:fs';
import {writeOffline} from '../../web/tools/offline.mjs';
import {packNpm} from '../../web/tools/package.mjs';
import {root, run} from '../../web/tools/run.mjs';
import {reach} from './places.js';

async function installHosts(): Promise<void> {
  const names = ['package.json', 'package-lock.json', '.npmrc'];
  const lock = (folder: string) => readFileSync(`${folder}package-lock.json`, 'utf8');
  const from = `${root}tests/reach/`;
  mkdirSync(reach, {recursive: true});
  const there = existsSync(`${reach}node_modules/.package-lock.json`);
  if (there && existsSync(`${reach}package-lock.json`) && lock(reach) === lock(from)) return;
  for (const name of names) copyFileSync(from + name, reach + name);
  await run('npm', ['ci', '--include=dev'], {cwd: reach});
}

export async function setup(): Promise<void> {
  await installHosts();
  await writeOffline();
  const tarball = await packNpm();
  const installed = `${reach}node_modules/attn-lessons`;
  rmSync(installed, {recursive: true, force: true});
  mkdirSync(installed);
  await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed]);
}
