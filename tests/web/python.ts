// Runs the Python programs of the pages, where this machine has NumPy.
import {execFileSync} from 'node:child_process';

/** Prints with Debian's Python or the first of the path; undefined where NumPy is missing. */
export function python(...args: string[]): string | undefined {
  const options = {encoding: 'utf8', stdio: 'pipe'} as const;
  for (const program of ['/usr/bin/python3', 'python3']) {
    try {
      execFileSync(program, ['-c', 'import numpy'], options);
    } catch {
      continue;
    }
    return execFileSync(program, ['-B', ...args], {...options, maxBuffer: 1 << 24});
  }
  return undefined;
}
