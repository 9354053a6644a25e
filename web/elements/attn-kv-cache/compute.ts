// Results of <attn-kv-cache>: the cache of the chosen model, of other designs, and over the
// context.

import type {Cache, CacheQuery, LayerKind, ModelCache} from '../../cache.js';
import {CoreError} from '../../core.js';
import {type Ask, cacheJson, configIn, exact, refusalSentence} from '../../shared/cache-json.js';
import type {ConfigTextError} from '../../config-json.js';
import type {ModelsContent} from '../../shared/content.js';
import {integer} from '../../shared/format.js';
import {CONTEXTS, type Growth} from '../../shared/growth-plot.js';
import {InputError} from '../../shared/input.js';
import {type DesignName, designOf, hasHeads} from '../../shared/mechanism.js';
import type {Resources} from '../../shared/runtime.js';
import type {Design, KvCacheResult, KvCacheState} from './state.js';
import {whatFits} from './serving.js';

/**
 * The latent attention of DeepSeek-V2 and V3: a latent vector and the part that carries the
 * position.
 */
const LATENT = {rank: 512, rope: 64};

interface Named {
  /** The model's file, or the pasted text. */
  id: string;
  name: string;
  read: ModelCache;
  parameters?: number;
}

const keepsPicture = (sentence: string) => `${sentence}图仍是上一次的。`;

/** Caches the last pasted text with its result: moving a slider need not read it again. */
let pasted: (Pick<Named, 'read' | 'parameters'> & {text: string; ignored: string}) | undefined;

function readPasted(
  cache: Cache,
  {config: text, ignore}: KvCacheState,
  {refused}: ModelsContent,
): Pick<Named, 'read' | 'parameters'> {
  const ignored = ignore.join();
  if (pasted?.text !== text || pasted.ignored !== ignored) {
    const config = configIn(cache.parseConfig(text));
    const read = cache.readConfig(config, ignore);
    if ('refused' in read)
      throw new InputError('refused', keepsPicture(refusalSentence(refused, read.refused)));
    const parameters = cache.countParameters(config, read.layout);
    pasted = {text, ignored, read, ...(parameters !== null && {parameters: Number(parameters)})};
  }
  const {read, parameters} = pasted;
  return {read, ...(parameters !== undefined && {parameters})};
}

/**
 * A model of the course without the doubts that the reader dismissed: no number depends on them.
 */
const withoutDoubts = (read: ModelCache, ignore: readonly string[]): ModelCache => ({
  ...read,
  doubts: read.doubts.filter(({field}) => !ignore.includes(field)),
});

function find({models, refused}: ModelsContent, id: string): Named {
  const entry = models.find((model) => model.id === id);
  if (!entry)
    throw new InputError('no-such-model', `没有收「${id}」这个模型；可以粘贴它的config.json。`);
  if ('refused' in entry.cache)
    throw new InputError(
      'refused',
      keepsPicture(`${entry.model}：${refusalSentence(refused, entry.cache.refused)}`),
    );
  const {parameters} = entry;
  return {id, name: entry.model, read: entry.cache, ...(parameters && {parameters})};
}

/**
 * Keys and values of whole heads, also for a file that keeps a latent vector instead; null if the
 * file does not give them.
 */
function expanded({layout, variants}: ModelCache): readonly LayerKind[] | null {
  if (!layout.some(({kind}) => kind === 'latent')) return layout;
  return variants.find(({code}) => code === 'latent_expanded')?.layout ?? null;
}

/**
 * Groups for a model without any: 8, the most common number, or the largest smaller divisor of its
 * heads.
 */
function groupsFor(heads: number): number | undefined {
  return [8, 7, 6, 5, 4, 3, 2].find((groups) => groups < heads && heads % groups === 0);
}

const withHeads = (layout: readonly LayerKind[], heads: number) =>
  layout.map((kind) => (hasHeads(kind) ? {...kind, heads} : kind));

const withLatent = (layout: readonly LayerKind[]) =>
  layout.map((kind): LayerKind => {
    if (kind.kind === 'full')
      return {kind: 'latent', layers: kind.layers, heads: 1, kWidth: LATENT.rank + LATENT.rope};
    return hasHeads(kind) ? {...kind, heads: 1, kWidth: LATENT.rank, vWidth: LATENT.rope} : kind;
  });

