// A second opinion for each widget that states numbers.

import {teachingTokens} from '../../../web/shared/course-data.js';
import type {State} from '../random-state.js';
import {qkvOpinion, sampleQkv} from './qkv.js';
import type {Opinion} from './reading.js';
import {
  groupsOpinion,
  jacobianOpinion,
  lookupOpinion,
  memoryOpinion,
  rnnOpinion,
  sinkOpinion,
} from './rows.js';
import {decodeOpinion, latentOpinion, worldOpinion} from './sentence.js';
import {sampleSoftmax, softmaxOpinion} from './softmax.js';

interface Entry {
  opinion: Opinion;
  /** Makes a state of a random one that more often has something to say. */
  sample?: (state: State, random: () => number) => State;
}

const sampleToken: Entry['sample'] = (state, random) => ({
  ...state,
  token: teachingTokens[Math.floor(teachingTokens.length * random())],
});

export const OPINIONS: Record<string, Entry> = {
  'attn-decode': {opinion: decodeOpinion},
  'attn-groups': {opinion: groupsOpinion},
  'attn-jacobian': {opinion: jacobianOpinion},
  'attn-latent': {opinion: latentOpinion, sample: sampleToken},
  'attn-lookup': {opinion: lookupOpinion},
  'attn-memory': {opinion: memoryOpinion},
  'attn-qkv': {opinion: qkvOpinion, sample: sampleQkv},
  'attn-rnn': {opinion: rnnOpinion},
  'attn-sink': {opinion: sinkOpinion},
  'attn-softmax': {opinion: softmaxOpinion, sample: sampleSoftmax},
  'attn-world': {opinion: worldOpinion},
};
