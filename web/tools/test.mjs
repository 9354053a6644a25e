// npm test: runs every test, prints one line for each suite, and a sum. The suites run in parallel,
// since the browser's tests wait for pages and most others for one processor. `--only
// core|web|browser|lint|engines|reach` runs one suite; further arguments go to its runner:
//   npm run test:core -- -tc="attention*"
import {existsSync, readFileSync, rmSync} from 'node:fs';
import {corpusIfPossible} from './corpus.mjs';
import {buildNative, buildWasm} from './native.mjs';
import {Failure, main, root, run} from './run.mjs';
import {ensure} from './setup.mjs';

const results = 'build/test-results';

/** The given function, run at most once. */
const once = (build) => {
  let promise;
  return () => (promise ??= build());
};
const native = once(() => buildNative());
const modules = once(() => buildWasm());
const site = once(async () => {
  await modules();
  const {buildIfChanged} = await import('./fresh.mjs');
  await buildIfChanged();
});

/**
 * The contents of `file`, which a runner writes. The old file is deleted first, so that an old
 * report is never read as the new one.
 */
async function resultsIn(file, args) {
  rmSync(root + file, {force: true});
  const env = {PLAYWRIGHT_JSON_OUTPUT_FILE: root + file};
  const {status, output} = await run(process.execPath, args, {check: false, env});
  if (!existsSync(root + file)) throw new Failure(`没有写出 ${file}（退出码 ${status}）`, {output});
  return {status, output, json: JSON.parse(readFileSync(root + file, 'utf8'))};
}

/** A failure outside the counted tests (a crash after the last test) counts as one failure. */
const counted = ({passed, failed, status, output}) => ({
  passed,
  failed: failed === 0 && status !== 0 ? 1 : failed,
  output,
});

/** The core natively. A skipped test counts as failed, unless a filter left it out on purpose. */
async function core(filters) {
  await buildNative({targets: ['attn_tests']});
  const {status, output} = await run('build/native/attn_tests', ['--no-colors', ...filters], {
    check: false,
  });
  const summary = /test cases:\s*\d+ \|\s*(\d+) passed \|\s*(\d+) failed \|\s*(\d+) skipped/.exec(
    output,
  );
  if (!summary) throw new Failure(`attn_tests 没有跑完（退出码 ${status}）`, {output});
  const [passed, failed, skipped] = summary.slice(1).map(Number);
  return counted({passed, failed: failed + (filters.length ? 0 : skipped), status, output});
}

/** Vitest's own count; a test that did not run counts as failed. */
async function vitest(name, filters, options = []) {
  const file = `${results}/${name}.json`;
  const {status, output, json} = await resultsIn(file, [
    'node_modules/vitest/vitest.mjs',
    'run',
    ...options,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
    ...filters,
  ]);
  const broken = json.testResults.filter(
    ({status, assertionResults}) => status === 'failed' && !assertionResults.length,
  );
  const skipped = filters.length ? 0 : json.numPendingTests + json.numTodoTests;
  return counted({
    passed: json.numPassedTests,
    failed: json.numFailedTests + skipped + broken.length,
    status,
    output,
  });
}

/** TypeScript in Node: the module, number formats, site builder, and the digests of all builds. */
async function web(filters) {
  await native();
  // Its bytes are compared with those of a copy. Its failure is reported by the tests that need it.
  await site().catch(() => {});
  return vitest('vitest', filters);
}

/** The site in Firefox and in WebKit, against Chromium. */
async function engines(filters) {
  await site();
  return vitest('engines', filters, ['--config', 'tests/engines/vitest.config.ts']);
}

/** The package and the offline pages, where people use them. */
async function reach(filters) {
  await site();
  return vitest('reach', filters, ['--config', 'tests/reach/vitest.config.ts']);
}

/** Pages and widgets in a real Chromium, and the digest there against the native one. */
async function browser(filters) {
  // The digests in a browser are compared with these.
  await buildNative({targets: ['attn_digest', 'attn_training_digest_text']});
  await site();
  const file = `${results}/playwright.json`;
  const {status, output, json} = await resultsIn(file, [
    'node_modules/@playwright/test/cli.js',
    'test',
    '--reporter=list,json',
    ...filters,
  ]);
  const {expected, unexpected, flaky, skipped} = json.stats;
  return counted({
    passed: expected,
    failed: unexpected + flaky + skipped + json.errors.length,
    status,
    output,
  });
}

/** Checks the source text. The type check reads the modules' declarations. */
async function lint() {
  await modules();
  const {status, output} = await run(process.execPath, ['web/tools/lint.mjs'], {check: false});
  return counted({passed: status === 0 ? 1 : 0, failed: 0, status, output});
}

const everyTime = {core, web, browser, lint};
/**
 * `engines` needs two more browsers, `reach` packages of its own, so they run only when they are
 * named: npm run test:engines, npm run test:reach.
 */
const suites = {...everyTime, engines, reach};
const summary = ({passed, failed}) => `${passed} passed, ${failed} failed`;

/** Runs one suite, prints its line, and returns its counts. A crash is one failure. */
async function report(suite, filters) {
  const began = Date.now();
  let counts;
  try {
    counts = await suites[suite](filters);
    if (counts.passed + counts.failed === 0)
      counts = {passed: 0, failed: 1, output: `${counts.output}\n没有跑任何测试`};
  } catch (error) {
    const output =
      error instanceof Failure
        ? `${error.output}\n${error.message}`
        : String(error?.stack ?? error);
    counts = {passed: 0, failed: 1, output};
  }
  if (counts.failed > 0) console.log(counts.output.trim());
  console.log(`${suite}: ${summary(counts)} (${Math.round((Date.now() - began) / 1000)} s)`);
  return counts;
}

/** `[--only SUITE [filters for its runner …]]` */
function chosen(args) {
  if (args.length === 0) return {names: Object.keys(everyTime), filters: []};
  const [option, name, ...filters] = args;
  if (option !== '--only' || !Object.hasOwn(suites, name ?? '')) {
    throw new Failure(
      `用法：npm test，或 npm test -- --only ${Object.keys(suites).join('|')} [给它的参数]`,
    );
  }
  return {names: [name], filters};
}

await main(async () => {
  const {names, filters} = chosen(process.argv.slice(2));
  const total = {passed: 0, failed: 0};
  const add = ({passed, failed}) => {
    total.passed += passed;
    total.failed += failed;
  };
  try {
    await ensure(['engines', 'reach'].find((name) => names.includes(name)) ?? 'test');
    await corpusIfPossible();
    if (names.length === 1) {
      add(await report(names[0], filters));
    } else {
      const began = Date.now();
      // A build uses every processor by itself. Its failure is reported by the suites that need it.
      await native().catch(() => {});
      await modules().catch(() => {});
      console.log(`build: ${Math.round((Date.now() - began) / 1000)} s`);
      const all = names.map((name) => report(name, []));
      for (const counts of await Promise.all(all)) add(counts);
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // The set-up is not a suite, but its failure means that nothing was tested.
    console.log([error.output.trim(), error.message].filter(Boolean).join('\n'));
    total.failed += 1;
  }
  console.log(summary(total));
  process.exitCode = total.failed > 0 ? 1 : 0;
});
