// The only import of the data of lessons/ into widgets. The names are listed one by one, so that a
// page's script contains no entry that it does not use.

import {
  d_head,
  d_model,
  embeddings,
  feature_names,
  n_heads,
  tokens,
  W_K,
  W_O,
  W_Q,
  W_V,
} from '../../lessons/data/teaching-world.json';
import type {TeachingWorld} from './world.js';

export {tokens as teachingTokens} from '../../lessons/data/teaching-world.json';

/** The teaching sentence and its vectors. */
export const teachingWorld: TeachingWorld = {
  d_head,
  d_model,
  embeddings,
  feature_names,
  n_heads,
  tokens,
  W_K,
  W_O,
  W_Q,
  W_V,
};

/** The texts about the contents of a KV cache. */
export {kinds as cacheKinds} from '../../lessons/data/cache-words.json';

/** The texts for the codes of the config reader. */
export {
  assumed as assumedWords,
  doubts as doubtWords,
  refused as refusalWords,
  variants as variantWords,
} from '../../lessons/data/cache-words.json';

/** The recorded run of the trained model that pages show. */
export {
  finalLoss,
  portraits as recordedPortraits,
  validationLoss,
  validationLossWithout,
} from '../../lessons/case/small-scaled.json';
export {
  bytes as weightBytes,
  validationLoss as packedValidationLoss,
} from '../../lessons/case/small-scaled-packed.json';
