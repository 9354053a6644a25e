// <attn-kv-cache>: what a model's KV cache weighs, from its config.json, and why.

import {html, nothing, svg, type PropertyValues, type TemplateResult} from 'lit';
import {live} from 'lit/directives/live.js';
import type {Cache, LayerKind, ModelCache} from '../cache.js';
import {CoreError} from '../core.js';
import {contextsUpTo, growthPlot, layerStrip, type Growth} from '../shared/cache-figure.js';
import {
  cacheJson,
  configFrom,
  exact,
  FORMATS,
  refusalSentence,
  type Ask,
  type CacheJson,
  type Exact,
  type Format,
} from '../shared/cache-json.js';
import {formatName, keptBy, kindName, product, size} from '../shared/cache-text.js';
import type {ModelsContent} from '../shared/content.js';
import {binary, fixed, integer} from '../shared/format.js';
import {InputError} from '../shared/input.js';
import {numberBox, slider} from '../shared/number-box.js';
import {color, figure, panel, rule, text} from '../shared/plot.js';
import {type Need, type Resources} from '../shared/runtime.js';
import {
  choiceField,
  nameField,
  numberField,
  sampleList,
  sampleText,
  type Field,
  type Schema,
} from '../shared/schema.js';
import {AttnWidget, type Spec, type Table} from './attn-widget.js';

export interface KvCacheState {
  /** lessons/models里的一个，不带.json */
  model: string;
  /** 读过的词元数 */
  context: number;
  /** 同时处理的序列数 */
  batch: number;
  /** 缓存的数值格式；config是照文件 */
  dtype: 'config' | Format;
  /** 图上并排画的其他模型，至多3个 */
  compare: readonly string[];
  /** 放缓存的显存，单位GiB */
  memory: number;
  /** 贴上的config.json；有它就不看model */
  config: string;
}

type DesignName = 'MHA' | 'GQA' | 'MQA' | 'MLA';

/** The same model with another number of heads kept. */
export interface Design {
  name: DesignName;
  what: string;
  own: boolean;
  total: Exact;
  perToken: Exact;
}

export interface KvCacheResult extends CacheJson {
  name: string;
  /** The layout and where its fields come from. */
  read: ModelCache;
  bytesPerValue: number;
  designs: Design[];
  /** The model first, then those beside it. */
  curves: Growth[];
  /** Tokens a sequence that fit into the memory: 'any' where any length does, −1 where not even the constant part does. */
  fits: Exact | 'any';
  /** What was assumed and what varies, in words, in the order of `assumed` and `variants`. */
  words: {assumed: string[]; variants: string[]};
}

const MOST_BESIDE = 3;
const GIB = 2 ** 30;
const RANGES = {
  context: {min: 1, max: 2 ** 30, integer: true},
  batch: {min: 1, max: 2 ** 20, integer: true},
  memory: {min: 0.001, max: 2 ** 22},
};
const FORMAT_NAMES = Object.keys(FORMATS) as Format[];
/** DeepSeek-V2's and V3's: a latent vector and the part that carries the position. */
const LATENT = {rank: 512, rope: 64};

const name = nameField('');
const namesField = (fallback: readonly string[]): Field<readonly string[]> => ({
  fallback,
  read: (text) => {
    const names = text
      .split(/[,，]/)
      .map((part) => name.read(part.trim()))
      .filter((part) => part !== '');
    if (names.length > MOST_BESIDE)
      throw new InputError('too-many', `最多再画${MOST_BESIDE}个模型，这里有${names.length}个。`);
    return names;
  },
  write: (names) => names.join(','),
  about: import.meta.env.SSR
    ? {
        takes: `至多${MOST_BESIDE}个名字，用逗号隔开`,
        sample: (random) =>
          sampleList(random, MOST_BESIDE, () => `model-${Math.floor(100 * random())}`),
      }
    : undefined,
});

