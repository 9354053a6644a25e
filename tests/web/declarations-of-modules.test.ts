// The declarations in wasm/*.d.mts list exactly the functions that the modules export and the
// values that they return.
import {readFileSync} from 'node:fs';
import {inspect} from 'node:util';
import ts from 'typescript';
import {beforeAll, describe, expect, it} from 'vitest';
import {matrix} from '../../web/core.js';

const MODULES = ['core', 'scaling', 'sequence', 'cache', 'train'] as const;
type ModuleName = (typeof MODULES)[number];
const path = (name: ModuleName) => `build/wasm/attn_${name}.d.mts`;
const CALLS = {
  core: 'CoreCalls',
  scaling: 'Scaling',
  sequence: 'Sequence',
  cache: 'CacheCalls',
  train: 'TrainCalls',
};

const program = ts.createProgram(MODULES.map(path), {
  strict: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  types: [],
});
const checker = program.getTypeChecker();

/** The exported type of a name in a declaration file. */
function declared(module: ModuleName, name: string): ts.Type {
  const source = program.getSourceFile(path(module))!;
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(source)!);
  const symbol = exported.find((each) => each.name === name);
  if (!symbol) throw new Error(`${module}: no ${name}`);
  return checker.getDeclaredTypeOfSymbol(symbol);
}

const fieldsOf = (type: ts.Type) => checker.getPropertiesOfType(type).map(({name}) => name);

const typeOf = (symbol: ts.Symbol) =>
  checker.getTypeOfSymbolAtLocation(symbol, program.getSourceFiles()[0]!);

/** The declared result type of a function. */
function returned(module: ModuleName, owner: string, call: string): ts.Type {
  const method = checker.getPropertyOfType(declared(module, owner), call)!;
  return checker.getReturnTypeOfSignature(typeOf(method).getCallSignatures()[0]!);
}

const literals = (type: ts.Type): string[] =>
  type.isUnion() ? type.types.flatMap(literals) : type.isStringLiteral() ? [type.value] : [];

const isOptional = (symbol: ts.Symbol) => (symbol.flags & ts.SymbolFlags.Optional) !== 0;

/**
 * The differences between a value and its declared type: a missing field, an additional one,
 * another type.
 */
function differences(value: unknown, type: ts.Type, at: string): string[] {
  if (type.isUnion()) {
    const found = type.types.map((option) => differences(value, option, at));
    return found.find((each) => each.length === 0) ?? found.sort((a, b) => a.length - b.length)[0]!;
  }
  const wrong = [`${at}: ${checker.typeToString(type)} is declared, got ${inspect(value)}`];
  if (type.isStringLiteral()) return value === type.value ? [] : wrong;
  const {flags} = type;
  if (flags & ts.TypeFlags.Null) return value === null ? [] : wrong;
  if (flags & ts.TypeFlags.Undefined) return value === undefined ? [] : wrong;
  if (flags & ts.TypeFlags.Void) return value === undefined ? [] : wrong;
  if (flags & ts.TypeFlags.NumberLike) return typeof value === 'number' ? [] : wrong;
  if (flags & ts.TypeFlags.BigIntLike) return typeof value === 'bigint' ? [] : wrong;
  if (flags & ts.TypeFlags.StringLike) return typeof value === 'string' ? [] : wrong;
  if (flags & ts.TypeFlags.BooleanLike)
    return value === (checker.typeToString(type) === 'true') ? [] : wrong;
  if (typeof value !== 'object' || value === null) return wrong;
  const name = type.symbol?.name;
  if (name?.endsWith('Array') && name !== 'Array')
    return value.constructor.name === name ? [] : wrong;
  if (checker.isArrayType(type)) {
    if (!Array.isArray(value)) return wrong;
    const [item] = checker.getTypeArguments(type as ts.TypeReference);
    return value.flatMap((each, i) => differences(each, item!, `${at}[${i}]`));
  }
  const known = new Set(fieldsOf(type));
  const undeclared = Object.keys(value).filter((key) => !known.has(key));
  return [
    ...undeclared.map((key) => `${at}.${key}: not declared`),
    ...checker.getPropertiesOfType(type).flatMap((field) => {
      if (!(field.name in value))
        return isOptional(field) ? [] : [`${at}.${field.name}: declared, not there`];
      const item = (value as Record<string, unknown>)[field.name];
      return differences(item, typeOf(field), `${at}.${field.name}`);
    }),
  ];
}

