// Pages of lessons/models: the cache layout read from each config, and the numbers of
// model-numbers.ts.

import {findNodeAtLocation} from 'jsonc-parser';
import type {Cache, FieldSource, LayerKind, ModelCache, Refusal} from '../cache.js';
import {layerStrip} from '../shared/cache-figure.js';
import {cacheJson, exact, refusalSentence} from '../shared/cache-json.js';
import {kindName} from '../shared/cache-text.js';
import {formatName} from '../shared/value-formats.js';
import {assumedWords, refusalWords, variantWords} from '../shared/course-data.js';
import {CONTEXTS, growthPlot} from '../shared/growth-plot.js';
import {drawTemplate} from './draw.js';
import type {MadePage} from './paths.js';
import {escapeHtml, withoutComments} from './html.js';
import {modelsChart} from './models-chart.js';
import {contextOf, extraOf, FIELDS, pathOf, type Model} from './model-numbers.js';
import type {NumberSpec} from './numbers.js';

/** The memory size that the plot of a page marks. */
const ROOM_GIB = 80;

const num = (model: Model, name: string) => `{num ${model.id}.${name}}`;
const code = (text: string) => `\`${text}\``;
const row = (...cells: string[]) => `| ${cells.join(' | ')} |`;
/** A Markdown table; the cells are Markdown. */
const table = (head: readonly string[], rows: readonly string[][]) =>
  [
    '<div class="models wide">',
    '',
    row(...head),
    row(...head.map(() => '---')),
    ...rows.map((cells) => row(...cells)),
    '',
    '</div>',
  ].join('\n');

/** Light-DOM markup on one line, so that Markdown leaves it unchanged. */
async function still(template: Parameters<typeof drawTemplate>[0]): Promise<string> {
  const markup = withoutComments(await drawTemplate(template)).replace(/\s*\n\s*/g, ' ');
  return `<div class="wide">${markup}</div>`;
}

/** The config as the file spells it. */
function configText({file}: Model): string {
  const {text, root} = file.file;
  const node = findNodeAtLocation(root, ['config']);
  return node ? text.slice(node.offset, node.offset + node.length).replaceAll('\n  ', '\n') : '';
}

function fieldsSection(model: Model, {layout, sources}: ModelCache): string[] {
  const {provenance} = extraOf(model);
  const origins = Object.entries(provenance);
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
    ...(origins.length > 0
      ? [
          '### 这些键的出处 {#provenance}',
          '',
          ...origins.map(([key, where]) => `- ${code(key)}：${where}`),
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
              `- ${code(field)} ＝ ` +
              `${/^\d+$/.test(value) ? num(model, `assumed${i}`) : code(value)}：` +
              `${assumedWords[why as keyof typeof assumedWords]}`,
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
              variantWords[how as keyof typeof variantWords],
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
    `<details class="box"><summary>${escapeHtml(pathOf(model))}里的config</summary>` +
      `<div class="scroll" tabindex="0" role="group" aria-label="配置原文">` +
      `<pre>` +
      escapeHtml(configText(model)).replaceAll('\n\n', '\n').replaceAll('{num', '&#123;num') +
      `</pre></div></details>`,
    '',
  ];
}

/** Cache sizes of one sequence, as points of the plot. */
function pointsOf(
  cache: Cache,
  {layout, bytesPerValue}: ModelCache,
): {context: number; total: ReturnType<typeof exact>}[] {
  return CONTEXTS.map((context) => ({
    context,
    total: exact(cache.cacheBytes(layout, {context, batch: 1, bytesPerValue}).total),
  }));
}

/** The cache of one layer, in numbers that link to their sources. */
function keptBy(model: Model, {kind, window}: LayerKind, i: number): string {
  const of = (field: FieldSource['field']) => num(model, `kind${i}.${field}`);
  if (kind === 'state' || kind === 'convolution') return `${of('stateBytes')}字节`;
  if (kind === 'shared' || kind === 'none') return '不占字节';
  if (kind === 'latent' || kind === 'index') return `${of('kWidth')}个数`;
  return (
    `${of('heads')}个头 × (${of('kWidth')} + ${of('vWidth')})个数` +
    `${window ? `，至多${of('window')}个词元` : ''}`
  );
}

function pageOf(
  {id, model}: Model,
  markdown: string,
  data: {lead: string; description: string},
): MadePage {
  return {path: `models/${id}/index.md`, markdown, data: {title: model, ...data}};
}

async function readPage(cache: Cache, model: Model, read: ModelCache): Promise<MadePage> {
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
  const curve = {name: model.model, points: pointsOf(cache, read), total: costs.total};
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
    `换长度、批量、格式，或与别的模型并排比，用[计算器](/models/index.html#w-kv-cache?model=${model.id}&context=` +
      `${context})。`,
    '',
    ...fieldsSection(model, read),
    ...doubtsSection(model, read),
    ...configSection(model),
  ].join('\n');
  return pageOf(model, markdown, {
    lead,
    description: `${model.model}的KV缓存：每一层存什么，每个词元多少字节，每个数从config.json的哪个键来。`,
  });
}

/** The page of a model whose config cannot be read: the reason, without numbers. */
function refusedPage(model: Model, refused: Refusal): MadePage {
  const {quoted} = extraOf(model);
  const markdown = [
    '## 为什么不算 {#refused}',
    '',
    `${refusalSentence(refusalWords, refused)}猜一个数，不如不给：错的字节数看上去和对的一样。`,
    '',
    ...(refused.field ? [`- 卡住的键：${code(refused.field)}`] : []),
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
  return pageOf(model, markdown, {
    lead: '这个模型的缓存，这里不算。',
    description: `${model.model}的KV缓存为什么不算。`,
  });
}

export async function modelPages(cache: Cache, models: readonly Model[]): Promise<MadePage[]> {
  return Promise.all(
    models.map((model) =>
      'refused' in model.cache
        ? refusedPage(model, model.cache.refused)
        : readPage(cache, model, model.cache),
    ),
  );
}

/** All readable models ordered by the bytes of a token, as a chart and a table; then the others. */
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
      .map(({kind}, i) => `${kindName(kind)}\u00a0×\u00a0${num(model, `kind${i}.layers`)}`)
      .join('，'),
  ]);
  const refused = models.flatMap((model) =>
    'refused' in model.cache
      ? [`- ${link(model)}：${refusalSentence(refusalWords, model.cache.refused)}`]
      : [],
  );
  return [
    modelsChart(read, numbers),
    '',
    '<details class="box wide"><summary>全部的数：不随长度变的、上下文、装满时、各种层</summary>',
    '',
    table(
      ['模型', '再加一个词元', '窗口未满时', '不随长度变', '上下文', '装满时一条序列', '各种层'],
      rows,
    ),
    '',
    '</details>',
    '',
    '### 不算的 {#refused}',
    '',
    ...refused,
  ].join('\n');
}
