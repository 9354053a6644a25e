// npm start: set up the machine, build what has changed, serve the course.
import {corpusIfPossible} from './corpus.mjs';
import {main, root} from './run.mjs';
import {isolation, requestedPort, serve} from './serve.mjs';
import {ensure} from './setup.mjs';

await main(async () => {
  const port = requestedPort();
  await ensure('start');
  await corpusIfPossible();
  const {buildIfChanged} = await import('./fresh.mjs');
  await buildIfChanged();
  // The headers allow attn-train two threads.
  const {url} = await serve({folder: `${root}dist`, port, headers: isolation});
  console.log(`课程在 ${url}（按 Ctrl+C 结束）`);
});
