// Pages of lessons/models: what the reader makes of each config, every number with the key it comes from.

import {findNodeAtLocation} from 'jsonc-parser';
import {
  assumed as ASSUMED,
  refused as REFUSED,
  variants as VARIANTS,
} from '../../lessons/data/cache-words.json';
import type {Cache, FieldSource, LayerKind, ModelCache, Refusal} from '../cache.js';
import {contextsUpTo, growthPlot, layerStrip} from '../shared/cache-figure.js';
import {cacheJson, exact, refusalSentence} from '../shared/cache-json.js';
import {formatName, kindName, product, size} from '../shared/cache-text.js';
import type {ModelEntry} from '../shared/content.js';
import {integer, percent} from '../shared/format.js';
import {drawTemplate} from './draw.js';
import {escapeHtml, withoutComments} from './html.js';
import {ANCHOR, type Format, type ModelFile, type NumberInput, type NumberSpec} from './numbers.js';

/** A file of lessons/models and what it says about the cache. */
export interface Model extends ModelEntry {
  file: ModelFile;
}

/** A page made from a model, for Eleventy. */
export interface ModelPage {
  /** Below lessons/. */
  path: string;
  markdown: string;
  data: {title: string; lead: string; description: string};
}

/** The assumed length where neither the config nor a published source names one. */
const USUAL_CONTEXT = 32768;
/** The room that the plot of a page marks. */
const ROOM_GIB = 80;

const pathOf = ({file}: Model) => file.file.path;

interface Extra {
  origin: string;
  provenance: Record<string, string>;
  quoted: Record<string, {value: string; source: string}>;
  /** The published length of a model whose config names none. */
  context?: {value: number; source: string};
}

function extraOf({file}: Model): Extra {
  const {origin = '', provenance = {}, quoted = {}, context} = file.file.value as Partial<Extra>;
  return {origin, provenance, quoted, ...(context && {context})};
}

interface Context {
  tokens: number;
  source: string;
  kind: NumberSpec['kind'];
  /** What a table adds to the number where the config itself does not name it. */
  mark: string;
}

/** The length that "full" means for a model, and where it comes from. */
function contextOf(model: Model, {maxContext}: ModelCache): Context {
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

const FIELDS: Record<FieldSource['field'], string> = {
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

/** A key of the config as an input; another model's than the course's own is told with its name. */
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
  // One key may give several numbers, as the widths of keys and values, or the layers of each kind.
  const said = new Map<string, string[]>();
  for (const {kind, field, path} of sources.filter(wanted)) {
    const value = layout[kind]?.[field];
    said.set(path, [
      ...(said.get(path) ?? []),
      `${kindName(layout[kind]?.kind ?? 'none')}的${FIELDS[field]}${value === undefined ? '' : integer(value)}`,
    ]);
  }
  return [...said].map(([path, values]) => keyInput(model, path, values.join('，')));
}

function formatInput(model: Model, {dtype, dtypePath, bytesPerValue}: ModelCache): NumberInput {
  return {
    name: '每个数的字节',
    value: `${bytesPerValue}（${formatName(dtype)}）`,
    source: dtypePath ? `${pathOf(model)} · ${dtypePath}` : '文件没有写，按BF16',
  };
}

const asSize: Format = (value) => size(BigInt(value));

/** The numbers that the pages print, by name behind "<id>.". */
export function modelNumbers(cache: Cache, model: Model): Record<string, NumberSpec> {
  const numbers: Record<string, NumberSpec> = {};
  const add = (name: string, spec: NumberSpec) => {
    numbers[`${model.id}.${name}`] = spec;
  };
  for (const [key, {value, source}] of Object.entries(extraOf(model).quoted)) {
    // As its author wrote it: "890" or "93.3%".
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
          ASSUMED[code as keyof typeof ASSUMED],
          [{...keyInput(model, field, integer(BigInt(value))), source: `${pathOf(model)}没有写`}],
          integer as Format,
          '',
        ),
      );
  });
  read.variants.forEach(({code, layout: other, bytesPerValue: width}, i) => {
    const words = VARIANTS[code as keyof typeof VARIANTS];
    add(`variant${i}.token`, computed(at(longest, other, width).growingPerToken, words, all));
    add(
      `variant${i}.total`,
      computed(at(context, other, width).total, words, [...all, contextFrom]),
    );
  });
  return numbers;
}

const num = (model: Model, name: string) => `{num ${model.id}.${name}}`;
const code = (text: string) => `\`${text}\``;
const row = (...cells: string[]) => `| ${cells.join(' | ')} |`;
/** A Markdown table; what stands in a cell is Markdown. */
const table = (head: readonly string[], rows: readonly string[][], place = 'wide') =>
  [
    `<div class="models ${place}">`,
    '',
    row(...head),
    row(...head.map(() => '---')),
    ...rows.map((cells) => row(...cells)),
    '',
    '</div>',
  ].join('\n');

