// npm run fuzz [-- --only PART …]: random input, longer than a test may take. Parts:
//   config [--runs N]     random and mutated configs through the reader, natively, by libFuzzer
//                         with address and undefined-behaviour checks; seeds are the published
//                         configs and tests/fuzz/corpus
//   opinions [--states N] sentences and tables of each widget against a slow second computation
//   pages [--seconds N] [--seed N] [--page PATH]  clicks, keys and drags on every lesson's page
import {mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {parseArgs} from 'node:util';
import {buildIfChanged} from './fresh.mjs';
import {monkey} from './monkey.mjs';
import {buildFuzz, buildWasm} from './native.mjs';
import {Failure, main, root, run} from './run.mjs';
import {ensure} from './setup.mjs';

const folder = `${root}build/fuzz`;
const longest = 16384;

/** The config inside each model file: its text, since JSON.parse knows no Infinity. */
function writeSeeds() {
  const seeds = `${folder}/seeds`;
  rmSync(seeds, {recursive: true, force: true});
  mkdirSync(seeds, {recursive: true});
  for (const file of readdirSync(`${root}lessons/models`).filter((name) =>
    name.endsWith('.json'),
  )) {
    const text = readFileSync(`${root}lessons/models/${file}`, 'utf8');
    const begin = text.indexOf('"config": ') + '"config": '.length;
    const end = text.lastIndexOf(',\n  "provenance"');
    // Without its white space more of a config fits into an input.
    const config = text.slice(begin, end).replaceAll(/\n\s*/g, '');
    if (config.length <= longest) writeFileSync(`${seeds}/${file}`, config);
  }
  return seeds;
}

/** A whole number above 0 out of an option. */
function count(values, name) {
  if (!/^[1-9]\d*$/.test(values[name]))
    throw new Failure(`--${name}应为正整数，得到${values[name]}`);
  return values[name];
}

async function config(values) {
  const wanted = count(values, 'runs');
  await ensure('fuzz');
  await buildFuzz();
  const found = `${folder}/found`;
  mkdirSync(found, {recursive: true});
  const {status, output} = await run(
    `${folder}/config_fuzz`,
    [
      `-runs=${wanted}`,
      `-max_len=${longest}`,
      '-print_final_stats=1',
      `-artifact_prefix=${folder}/`,
      found,
      `${root}tests/fuzz/corpus`,
      writeSeeds(),
    ],
    {check: false},
  );
  const runs = /number_of_executed_units: (\d+)/.exec(output)?.[1];
  if (status !== 0 || runs === undefined) {
    throw new Failure('找到一份让程序出错的输入，见上文“Test unit written to”', {output});
  }
  console.log(`${runs}份输入，每份都得到一个结果或一句拒绝的理由`);
}

async function opinions(values) {
  const states = count(values, 'states');
  await ensure('test');
  await buildWasm();
  const {status, output} = await run(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', 'tests/web/opinions.test.ts', '--testTimeout=0'],
    {check: false, env: {ATTN_STATES: states}},
  );
  if (status !== 0) throw new Failure('有一句话或一格表与另算的不符', {output});
  console.log(`每个小工具${states}个状态，句子和表格都与另算的相符`);
}

async function pages(values) {
  await ensure('test');
  await buildIfChanged();
  await monkey({
    seconds: Number(count(values, 'seconds')),
    seed: Number(count(values, 'seed')),
    only: values.page,
  });
  console.log('乱点过的每一页：没有错误，没有空白，没有停住');
}

const parts = {config, opinions, pages};

await main(async () => {
  const {values} = parseArgs({
    options: {
      only: {type: 'string'},
      runs: {type: 'string', default: '100000'},
      states: {type: 'string', default: '10000'},
      seconds: {type: 'string', default: '60'},
      seed: {type: 'string', default: '1'},
      page: {type: 'string', default: ''},
    },
  });
  if (values.only !== undefined && !Object.hasOwn(parts, values.only))
    throw new Failure(`--only应为${Object.keys(parts).join('、')}之一，得到${values.only}`);
  for (const [name, part] of Object.entries(parts))
    if ((values.only ?? name) === name) await part(values);
});
