// The C++ builds: the core natively (build/native) and as WebAssembly (build/wasm), both by CMake.
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import {availableParallelism} from 'node:os';
import {delimiter} from 'node:path';
import {root, run, which} from './run.mjs';
import {clang} from './setup.mjs';

// Debian's Emscripten runs acorn, which its package installs outside Node's search path. Without
// this path every optimised link fails.
const debianModules = '/usr/share/nodejs';

function emscriptenEnv() {
  if (!existsSync(debianModules)) return {};
  const others = process.env.NODE_PATH;
  return {NODE_PATH: others ? `${others}${delimiter}${debianModules}` : debianModules};
}

/** The inputs of a build folder that CMake does not track by itself. */
function fingerprint(command, compiler) {
  const path = which(compiler);
  const version = path && `${realpathSync(path)} ${statSync(path).mtimeMs}`;
  return JSON.stringify({command, root, compiler: version}, null, 1);
}

/** The command that configures a build folder. */
const cmake = (folder) => [
  'cmake',
  '-S',
  '.',
  '-B',
  folder,
  '-G',
  'Ninja',
  '-DCMAKE_BUILD_TYPE=Release',
];

async function build(folder, {configure, compiler, targets = [], env = {}}) {
  const stamp = `${root}${folder}/configured.json`;
  const wanted = fingerprint(configure, compiler);
  const known = existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
  if (!known) {
    // CMake refuses a moved folder and keeps an old compiler, so the build starts again from an
    // empty folder.
    rmSync(`${root}${folder}`, {recursive: true, force: true});
    mkdirSync(`${root}${folder}`, {recursive: true});
    await run(configure[0], configure.slice(1), {env});
    writeFileSync(stamp, wanted);
  }
  const wantedTargets = targets.length ? ['--target', ...targets] : [];
  const jobs = String(availableParallelism());
  await run('cmake', ['--build', folder, '--parallel', jobs, ...wantedTargets], {env});
}

/**
 * Builds the core, its tests and the native programs into build/native.
 *
 * @param {{targets?: string[]}} [options]  CMake targets; all when left out
 * @throws {Failure} with the compiler's output
 */
export async function buildNative({targets} = {}) {
  const folder = 'build/native';
  await build(folder, {
    configure: cmake(folder),
    compiler: process.env.CXX ?? 'c++',
    targets,
  });
}

/** The modules that pages load or the build runs; the others are for tests and benchmarks. */
export const pageModules = [
  'attn_core',
  'attn_cache',
  'attn_scaling',
  'attn_sequence',
  'attn_train',
  'attn_train_threads',
];

/**
 * Builds the modules into build/wasm.
 *
 * @param {{targets?: string[]}} [options]  CMake targets; all when left out
 * @throws {Failure} with the compiler's output
 */
export async function buildWasm({targets} = {}) {
  const folder = 'build/wasm';
  await build(folder, {
    configure: ['emcmake', ...cmake(folder)],
    compiler: 'emcc',
    targets,
    env: emscriptenEnv(),
  });
}

/**
 * Builds the fuzzing program, with Clang, into build/fuzz.
 *
 * @throws {Failure} with the compiler's output
 */
export async function buildFuzz() {
  const folder = 'build/fuzz';
  const compiler = clang();
  await build(folder, {
    configure: [...cmake(folder), '-DATTN_FUZZ=ON', `-DCMAKE_CXX_COMPILER=${compiler}`],
    compiler,
  });
}
