// The widgets of every lesson's frame come in one file: small files compress badly alone.

export {AttnCheck} from './attn-check.js';
export {AttnDataflow} from './attn-dataflow.js';
export {AttnFormula} from './attn-formula.js';
export {AttnTimeline} from './attn-timeline.js';
