// The core's errors as Chinese sentences for a reader.

import type {CoreError} from '../core.js';

const SENTENCES: Record<string, string> = {
  invalid_argument: '这组输入算不了，图仍是上一次的。',
  too_many_draws: '要抽的随机数超过5,000万个。请减小维数、行数或键数，图仍是上一次的。',
  out_of_memory: '这组输入太大，内存不够，图仍是上一次的。',
};

export function explain(error: CoreError): string {
  console.warn(error.message);
  return SENTENCES[error.code] ?? '这组输入算不了，图仍是上一次的。';
}
