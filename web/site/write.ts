// Writes files of the site and creates their folders.

import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname} from 'node:path';

export function write(path: string, text: string): void {
  mkdirSync(dirname(path), {recursive: true});
  writeFileSync(path, text);
}
