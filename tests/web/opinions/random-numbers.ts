// xoshiro256++ seeded by SplitMix64, and normal numbers by the ziggurat, from the papers. The words
// of 64 bits are pairs of 32, since a bigint takes a microsecond an operation.

const MASK = (1n << 64n) - 1n;

function mix(z: bigint): bigint {
  let x = z;
  x = ((x ^ (x >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
  x = ((x ^ (x >> 27n)) * 0x94d049bb133111ebn) & MASK;
  return x ^ (x >> 31n);
}

const LAYERS = 256;
/** The x at which 256 layers of equal area, the tail included, reach the top of e^(−x²/2). */
const TAIL = 3.654152885361009;
const AREA = 0.004928673233974658;
const bell = (x: number) => Math.exp(-0.5 * x * x);

const widths = [AREA / bell(TAIL), TAIL];
const heights = [0, bell(TAIL)];
for (let i = 2; i < LAYERS; i++) {
  heights.push(heights[i - 1]! + AREA / widths[i - 1]!);
  widths.push(Math.sqrt(-2 * Math.log(heights[i]!)));
}
widths.push(0);
heights.push(1);

export class Draws {
  /** Four words, high and low half each. */
  readonly #s = new Uint32Array(8);
  #high = 0;
  #low = 0;

  constructor(seed: number, stream = 0) {
    let state = BigInt(seed) ^ mix(BigInt(stream));
    for (let word = 0; word < 4; word++) {
      state = (state + 0x9e3779b97f4a7c15n) & MASK;
      const value = mix(state);
      this.#s[2 * word] = Number(value >> 32n);
      this.#s[2 * word + 1] = Number(value & 0xffffffffn);
    }
  }

  /** The next 64 bits, into #high and #low. */
  #next(): void {
    const s = this.#s;
    const [h0, l0, h1, l1, h2, l2, h3, l3] = s as unknown as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    // rotl(s0 + s3, 23) + s0
    const sumLow = l0 + l3;
    const low = sumLow >>> 0;
    const high = (h0 + h3 + (sumLow > 0xffffffff ? 1 : 0)) >>> 0;
    const turnedHigh = ((high << 23) | (low >>> 9)) >>> 0;
    const turnedLow = ((low << 23) | (high >>> 9)) >>> 0;
    const endLow = turnedLow + l0;
    this.#low = endLow >>> 0;
    this.#high = (turnedHigh + h0 + (endLow > 0xffffffff ? 1 : 0)) >>> 0;
    const [tHigh, tLow] = [(h1 << 17) | (l1 >>> 15), l1 << 17];
    const [h2x, l2x, h3x, l3x] = [h2 ^ h0, l2 ^ l0, h3 ^ h1, l3 ^ l1];
    s[2] = h1 ^ h2x;
    s[3] = l1 ^ l2x;
    s[0] = h0 ^ h3x;
    s[1] = l0 ^ l3x;
    s[4] = h2x ^ tHigh;
    s[5] = l2x ^ tLow;
    // rotl(s3, 45): the halves change places, then 13 more.
    s[6] = (l3x << 13) | (h3x >>> 19);
    s[7] = (h3x << 13) | (l3x >>> 19);
  }

  /** The highest 53 bits as a number below 1. */
  #share(): number {
    return (this.#high * 2 ** 21 + (this.#low >>> 11)) * 2 ** -53;
  }

  #uniform(): number {
    this.#next();
    return this.#share();
  }

  normal(): number {
    for (;;) {
      this.#next();
      const layer = this.#low & 255;
      const sign = this.#low & 256 ? -1 : 1;
      let x = this.#share() * widths[layer]!;
      if (x < widths[layer + 1]!) return sign * x;
      if (layer === 0) {
        let beyond: number;
        let height: number;
        do {
          beyond = -Math.log(1 - this.#uniform()) / TAIL;
          height = -Math.log(1 - this.#uniform());
        } while (2 * height <= beyond * beyond);
        x = TAIL + beyond;
        return sign * x;
      }
      const low = heights[layer]!;
      if (low + this.#uniform() * (heights[layer + 1]! - low) < bell(x)) return sign * x;
    }
  }

  matrix(rows: number, cols: number, std: number): number[][] {
    return Array.from({length: rows}, () => Array.from({length: cols}, () => std * this.normal()));
  }
}
