// npm run lint: checks the source text with several tools in parallel. `--fix` (npm run format)
// rewrites the files that a formatter can correct.
import {availableParallelism} from 'node:os';
import {parseArgs} from 'node:util';
import {Failure, main, root, run, sources} from './run.mjs';
import {commentsWithoutSubject, oversized, wrongIncludes} from './source-rules.mjs';

const bin = (name) => `${root}node_modules/.bin/${name}`;
const cpp = sources(/\.(h|cpp)$/);

const formatters = {
  prettier: [bin('prettier'), '--write', '--log-level', 'warn', '.'],
  'clang-format': ['clang-format', '-i', ...cpp],
};

const checks = {
  eslint: [bin('eslint'), '.'],
  tsc: [bin('tsc'), '--noEmit'],
  prettier: [bin('prettier'), '--check', '--log-level', 'warn', '.'],
  'clang-format': ['clang-format', '--dry-run', '--Werror', ...cpp],
  stylelint: [bin('stylelint'), 'web/**/*.css'],
  knip: [bin('knip'), '--no-progress'],
  'dependency-cruiser': [bin('depcruise'), 'web', 'lessons', 'tests', '--output-type', 'err'],
};

/** The output of each tool that failed; as many tools run at a time as there are processors. */
async function complaints(tools) {
  const waiting = Object.entries(tools);
  const found = [];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name, [command, ...args]] = next;
      const {status, output} = await run(command, args, {check: false});
      if (status !== 0) found.push(`${name}:\n${output.trim()}`);
    }
  };
  await Promise.all(Array.from({length: availableParallelism()}, worker));
  return found;
}

await main(async () => {
  const {values} = parseArgs({options: {fix: {type: 'boolean', default: false}}});
  const found = await complaints(values.fix ? formatters : checks);
  const lines = values.fix ? [] : [...wrongIncludes(), ...oversized(), ...commentsWithoutSubject()];
  if (lines.length > 0) found.push(lines.join('\n'));
  if (found.length > 0)
    throw new Failure(`${found.length} 样没有通过。`, {output: found.join('\n\n')});
});
