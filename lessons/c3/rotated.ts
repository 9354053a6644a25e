// The number of components of a head that RoPE rotates.
import {mistakeAt} from '../../web/site/data-files.js';
import type {ModelFile} from '../../web/site/numbers.js';

/**
 * The number of rotated columns of a head: its width times the share; throws BuildError unless it
 * is even.
 */
export function rotatedWidth({file}: ModelFile, width: number, share: number): number {
  const rotated = width * share;
  if (rotated >= 0 && rotated <= width && rotated % 2 === 0) return rotated;
  throw mistakeAt(
    file,
    ['config', 'partial_rotary_factor'],
    `head_dim × partial_rotary_factor是${rotated}，应是0到head_dim之间的偶数（第6课需要它）`,
  );
}
