// The poems that the case study trains on. `node web/tools/corpus.mjs` downloads them and prints
// their counts; everything except the live training builds without them.
//
// Recipe: of the npm package chinese-poetry 2.0.1 (MIT), the files poet.tang.0, .1000, .2000 and
// .3000 of 全唐诗 in this order, every poem in the order of its file; the lines of a poem joined
// without anything between, a line break after each poem; nothing converted, so the characters are
// the traditional ones. 4,003 poems, 717,048 bytes.
import {createHash} from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {Failure, main, root, run} from './run.mjs';

const recipe = 'web/tools/corpus';
const folder = `${root}build/corpus`;
const files = [0, 1000, 2000, 3000].map(
  (n) => `node_modules/chinese-poetry/dist/quantangshi/poet.tang.${n}.json`,
);

/** The path where ensureCorpus() writes the text. */
export const corpusFile = `${folder}/tang.txt`;

/** SHA-256 of the text. */
export const corpusHash = '4267d32bde981a2cd05a00af2b6db4fa426f72c85787f644d33ddc9ccbf723f3';

const sha256 = (text) => createHash('sha256').update(text).digest('hex');

/** One poem a line. @param {{paragraphs: string[]}[]} poems */
export const textOf = (poems) => poems.map(({paragraphs}) => `${paragraphs.join('')}\n`).join('');

/**
 * Counts the poems and characters of a text; line breaks are not counted.
 *
 * @param {string} text
 * @param {number} kept  how many of the most frequent characters have a token of their own
 */
export function countsOf(text, kept) {
  const counts = new Map();
  let characters = 0;
  for (const character of text) {
    if (character === '\n') continue;
    characters += 1;
    counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  const most = [...counts.values()].sort((a, b) => b - a).slice(0, kept);
  return {
    poems: text.split('\n').length - 1,
    characters,
    distinct: counts.size,
    covered: most.reduce((sum, n) => sum + n, 0) / characters,
  };
}

/** Whether the text exists and has the right hash. */
export const corpusIsThere = () =>
  existsSync(corpusFile) && sha256(readFileSync(corpusFile)) === corpusHash;

/**
 * Downloads the package (350 MB unpacked) if the text is missing, and keeps only the text.
 *
 * @returns {Promise<string>} the text's path
 * @throws {Failure} if the download fails or the package contains other poems
 */
export async function ensureCorpus() {
  if (corpusIsThere()) return corpusFile;
  console.log('取《全唐诗》语料（只需一次）');
  rmSync(folder, {recursive: true, force: true});
  mkdirSync(folder, {recursive: true});
  for (const name of ['package.json', 'package-lock.json']) {
    cpSync(`${root}${recipe}/${name}`, `${folder}/${name}`);
  }
  try {
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder]);
    const text = textOf(
      files.flatMap((file) => JSON.parse(readFileSync(`${folder}/${file}`, 'utf8'))),
    );
    if (sha256(text) !== corpusHash) {
      throw new Failure(`语料与记录的不同：SHA-256应是 ${corpusHash}，现在是 ${sha256(text)}。`);
    }
    writeFileSync(`${corpusFile}.part`, text);
    renameSync(`${corpusFile}.part`, corpusFile);
  } finally {
    rmSync(`${folder}/node_modules`, {recursive: true, force: true});
  }
  return corpusFile;
}

/** For commands that work without the poems: prints a failure in one line and continues. */
export async function corpusIfPossible() {
  try {
    await ensureCorpus();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    console.log(`没有取到语料，页面里的现场训练会说明缺了它，别的都照常。（${error.message}）`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(async () => {
    const text = readFileSync(await ensureCorpus(), 'utf8');
    const {poems, characters, distinct, covered} = countsOf(text, 1198);
    console.log(
      `${poems} 首诗，${characters} 个字符（不计换行），${distinct} 种；` +
        `最常见的 1198 种占 ${(covered * 100).toFixed(2)}%。\n${corpusFile}`,
    );
  });
}
