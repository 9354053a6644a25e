// The numbers of a model's cache, each with its formula and the keys that it is computed from.

import type {Cache, FieldSource, LayerKind, ModelCache} from '../cache.js';
import {kindName, product} from '../shared/cache-text.js';
import {formatName} from '../shared/value-formats.js';
import type {ModelEntry} from '../shared/content.js';
import {assumedWords, variantWords} from '../shared/course-data.js';
import {binary, integer, percent} from '../shared/format.js';
import {ANCHOR, type Format, type ModelFile, type NumberInput, type NumberSpec} from './numbers.js';

/** A file of lessons/models and its cache. */
export interface Model extends ModelEntry {
  file: ModelFile;
}

/** The assumed length where neither the config nor a published source names one. */
const USUAL_CONTEXT = 32768;

export const pathOf = ({file}: Model) => file.file.path;

interface Extra {
  origin: string;
  provenance: Record<string, string>;
  quoted: Record<string, {value: string; source: string}>;
  /** The published context length of a model whose config does not state one. */
  context?: {value: number; source: string};
}

export function extraOf({file}: Model): Extra {
  const {origin = '', provenance = {}, quoted = {}, context} = file.file.value as Partial<Extra>;
  return {origin, provenance, quoted, ...(context && {context})};
}

interface Context {
  tokens: number;
  source: string;
  kind: NumberSpec['kind'];
  /** The note that a table adds to a length that the config does not state. */
  mark: string;
}

/** The length that "full" stands for in a model's pages, and its source. */
export function contextOf(model: Model, {maxContext}: ModelCache): Context {
  if (maxContext) {
    const key = keyOf(model.file.config, maxContext, /position|seq|ctx|context/) ?? '';
    const source = `${pathOf(model)} · ${key}`;
    return {tokens: maxContext, source, kind: 'config', mark: ''};
  }
  const published = extraOf(model).context;
  if (published)
    return {
      tokens: published.value,
      source: published.source,
      kind: 'quoted',
      mark: '（配置没有写，按公布的长度）',
    };
  return {
    tokens: USUAL_CONTEXT,
    source: `文件没有写，这里取${integer(USUAL_CONTEXT)}`,
    kind: 'teaching',
    mark: '（没有公布，假设的）',
  };
}

export const FIELDS: Record<FieldSource['field'], string> = {
  layers: '层数',
  heads: '头数',
  kWidth: 'K宽',
  vWidth: 'V宽',
  window: '至多留的词元',
  stateBytes: '每层字节',
};

/** Path of the first key that holds the value and whose name matches. */
function keyOf(value: unknown, wanted: number, names: RegExp): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const own = Object.entries(value).find(([key, item]) => item === wanted && names.test(key));
  if (own) return own[0];
  for (const [key, item] of Object.entries(value)) {
    const inner = keyOf(item, wanted, names);
    if (inner !== undefined) return `${key}.${inner}`;
  }
  return undefined;
}

/** A key of the config as an input; a key of another model is printed with the model's name. */
function keyInput({file}: Model, path: string, value: string): NumberInput {
  return {
    name: file.id === ANCHOR ? path : `${file.model} ${path}`,
    value,
    source: `${file.file.path} · ${path}`,
  };
}

/** The numbers of a layout as inputs, each with its key. */
function inputsOf(
  model: Model,
  {layout, sources}: ModelCache,
  wanted: (source: FieldSource) => boolean,
): NumberInput[] {
  // One key may give several numbers: the widths of keys and values, or the layers of each kind.
  const quantities = new Map<string, string[]>();
  for (const {kind, field, path} of sources.filter(wanted)) {
    const value = layout[kind]?.[field];
    quantities.set(path, [
      ...(quantities.get(path) ?? []),
      `${kindName(layout[kind]?.kind ?? 'none')}的${FIELDS[field]}` +
        `${value === undefined ? '' : integer(value)}`,
    ]);
  }
  return [...quantities].map(([path, values]) => keyInput(model, path, values.join('，')));
}

function formatInput(model: Model, {dtype, dtypePath, bytesPerValue}: ModelCache): NumberInput {
  return {
    name: '每个数的字节',
    value: `${bytesPerValue}（${formatName(dtype)}）`,
    source: dtypePath ? `${pathOf(model)} · ${dtypePath}` : '文件没有写，按BF16',
  };
}

/** The card of a number gives its bytes. */
const asSize: Format = (value) => binary(value);

