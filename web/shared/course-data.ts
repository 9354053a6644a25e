// The only door from widgets to the data of lessons/. Named one by one, so that a page's script
// carries no entry that it does not use.

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

/** What a KV cache keeps, in words. */
export {kinds as cacheKinds} from '../../lessons/data/cache-words.json';

/** What the codes of the config reader mean. */
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

/** Address of that model's weights, packed. */
export {default as weightsUrl} from '../../lessons/case/small-scaled.weights?url';
