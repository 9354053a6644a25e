// A second opinion for each widget.

import {teachingTokens} from '../../../web/shared/course-data.js';
import type {State} from '../random-state.js';
import {backwardOpinion} from './backward.js';
import {checkOpinion, sampleCheck} from './check.js';
import {cacheOpinion, sampleCache} from './cache.js';
import {onlineOpinion, timingOpinion, trafficOpinion} from './exact.js';
import {failuresOpinion} from './failures.js';
import {floatOpinion} from './float.js';
import {forwardOpinion, sampleForward} from './forward.js';
import {headsOpinion, sampleHeads} from './heads.js';
import {maskOpinion, sampleMask} from './mask.js';
import {paramsOpinion, sampleParams} from './params.js';
import {positionOpinion, samplePosition} from './position.js';
import {qkvOpinion, sampleQkv} from './qkv.js';
import {
  dataflowOpinion,
  formulaOpinion,
  sampleDataflow,
  sampleTimeline,
  timelineOpinion,
} from './course.js';
import type {Contents, Opinion} from './reading.js';
import {
  groupsOpinion,
  jacobianOpinion,
  lookupOpinion,
  memoryOpinion,
  rnnOpinion,
  sinkOpinion,
} from './rows.js';
import {sampleScaling, scalingOpinion} from './scaling.js';
import {decodeOpinion, latentOpinion, sentenceOpinion, worldOpinion} from './sentence.js';
import {sampleSoftmax, softmaxOpinion} from './softmax.js';
import {sampleSweep, sweepOpinion} from './sweep.js';
import {tilesOpinion} from './tiles.js';
import {replayed, sampleTrain, trainOpinion} from './train.js';
import {sampleVariance, varianceOpinion} from './spread.js';

interface Entry {
  opinion: Opinion;
  /** Makes a state of a random one that more often has something to say. */
  sample?: (state: State, random: () => number, contents: Contents) => State;
  /** Adds to a result what a reader's page does by itself. */
  happens?: (state: never, result: never) => unknown;
}

const sampleToken: Entry['sample'] = (state, random) => ({
  ...state,
  token: teachingTokens[Math.floor(teachingTokens.length * random())],
});

export const OPINIONS: Record<string, Entry> = {
  'attn-backward': {opinion: backwardOpinion},
  'attn-check': {opinion: checkOpinion, sample: sampleCheck},
  'attn-dataflow': {opinion: dataflowOpinion, sample: sampleDataflow},
  'attn-decode': {opinion: decodeOpinion},
  'attn-failures': {opinion: failuresOpinion},
  'attn-float': {opinion: floatOpinion},
  'attn-formula': {opinion: formulaOpinion},
  'attn-forward': {opinion: forwardOpinion, sample: sampleForward},
  'attn-groups': {opinion: groupsOpinion},
  'attn-heads': {opinion: headsOpinion, sample: sampleHeads},
  'attn-jacobian': {opinion: jacobianOpinion},
  'attn-kv-cache': {opinion: cacheOpinion, sample: sampleCache},
  'attn-latent': {opinion: latentOpinion, sample: sampleToken},
  'attn-lookup': {opinion: lookupOpinion},
  'attn-mask': {opinion: maskOpinion, sample: sampleMask},
  'attn-memory': {opinion: memoryOpinion},
  'attn-online-softmax': {opinion: onlineOpinion},
  'attn-params': {opinion: paramsOpinion, sample: sampleParams},
  'attn-position': {opinion: positionOpinion, sample: samplePosition},
  'attn-qkv': {opinion: qkvOpinion, sample: sampleQkv},
  'attn-rnn': {opinion: rnnOpinion},
  'attn-scaling': {opinion: scalingOpinion, sample: sampleScaling},
  'attn-sentence': {opinion: sentenceOpinion, sample: sampleToken},
  'attn-sink': {opinion: sinkOpinion},
  'attn-softmax': {opinion: softmaxOpinion, sample: sampleSoftmax},
  'attn-sweep': {opinion: sweepOpinion, sample: sampleSweep},
  'attn-tiles': {opinion: tilesOpinion},
  'attn-timeline': {opinion: timelineOpinion, sample: sampleTimeline},
  'attn-timing': {opinion: timingOpinion},
  'attn-traffic': {opinion: trafficOpinion},
  'attn-train': {opinion: trainOpinion, sample: sampleTrain, happens: replayed},
  'attn-variance': {opinion: varianceOpinion, sample: sampleVariance},
  'attn-world': {opinion: worldOpinion},
};