/** Light-DOM markup in one line, which Markdown leaves alone. */
async function still(template: Parameters<typeof drawTemplate>[0]): Promise<string> {
  const markup = withoutComments(await drawTemplate(template)).replace(/\s*\n\s*/g, ' ');
  return `<div class="wide">${markup}</div>`;
}

/** The config as the file has it. */
function configText({file}: Model): string {
  const {text, root} = file.file;
  const node = findNodeAtLocation(root, ['config']);
  return node ? text.slice(node.offset, node.offset + node.length).replaceAll('\n  ', '\n') : '';
}

function fieldsSection(model: Model, {layout, sources}: ModelCache): string[] {
  const {provenance} = extraOf(model);
  const said = Object.entries(provenance);
  return [
    '## 每个数从哪个键来 {#fields}',
    '',
    table(
      ['存什么', '量', '数', '键'],
      sources.map(({kind, field, path}) => [
        kindName(layout[kind]?.kind ?? 'none'),
        FIELDS[field],
        num(model, `kind${kind}.${field}`),
        code(path),
      ]),
    ),
    '',
    ...(said.length > 0
      ? [
          '### 这些键的出处 {#provenance}',
          '',
          ...said.map(([key, where]) => `- ${code(key)}：${where}`),
          '',
        ]
      : []),
  ];
}

function doubtsSection(model: Model, {assumed, variants, ignored}: ModelCache): string[] {
  return [
    ...(assumed.length > 0
      ? [
          '## 文件没有写明、补上的 {#assumed}',
          '',
          ...assumed.map(
            ({field, value, code: why}, i) =>
              `- ${code(field)} ＝ ${/^\d+$/.test(value) ? num(model, `assumed${i}`) : code(value)}：${ASSUMED[why as keyof typeof ASSUMED]}`,
          ),
          '',
        ]
      : []),
    ...(variants.length > 0
      ? [
          '## 推理引擎不同，字节也不同 {#variants}',
          '',
          table(
            ['怎么存', '每词元', `${num(model, 'context')}个词元`],
            variants.map(({code: how}, i) => [
              VARIANTS[how as keyof typeof VARIANTS],
              num(model, `variant${i}.token`),
              num(model, `variant${i}.total`),
            ]),
          ),
          '',
        ]
      : []),
    ...(ignored.length > 0
      ? ['## 没有用到的键 {#ignored}', '', ignored.map(code).join('、'), '']
      : []),
  ];
}

function configSection(model: Model): string[] {
  return [
    '## 配置原文 {#config}',
    '',
    extraOf(model).origin,
    '',
    `<details class="box"><summary>${escapeHtml(pathOf(model))}里的config</summary><div class="scroll" tabindex="0" role="group" aria-label="配置原文"><pre>${escapeHtml(configText(model)).replaceAll('\n\n', '\n').replaceAll('{num', '&#123;num')}</pre></div></details>`,
    '',
  ];
}

/** Bytes of one sequence, as the plot wants them. */
function pointsOf(
  cache: Cache,
  {layout, bytesPerValue}: ModelCache,
  last: number,
): {context: number; total: ReturnType<typeof exact>}[] {
  return contextsUpTo(last).map((context) => ({
    context,
    total: exact(cache.cacheBytes(layout, {context, batch: 1, bytesPerValue}).total),
  }));
}

/** What one layer keeps, of numbers that can be touched. */
function keptBy(model: Model, {kind, window}: LayerKind, i: number): string {
  const of = (field: FieldSource['field']) => num(model, `kind${i}.${field}`);
  if (kind === 'state' || kind === 'convolution') return `${of('stateBytes')}字节`;
  if (kind === 'shared' || kind === 'none') return '不占字节';
  if (kind === 'latent' || kind === 'index') return `${of('kWidth')}个数`;
  return `${of('heads')}个头 × (${of('kWidth')} + ${of('vWidth')})个数${window ? `，至多${of('window')}个词元` : ''}`;
}

