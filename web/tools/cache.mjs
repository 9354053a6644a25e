// npm run cache -- FILE --context N [options]: KV cache of a config.json; --help lists the options.
import {buildNative} from './native.mjs';
import {main, root, run} from './run.mjs';
import {ensure} from './setup.mjs';

await main(async () => {
  await ensure('cache');
  await buildNative({targets: ['attn_cache']});
  // A relative path on the command line is relative to the folder where npm was called.
  const cwd = process.env.INIT_CWD ?? process.cwd();
  const args = process.argv.slice(2);
  const {status} = await run(`${root}build/native/attn_cache`, args, {
    cwd,
    show: true,
    check: false,
  });
  process.exitCode = status;
});
