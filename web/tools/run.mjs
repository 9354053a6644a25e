// Runs other programs. A program's output is printed only if it fails.
import {spawn} from 'node:child_process';
import {accessSync, constants, readdirSync, statSync} from 'node:fs';
import {delimiter, join} from 'node:path';
import {fileURLToPath} from 'node:url';

/** The project's folder, with a trailing slash. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * A failure whose message is complete: it is printed alone, without a stack. `output` is the output
 * of a failed program, `status` the exit status that the command should have.
 */
export class Failure extends Error {
  constructor(message, {output = '', status = 1} = {}) {
    super(message);
    this.output = output;
    this.status = status;
  }
}

/**
 * Runs `command` to its end in the project's folder.
 *
 * @param {object} [options]
 * @param {Record<string, string>} [options.env]  added to the environment
 * @param {boolean} [options.show]  pass the output on while it runs, as well as returning it
 * @param {boolean} [options.check]  false: a failure is returned by its status, not thrown
 * @returns {Promise<{status: number, stdout: string, output: string}>}  output: stdout and stderr,
 *     interleaved as they came
 * @throws {Failure} naming the command, with its output, if it ends with another status than 0
 */
export function run(command, args = [], {env = {}, cwd = root, show = false, check = true} = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: {...process.env, ...env},
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
      output += text;
      if (show) process.stdout.write(text);
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      output += text;
      if (show) process.stderr.write(text);
    });
    const line = [command, ...args].join(' ');
    child.on('error', (error) =>
      reject(new Failure(`无法运行 ${line}：${error.message}`, {output})),
    );
    child.on('close', (code, signal) => {
      const status = code ?? 128;
      if (status === 0 || !check) return resolve({status, stdout, output});
      const how = signal ? `被信号 ${signal} 终止` : `退出码 ${status}`;
      reject(new Failure(`${line} 失败（${how}）`, {output: show ? '' : output}));
    });
  });
}

/** The project's source folders; builds and npm write elsewhere. */
const sourceFolders = ['core', 'lessons', 'tests', 'wasm', 'web'];

/**
 * The project's files whose path matches, in order, whether or not this is a git checkout.
 *
 * @param {RegExp} wanted
 * @returns {string[]}  paths below `root`
 */
export function sources(wanted) {
  return sourceFolders.flatMap((folder) =>
    readdirSync(root + folder, {recursive: true, encoding: 'utf8'})
      .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
      .filter((path) => wanted.test(path))
      .sort(),
  );
}

/** The full path of a program that a shell would find, or undefined. */
export function which(program) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, program);
    try {
      accessSync(path, constants.X_OK);
      if (statSync(path).isFile()) return path;
    } catch {
      // Not in this folder: the next one is tried.
    }
  }
  return undefined;
}

/**
 * Runs a command-line program's main function; a Failure, or a mistake in its arguments, becomes
 * its message and exit status.
 */
export async function main(body) {
  try {
    await body();
  } catch (error) {
    if (error instanceof Failure) {
      if (error.output) process.stderr.write(`${error.output.trimEnd()}\n`);
      process.stderr.write(`${error.message}\n`);
      process.exitCode = error.status;
    } else if (error?.code?.startsWith?.('ERR_PARSE_ARGS')) {
      process.stderr.write(`参数不对：${error.message}\n`);
      process.exitCode = 1;
    } else {
      process.stderr.write(`${error?.stack ?? error}\n`);
      process.exitCode = 1;
    }
  }
}
