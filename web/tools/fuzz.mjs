// npm run fuzz [-- --runs N]: random and mutated configs through the reader, natively, by libFuzzer
// with address and undefined-behaviour checks. Seeds are the published configs and
// tests/fuzz/corpus.
import {mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {parseArgs} from 'node:util';
import {buildFuzz} from './native.mjs';
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

await main(async () => {
  const {values} = parseArgs({options: {runs: {type: 'string', default: '100000'}}});
  if (!/^[1-9]\d*$/.test(values.runs)) throw new Failure(`--runs应为正整数，得到${values.runs}`);
  await ensure('fuzz');
  await buildFuzz();
  const found = `${folder}/found`;
  mkdirSync(found, {recursive: true});
  const {status, output} = await run(
    `${folder}/config_fuzz`,
    [
      `-runs=${values.runs}`,
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
});
