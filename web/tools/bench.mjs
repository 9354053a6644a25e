// npm run bench: measures the time of the core and of a widget, and the bytes of a lesson. `--json`
// prints the results for a program. No test depends on these times.
import {readFileSync} from 'node:fs';
import {arch, cpus, type} from 'node:os';
import {pathToFileURL} from 'node:url';
import {parseArgs} from 'node:util';
import {corpusIfPossible} from './corpus.mjs';
import {main, root} from './run.mjs';
import {chromium, ensure} from './setup.mjs';

const lesson = 'c3/l03/';

/** The value that a share of all values does not exceed: 0.5 is the median. */
const quantile = (values, share) =>
  [...values].sort((a, b) => a - b)[Math.floor(share * (values.length - 1))];

/** A TypeScript file of web/ as a module for Node. */
async function open(entry) {
  const {build} = await import('vite');
  const outDir = `${root}build/bench/${entry}`;
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    build: {
      outDir,
      ssr: `web/${entry}`,
      target: 'node20',
      emptyOutDir: true,
      rollupOptions: {output: {entryFileNames: 'entry.js'}},
    },
  });
  return import(pathToFileURL(`${outDir}/entry.js`).href);
}

const moduleBytes = (name) => ({wasmBinary: readFileSync(`${root}build/wasm/${name}.wasm`)});

/** From a pasted text to the layout: the longest published config, one description a block. */
async function pasteConfig() {
  const {loadCache} = await open('cache.ts');
  const {parseConfig} = await open('config-json.ts');
  const cache = await loadCache(moduleBytes('attn_cache'));
  const file = `${root}lessons/models/llama-3.3-nemotron-super-49b.json`;
  const text = JSON.stringify(parseConfig(readFileSync(file, 'utf8')).config, null, 2);
  const times = Array.from({length: 50}, () => {
    const began = performance.now();
    const result = cache.readConfig(parseConfig(text));
    if (result.layers !== 80) throw new Error('the config was not read');
    return performance.now() - began;
  });
  const kilobytes = Math.round(text.length / 1000);
  return [
    {
      name: `config.json of ${kilobytes} kB to a layout, WASM in Node, first time`,
      value: times[0],
      unit: 'ms',
    },
    {name: 'the same, median', value: quantile(times, 0.5), unit: 'ms'},
  ];
}

/** The variance experiment as the lesson shows it: three dimensions, 2,000 rows of five keys. */
async function variance() {
  const {loadScaling} = await open('scaling.ts');
  const scaling = await loadScaling(moduleBytes('attn_scaling'));
  const options = {dims: [4, 64, 256], samples: 2000, keys: 5, d: 64, walked: 1};
  // Runs are kept by their options, so each time has a seed of its own.
  const times = Array.from({length: 20}, (_, i) => {
    const began = performance.now();
    scaling.varianceRuns({...options, seed: 20261014 + i});
    return performance.now() - began;
  });
  return [
    {
      name: 'variance experiment, default run, WASM in Node',
      value: quantile(times, 0.5),
      unit: 'ms',
    },
  ];
}

/**
 * Types digits into a score box of attn-softmax with 8 tokens. The measured time is from the input
 * event until the new picture is in the document and laid out; it must fit into a frame of 16 ms.
 */
async function redraw(page) {
  const times = await page.evaluate(async () => {
    const widget = document.querySelector('attn-softmax');
    widget.state = {scores: [1, 2, 3, 4, 5, 6, 7, 8], method: 'softmax'};
    await widget.updateComplete;
    const taken = [];
    for (let i = 0; i < 120; i++) {
      widget.shadowRoot.querySelector('.exact').open = true;
      const box = widget.shadowRoot.querySelector('.boxes .number input');
      box.focus();
      box.value = String((i % 90) / 10);
      const began = performance.now();
      box.dispatchEvent(new InputEvent('input', {bubbles: true, composed: true}));
      await widget.updateComplete;
      widget.getBoundingClientRect();
      taken.push(performance.now() - began);
      if (widget.state.scores[0] !== (i % 90) / 10) throw new Error('the box was not read');
      await new Promise(requestAnimationFrame);
    }
    // The first runs include compilation.
    return taken.slice(20);
  });
  const name = 'attn-softmax, 8 tokens, input event to layout';
  return [
    {name: `${name}, median`, value: quantile(times, 0.5), unit: 'ms'},
    {name: `${name}, 95 of 100`, value: quantile(times, 0.95), unit: 'ms'},
  ];
}