type Raw = Record<string, (...args: unknown[]) => unknown>;
const raw = {} as Record<ModuleName, Raw>;

/** The functions that a module, or a handle of one, binds. */
function boundOf(object: object): string[] {
  const names: string[] = [];
  for (const name in object) {
    const value = (object as Record<string, unknown>)[name];
    const {argCount} = Object(value) as {argCount?: unknown};
    if (typeof value === 'function' && typeof argCount === 'number') names.push(name);
  }
  return names.sort();
}

beforeAll(async () => {
  for (const name of MODULES) {
    const {default: create} = (await import(`../../build/wasm/attn_${name}.mjs`)) as {
      default: (options: {wasmBinary: Uint8Array}) => Promise<Raw>;
    };
    raw[name] = await create({wasmBinary: readFileSync(`build/wasm/attn_${name}.wasm`)});
  }
});

it.each(MODULES)('attn_%s binds the functions that are declared', (name) => {
  expect(fieldsOf(declared(name, CALLS[name])).sort()).toEqual(boundOf(raw[name]));
});

const square = matrix([
  [1, 0],
  [0.5, 1],
]);
const open = matrix([
  [0, 0],
  [0, 0],
]);
const softmax = {
  method: 'softmax',
  temperature: 1,
  offset: 0,
  precision: 'float64',
  stable: true,
};
const past = {
  sequence: [0, 0],
  window: 2,
  insideSequence: false,
  paddingAsks: true,
  inverted: false,
};
const masking = {masking: 'infinity', emptyRow: 'zero'};
const layer = {
  kind: 'full',
  layers: 2,
  heads: 2,
  kWidth: 4,
  vWidth: 4,
  window: 0,
  stateBytes: 0,
  ownBits: 0,
};
const query = {
  context: 10,
  batch: 1,
  source: 0,
  format: {bits: 16, scaleBits: 0, scaleBlock: 0},
};
const serving = {
  cards: 1,
  memory: 1e9,
  weights: 1000n,
  prefix: 0,
  engine: 'vllm',
  format: '',
};
/** A config in the form that web/cache.ts passes: keys, and a number for each. */
const tokens = (...keys: string[]) => `{\0${keys.map((key) => `k${key}\0d\0`).join('')}}\0`;
const sizes = ['num_hidden_layers', 'num_attention_heads', 'hidden_size'];
const config = [tokens(...sizes, 'max_position_embeddings'), [2, 4, 64, 128], []];
const settings = {
  config: {vocabSize: 30, blockSize: 4, nLayers: 1, nHeads: 2, dModel: 8, dFf: 8},
  attention: 'scaled',
  seed: 1,
  batchSize: 2,
  steps: 100,
  warmupSteps: 10,
  learningRate: 0.001,
};
const text = '春眠不觉晓，处处闻啼鸟。\n'.repeat(20);