async function readPage(cache: Cache, model: Model, read: ModelCache): Promise<ModelPage> {
  const {layout} = read;
  const {tokens: context, mark} = contextOf(model, read);
  const costs = cacheJson(cache, read, {context, batch: 1, dtype: null});
  const windowed = layout.some(({window}) => window);
  const constant = layout.some(({stateBytes}) => stateBytes);
  const lead = [
    `${num(model, 'layers')}层，缓存按${formatName(read.dtype)}存。`,
    windowed
      ? `窗口没满时，每个词元${num(model, 'within')}；都满了以后，只再加${num(model, 'growing')}：每词元的字节数不是一个常数。`
      : `每个词元${num(model, 'growing')}。`,
    constant ? `另有不随长度变的${num(model, 'constant')}。` : '',
    `读到${num(model, 'context')}个词元${mark}，一条序列共${num(model, 'total')}。`,
  ].join('');
  const curve = {name: model.model, points: pointsOf(cache, read, context), total: costs.total};
  const markdown = [
    '## 每一层存什么 {#layers}',
    '',
    await still(layerStrip(read)),
    '',
    table(
      ['存什么', '层数', '一层存', '每词元', '不随长度变'],
      layout.map((kind, i) => [
        kindName(kind.kind),
        num(model, `kind${i}.layers`),
        keptBy(model, kind, i),
        costs.kinds[i]?.bytes_per_token ? num(model, `kind${i}.token`) : '—',
        costs.kinds[i]?.constant ? num(model, `kind${i}.constant`) : '—',
      ]),
    ),
    '',
    '## 随上下文怎样增长 {#growth}',
    '',
    await still(
      growthPlot([curve], {context, room: ROOM_GIB * 2 ** 30, roomText: `${ROOM_GIB} GiB`}),
    ),
    '',
    `换长度、批量、格式，或与别的模型并排比，用[计算器](/models/index.html#w-kv-cache?model=${model.id}&context=${context})。`,
    '',
    ...fieldsSection(model, read),
    ...doubtsSection(model, read),
    ...configSection(model),
  ].join('\n');
  return {
    path: `models/${model.id}/index.md`,
    markdown,
    data: {
      title: model.model,
      lead,
      description: `${model.model}的KV缓存：每一层存什么，每个词元多少字节，每个数从config.json的哪个键来。`,
    },
  };
}

/** A config that is not read has its page too: with the reason, and no number. */
function refusedPage(model: Model, refused: Refusal): ModelPage {
  const {quoted} = extraOf(model);
  const markdown = [
    '## 为什么不算 {#refused}',
    '',
    `${refusalSentence(REFUSED, refused)}猜一个数，不如不给：错的字节数看上去和对的一样。`,
    '',
    ...(refused.field ? [`- 卡住的键：${code(refused.field)}`] : []),
    `- 核心的原话：<span lang="en">${escapeHtml(refused.reason)}</span>`,
    '',
    ...(Object.keys(quoted).length > 0
      ? [
          '## 别人报的数 {#quoted}',
          '',
          ...Object.entries(quoted).map(
            ([key, {source}]) => `- ${code(key)}：${num(model, `quoted.${key}`)}，${source}`,
          ),
          '',
        ]
      : []),
    ...configSection(model),
  ].join('\n');
  return {
    path: `models/${model.id}/index.md`,
    markdown,
    data: {
      title: model.model,
      lead: '这个模型的缓存，这里不算。',
      description: `${model.model}的KV缓存为什么不算。`,
    },
  };
}

export async function modelPages(cache: Cache, models: readonly Model[]): Promise<ModelPage[]> {
  return Promise.all(
    models.map((model) =>
      'refused' in model.cache
        ? refusedPage(model, model.cache.refused)
        : readPage(cache, model, model.cache),
    ),
  );
}

/** All models that are read, the cheapest token first, and after them those that are not. */
export function modelsTable(models: readonly Model[], numbers: Record<string, NumberSpec>): string {
  const link = (model: Model) => `[${model.model}](/models/${model.id}/index.html)`;
  const growing = (model: Model) => BigInt(numbers[`${model.id}.growing`]?.value ?? 0);
  const read = models
    .flatMap((model) => ('refused' in model.cache ? [] : [{model, cache: model.cache}]))
    .sort((a, b) =>
      growing(a.model) < growing(b.model)
        ? -1
        : growing(a.model) > growing(b.model)
          ? 1
          : a.model.model < b.model.model
            ? -1
            : 1,
    );
  const rows = read.map(({model, cache}) => [
    link(model),
    num(model, 'growing'),
    cache.layout.some(({window}) => window) ? num(model, 'within') : '—',
    cache.layout.some(({stateBytes}) => stateBytes) ? num(model, 'constant') : '—',
    num(model, 'context') + contextOf(model, cache).mark,
    num(model, 'total'),
    cache.layout
      .map(({kind}, i) => `${kindName(kind)} × ${num(model, `kind${i}.layers`)}`)
      .join('，'),
  ]);
  const refused = models.flatMap((model) =>
    'refused' in model.cache
      ? [`- ${link(model)}：${refusalSentence(REFUSED, model.cache.refused)}`]
      : [],
  );
  return [
    table(
      ['模型', '再加一个词元', '窗口未满时', '不随长度变', '上下文', '装满时一条序列', '各种层'],
      rows,
      'whole',
    ),
    '',
    '### 不算的 {#refused}',
    '',
    ...refused,
  ].join('\n');
}