const schema: Schema<KvCacheState> = {
  model: nameField('anchor-model'),
  context: numberField(32768, RANGES.context),
  batch: numberField(1, RANGES.batch),
  dtype: choiceField<'config' | Format>('config', ['config', ...FORMAT_NAMES]),
  compare: namesField(['llama-3.1-8b', 'deepseek-v3', 'gpt-oss-20b']),
  memory: numberField(80, RANGES.memory),
  config: {
    fallback: '',
    read: (text) => text,
    write: (text) => text,
    about: import.meta.env.SSR
      ? {
          takes: '一份config.json的文字',
          sample: (random) =>
            JSON.stringify({
              num_hidden_layers: Math.floor(100 * random()),
              note: sampleText(random),
            }),
        }
      : undefined,
  },
};

interface Named {
  name: string;
  read: ModelCache;
}

/** The last pasted text and what it says: moving a slider need not read it again. */
let pasted: {text: string; read: ModelCache} | undefined;

function readPasted(cache: Cache, text: string, {refused}: ModelsContent): ModelCache {
  if (pasted?.text !== text) {
    const read = cache.readConfig(configFrom(text));
    if ('refused' in read)
      throw new InputError('refused', `${refusalSentence(refused, read.refused)}图仍是上一次的。`);
    pasted = {text, read};
  }
  return pasted.read;
}

function find({models, refused}: ModelsContent, id: string): Named {
  const entry = models.find((model) => model.id === id);
  if (!entry)
    throw new InputError('no-such-model', `没有收「${id}」这个模型；可以贴上它的config.json。`);
  if ('refused' in entry.cache)
    throw new InputError(
      'refused',
      `${entry.model}：${refusalSentence(refused, entry.cache.refused)}图仍是上一次的。`,
    );
  return {name: entry.model, read: entry.cache};
}

const isHeads = ({kind}: LayerKind) => kind === 'full' || kind === 'window' || kind === 'chunk';

/** Keys and values of whole heads, also where the file keeps a latent vector instead; null where it can't be said. */
function expanded({layout, variants}: ModelCache): readonly LayerKind[] | null {
  if (!layout.some(({kind}) => kind === 'latent')) return layout;
  return variants.find(({code}) => code === 'latent_expanded')?.layout ?? null;
}

/** Groups for a model that has none: 8 as most have, or the most below that which divide its heads. */
function groupsFor(heads: number): number | undefined {
  return [8, 7, 6, 5, 4, 3, 2].find((groups) => groups < heads && heads % groups === 0);
}

const withHeads = (layout: readonly LayerKind[], heads: number) =>
  layout.map((kind) => (isHeads(kind) ? {...kind, heads} : kind));
const withLatent = (layout: readonly LayerKind[]) =>
  layout.map((kind): LayerKind => {
    if (kind.kind === 'full')
      return {kind: 'latent', layers: kind.layers, heads: 1, kWidth: LATENT.rank + LATENT.rope};
    return isHeads(kind) ? {...kind, heads: 1, kWidth: LATENT.rank, vWidth: LATENT.rope} : kind;
  });

function designs(
  cache: Cache,
  read: ModelCache,
  query: {context: number; batch: number; bytesPerValue: number},
): Design[] {
  const {heads, layout} = read;
  const base = expanded(read);
  const kept = layout.filter(isHeads);
  const latent = layout.some(({kind}) => kind === 'latent');
  if (kept.length === 0 && !latent) return [];
  const every = (count: number) => !latent && kept.every((kind) => kind.heads === count);
  const own: DesignName = latent ? 'MLA' : every(1) ? 'MQA' : every(heads) ? 'MHA' : 'GQA';
  const groups = groupsFor(heads);
  const all: [DesignName, string, readonly LayerKind[] | null | undefined][] = [
    ['MHA', `${integer(heads)}个头各存一份`, heads > 0 && base ? withHeads(base, heads) : null],
    own === 'GQA'
      ? ['GQA', `存${[...new Set(kept.map((kind) => kind.heads))].join('或')}组`, layout]
      : ['GQA', `存${groups ?? 0}组`, groups && base ? withHeads(base, groups) : null],
    ['MQA', '只存1组', base && withHeads(base, 1)],
    own === 'MLA'
      ? [
          'MLA',
          `每层存${integer(layout.find(({kind}) => kind === 'latent')?.kWidth ?? 0)}个数`,
          layout,
        ]
      : ['MLA', `每层存${LATENT.rank} + ${LATENT.rope}个数`, base && withLatent(base)],
  ];
  return all.flatMap(([name, what, changed]) => {
    if (!changed) return [];
    const {total, withinWindowPerToken} = cache.cacheBytes(name === own ? layout : changed, query);
    return [
      {name, what, own: name === own, total: exact(total), perToken: exact(withinWindowPerToken)},
    ];
  });
}

