// npm start: set up the machine, build what has changed, serve the course.
import {corpusIfPossible} from './corpus.mjs';
import {main, root} from './run.mjs';
import {isolation, portAsked, serve} from './serve.mjs';
import {ensure} from './setup.mjs';

await main(async () => {
  const port = portAsked();
  await ensure('start');
  await corpusIfPossible();
  const {buildIfChanged} = await import('./fresh.mjs');
  await buildIfChanged();
  // With two threads for attn-train.
  const {url} = await serve({folder: `${root}dist`, port, headers: isolation});
  console.log(`课程在 ${url}（按 Ctrl+C 结束）`);
});