const EXAMPLES: Record<Exclude<ModuleName, 'train'>, Record<string, unknown[][]>> = {
  core: {
    exp: [[1]],
    log: [[1]],
    weigh: [
      [[1, 2], softmax],
      [[1e308, 1e308], {...softmax, method: 'share'}],
      [[0, 0], {...softmax, method: 'share'}],
    ],
    weighDefaults: [[]],
    jacobian: [[[0.5, 0.5]]],
    attention: [[square, square, square, {scaled: true, mask: 'causal'}]],
    multiHead: [[square, square, square, {heads: 2, scaled: true, mask: 'none'}]],
    pastMask: [[past]],
    maskedWeights: [[square, open, masking]],
    product: [[square, square]],
    cosine: [
      [
        [1, 0],
        [1, 1],
      ],
    ],
  },
  scaling: {
    variance: [[{dims: [4], seed: 1, samples: 4, keys: 2}]],
    productWalks: [[{stops: [1, 4], seed: 1, keys: 2}]],
    productBins: [[{d: 4, seed: 1, count: 3, keys: 2}]],
    divisors: [[[1, 2], 4]],
    initSweep: [[{dims: [32], sigma: 0.02, seed: 1}]],
    rowWeights: [
      [[8, 3], 'scaled', 16],
      [[400, 0], 'no-max-subtraction', 16],
    ],
    logSlope: [[1, 8, 2, 4]],
  },
  sequence: {
    rotate: [[square, {positions: [0, 1], rotated: 2, base: 10000}]],
    addSinusoidal: [[square, {positions: [0, 1], base: 10000}]],
    wavelengths: [[4, 10000]],
    addTableRows: [[square, square, [0, 1]]],
    normalMatrix: [[{rows: 1, cols: 2, std: 1, seed: 1, stream: 0}]],
    rowProducts: [[square, square]],
    rowScores: [[square, square, 4]],
    distance: [
      [
        [1, 2],
        [4, -2],
      ],
    ],
    decode: [
      [
        square,
        {wQ: square, wK: square, wV: square, wO: square, heads: 1, layers: 1},
        {prompt: 1, generated: 2, cached: true},
      ],
    ],
    poolHeads: [[square, {heads: 2, groups: 1}]],
    groupedQuery: [[square, square, square, {heads: 2, groups: 2}]],
    latentScores: [[[1, 2], square, square, {rotated: 0, base: 10000}]],
    latentSizes: [[{heads: 2, width: 3, rank: 4, rope: 1}]],
    softmaxWithSink: [[[1, 2], {sink: 0, gate: 1}]],
    recurrence: [[square, {input: square, state: square}]],
    serialCost: [[4, 0.5]],
    backward: [[square, square, square, square, 'nothing']],
    onlineSoftmax: [[[1, 3, 2], 2]],
    attentionTraffic: [
      [
        {
          ...{n: 8, d: 4, heads: 1, bytesPerValue: 2, block: 4},
          ...{operationsPerSecond: 1, bytesPerSecond: 1},
        },
      ],
    ],
    sparsePairs: [[6, {window: 2, stride: 3, global: 1}]],
    tileWalk: [[{n: 4, d: 2, block: 2, rule: {window: 4, stride: 0, global: 0}, seed: 1}]],
    formatLimits: [['bfloat16']],
    storedNumber: [
      [1.001, 'float16'],
      [1e9, 'e5m2'],
    ],
    numberOfBits: [[1, 'e4m3']],
    roundedSum: [[0.25, 4, 2, 'float32']],
    expOverflows: [[[1, 12], 'float16']],
  },
  cache: {
    cacheBytes: [
      [[layer], query],
      [[layer], {...query, context: 2 ** 50}],
    ],
    longestContext: [
      [[layer], query, 1_000_000_000n],
      [[{...layer, kind: 'none'}], query, 1n],
    ],
    sequencesThatFit: [
      [[layer], query, '', 0n, 1_000_000_000n],
      [[{...layer, kind: 'none'}], query, 'vllm', 0n, 1n],
    ],
    planServing: [
      [[layer], query, serving],
      [[layer], query, {...serving, memory: 0, engine: ''}],
      [[{...layer, kind: 'none'}], query, serving],
    ],
    valueFormat: [['q8_0'], ['?']],
    weightBytes: [[1000n, query.format]],
    countParameters: [
      [config[0], config[1], [layer]],
      ['n\0', [], [layer]],
    ],
    readParameters: [
      [tokens(...sizes, 'intermediate_size', 'vocab_size'), [2, 4, 64, 128, 100]],
      ['n\0', []],
    ],
    readConfig: [config, ['n\0', [], []]],
  },
};

