// npm start: set up the machine, build what has changed, serve the course.
import {corpusIfPossible} from './corpus.mjs';
import {Failure, main, root} from './run.mjs';
import {ensure} from './setup.mjs';

await main(async () => {
  const port = Number(process.env.PORT ?? 4173);
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new Failure(`PORT 应是 0 到 65535 之间的整数，现在是“${process.env.PORT}”。`);
  }
  await ensure('start');
  await corpusIfPossible();
  const {buildIfChanged} = await import('./fresh.mjs');
  await buildIfChanged();
  const {isolation, serve} = await import('./serve.mjs');
  // attn-train then has two threads.
  const {url} = await serve({folder: `${root}dist`, port, headers: isolation});
  console.log(`课程在 ${url}（按 Ctrl+C 结束）`);
});
