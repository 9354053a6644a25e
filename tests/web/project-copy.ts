// A copy of the project, with the built modules, which a test may change.

import {execFile} from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';

const exec = promisify(execFile);

/**
 * Copies the files needed to build pages, run the tests in tests/web and check the form of files.
 */
export function copyProject(): string {
  const project = mkdtempSync(join(tmpdir(), 'attn-project-'));
  for (const folder of ['core', 'lessons', 'web', 'tests/web'])
    cpSync(folder, join(project, folder), {recursive: true});
  mkdirSync(join(project, 'build/wasm'), {recursive: true});
  for (const file of readdirSync('build/wasm').filter((name) =>
    /^(attn_[\w.]+\.(m?js|d\.mts|wasm)|raw\.d\.mts)$/.test(name),
  ))
    cpSync(join('build/wasm', file), join(project, 'build/wasm', file));
  for (const file of ['package.json', 'tsconfig.json', '.prettierrc.json', '.prettierignore'])
    cpSync(file, join(project, file));
  const links = ['node_modules', 'build/corpus'].filter((path) => existsSync(path));
  for (const path of links) symlinkSync(join(process.cwd(), path), join(project, path));
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

/**
 * Builds once for each changed file, and restores the file. One process makes all builds, since its
 * start takes as long as a build that stops at a mistake.
 *
 * @returns for each change, the message of the mistake, or '' if the site was built
 */
export async function mistakesIn(
  project: string,
  changes: readonly {path: string; text: string}[],
): Promise<string[]> {
  writeFileSync(join(project, 'changes.json'), JSON.stringify(changes));
  writeFileSync(
    join(project, 'build-changes.mjs'),
    `import {readFileSync, writeFileSync} from 'node:fs';
import {build} from './web/tools/build.mjs';
const messages = [];
for (const {path, text} of JSON.parse(readFileSync('changes.json', 'utf8'))) {
  const good = readFileSync(path);
  writeFileSync(path, text);
  try {
    await build({wasm: false, minify: false});
    messages.push('');
  } catch (error) {
    messages.push(String(error.message));
  } finally {
    writeFileSync(path, good);
  }
}
writeFileSync('messages.json', JSON.stringify(messages));
`,
  );
  const {ok, output} = await run(project, 'build-changes.mjs');
  if (!ok) throw new Error(output);
  return JSON.parse(readFileSync(join(project, 'messages.json'), 'utf8')) as string[];
}
