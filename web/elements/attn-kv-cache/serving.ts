// The requests that fit on the cards: with the cache alone, or beside the weights and in the blocks
// of an engine.

import type {Cache, CacheQuery, ModelCache, ServingPlan} from '../../cache.js';
import {CoreError} from '../../core.js';
import {exact} from '../../shared/cache-json.js';
import {InputError} from '../../shared/input.js';
import {GIB, isServed, type KvCacheResult, type KvCacheState} from './state.js';

interface Model {
  read: ModelCache;
  parameters?: number;
}

type Fits = Pick<KvCacheResult, 'fits' | 'sequences' | 'room' | 'serving'>;

export function whatFits(cache: Cache, state: KvCacheState, model: Model, query: CacheQuery): Fits {
  const {layout} = model.read;
  if (isServed(state)) return served(cache, state, model, query);
  const room = Math.floor(state.memory * GIB);
  const fits = cache.longestContext(layout, query, room);
  const sequences = cache.sequencesThatFit(layout, query, room);
  return {
    fits: fits === null ? 'any' : exact(fits),
    sequences: sequences === null ? 'any' : exact(sequences),
    room,
    serving: null,
  };
}

function served(cache: Cache, state: KvCacheState, model: Model, query: CacheQuery): Fits {
  const {layout} = model.read;
  const weights = weightsOf(cache, state, model);
  const plan = planned(cache, state, model, query, weights);
  const {card, reserved, saved, budget, log} = plan;
  if (!budget) throw new Error('a plan without memory');
  const {longest} = budget;
  // The limit stands where the whole cache of the longest sequences that fit ends.
  const room =
    budget.available <= 0n
      ? 0
      : longest === null || longest < 0n
        ? Number(budget.available)
        : Number(cache.cacheBytes(layout, {...query, context: Number(longest)}).total);
  return {
    fits: longest === null && budget.available >= 0n ? 'any' : exact(longest ?? -1n),
    sequences: budget.sequences < 0n ? 'any' : exact(budget.sequences),
    room,
    serving: {
      card: exact(card.total),
      taken: reserved && {total: exact(reserved.total), block: reserved.block},
      saved: exact(saved),
      parameters: isFormat(state.weights) ? (model.parameters ?? null) : null,
      memory: exact(budget.memory),
      weights: exact(budget.weights),
      reserve: exact(budget.reserve),
      available: exact(budget.available),
      log,
    },
  };
}

const isFormat = (weights: KvCacheState['weights']) => weights !== 'none' && weights !== 'size';

function weightsOf(cache: Cache, {weights, size}: KvCacheState, {parameters}: Model): bigint {
  if (weights === 'none') return 0n;
  if (weights === 'size') return BigInt(Math.floor(size * GIB));
  if (parameters === undefined)
    throw new InputError(
      'no-parameters',
      '从这份配置数不出有多少个参数；权重请选「填大小」。图仍是上一次的。',
    );
  return cache.weightBytes(BigInt(parameters), cache.formatOf(weights));
}

function planned(
  cache: Cache,
  {cards, memory, engine, prefix, context, dtype}: KvCacheState,
  {read}: Model,
  query: CacheQuery,
  weights: bigint,
): ServingPlan {
  try {
    return cache.planServing(read.layout, query, {
      cards,
      memory: memory * GIB,
      weights,
      prefix: Math.min(prefix, context),
      engine: engine === 'none' ? '' : engine,
      format: dtype === 'config' ? '' : dtype,
    });
  } catch (error) {
    // "cards: expected a divisor or a multiple of 8 KV heads, got 3"
    const heads = error instanceof CoreError && /^cards: .* (\d+) KV heads/.exec(error.message);
    const state = error instanceof CoreError && /^cards: .* (\d+) bytes/.exec(error.message);
    if (heads)
      throw new InputError(
        'cards',
        `${cards}张卡分不匀${heads[1]}个键值头：卡数应是它的约数或倍数。图仍是上一次的。`,
      );
    if (state)
      throw new InputError(
        'cards',
        `${cards}张卡分不匀一层的状态（${state[1]}字节）：卡数应是它的约数。图仍是上一次的。`,
      );
    throw error;
  }
}