function growthOf(cache: Cache, {name, read}: Named, {context, batch, dtype}: Ask): Growth {
  const query = {batch, bytesPerValue: dtype ? FORMATS[dtype] : read.bytesPerValue};
  const at = (tokens: number) =>
    exact(cache.cacheBytes(read.layout, {...query, context: tokens}).total);
  const points = contextsUpTo(context).flatMap((tokens) => {
    try {
      return [{context: tokens, total: at(tokens)}];
    } catch (error) {
      // Beyond 2⁶³ − 1 bytes the line ends.
      if (error instanceof CoreError) return [];
      throw error;
    }
  });
  return {name, points, total: at(context)};
}

function weigh(cache: Cache, state: KvCacheState, content: ModelsContent): KvCacheResult {
  const {assumed, variants} = content;
  const chosen: Named = state.config
    ? {name: '贴上的配置', read: readPasted(cache, state.config, content)}
    : find(content, state.model);
  const ask: Ask = {
    context: state.context,
    batch: state.batch,
    dtype: state.dtype === 'config' ? null : state.dtype,
  };
  const bytesPerValue = ask.dtype ? FORMATS[ask.dtype] : chosen.read.bytesPerValue;
  const query = {context: state.context, batch: state.batch, bytesPerValue};
  const fits = cache.longestContext(chosen.read.layout, query, Math.floor(state.memory * GIB));
  const beside = [...new Set(state.compare)]
    .filter((id) => state.config || id !== state.model)
    .map((id) => find(content, id));
  const weighed = cacheJson(cache, chosen.read, ask);
  return {
    ...weighed,
    ...chosen,
    bytesPerValue,
    words: {
      assumed: weighed.assumed.map(({code}) => assumed[code] ?? ''),
      variants: weighed.variants.map(({code}) => variants[code] ?? ''),
    },
    designs: designs(cache, chosen.read, query),
    curves: [chosen, ...beside].map((model) => growthOf(cache, model, ask)),
    fits: fits === null ? 'any' : exact(fits),
  };
}

function compute({cache}: Resources, state: KvCacheState, content: ModelsContent): KvCacheResult {
  try {
    return weigh(cache, state, content);
  } catch (error) {
    const {refused} = content;
    if (error instanceof SyntaxError) throw new InputError('not_json', refused['not_json'] ?? '');
    // Every input is in its range, so that only a result can be beyond its own.
    if (error instanceof CoreError) throw new InputError('too_large', refused['too_large'] ?? '');
    throw error;
  }
}

const whole = (value: Exact) => integer(BigInt(value));
const changes = ({growing_per_token, within_window_per_token}: CacheJson) =>
  growing_per_token !== within_window_per_token;

function roomText({memory}: KvCacheState): string {
  return `${Number.isInteger(memory) ? integer(memory) : String(memory)} GiB`;
}

function fitsText(state: KvCacheState, {fits}: KvCacheResult): string {
  const room = roomText(state);
  if (fits === 'any') return '多长都放得下';
  if (Number(fits) < 0) return `${room}连不随长度变的部分也放不下`;
  return `${whole(fits)}个词元`;
}

/** One line a kind: what is multiplied, and what comes out. */
function factors(kind: LayerKind, bytesPerValue: number, perToken: Exact, constant: Exact): string {
  if (kind.stateBytes) return `${product(kind, bytesPerValue)} ＝ ${size(constant)}，不随长度变`;
  if (Number(perToken) === 0) return `${integer(kind.layers)}层，不占字节`;
  return `${product(kind, bytesPerValue)} ＝ 每词元${size(perToken)}${kind.window ? `，至多留${integer(kind.window)}个词元` : ''}`;
}

