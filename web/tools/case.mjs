// npm run case: runs the experiments of the case study natively, and records them in lessons/case/.
// Names pick some of them, since all take hours. --steps shortens a trial, which is written to
// build/case/ instead:
//   npm run case -- small-scaled large-unscaled
//   npm run case -- --steps 300 small-scaled
import {createHash} from 'node:crypto';
import {existsSync, mkdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import {availableParallelism} from 'node:os';
import {parseArgs} from 'node:util';
import {ensureCorpus} from './corpus.mjs';
import {buildNative} from './native.mjs';
import {Failure, main, root, run} from './run.mjs';
import {ensure} from './setup.mjs';

const seeds = [20261014, 20261015, 20261016];
const variants = [
  'scaled',
  'hidden-as-zero',
  'scaled-after-softmax',
  'no-max-subtraction',
  'divided-by-width',
];

/** Parts of the recipe that the small model is trained without, one at a time. */
const ablations = [
  'no-residual',
  'no-layer-norm',
  'untied-output',
  'no-positions',
  'no-residual-start',
  'no-warm-up',
  'constant-rate',
  'no-clipping',
];
/** Other readings of the source's protocol. With its text goes decay on all parameters. */
const protocols = new Map([
  ['poems-uniform', ['uniform-biases']],
  ['couplets-zero', ['couplets', 'decay-all']],
  ['couplets-uniform', ['couplets', 'decay-all', 'uniform-biases']],
]);

/** Name of the record → arguments of `attn_case`. */
const experiments = new Map([['init-sweep', ['sweep']]]);
const named = (name, seed) => (seed === seeds[0] ? name : `${name}-${seed}`);
const changed = (changes) => changes.flatMap((change) => ['--change', change]);
for (const preset of ['small', 'large']) {
  for (const attention of ['scaled', 'unscaled']) {
    for (const seed of seeds) {
      const name = named(`${preset}-${attention}`, seed);
      const args = ['train', '--preset', preset, '--attention', attention, '--seed', String(seed)];
      // Pages replay the runs of the first seed.
      if (seed === seeds[0]) args.push('--moments');
      experiments.set(name, args);
    }
  }
}
/** The model that pages use. Packing needs the parameters that this run left in build/case/. */
const shipped = 'small-scaled';
experiments.set(`${shipped}-packed`, ['pack', '--preset', 'small', '--attention', 'scaled']);
for (const attention of variants) {
  experiments.set(`failure-${attention}`, ['train', '--attention', attention, '--steps', '300']);
}

for (const seed of seeds) {
  for (const change of ablations) {
    const args = ['train', '--seed', String(seed), ...changed([change])];
    experiments.set(named(`ablation-${change}`, seed), args);
  }
}
for (const preset of ['small', 'large']) {
  for (const attention of ['scaled', 'unscaled']) {
    for (const seed of seeds) {
      for (const [name, changes] of protocols) {
        const args = ['train', '--preset', preset, '--attention', attention];
        args.push('--seed', String(seed), ...changed(changes));
        experiments.set(named(`protocol-${preset}-${attention}-${name}`, seed), args);
      }
    }
  }
}

/** Widths of a model with one head, for the width from which dividing by √d matters. */
const widths = [32, 64, 96, 128, 192, 256];
for (const attention of ['scaled', 'unscaled']) {
  for (const seed of seeds) {
    const common = ['train', '--attention', attention, '--seed', String(seed)];
    // The small model with two heads instead of four.
    experiments.set(named(`heads-2-${attention}`, seed), [...common, '--heads', '2']);
    for (const width of widths) {
      const args = [...common, '--steps', '300', '--heads', '1', '--width', String(width)];
      experiments.set(named(`width-${width}-${attention}`, seed), args);
    }
  }
}

/** Runs of other models and recipes, whose records are short, and many. */
const isShort = (args) => ['--change', '--heads', '--width'].some((name) => args.includes(name));

const hasAvx2 = () => {
  try {
    return /\bavx2\b/.test(readFileSync('/proc/cpuinfo', 'utf8'));
  } catch {
    return false;
  }
};

async function commit() {
  const {status, stdout} = await run('git', ['rev-parse', 'HEAD'], {check: false});
  if (status !== 0) return null;
  const changed = (await run('git', ['status', '--porcelain', '--', 'core', 'web/tools'])).stdout;
  return changed.trim() ? `${stdout.trim()}+` : stdout.trim();
}

function chosen(names) {
  for (const name of names) {
    if (!experiments.has(name)) {
      throw new Failure(`没有实验“${name}”。有：${[...experiments.keys()].join('、')}`);
    }
  }
  return names.length ? names : [...experiments.keys()];
}

/** Prints a list of plain values on one line; one line for each number would make long files. */
function compact(json) {
  return json.replace(
    /\[\s+([^[\]{}]*?)\s+\]/g,
    (_, items) => `[${items.replace(/\s*\n\s*/g, ' ')}]`,
  );
}

function save(file, record) {
  writeFileSync(`${file}.part`, `${compact(JSON.stringify(record, null, 1))}\n`);
  renameSync(`${file}.part`, file);
}

await main(async () => {
  const {values, positionals} = parseArgs({
    allowPositionals: true,
    options: {steps: {type: 'string'}},
  });
  const names = chosen(positionals);
  await ensure('start');
  const corpus = await ensureCorpus();
  const program = hasAvx2() ? 'attn_case_avx2' : 'attn_case';
  await buildNative({targets: [program]});
  const trial = values.steps !== undefined;
  const folder = `${root}${trial ? 'build/case' : 'lessons/case'}`;
  const changes = `${folder}/runs`;
  mkdirSync(changes, {recursive: true});
  mkdirSync(`${root}build/case`, {recursive: true});
  const source = {
    corpus: createHash('sha256').update(readFileSync(corpus)).digest('hex'),
    commit: await commit(),
  };
  for (const name of names) {
    const args = [...experiments.get(name)];
    const command = `npm run case -- ${trial ? `--steps ${values.steps} ` : ''}${name}`;
    if (args[0] === 'train') {
      args.push('--corpus', corpus, '--threads', String(Math.min(2, availableParallelism())));
      if (!isShort(args)) args.push('--weights', `${root}build/case/${name}.f32`);
      if (trial) {
        const at = args.indexOf('--steps');
        if (at >= 0) args.splice(at, 2);
        args.push('--steps', values.steps);
      }
    }
    if (args[0] === 'pack') {
      const weights = `${root}build/case/${shipped}.f32`;
      if (!existsSync(weights)) throw new Failure(`先运行 npm run case -- ${shipped}`);
      args.push('--corpus', corpus, '--weights', weights, '--out', `${folder}/${shipped}.weights`);
    }
    console.log(`实验 ${name}`);
    const began = performance.now();
    const {stdout} = await run(`${root}build/native/${program}`, args);
    const seconds = (performance.now() - began) / 1000;
    const {moments, ...result} = JSON.parse(stdout);
    const written = {experiment: name, ...source, command};
    const into = isShort(args) ? changes : folder;
    save(`${into}/${name}.json`, {...written, ...result});
    // Most pages that read a record show no moments of it.
    if (moments) save(`${folder}/${name}-moments.json`, {...written, ...moments});
    const loss = result.finalLoss === undefined ? '' : `，末50步平均损失 ${result.finalLoss}`;
    const pace = result.stepsDone ? `，每步 ${(seconds / result.stepsDone).toFixed(3)} 秒` : '';
    console.log(`  ${seconds.toFixed(0)} 秒${pace}${loss}`);
  }
});
