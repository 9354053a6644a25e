// Measures how soon an author sees a change: from saving a lesson's text or a widget's code until
// the page that npm run dev has open shows it; and the time of a whole build with the existing
// modules. It works in a copy of the project, so that an author's open files do not change.
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {root} from './run.mjs';

const page = 'lessons/c3/l03/index.md';
const widget = 'web/elements/attn-softmax.ts';

function copyProject() {
  const project = mkdtempSync(join(tmpdir(), 'attn-rounds-'));
  for (const folder of ['lessons', 'web', 'core', 'wasm', 'build/wasm']) {
    mkdirSync(join(project, folder), {recursive: true});
    cpSync(root + folder, join(project, folder), {recursive: true});
  }
  cpSync(`${root}package.json`, join(project, 'package.json'));
  symlinkSync(`${root}node_modules`, join(project, 'node_modules'));
  return project;
}

/** Saves a file changed by `edit` and returns the milliseconds until the open page shows `text`. */
async function shown(browserPage, path, edit, text) {
  const before = readFileSync(path, 'utf8');
  const after = edit(before);
  if (after === before) throw new Error(`nothing to change in ${path}`);
  const began = performance.now();
  writeFileSync(path, after);
  // Playwright's text selectors look into shadow roots.
  await browserPage.getByText(text).first().waitFor({state: 'attached', timeout: 120_000});
  return performance.now() - began;
}

const middle = (times) => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)];

/** @param {import('@playwright/test').Browser} browser */
export async function rounds(browser) {
  const project = copyProject();
  const from = process.cwd();
  // The builder reads lessons/ from the current folder.
  process.chdir(project);
  const own = (tool) => import(pathToFileURL(join(project, 'web/tools', tool)).href);
  try {
    const {build} = await own('build.mjs');
    const began = performance.now();
    await build({wasm: false});
    const whole = performance.now() - began;
    const {dev} = await own('dev.mjs');
    const site = await dev({wasm: false});
    const browserPage = await browser.newPage();
    const text = [];
    const code = [];
    try {
      // The address opens the part of the page that waits for a prediction.
      await browserPage.goto(`${site.url}c3/l03/index.html#w-softmax`);
      await browserPage.locator('#w-softmax[ready]').waitFor();
      for (let i = 0; i < 5; i++) {
        const mark = `第${i + 1}次改正文`;
        const edit = (old) => old.replace(/(\{#from\}\n)/, `$1\n${mark}\n`);
        text.push(await shown(browserPage, join(project, page), edit, mark));
      }
      for (let i = 0; i < 3; i++) {
        const mark = `第${i + 1}次改代码`;
        const edit = (old) => old.replace(/hint:\s*'/, `hint: '${mark}`);
        code.push(await shown(browserPage, join(project, widget), edit, mark));
      }
    } finally {
      await browserPage.close();
      await site.close();
    }
    return [
      {name: 'npm run dev: a saved text in the open page, median', value: middle(text), unit: 'ms'},
      {
        name: "npm run dev: a widget's code in the open page, median",
        value: middle(code),
        unit: 'ms',
      },
      {name: 'npm run build, modules built', value: whole / 1000, unit: 's'},
    ];
  } finally {
    process.chdir(from);
    rmSync(project, {recursive: true, force: true});
  }
}
