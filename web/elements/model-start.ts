// The trained model, for the widgets that always show it; no other page loads it.

export {bringModel as start} from './attn-heads/trained-model.js';
