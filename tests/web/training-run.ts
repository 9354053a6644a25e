// A run for tests of training: the module, a short text, settings, and readings of the model.
import {readFileSync} from 'node:fs';
import {type Look, PRESETS, type Settings} from '../../web/training/protocol.js';

export const trainBytes = () => readFileSync('build/wasm/attn_train.wasm');
export const poems = '春眠不覺曉，處處聞啼鳥。\n夜來風雨聲，花落知多少。\n'.repeat(40);
export const settings: Settings = {
  preset: 'small',
  ...PRESETS.small,
  attention: 'scaled',
  seed: 7,
  steps: 4,
  rate: 0.003,
};
export const look: Look = {text: '花落知多少', layer: 1, head: 3, prompt: '夜', temperature: 0};
