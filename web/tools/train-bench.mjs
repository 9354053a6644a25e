// Measures the training engine as ratios to Eigen's product on the same machine: natively (AVX2,
// one thread, against Eigen with AVX2 and FMA) and in the module (one thread, against Eigen in the
// same module). Also measures a page that trains, with one thread and with two: a step, a click to
// the next picture, memory, its growth; and a step while
// other processes keep every core busy. `node web/tools/train-bench.mjs` prints the results,
// `--steps 1500` measures memory for that long; bench.mjs uses the functions.
import {spawn} from 'node:child_process';
import {existsSync} from 'node:fs';
import {availableParallelism} from 'node:os';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {buildNative, buildWasm} from './native.mjs';
import {main, root, run} from './run.mjs';
import {isolation, serve, strictPolicy} from './serve.mjs';
import {chromium, ensure} from './setup.mjs';

const native = 'build/native/attn_train_bench';

/** Exact sizes of heaps, and a function that collects garbage. */
export const browserArguments = [
  '--no-sandbox',
  '--enable-precise-memory-info',
  '--js-flags=--expose-gc',
];

/** @param {string} where */
function results(where, {eigenGflops, productGflops, smallStepSeconds, largeStepSeconds, ratio}) {
  return [
    {name: `training, ${where}: rate of a small step ÷ Eigen's product`, value: ratio, unit: '×'},
    {
      name: `training, ${where}: our product ÷ Eigen's, 2048×128×384`,
      value: productGflops / eigenGflops,
      unit: '×',
    },
    {name: `training, ${where}: small step`, value: smallStepSeconds * 1000, unit: 'ms'},
    {name: `training, ${where}: large step`, value: largeStepSeconds * 1000, unit: 'ms'},
  ];
}

/** Measures natively; an empty list where the processor has no AVX2. */
export async function trainingNatively() {
  await buildNative();
  if (!existsSync(`${root}${native}`)) return [];
  const {status, stdout} = await run(`${root}${native}`, [], {check: false});
  return status === 0 ? results('native AVX2, one thread', JSON.parse(stdout)) : [];
}

/** @param {import('@playwright/test').Browser} browser */
export async function trainingInBrowser(browser) {
  await buildWasm();
  const site = await serve({folder: `${root}build/wasm`});
  const page = await browser.newPage();
  try {
    // Any file of the same origin will do as the page.
    await page.goto(`${site.url}attn_train_bench.mjs`);
    const json = await page.evaluate(async () => {
      const source = `
        import createModule from '${location.href}';
        const answer = await fetch('${location.href.replace('.mjs', '.wasm')}');
        const wasmBinary = await answer.arrayBuffer();
        const module = await createModule({wasmBinary});
        postMessage(module.measureTraining(30));`;
      const url = URL.createObjectURL(new Blob([source], {type: 'text/javascript'}));
      const worker = new Worker(url, {type: 'module'});
      return new Promise((resolve, reject) => {
        worker.onmessage = ({data}) => resolve(data);
        worker.onerror = ({message}) => reject(new Error(message));
      });
    });
    return results('WASM in a worker, one thread', JSON.parse(json));
  } finally {
    await page.close();
    await site.close();
  }
}

/** Bytes of what the page keeps and of the module's memory; a worker's own heap is not readable. */
const memory = (page) =>
  page.evaluate(() => {
    globalThis.gc();
    return (
      performance.memory.usedJSHeapSize + document.querySelector('#w-train').result.live.memory
    );
  });

const stepsIn = (page) =>
  page.evaluate(() => document.querySelector('#w-train').result.live?.curve.losses.length ?? 0);

async function untilStep(page, step) {
  while ((await stepsIn(page)) < step) await page.waitForTimeout(200);
}

/** Simulates clicks: the worst milliseconds until an answer, and until the next picture. */
async function clicks(page) {
  await page.evaluate(() => {
    globalThis.waits = [];
    globalThis.observer ??= new PerformanceObserver((list) => {
      for (const {name, duration, startTime, processingEnd} of list.getEntries()) {
        if (name === 'click') globalThis.waits.push([processingEnd - startTime, duration]);
      }
    });
    // The observer does not report shorter events.
    globalThis.observer.observe({type: 'event', durationThreshold: 16});
  });
  for (let i = 0; i < 30; i++) {
    await page.locator('#theme-switch').click();
    await page.waitForTimeout(130);
  }
  const waits = await page.evaluate(() => globalThis.waits);
  const worst = (i) => Math.max(16, ...waits.map((wait) => wait[i]));
  return {answer: worst(0), picture: worst(1)};
}

