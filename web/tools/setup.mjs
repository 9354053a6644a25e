// Installs everything that the project needs on a machine with only Node: system packages, then npm
// packages. It is plain Node, since it runs before any npm package is installed.
import {createHash} from 'node:crypto';
import {existsSync, lstatSync, readFileSync, realpathSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {Failure, root, run, which} from './run.mjs';

const oldestEmscripten = '3.1.6';

const anyOf = (...programs) => programs.some((program) => which(program) !== undefined);
const header = (path) =>
  ['/usr/include', '/usr/local/include'].some((folder) => existsSync(join(folder, path)));

/**
 * The programs in use, the Debian packages that contain them, and the test whether each is
 * installed. `for` limits a need to the commands that it names.
 */
const systemNeeds = [
  {what: 'CMake', packages: ['cmake'], there: () => anyOf('cmake')},
  {what: 'Ninja', packages: ['ninja-build'], there: () => anyOf('ninja')},
  {what: 'C++20 编译器', packages: ['g++'], there: () => anyOf(process.env.CXX ?? 'c++')},
  {
    what: `Emscripten（不低于 ${oldestEmscripten}）`,
    packages: ['emscripten'],
    there: emscriptenIsThere,
  },
  {what: 'Eigen 3', packages: ['libeigen3-dev'], there: () => header('eigen3/Eigen/Core')},
  {what: 'doctest', packages: ['doctest-dev'], there: () => header('doctest/doctest.h')},
  {
    what: 'nlohmann-json',
    packages: ['nlohmann-json3-dev'],
    there: () => header('nlohmann/json.hpp'),
  },
  {what: 'CLI11', packages: ['libcli11-dev'], there: () => header('CLI/CLI.hpp')},
  {
    what: 'Clang与libFuzzer',
    packages: ['clang-14', 'libclang-rt-14-dev'],
    there: fuzzerIsThere,
    for: ['fuzz'],
  },
  {
    what: 'Chromium',
    packages: ['chromium-headless-shell'],
    there: () => chromium() !== undefined,
    for: ['test', 'engines', 'reach', 'bench'],
  },
  {
    what: 'clang-format 14',
    packages: ['clang-format'],
    there: () => anyOf('clang-format'),
    for: ['test'],
  },
  {
    what: '中文字体',
    packages: ['fontconfig', 'fonts-noto-cjk'],
    there: chineseFontIsThere,
    for: ['test', 'engines', 'reach', 'bench'],
  },
  {
    what: 'Firefox',
    packages: ['firefox-esr'],
    there: () => firefox() !== undefined,
    for: ['engines'],
  },
  {
    what: 'WebKitGTK与虚拟屏幕',
    packages: ['webkit2gtk-driver', 'xvfb'],
    there: () =>
      which('WebKitWebDriver') !== undefined &&
      which('Xvfb') !== undefined &&
      webKitBrowser() !== undefined,
    for: ['engines'],
  },
];

/**
 * The browser that tests and benchmarks drive; CHROMIUM names another one. The build without a
 * window comes first: it has the same engine and spends a third less processor time on a page.
 */
export function chromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  return [
    'chromium-headless-shell',
    'chromium',
    'chromium-browser',
    'google-chrome-stable',
    'google-chrome',
  ]
    .map(which)
    .find((path) => path !== undefined);
}

/** The path of Firefox; FIREFOX names another one. */
export function firefox() {
  return process.env.FIREFOX || ['firefox-esr', 'firefox'].map(which).find(Boolean);
}

/** WebKitGTK's MiniBrowser, which is installed beside its library and not on the PATH. */
export function webKitBrowser() {
  return ['4.1', '6.0', '4.0']
    .flatMap((version) => [`webkit2gtk-${version}`, `webkitgtk-${version}`])
    .flatMap((name) =>
      ['/usr/lib/x86_64-linux-gnu', '/usr/libexec'].map((folder) =>
        join(folder, name, 'MiniBrowser'),
      ),
    )
    .find((path) => existsSync(path));
}

/** Clang, which fuzzing needs, under its plain name or with its version. */
export function clang() {
  return ['clang++', 'clang++-14'].find((name) => which(name) !== undefined);
}

/** True if version `a`, like "3.1.6" or "20.19", is `b` or newer. */
export function atLeast(a, b) {
  const [left, right] = [a, b].map((version) => version.split(/[.-]/).map(Number));
  for (let i = 0; i < right.length; i++) {
    if ((left[i] ?? 0) !== right[i]) return (left[i] ?? 0) > right[i];
  }
  return true;
}