/** How the kinds add up to the total. */
function sum({context, batch}: KvCacheState, {read, kinds, total}: KvCacheResult): string {
  const parts = kinds.flatMap(({bytes_per_token, constant}, i) => {
    const {window} = read.layout[i] ?? {};
    if (Number(bytes_per_token) > 0)
      return [
        `${whole(bytes_per_token)} × ${integer(window ? Math.min(window, context) : context)}`,
      ];
    return Number(constant) > 0 ? [whole(constant)] : [];
  });
  const one = parts.join(' + ') || '0';
  return `${batch === 1 ? one : `${integer(batch)} × ${parts.length > 1 ? `(${one})` : one}`} ＝ ${size(total)}`;
}

function designBars(all: readonly Design[]): TemplateResult {
  const row = 46;
  const most = Math.max(...all.map(({total}) => Number(total)));
  const own = Number(all.find((design) => design.own)?.total ?? 0);
  return figure(
    {
      height: row * all.length,
      label: `同一个模型换一种存法：${all.map(({name, total}) => `${name} ${binary(total)}`).join('，')}`,
    },
    svg`
    ${all.map((design, i) => {
      const y = row * i;
      const share = most > 0 ? (100 * Number(design.total)) / most : 0;
      const ratio = design.own || own === 0 ? '' : `，${fixed(Number(design.total) / own, 2)}倍`;
      return svg`${i > 0 ? rule(0, 100, y) : nothing}
        ${text(0, y + 18, `${design.own ? '● ' : ''}${design.name}`, {weight: 600, fill: design.own ? 'weight' : 'ink'})}
        <svg x="64" y=${y} overflow="visible">${text(0, 18, design.what, {size: 12, fill: 'ink-2'})}</svg>
        ${text(100, y + 18, `${binary(design.total)}${ratio}`, {anchor: 'end', weight: design.own ? 600 : 400})}
        ${panel({x: 0, y: y + 26, width: 100, height: 10}, svg`<rect width="${share.toFixed(2)}%" height="10" fill=${color(design.own ? 'weight' : 'weight-soft')} stroke=${color('weight')}/>`)}`;
    })}`,
  );
}

function fold(title: string, items: readonly unknown[]): unknown {
  return items.length === 0
    ? nothing
    : html`<details>
        <summary>${title}（${items.length}）</summary>
        <ul>
          ${items.map((item) => html`<li>${item}</li>`)}
        </ul>
      </details>`;
}

function view(state: KvCacheState, result: KvCacheResult): TemplateResult {
  const {read, kinds, assumed, variants, ignored, words} = result;
  return html`<dl class="guess">
      <div>
        <dt>
          ${integer(state.context)}个词元${state.batch > 1 ? ` × ${integer(state.batch)}条序列` : ''}
        </dt>
        <dd>${size(result.total)}</dd>
      </div>
      ${
        changes(result)
          ? html`<div>
              <dt>窗口未满，每多一个词元</dt>
              <dd>${size(result.within_window_per_token)}</dd>
            </div>`
          : nothing
      }
      <div>
        <dt>${changes(result) ? '到了这个长度，' : ''}每多一个词元</dt>
        <dd>${size(result.growing_per_token)}</dd>
      </div>
      ${
        Number(result.constant) > 0
          ? html`<div>
              <dt>不随长度变</dt>
              <dd>${size(result.constant)}</dd>
            </div>`
          : nothing
      }
      <div>
        <dt>${roomText(state)}放得下${state.batch > 1 ? '（每条序列）' : ''}</dt>
        <dd>${fitsText(state, result)}</dd>
      </div>
    </dl>
    <h3>每一层存什么</h3>
    ${layerStrip(read, kinds)}
    <h3>算式</h3>
    <ul class="sums">
      ${read.layout.map((kind, i) => html`<li><b>${kindName(kind.kind)}</b>${factors(kind, result.bytesPerValue, kinds[i]?.bytes_per_token ?? 0, kinds[i]?.constant ?? 0)}</li>`)}
      <li><b>合计</b>${sum(state, result)}</li>
    </ul>
    <h3>随上下文怎样增长</h3>
    ${growthPlot(result.curves, {context: state.context, room: state.memory * GIB, roomText: roomText(state)})}
    ${
      result.designs.length > 1
        ? html`<h3>同一个模型，换一种存法</h3>
            ${designBars(result.designs)}`
        : nothing
    }
    ${fold(
      '文件没有写明、补上的',
      assumed.map(
        ({field, value}, i) => html`<code>${field}</code> ＝ ${value}：${words.assumed[i]}`,
      ),
    )}
    ${fold(
      '推理引擎不同，总量也不同',
      variants.map(({total}, i) => html`${words.variants[i]}：${size(total)}`),
    )}
    ${fold(
      '没有用到的键',
      ignored.map((key) => html`<code>${key}</code>`),
    )}`;
}

