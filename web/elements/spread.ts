// The widgets about how far scores spread share their parts, and come in one file.

export {AttnJacobian} from './attn-jacobian.js';
export {AttnScaling} from './attn-scaling.js';
export {AttnVariance} from './attn-variance.js';