function emscriptenIsThere() {
  const emcc = which('emcc');
  if (!emcc) return false;
  const version = emscriptenVersion(emcc);
  if (atLeast(version, oldestEmscripten)) return true;
  throw new Failure(
    `PATH 上的 Emscripten 是 ${version}（${emcc}），本项目需要 ${oldestEmscripten} 或更新的版本。请升级它，或把它移出 PATH。`,
  );
}

/** Reads the version from the file beside emcc; `emcc --version` takes half a second. */
function emscriptenVersion(emcc) {
  const folders = [dirname(realpathSync(emcc)), '/usr/share/emscripten'];
  const file = folders.map((folder) => join(folder, 'emscripten-version.txt')).find(existsSync);
  // The program has another layout: the build shows whether it works.
  return file ? readFileSync(file, 'utf8').replaceAll(/["\s]/g, '') : oldestEmscripten;
}

async function fuzzerIsThere() {
  const compiler = clang();
  if (!compiler) return false;
  const library = '-print-file-name=libclang_rt.fuzzer-x86_64.a';
  // Clang prints the bare name where the library does not exist.
  return (await run(compiler, [library])).stdout.trim().startsWith('/');
}

async function chineseFontIsThere() {
  if (!which('fc-list')) return false;
  return (await run('fc-list', [':lang=zh-cn', 'family'])).stdout.trim() !== '';
}

async function missingNeeds(purpose) {
  const missing = [];
  for (const need of systemNeeds) {
    if (need.for && !need.for.includes(purpose)) continue;
    if (!(await need.there())) missing.push(need);
  }
  return missing;
}

const names = (needs) => needs.map((need) => need.what).join('、');

async function ensureSystem(purpose) {
  const missing = await missingNeeds(purpose);
  if (missing.length === 0) return;
  if (!which('apt-get')) {
    throw new Failure(
      `缺少：${names(missing)}。这台机器没有 apt-get，请用它自己的方式装好，再运行一次。`,
    );
  }
  const packages = missing.flatMap((need) => need.packages);
  const install = ['install', '-y', '--no-install-recommends', ...packages];
  if (process.getuid?.() !== 0) {
    throw new Failure(
      `缺少：${names(missing)}。请先运行下面这一行，再重新来一次：\n` +
        `sudo apt-get update && sudo apt-get ${install.join(' ')}`,
    );
  }
  console.log(`用 apt-get 安装 ${packages.join(' ')}（只需一次，要几分钟）`);
  const env = {DEBIAN_FRONTEND: 'noninteractive'};
  const patient = ['-o', 'DPkg::Lock::Timeout=300'];
  await run('apt-get', [...patient, 'update'], {env});
  await run('apt-get', [...patient, ...install], {env});
  const still = await missingNeeds(purpose);
  if (still.length > 0) {
    throw new Failure(`apt-get 已装好 ${packages.join(' ')}，却仍找不到：${names(still)}。`);
  }
}

function checkNode() {
  const {engines} = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  const wanted = engines.node.replace('>=', '');
  if (!atLeast(process.versions.node, wanted)) {
    throw new Failure(`需要 Node ${wanted} 或更新的版本，现在是 ${process.versions.node}。`);
  }
}

async function ensureNpmPackages() {
  const folder = `${root}node_modules`;
  // A linked folder belongs to another checkout; npm would empty it.
  if (lstatSync(folder, {throwIfNoEntry: false})?.isSymbolicLink()) return;
  const stamp = `${folder}/.attn-lock`;
  const lock = createHash('sha256')
    .update(readFileSync(`${root}package-lock.json`))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  console.log('安装 npm 包（只需一次）');
  // NODE_ENV=production must not leave the build tools out.
  await run('npm', ['ci', '--include=dev']);
  writeFileSync(stamp, lock);
}

/**
 * Installs the missing programs and packages, or changes nothing and throws.
 *
 * @param {'start' | 'test' | 'engines' | 'reach' | 'bench' | 'cache' | 'fuzz'} purpose  tests also
 *     need a browser and a Chinese font, tests of engines three browsers, fuzzing Clang
 * @throws {Failure} with the one command to run when something is missing and this is not root
 */
export async function ensure(purpose) {
  checkNode();
  await ensureSystem(purpose);
  await ensureNpmPackages();
}
