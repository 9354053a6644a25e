// The learner in a worker of its own: the page stays free for the reader.

import {TrainLoop} from './loop.js';
import type {Command} from './protocol.js';
import {browserStore} from './store.js';

/** A message to itself comes after those that wait, and no hidden tab slows it down. */
const {port1, port2} = new MessageChannel();
const breathe = () =>
  new Promise<void>((resolve) => {
    port1.onmessage = () => resolve();
    port2.postMessage(null);
  });

const loop = new TrainLoop({
  report: (report) => postMessage(report),
  breathe,
  now: () => performance.now(),
  store: browserStore(),
});

onmessage = ({data}: MessageEvent<Command>) => void loop.receive(data);

// The page waits for this: a worker that a policy forbids says nothing.
postMessage({kind: 'alive'});
