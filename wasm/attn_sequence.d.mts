// The raw module, for web/sequence.ts alone.
import type {RawBuffers} from './buffer.mjs';

export interface RawModule extends RawBuffers {
  rotate(): number;
  addSinusoidal(): number;
  wavelengths(): number;
  addTableRows(): number;
  normalMatrix(): number;
  rowProducts(): number;
  decode(): number;
  poolHeads(): number;
  groupedQuery(): number;
  latentScores(): number;
  softmaxWithSink(): number;
}