function says(state: KvCacheState, result: KvCacheResult): string {
  const {name, read, dtype} = result;
  const beyond =
    read.maxContext > 0 && state.context > read.maxContext
      ? `（它的上下文只到${integer(read.maxContext)}）`
      : '';
  const step = changes(result)
    ? `窗口都没满时，每多一个词元加${size(result.within_window_per_token)}；现在只加${size(result.growing_per_token)}：有窗口的模型，每词元的字节数不是一个常数。`
    : read.layout.some(({window}) => window)
      ? `每多一个词元加${size(result.growing_per_token)}；窗口满了以后会变，不是一个常数。`
      : `每多一个词元加${size(result.growing_per_token)}。`;
  return `${name}读到${integer(state.context)}个词元${beyond}，${integer(state.batch)}条序列，${formatName(dtype)}：缓存共${size(result.total)}。${step}`;
}

function table(
  _state: KvCacheState,
  {read, kinds, total, growing_per_token, constant}: KvCacheResult,
): Table {
  return {
    columns: ['存什么', '层数', '头数', 'K宽', 'V宽', '至多留', '每词元（B）', '不随长度变（B）'],
    rows: [
      ...kinds.map((kind) => [
        kindName(kind.kind),
        integer(kind.layers),
        integer(kind.heads),
        integer(kind.k_width),
        integer(kind.v_width),
        kind.window === null ? '' : integer(kind.window),
        whole(kind.bytes_per_token),
        whole(kind.constant),
      ]),
      [
        `共${size(total)}`,
        integer(read.layers),
        '',
        '',
        '',
        '',
        `此时${whole(growing_per_token)}`,
        whole(constant),
      ],
    ],
  };
}

const FIELDS: Record<string, string> = {
  layers: '层数',
  heads: '头数',
  kWidth: 'K宽',
  vWidth: 'V宽',
  window: '至多留',
  stateBytes: '每层字节',
};

function steps(_state: KvCacheState, {read, dtype}: KvCacheResult): TemplateResult {
  const from = (i: number) => read.sources.filter(({kind}) => kind === i);
  return html`<ol class="steps">
    <li>
      格式：${formatName(dtype)}${dtype === read.dtype ? html`，${read.dtypePath ? html`来自<code>${read.dtypePath}</code>` : '文件没有写'}` : '，这里改的'}。
    </li>
    ${read.layout.map(
      (kind, i) =>
        html`<li>
          ${kindName(kind.kind)} × ${integer(kind.layers)}层，${keptBy(kind)}。
          <ul>
            ${from(i).map(({field, path}) => html`<li>${FIELDS[field]} ← <code>${path}</code></li>`)}
          </ul>
        </li>`,
    )}
    <li>每一类：层数 × 存的数 × 每个数的字节 × 存着的词元；再加上不随长度变的，乘以序列数。</li>
  </ol>`;
}

/** A real config is far smaller; what is longer is no config, and is not read to its end. */
const LARGEST_FILE = 4 << 20;

/**
 * KV-cache calculator.
 *
 * @attr model context batch dtype compare memory config
 * @fires attn-change  detail: {state, result}
 */
export class AttnKvCache extends AttnWidget<KvCacheState, KvCacheResult, ModelsContent> {
  static override readonly needs: readonly Need[] = ['cache'];
  static override readonly spec: Spec<KvCacheState, KvCacheResult, ModelsContent> = {
    tag: 'attn-kv-cache',
    title: (_state, {name}) => `KV缓存有多大：${name}`,
    hint: '选一个模型，或贴上它的config.json；改上下文、批量和格式，看哪一项在长。',
    schema,
    content: () => 'models',
    slow: true,
    compute,
    view,
    says,
    table,
    steps,
  };