/**
 * Pastes the longest published config into attn-kv-cache and measures from the input event to the
 * layout.
 */
async function pasteInPage(page, url) {
  await page.goto(`${url}models/`);
  await page.locator('#w-kv-cache[ready]').waitFor();
  const file = `${root}lessons/models/llama-3.3-nemotron-super-49b.json`;
  const [, config = ''] =
    /"config": (\{.*\}),\s*"provenance"/s.exec(readFileSync(file, 'utf8')) ?? [];
  const text = JSON.stringify(JSON.parse(config), null, 2);
  const times = await page.evaluate(async (pasted) => {
    const widget = document.querySelector('#w-kv-cache');
    const area = widget.shadowRoot.querySelector('textarea');
    const taken = [];
    // A reader who pastes has touched the widget before, so its module is loaded.
    const before = widget.result.total;
    widget.state = {batch: 2};
    while (widget.result.total === before) await new Promise(requestAnimationFrame);
    widget.reset();
    for (let i = 0; i < 30; i++) {
      // The widget caches the texts that it has read, so each paste is a different text.
      area.value = pasted + ' '.repeat(i + 1);
      const began = performance.now();
      area.dispatchEvent(new InputEvent('input', {bubbles: true, composed: true}));
      await widget.updateComplete;
      widget.getBoundingClientRect();
      taken.push(performance.now() - began);
      if (widget.result.growing_per_token !== 200704) throw new Error('the config was not read');
      await new Promise(requestAnimationFrame);
    }
    return taken;
  }, text);
  const kilobytes = Math.round(text.length / 1000);
  const name = `config.json of ${kilobytes} kB pasted into attn-kv-cache, input event to layout`;
  return [
    {name: `${name}, first time`, value: times[0], unit: 'ms'},
    {name: `${name}, median`, value: quantile(times, 0.5), unit: 'ms'},
  ];
}

async function inBrowser() {
  const playwright = await import('@playwright/test');
  const {serve, strictPolicy} = await import('./serve.mjs');
  const {transfer} = await import('./transfer.mjs');
  const {browserArguments, trainingInBrowser, trainingPage} = await import('./train-bench.mjs');
  const {thirtyWidgets} = await import('./widgets-bench.mjs');
  const {rounds} = await import('./rounds-bench.mjs');
  const {frames} = await import('./frames-bench.mjs');
  const site = await serve({
    folder: `${root}dist`,
    headers: {'Content-Security-Policy': strictPolicy},
  });
  const browser = await playwright.chromium.launch({
    executablePath: chromium(),
    args: browserArguments,
  });
  try {
    const page = await browser.newPage();
    const {gzip} = await transfer(page, site.url + lesson);
    return {
      version: browser.version(),
      results: [
        ...(await redraw(page)),
        ...(await pasteInPage(page, site.url)),
        {name: `${lesson}: script, WASM and style, gzip −9`, value: gzip, unit: 'bytes'},
        ...(await frames(browser, site.url)),
        ...(await rounds(browser)),
        ...(await thirtyWidgets(site.url)),
        ...(await trainingInBrowser(browser)),
        ...(await trainingPage(browser)),
      ],
    };
  } finally {
    await browser.close();
    await site.close();
  }
}

await main(async () => {
  const {values} = parseArgs({options: {json: {type: 'boolean', default: false}}});
  // The JSON must contain no output of the set-up or the build.
  if (values.json) console.log = console.error;
  await ensure('bench');
  await corpusIfPossible();
  const {buildIfChanged} = await import('./fresh.mjs');
  await buildIfChanged();
  const {trainingNatively} = await import('./train-bench.mjs');
  const fromNode = [...(await variance()), ...(await pasteConfig()), ...(await trainingNatively())];
  const {version, results: fromBrowser} = await inBrowser();
  const machine =
    `${cpus()[0]?.model.trim()} × ${cpus().length}, ${type()} ${arch()}, ` +
    `Node ${process.versions.node}, Chromium ${version}`;
  const results = [...fromNode, ...fromBrowser];
  if (values.json) {
    process.stdout.write(`${JSON.stringify({machine, results}, null, 2)}\n`);
    return;
  }
  console.log(machine);
  for (const {name, value, unit} of results) {
    const shown = unit === 'bytes' ? value.toLocaleString('en') : value.toFixed(2);
    console.log(`${shown.padStart(10)} ${unit}  ${name}`);
  }
});
