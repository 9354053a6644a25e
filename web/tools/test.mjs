// npm test: every test of the project, one line a suite, and a last line that adds them up.
// `--only core|web|browser|lint` runs one suite; what follows goes to its runner:
//   npm run test:core -- -tc="attention*"
import {existsSync, readFileSync, rmSync} from 'node:fs';
import {corpusIfPossible} from './corpus.mjs';
import {buildNative, buildWasm} from './native.mjs';
import {Failure, main, root, run} from './run.mjs';
import {ensure} from './setup.mjs';

const results = 'build/test-results';

/** A runner's report, deleted first so that an old one is never read for the new. */
async function report(file, args) {
  rmSync(root + file, {force: true});
  const env = {PLAYWRIGHT_JSON_OUTPUT_FILE: root + file};
  const {status, output} = await run(process.execPath, args, {check: false, env});
  if (!existsSync(root + file)) throw new Failure(`没有写出 ${file}（退出码 ${status}）`, {output});
  return {status, output, json: JSON.parse(readFileSync(root + file, 'utf8'))};
}

/** What failed without being counted (a crash after the last test) counts as one failure. */
const counted = ({passed, failed, status, output}) => ({
  passed,
  failed: failed === 0 && status !== 0 ? 1 : failed,
  output,
});

/** The core natively. A skipped test counts as failed, unless a filter left it out on purpose. */
async function core(filters) {
  await buildNative();
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

/** TypeScript in Node: the module, number formats, site builder, and the digests of all builds. */
async function web(filters) {
  await buildNative();
  await buildWasm();
  const file = `${results}/vitest.json`;
  const {status, output, json} = await report(file, [
    'node_modules/vitest/vitest.mjs',
    'run',
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

/** Pages and widgets in a real Chromium, and the digest there against the native one. */
async function browser(filters) {
  // For the digests that a browser is held to.
  await buildNative({targets: ['attn_digest', 'attn_training_digest']});
  await buildWasm();
  const {buildIfChanged} = await import('./fresh.mjs');
  await buildIfChanged();
  const file = `${results}/playwright.json`;
  const {status, output, json} = await report(file, [
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

/** One verdict on the source text. The type check reads the module's declaration, so it is built first. */
async function lint() {
  await buildWasm();
  const {status, output} = await run(process.execPath, ['web/tools/lint.mjs'], {check: false});
  return counted({passed: status === 0 ? 1 : 0, failed: 0, status, output});
}

const suites = {core, web, browser, lint};

async function outcome(suite, filters) {
  try {
    const {passed, failed, output} = await suite(filters);
    if (passed + failed === 0) return {passed, failed: 1, output: `${output}\n没有跑任何测试`};
    return {passed, failed, output};
  } catch (error) {
    const text =
      error instanceof Failure
        ? `${error.output}\n${error.message}`
        : String(error?.stack ?? error);
    return {passed: 0, failed: 1, output: text.trim()};
  }
}

/** `[--only SUITE [filters for its runner …]]` */
function chosen(args) {
  if (args.length === 0) return {names: Object.keys(suites), filters: []};
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
  const say = ({passed, failed}) => `${passed} passed, ${failed} failed`;
  try {
    await ensure('test');
    await corpusIfPossible();
    for (const name of names) {
      const began = Date.now();
      const {output, ...counts} = await outcome(suites[name], filters);
      if (counts.failed > 0) console.log(output.trimEnd());
      console.log(`${name}: ${say(counts)} (${Math.round((Date.now() - began) / 1000)} s)`);
      total.passed += counts.passed;
      total.failed += counts.failed;
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // The set-up is not a suite, but nothing was tested: that is no pass.
    console.log([error.output.trim(), error.message].filter(Boolean).join('\n'));
    total.failed += 1;
  }
  console.log(say(total));
  process.exitCode = total.failed > 0 ? 1 : 0;
});
