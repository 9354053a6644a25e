// A copy of the project, with the built modules, which a test may change.

import {execFile} from 'node:child_process';
import {cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';

const exec = promisify(execFile);

/**
 * Copies the files needed to build pages, run the tests in tests/web and check the form of files.
 */
export function copyProject(): string {
  const project = mkdtempSync(join(tmpdir(), 'attn-project-'));
  for (const folder of ['lessons', 'web', 'tests/web'])
    cpSync(folder, join(project, folder), {recursive: true});
  mkdirSync(join(project, 'build/wasm'), {recursive: true});
  for (const file of readdirSync('build/wasm').filter((name) =>
    /^attn_[\w.]+\.(m?js|wasm)$/.test(name),
  ))
    cpSync(join('build/wasm', file), join(project, 'build/wasm', file));
  for (const file of ['package.json', '.prettierrc.json', '.prettierignore'])
    cpSync(file, join(project, file));
  symlinkSync(join(process.cwd(), 'node_modules'), join(project, 'node_modules'));
  return project;
}

/** Runs a script of the copy and returns its error output. */
export async function run(
  project: string,
  script: string,
  args: readonly string[] = [],
): Promise<{ok: boolean; output: string}> {
  try {
    const {stderr} = await exec(process.execPath, [script, ...args], {cwd: project});
    return {ok: true, output: stderr};
  } catch (error) {
    return {ok: false, output: (error as {stderr: string}).stderr};
  }
}

export function buildPages(project: string, options = ''): ReturnType<typeof run> {
  writeFileSync(
    join(project, 'build-pages.mjs'),
    `import {main} from './web/tools/run.mjs';
import {build} from './web/tools/build.mjs';
await main(() => build({wasm: false, ${options}}));
`,
  );
  return run(project, 'build-pages.mjs');
}
