// How fast the engine trains, as ratios to Eigen's product on the same machine: natively (AVX2, one
// thread, against Eigen with AVX2 and FMA) and in the module (one thread, against Eigen in the same
// module). `node web/tools/train-bench.mjs` prints them; bench.mjs asks for them.
import {existsSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {buildNative, buildWasm} from './native.mjs';
import {main, root, run} from './run.mjs';
import {serve} from './serve.mjs';
import {chromium, ensure} from './setup.mjs';

const native = 'build/native/attn_train_bench';

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

/** Natively; nothing where the processor has no AVX2. */
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
        const wasmBinary = await (await fetch('${location.href.replace('.mjs', '.wasm')}')).arrayBuffer();
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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(async () => {
    await ensure('bench');
    const playwright = await import('@playwright/test');
    const browser = await playwright.chromium.launch({
      executablePath: chromium(),
      args: ['--no-sandbox'],
    });
    try {
      for (const {name, value, unit} of [
        ...(await trainingNatively()),
        ...(await trainingInBrowser(browser)),
      ]) {
        console.log(`${value.toFixed(2).padStart(9)} ${unit}  ${name}`);
      }
    } finally {
      await browser.close();
    }
  });
}