/** The numbers that the pages print; a name is the text behind "<id>.". */
export function modelNumbers(cache: Cache, model: Model): Record<string, NumberSpec> {
  const numbers: Record<string, NumberSpec> = {};
  const add = (name: string, spec: NumberSpec) => {
    numbers[`${model.id}.${name}`] = spec;
  };
  for (const [key, {value, source}] of Object.entries(extraOf(model).quoted)) {
    // The text of the source: "890" or "93.3%".
    const unit = value.endsWith('%') ? '%' : '';
    add(`quoted.${key}`, {
      value: Number.parseFloat(value),
      text: unit ? percent(Number.parseFloat(value) / 100) : integer(BigInt(value)),
      unit,
      kind: 'quoted',
      formula: '',
      inputs: [{name: '原文数值', value, source}],
    });
  }
  if ('refused' in model.cache) return numbers;
  const read = model.cache;
  const {layout, bytesPerValue} = read;
  const computed = (
    value: bigint | number,
    formula: string,
    inputs: NumberInput[],
    as: Format = asSize,
    unit = 'B',
  ): NumberSpec => ({value, text: as(value), unit, kind: 'computed', formula, inputs});
  const all = [...inputsOf(model, read, () => true), formatInput(model, read)];
  const windows = layout.map(({window = 0}) => window);
  const longest = Math.max(1, ...windows);
  const at = (context: number, of = layout, width = bytesPerValue) =>
    cache.cacheBytes(of, {context, batch: 1, bytesPerValue: width});
  const long = at(longest);
  const kept = layout.filter((_, i) => long.kinds[i]?.bytesPerToken);
  const formula = (kinds: readonly LayerKind[]) =>
    kinds.map((kind) => product(kind, bytesPerValue)).join(' + ') || '没有哪一层随长度增长';
  const {tokens: context, source, kind} = contextOf(model, read);
  add('growing', computed(long.growingPerToken, formula(kept.filter(({window}) => !window)), all));
  add('within', computed(long.withinWindowPerToken, formula(kept), all));
  if (layout.some(({stateBytes}) => stateBytes))
    add(
      'constant',
      computed(
        long.constant,
        formula(layout.filter(({stateBytes}) => stateBytes)),
        inputsOf(model, read, ({kind}) => Boolean(layout[kind]?.stateBytes)),
      ),
    );
  const contextFrom = {name: '上下文', value: integer(context), source};
  add('context', {
    value: context,
    text: integer(context),
    unit: '词元',
    kind,
    formula: '',
    inputs: [contextFrom],
  });
  add(
    'total',
    computed(at(context).total, '每一类在这个长度上的字节数之和', [...all, contextFrom]),
  );
  add('layers', {
    value: read.layers,
    text: integer(read.layers),
    unit: '层',
    kind: 'config',
    formula: '',
    inputs: inputsOf(model, read, ({field}) => field === 'layers'),
  });
  layout.forEach((kind, i) => {
    const cost = long.kinds[i];
    if (!cost) return;
    const from = inputsOf(model, read, (source) => source.kind === i);
    for (const {field, path} of read.sources.filter((source) => source.kind === i)) {
      const value = kind[field] ?? 0;
      add(`kind${i}.${field}`, {
        value,
        text: integer(value),
        unit: '',
        kind: 'config',
        formula: / [*+/] /.test(path) ? path : '',
        inputs: [keyInput(model, path, integer(value))],
      });
    }
    if (cost.bytesPerToken)
      add(
        `kind${i}.token`,
        computed(cost.bytesPerToken, product(kind, bytesPerValue), [
          ...from,
          formatInput(model, read),
        ]),
      );
    if (cost.constant)
      add(`kind${i}.constant`, computed(cost.constant, product(kind, bytesPerValue), from));
  });
  read.assumed.forEach(({field, value, code}, i) => {
    if (/^\d+$/.test(value))
      add(
        `assumed${i}`,
        computed(
          BigInt(value),
          assumedWords[code as keyof typeof assumedWords],
          [{...keyInput(model, field, integer(BigInt(value))), source: `${pathOf(model)}没有写`}],
          integer as Format,
          '',
        ),
      );
  });
  read.variants.forEach(({code, layout: other, bytesPerValue: width}, i) => {
    const words = variantWords[code as keyof typeof variantWords];
    add(`variant${i}.token`, computed(at(longest, other, width).growingPerToken, words, all));
    add(
      `variant${i}.total`,
      computed(at(context, other, width).total, words, [...all, contextFrom]),
    );
  });
  return numbers;
}