function designs(cache: Cache, read: ModelCache, query: CacheQuery): Design[] {
  const {heads, layout} = read;
  const base = expanded(read);
  const kept = layout.filter(hasHeads);
  const own = designOf(read);
  if (kept.length === 0 && own !== 'MLA') return [];
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

/** The curves do not depend on the context, which is what a reader drags. */
const curvePoints = new Map<string, Growth['points']>();
const MOST_CURVES = 50;

function pointsOf(cache: Cache, {id, read}: Named, query: Omit<CacheQuery, 'context'>) {
  const key = JSON.stringify([id, query]);
  const known = curvePoints.get(key);
  if (known) return known;
  const points = CONTEXTS.flatMap((context) => {
    try {
      return [{context, total: exact(cache.cacheBytes(read.layout, {...query, context}).total)}];
    } catch (error) {
      // Beyond 2⁶³ − 1 bytes the line ends.
      if (error instanceof CoreError) return [];
      throw error;
    }
  });
  if (curvePoints.size >= MOST_CURVES) curvePoints.clear();
  curvePoints.set(key, points);
  return points;
}

function growthOf(cache: Cache, model: Named, {context, batch, dtype}: Ask): Growth {
  const {name, read} = model;
  const query = dtype
    ? {batch, ...cache.formatOf(dtype)}
    : {batch, bytesPerValue: read.bytesPerValue, scales: read.scales};
  const {total} = cache.cacheBytes(read.layout, {...query, context});
  return {name, points: pointsOf(cache, model, query), total: exact(total)};
}

function weigh(cache: Cache, state: KvCacheState, content: ModelsContent): KvCacheResult {
  const {assumed, variants, doubts} = content;
  const known = state.config ? null : find(content, state.model);
  const chosen: Named = known
    ? {...known, read: withoutDoubts(known.read, state.ignore)}
    : {
        id: [state.config, ...state.ignore].join('\n'),
        name: '粘贴的配置',
        ...readPasted(cache, state, content),
      };
  const ask: Ask = {
    context: state.context,
    batch: state.batch,
    dtype: state.dtype === 'config' ? null : state.dtype,
  };
  const {bytesPerValue, scales} = ask.dtype ? cache.formatOf(ask.dtype) : chosen.read;
  const query = {context: state.context, batch: state.batch, bytesPerValue, scales};
  const beside = [...new Set(state.compare)]
    .filter((id) => state.config || id !== state.model)
    .map((id) => find(content, id));
  const weighed = cacheJson(cache, chosen.read, ask);
  const {kinds} = cache.cacheBytes(chosen.read.layout, query);
  return {
    ...weighed,
    name: chosen.name,
    read: chosen.read,
    bytesPerValue,
    scaled: scales.bits > 0,
    parts: kinds.map(({total}) => exact(total)),
    words: {
      assumed: chosen.read.assumed.map(
        ({code, detail}) => `${assumed[code] ?? ''}${detail ? `（${detail}）` : ''}`,
      ),
      doubts: weighed.doubts.map(({code}) => doubts[code] ?? ''),
      variants: weighed.variants.map(({code}) => variants[code] ?? ''),
    },
    designs: designs(cache, chosen.read, query),
    curves: [chosen, ...beside].map((model) => growthOf(cache, model, ask)),
    ...whatFits(cache, state, chosen, query),
  };
}

/** The class is in the module about caches, which is loaded later. */
const isConfigTextError = (error: unknown): error is ConfigTextError =>
  error instanceof SyntaxError && error.name === 'ConfigTextError';

export function compute(
  {cache}: Resources,
  state: KvCacheState,
  content: ModelsContent,
): KvCacheResult {
  try {
    return weigh(cache, state, content);
  } catch (error) {
    const {refused} = content;
    if (isConfigTextError(error))
      throw new InputError(
        error.refusal.code,
        keepsPicture(refusalSentence(refused, error.refusal)),
      );
    // Every input is in its range here, so only a result can overflow.
    if (error instanceof CoreError)
      throw new InputError('too_large', refused['bytes_too_large']?.why ?? '');
    throw error;
  }
}
