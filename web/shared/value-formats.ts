// The formats of values, by their names in the command and in a config, and as the pages call them.

/** Formats for the cache other than the file's own, by the names of the command. */
export const FORMATS = [
  'fp32',
  'bf16',
  'fp16',
  'fp8',
  'int8',
  'fp4',
  'int4',
  'q8_0',
  'q5_1',
  'q5_0',
  'q4_1',
  'q4_0',
  'iq4_nl',
  'nvfp4',
  'mxfp4',
  'fp8_per_head',
] as const;
export type Format = (typeof FORMATS)[number];

const FORMAT_NAMES: Record<string, string> = {
  float32: 'FP32',
  bfloat16: 'BF16',
  float16: 'FP16',
  '8-bit': '8比特',
  nvfp4: 'NVFP4',
  fp8_per_head: 'FP8（每头一个系数）',
};

export const formatName = (dtype: string): string => FORMAT_NAMES[dtype] ?? dtype.toUpperCase();
