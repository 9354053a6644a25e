// Opens a learner: in a worker, or in slices on the page's own thread if workers are refused (in a
// sandboxed frame, or by a policy).

import {fetchFile} from '../shared/files.js';
import type {Command, Report} from './protocol.js';
import workerUrl from './worker.ts?worker&url';

export interface Port {
  /** True if the page stays responsive during training. */
  where: 'worker' | 'page';
  post(command: Command): void;
  /** Ends it at once and frees its memory. */
  close(): void;
}

export interface PortOptions {
  report: (report: Report) => void;
}

const ALIVE_MS = 4000;
/** The pause between two steps in the page: time for a click and a picture. */
const PAUSE_MS = 20;

/** Resolves to the worker once its first message arrives; throws if it may not be started. */
function started(url: string): Promise<Worker> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(url, {type: 'module'});
    const give = (error: Error) => {
      worker.terminate();
      reject(error);
    };
    const timer = setTimeout(() => give(new Error('the worker did not start in time')), ALIVE_MS);
    worker.onmessage = () => {
      clearTimeout(timer);
      resolve(worker);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      clearTimeout(timer);
      give(new Error(event.message));
    };
  });
}

/** For pages of another origin, whose workers must be their own, and for carried scripts. */
async function borrowed(): Promise<Worker> {
  const source = import.meta.env['CARRIED']
    ? await (await fetchFile(workerUrl)).text()
    : `import ${JSON.stringify(new URL(workerUrl, import.meta.url).href)};`;
  const url = URL.createObjectURL(new Blob([source], {type: 'text/javascript'}));
  try {
    return await started(url);
  } finally {
    URL.revokeObjectURL(url);
  }
}

async function workerPort({report}: PortOptions): Promise<Port> {
  const worker = await (import.meta.env['CARRIED']
    ? borrowed()
    : started(workerUrl).catch(borrowed));
  worker.onmessage = ({data}: MessageEvent<Report>) => report(data);
  worker.onerror = ({message}) => report({kind: 'failed', code: 'internal', message});
  return {
    where: 'worker',
    post: (command) => worker.postMessage(command),
    close: () => worker.terminate(),
  };
}

async function pagePort({report}: PortOptions): Promise<Port> {
  const [{TrainLoop}, {fetchTrain}, {browserStore}] = await Promise.all([
    import('./loop.js'),
    import('./module.js'),
    import('./store.js'),
  ]);
  let open = true;
  const loop = new TrainLoop({
    report: (message) => {
      if (open) report(message);
    },
    module: fetchTrain,
    breathe: () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS)),
    now: () => performance.now(),
    store: browserStore(),
  });
  return {
    where: 'page',
    post: (command) => void loop.receive(command),
    close: () => {
      open = false;
      loop.stop();
    },
  };
}

/** A learner that waits for its start. */
export async function openPort(options: PortOptions): Promise<Port> {
  try {
    return await workerPort(options);
  } catch (error) {
    console.info('attn-lessons: no worker, training in the page', error);
    return pagePort(options);
  }
}
