// The recorded runs of lessons/case as the pages' widgets get them, without the data that no
// picture shows.

import {existsSync, readdirSync} from 'node:fs';
import type {Moments} from '../training/moments.js';
import type {CaseContent, CaseRecord, RecordKey} from '../training/records.js';
import type {Preset} from '../training/protocol.js';
import {readData, valueAt} from './data-files.js';

const FOLDER = 'lessons/case';
const PRESETS: readonly Preset[] = ['small', 'large'];
const SAMPLE = {prompt: '春', temperature: 1};

const KEPT = [
  'experiment',
  'command',
  'corpus',
  'preset',
  'attention',
  'seed',
  'steps',
  'warmupSteps',
  'learningRate',
  'parameters',
  'stepsDone',
  'finalLoss',
  'firstLosses',
  'losses',
  'diagnostics',
  'parameterHash',
] as const;

interface Sample {
  prompt: string;
  temperature: number;
  text: string;
}

/** The moments of a run, if it recorded any. */
function readMoments(experiment: string): Moments | null {
  const path = `${FOLDER}/${experiment}-moments.json`;
  if (!existsSync(path)) return null;
  const file = readData(path, 'attn-train');
  const part = <T>(key: string) => valueAt(file, [key], 'attn-train') as T;
  return {text: part('text'), prompt: part('prompt'), moments: part('moments')};
}

function courseOf(moments: Moments | null): CaseRecord['course'] {
  const last = moments?.moments.at(-1);
  if (!moments || !last) return null;
  const {text, prompt} = moments;
  return {text, prompt, steps: moments.moments.map(({steps}) => steps), last};
}

function readRecord(path: string): CaseRecord | null {
  const file = readData(path, 'attn-train');
  const all = file.value as Record<string, unknown>;
  // The sweep over untrained models has no steps, and neither have moments of runs.
  if (!('losses' in all)) return null;
  const kept = Object.fromEntries(KEPT.map((key) => [key, valueAt(file, [key], 'attn-train')]));
  const samples = (all['samples'] ?? []) as Sample[];
  const sample = samples.find(
    ({prompt, temperature}) => prompt === SAMPLE.prompt && temperature === SAMPLE.temperature,
  );
  return {
    ...kept,
    vocabulary: valueAt(file, ['config', 'vocabSize'], 'attn-train'),
    validationLoss: all['validationLoss'] ?? null,
    poem: sample ? {prompt: sample.prompt, text: sample.text} : null,
    course: courseOf(readMoments(all['experiment'] as string)),
  } as unknown as CaseRecord;
}

const keyOf = ({
  experiment,
  preset,
  attention,
  seed,
  steps,
  learningRate,
}: CaseRecord): RecordKey => ({
  experiment,
  preset,
  attention,
  seed,
  steps,
  learningRate,
});

/**
 * Content by name: `case/small` and `case/large` with the two main runs, `case/<experiment>` with
 * one, and `case/<experiment>-moments` with the moments of one.
 */
export function caseContents(): Map<string, CaseContent | CaseRecord | Moments> {
  const files = existsSync(FOLDER)
    ? readdirSync(FOLDER)
        .filter((name) => name.endsWith('.json'))
        .sort()
    : [];
  const all = files.flatMap((name) => readRecord(`${FOLDER}/${name}`) ?? []);
  const contents = new Map<string, CaseContent | CaseRecord | Moments>(
    all.map((record) => [`case/${record.experiment}`, record]),
  );
  for (const {experiment, course} of all) {
    const moments = course && readMoments(experiment);
    if (moments) contents.set(`case/${experiment}-moments`, moments);
  }
  for (const preset of PRESETS) {
    const main = [`${preset}-scaled`, `${preset}-unscaled`];
    const own = all.filter((record) => record.preset === preset);
    contents.set(`case/${preset}`, {
      records: own.filter(({experiment}) => main.includes(experiment)),
      others: own.filter(({experiment}) => !main.includes(experiment)).map(keyOf),
    });
  }
  return contents;
}
