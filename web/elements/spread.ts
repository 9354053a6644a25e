// The widgets from scores to weights share their parts, and come in one file.

export {AttnJacobian} from './attn-jacobian.js';
export {AttnScaling} from './attn-scaling.js';
export {AttnSoftmax} from './attn-softmax.js';
export {AttnVariance} from './attn-variance.js';
