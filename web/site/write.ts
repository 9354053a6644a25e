// Files of the site, their folders made on the way.

import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname} from 'node:path';

export function write(path: string, text: string): void {
  mkdirSync(dirname(path), {recursive: true});
  writeFileSync(path, text);
}
