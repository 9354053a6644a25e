// The recorded runs of models with one head of growing width, as attn-sweep gets them.

import {existsSync, readdirSync} from 'node:fs';
import type {WidthsContent} from '../shared/content.js';
import {readData, valueAt} from './data-files.js';

const FOLDER = 'lessons/case/runs';
const NAME = /^width-(\d+)-(scaled|unscaled)(?:-\d+)?\.json$/;
const USER = 'attn-sweep';

export function widthsContent(): WidthsContent {
  const files = existsSync(FOLDER) ? readdirSync(FOLDER).sort() : [];
  const content: WidthsContent = {steps: 0, corpus: '', command: '', seeds: []};
  for (const name of files) {
    const match = NAME.exec(name);
    if (!match) continue;
    const file = readData(`${FOLDER}/${name}`, USER);
    const of = <T>(key: string) => valueAt(file, [key], USER) as T;
    content.steps = of('steps');
    content.corpus = of('corpus');
    content.command ||= of<string>('command').replace(/width-.*$/, 'width-32-scaled …');
    const seed = of<number>('seed');
    let entry = content.seeds.find((one) => one.seed === seed);
    if (!entry) content.seeds.push((entry = {seed, runs: []}));
    entry.runs.push({
      width: Number(match[1]),
      attention: match[2] as 'scaled' | 'unscaled',
      loss: of('finalLoss'),
    });
  }
  return content;
}
