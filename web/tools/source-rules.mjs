// Rules for the source text that no other tool checks: the layering of ARCHITECTURE.md for C++
// (dependency-cruiser checks that of TypeScript), the length of lines and files, and how comments
// open.
import {readFileSync} from 'node:fs';
import {root, sources} from './run.mjs';

/**
 * A folder, the folders that it may include, and the other allowed headers; the first entry that
 * matches a file counts.
 */
const layers = [
  {
    folder: 'core/programs/',
    folders: ['core/'],
    also: /^<(nlohmann\/json|CLI\/CLI)\.hpp>$|^<(Eigen\/\w+|[a-z_]+)>$/,
  },
  // The core has no I/O and no JSON: only the standard library's containers and mathematics, and
  // Eigen.
  {
    folder: 'core/',
    folders: ['core/'],
    but: ['core/programs/'],
    also: /^<(Eigen\/\w+|(?!iostream|fstream|cstdio)[a-z_]+)>$/,
  },
  {
    folder: 'wasm/',
    folders: ['core/', 'wasm/'],
    also: /^<(emscripten\/\w+\.h|cxxabi\.h|[a-z_]+)>$/,
  },
  {folder: 'tests/', folders: ['core/', 'tests/'], also: /^</},
];

/** One line for each include that points the wrong way. */
export function wrongIncludes() {
  return sources(/\.(h|cpp)$/).flatMap((path) => {
    const layer = layers.find(({folder}) => path.startsWith(folder));
    if (!layer) return [`${path}: C++ lies in core/, wasm/ or tests/`];
    const lines = readFileSync(root + path, 'utf8').split('\n');
    return lines.flatMap((line, i) => {
      const target = /^\s*#\s*include\s+(["<][^">]+[">])/.exec(line)?.[1];
      if (!target) return [];
      const file = target.startsWith('"') ? target.slice(1, -1) : undefined;
      const starts = (folder) => file?.startsWith(folder);
      const allowed = file
        ? layer.folders.some(starts) && !layer.but?.some(starts)
        : layer.also.test(target);
      return allowed ? [] : [`${path}:${i + 1}: ${layer.folder} may not include ${target}`];
    });
  });
}

const mostColumns = 100;
const mostLines = 400;

/** One line for each line of code that is too long, and for each file. */
export function oversized() {
  return sources(/\.(ts|mjs|js|css|h|cpp|cmake)$/).flatMap((path) => {
    const lines = readFileSync(root + path, 'utf8')
      .trimEnd()
      .split('\n');
    const long = lines.flatMap((line, i) =>
      [...line].length > mostColumns ? [`${path}:${i + 1}: more than ${mostColumns} columns`] : [],
    );
    const many = lines.length > mostLines ? [`${path}: more than ${mostLines} lines`] : [];
    return [...many, ...long];
  });
}

const opening = /^\s*(?:\/\/+|\/?\*+|#)\s*(?:What|Whatever|Who|Whoever|Whose|Where|Of|Nobody)\b/;

/** One line for each line of a comment that opens with a bare question word: it has no subject. */
export function commentsWithoutSubject() {
  return sources(/\.(ts|mts|mjs|js|css|h|cpp|cmake)$/).flatMap((path) =>
    readFileSync(root + path, 'utf8')
      .split('\n')
      .flatMap((line, i) =>
        opening.test(line) ? [`${path}:${i + 1}: a comment without a subject`] : [],
      ),
  );
}
