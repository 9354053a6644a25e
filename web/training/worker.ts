// The learner in a worker of its own, so that the page stays responsive.

import type {Train} from '../train.js';
import {TrainLoop} from './loop.js';
import {fetchTrain} from './module.js';
import type {Command} from './protocol.js';
import {browserStore} from './store.js';
import {fetchThreads} from './threads.js';

/** A message to itself arrives after the waiting ones, and hidden tabs do not delay it. */
const {port1, port2} = new MessageChannel();
const breathe = () =>
  new Promise<void>((resolve) => {
    port1.onmessage = () => resolve();
    port2.postMessage(null);
  });

/** Two threads if the page is isolated, one otherwise: the digits are the same. */
async function module(): Promise<Train> {
  if (!crossOriginIsolated) return fetchTrain();
  return fetchThreads().catch((error: unknown) => {
    console.info('attn-lessons: training with one thread', error);
    return fetchTrain();
  });
}

const loop = new TrainLoop({
  report: (report) => postMessage(report),
  module,
  breathe,
  now: () => performance.now(),
  store: browserStore(),
});

onmessage = ({data}: MessageEvent<Command>) => void loop.receive(data);

// The page waits for this message: a worker that a policy forbids sends none.
postMessage({kind: 'alive'});
