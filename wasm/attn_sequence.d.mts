// The raw module, for web/sequence.ts alone.
import type {RawBuffers} from './buffer.mjs';

export interface RawModule extends RawBuffers {
  rotate(): number;
}