  protected override controls(state: KvCacheState): TemplateResult {
    const beside = state.compare;
    return html`<div @dragover=${(event: DragEvent) => event.preventDefault()} @drop=${this.#drop}>
      <div class="dials">
        <label class="number"
          ><span>模型</span
          >${this.#picker(state.config ? '' : state.model, state.config ? '贴上的配置' : null, (model) => this.#take({model, config: ''}))}</label
        >
        <label class="chip file"
          >打开config.json<input type="file" accept=".json,application/json" @change=${this.#open}
        /></label>
      </div>
      <details class="paste" ?open=${state.config !== ''}>
        <summary>贴上或拖入config.json</summary>
        <textarea
          rows="6"
          spellcheck="false"
          autocomplete="off"
          aria-label="config.json"
          aria-describedby="trouble"
          placeholder="{ … }"
          .value=${live(this.drafts.get('config')?.text ?? state.config)}
          @input=${(event: InputEvent) => this.#paste((event.target as HTMLTextAreaElement).value)}
        ></textarea>
      </details>
      <div class="dials">
        ${slider(this, {key: 'context', label: '上下文', value: state.context, ...RANGES.context, step: 0.25, toTrack: Math.log2, fromTrack: (track) => Math.round(2 ** track), set: (context) => this.change({context})})}
        ${numberBox(this, {key: 'batch', label: '批量', value: state.batch, ...RANGES.batch, set: (batch) => this.change({batch})})}
        <label class="number"
          ><span>格式</span
          ><select
            @change=${(event: Event) => this.change({dtype: (event.target as HTMLSelectElement).value as Format})}
          >
            ${(['config', ...FORMAT_NAMES] as const).map((format) => html`<option value=${format} ?selected=${format === state.dtype}>${format === 'config' ? '照文件' : formatName(format)}</option>`)}
          </select></label
        >
        ${numberBox(this, {key: 'memory', label: '显存', value: state.memory, ...RANGES.memory, unit: 'GiB', set: (memory) => this.change({memory})})}
      </div>
      <div class="dials" role="group" aria-label="并排画">
        <span>并排画</span
        >${[0, 1, 2].map((i) => this.#picker(beside[i] ?? '', '不画', (id) => this.#beside(i, id), `第${i + 2}条线`))}
      </div>
    </div>`;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    // A select that was used no longer follows its options; the state decides.
    for (const select of this.renderRoot.querySelectorAll('select'))
      select.value = select.querySelector<HTMLOptionElement>('option[selected]')?.value ?? '';
  }

  /** `none` names the choice of no model, where that is one. */
  #picker(
    id: string,
    none: string | null,
    set: (id: string) => void,
    label?: string,
  ): TemplateResult {
    return html`<select
      aria-label=${label ?? nothing}
      @change=${(event: Event) => set((event.target as HTMLSelectElement).value)}
    >
      ${none === null ? nothing : html`<option value="" ?selected=${id === ''}>${none}</option>`}
      ${this.content?.models.map((entry) => html`<option value=${entry.id} ?selected=${entry.id === id}>${entry.model}${'refused' in entry.cache ? '（不会算）' : ''}</option>`)}
    </select>`;
  }

  #beside(i: number, id: string): void {
    const compare = [...this.state.compare];
    compare[i] = id;
    this.change({compare: compare.filter((each) => each)});
    this.requestUpdate();
  }

  #take(patch: Partial<KvCacheState>): void {
    this.drafts.delete('config');
    this.change(patch);
    this.requestUpdate();
  }

  /** What is pasted stays as it is until it can be read. */
  #paste(config: string): void {
    this.drafts.set('config', {text: config, problem: null});
    this.change({config: config.trim() === '' ? '' : config});
    this.requestUpdate();
  }

  #open = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    void this.#read(input.files?.[0]);
    input.value = '';
  };

  #drop = (event: DragEvent): void => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file) void this.#read(file);
    else this.#paste(event.dataTransfer?.getData('text/plain') ?? '');
  };

  async #read(file: File | undefined): Promise<void> {
    if (file) this.#paste(await file.slice(0, LARGEST_FILE).text());
  }
}
