// The raw module, for web/core.ts alone.
import type {RawBuffers} from './buffer.mjs';

export interface RawModule extends RawBuffers {
  weigh(): number;
  jacobian(): number;
  attention(): number;
  multiHead(): number;
  pastMask(): number;
  maskedWeights(): number;
  product(): number;
  cosine(): number;
  variance(): number;
  divisors(): number;
  initSweep(): number;

  expOf(x: number): number;
  logOf(x: number): number;
}
