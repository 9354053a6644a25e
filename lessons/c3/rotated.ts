// How many numbers of a head are rotated by RoPE.
import {mistakeAt} from '../../web/site/data-files.js';
import type {ModelFile} from '../../web/site/numbers.js';

/** The width of a head times the share that is rotated; throws BuildError for what is no pairs. */
export function rotatedWidth({file}: ModelFile, width: number, share: number): number {
  const rotated = width * share;
  if (rotated >= 0 && rotated <= width && rotated % 2 === 0) return rotated;
  throw mistakeAt(
    file,
    ['config', 'partial_rotary_factor'],
    `head_dim × partial_rotary_factor是${rotated}，应是0到head_dim之间的偶数（第6课需要它）`,
  );
}