describe.each(['core', 'scaling', 'sequence', 'cache'] as const)(
  'attn_%s returns what is declared',
  (name) => {
    it('has an example of every call', () => {
      expect(Object.keys(EXAMPLES[name]).sort()).toEqual(boundOf(raw[name]));
    });

    it.each(Object.keys(EXAMPLES[name]))('%s', (call) => {
      const type = returned(name, CALLS[name], call);
      for (const args of EXAMPLES[name][call]!) {
        const result = raw[name][call]!(...args);
        expect(Object(result)).not.toHaveProperty('error');
        expect(differences(result, type, call)).toEqual([]);
      }
    });
  },
);

describe('a run', () => {
  const RUN: Record<string, unknown[]> = {
    config: [],
    sizes: [],
    setLearningRate: [0.01],
    setThreads: [1],
    step: [2],
    diagnostics: [0],
    validationLoss: [1],
    validationLossWithout: [0, 0, 1],
    encode: ['春眠x'],
    vocabulary: [],
    sample: [{prompt: '春', count: 2, temperature: 1, topK: 0, cached: true, seed: 1}],
    forward: ['春眠'],
    attentionMap: ['春眠', 0, 0],
    portraits: ['春眠'],
    tokenLosses: ['春眠不'],
    tokenLossesWithout: ['春眠不', 0, 1],
    parameterHash: [],
    parameters: [],
    save: [],
  };

  it('has the declared methods, and returns the declared types', () => {
    const run = raw.train['create']!(settings, text) as Raw;
    expect(run).not.toHaveProperty('error');
    const methods = fieldsOf(declared('train', 'RunCalls')).sort();
    expect(boundOf(run)).toEqual(methods);
    const results: Record<string, unknown> = {};
    for (const [call, args] of Object.entries(RUN)) results[call] = run[call]!(...args);
    results['setParameters'] = run['setParameters']!(results['parameters']);
    results['load'] = run['load']!(results['save']);
    expect(Object.keys(results).sort()).toEqual(methods);
    for (const [call, result] of Object.entries(results)) {
      expect(differences(result, returned('train', 'RunCalls', call), call)).toEqual([]);
    }
    run['delete']!();
  });

  it('presets have the type of settings', () => {
    const type = returned('train', 'TrainCalls', 'preset');
    for (const name of ['small', 'large'])
      expect(differences(raw.train['preset']!(name), type, name)).toEqual([]);
  });
});

/** Declared unions of literals, by the argument or field that accepts them. */
it.each([
  ['core', 'Method', () => raw.core['weigh']!([1], {...softmax, method: '?'})],
  ['core', 'Precision', () => raw.core['weigh']!([1], {...softmax, precision: '?'})],
  ['core', 'Masking', () => raw.core['maskedWeights']!(square, open, {...masking, masking: '?'})],
  ['core', 'EmptyRow', () => raw.core['maskedWeights']!(square, open, {...masking, emptyRow: '?'})],
  ['core', 'Mask', () => raw.core['attention']!(square, square, square, {scaled: true, mask: '?'})],
  ['cache', 'CacheKind', () => raw.cache['cacheBytes']!([{...layer, kind: '?'}], query)],
  ['train', 'AttentionKind', () => raw.train['create']!({...settings, attention: '?'}, text)],
] as const)('%s: %s lists the names that the core knows', (module, name, call) => {
  let message = '';
  try {
    call();
  } catch (error) {
    ({message} = error as TypeError);
  }
  const known = /expected (.*), got \?$/.exec(message)?.[1]?.split(', ');
  expect(literals(declared(module, name)).sort()).toEqual(known?.sort());
});