/** The page itself while it trains a model. */
async function trainingPageOf(browser, url, preset, steps) {
  const page = await browser.newPage();
  try {
    await page.goto(`${url}case/training/#w-train?preset=${preset}`);
    await page.locator('#w-train[ready]').waitFor();
    const rest = await clicks(page);
    await page.getByRole('button', {name: '开始'}).click();
    await untilStep(page, 5);
    const busy = await clicks(page);
    // The run has been stored once by this step.
    await untilStep(page, 55);
    const early = await memory(page);
    const from = await stepsIn(page);
    await untilStep(page, Math.min(1500, from + steps));
    const late = await memory(page);
    const walked = (await stepsIn(page)) - from;
    const {threads, secondsPerStep} = await page.evaluate(
      () => document.querySelector('#w-train').result.live,
    );
    return {rest, busy, early, late, walked, threads, secondsPerStep};
  } finally {
    await page.close();
  }
}

/** Calls `measure` while one process for each core computes. */
async function underLoad(measure) {
  const busy = Array.from({length: availableParallelism()}, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], {stdio: 'ignore'}),
  );
  try {
    return await measure();
  } finally {
    for (const process of busy) process.kill();
  }
}

/** Seconds of a step of the small model, after the steps that decide how many threads work. */
async function stepSeconds(browser, url) {
  const page = await browser.newPage();
  try {
    await page.goto(`${url}case/training/#w-train`);
    await page.locator('#w-train[ready]').waitFor();
    await page.getByRole('button', {name: '开始'}).click();
    await untilStep(page, 12);
    const [from, began] = [await stepsIn(page), performance.now()];
    await untilStep(page, from + 40);
    const seconds = (performance.now() - began) / 1000;
    return seconds / ((await stepsIn(page)) - from);
  } finally {
    await page.close();
  }
}

/**
 * The page itself while it trains, with one thread and with two.
 *
 * @param {import('@playwright/test').Browser} browser
 * @param {number} steps  to watch memory over
 */
export async function trainingPage(browser, steps = 60) {
  const headers = {'Content-Security-Policy': strictPolicy, ...isolation};
  let threads = 1;
  // Only isolated pages get threads. For one thread, the files of the second are withheld.
  const fault = (path) =>
    threads === 1 && path.includes('attn_train_threads') ? {status: 404} : undefined;
  const site = await serve({folder: `${root}dist`, headers, fault});
  const results = [];
  try {
    for (const preset of ['small', 'large']) {
      let alone;
      for (threads of [1, 2]) {
        const run = await trainingPageOf(browser, site.url, preset, steps);
        if (run.threads !== threads) throw new Error(`${run.threads} threads, not ${threads}`);
        const name = `attn-train, ${preset} model${threads === 1 ? '' : ', two threads'}`;
        alone ??= run;
        results.push(
          {
            name: `${name}: step`,
            value: run.secondsPerStep * 1000,
            unit: 'ms',
            ...(threads > 1 && {
              against: 'one thread',
              ratio: run.secondsPerStep / alone.secondsPerStep,
            }),
          },
          {name: `${name}: click answered, worst of 30`, value: run.busy.answer, unit: 'ms'},
          {
            name: `${name}: click to the next picture, worst of 30`,
            value: run.busy.picture,
            unit: 'ms',
            against: 'the same page at rest',
            ratio: run.busy.picture / run.rest.picture,
          },
          {name: `${name}: page and module`, value: run.late / 1e6, unit: 'MB'},
          {
            name: `${name}: growth over ${run.walked} steps`,
            value: (run.late - run.early) / 1e6,
            unit: 'MB',
          },
        );
      }
    }
    const step = {};
    for (threads of [1, 2]) step[threads] = await underLoad(() => stepSeconds(browser, site.url));
    results.push({
      name: 'attn-train, small model, two threads, every core busy: step',
      value: step[2] * 1000,
      unit: 'ms',
      against: 'one thread',
      ratio: step[2] / step[1],
    });
    return results;
  } finally {
    await site.close();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(async () => {
    const {values} = parseArgs({options: {steps: {type: 'string', default: '60'}}});
    await ensure('bench');
    const playwright = await import('@playwright/test');
    const browser = await playwright.chromium.launch({
      executablePath: chromium(),
      args: browserArguments,
    });
    try {
      for (const {name, value, unit} of [
        ...(await trainingNatively()),
        ...(await trainingInBrowser(browser)),
        ...(await trainingPage(browser, Number(values.steps))),
      ]) {
        console.log(`${value.toFixed(2).padStart(9)} ${unit}  ${name}`);
      }
    } finally {
      await browser.close();
    }
  });
}
