import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {faceFill, inkOf, type HeatToken} from '../../web/shared/heat.js';

type Rgb = [number, number, number];

const css = readFileSync('web/shared/tokens.css', 'utf8');

/** Both values of a colour token, light first. */
function schemes(token: string): [string, string] {
  const found = new RegExp(`--${token}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(css);
  if (!found) throw new Error(`no token ${token}`);
  return [found[1]!, found[2]!];
}

function rgb(hex: string): Rgb {
  const long = hex.length === 4 ? [...hex.slice(1)].map((c) => c + c).join('') : hex.slice(1);
  return [0, 2, 4].map((i) => parseInt(long.slice(i, i + 2), 16)) as Rgb;
}

/** Relative luminance and contrast as WCAG 2.2 defines them. */
function luminance(colour: Rgb): number {
  const [r, g, b] = colour.map((value) => {
    const c = value / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  }) as Rgb;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: Rgb, b: Rgb): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

describe('heat cells', () => {
  test('the ramp: 0 has no ink, 1 is the full colour, and neighbours differ', () => {
    expect(inkOf(0)).toBe(0);
    expect(inkOf(1)).toBeCloseTo(1, 12);
    const inks = [0, 0.02, 0.15, 0.3, 0.57, 1].map(inkOf);
    inks.slice(1).forEach((ink, i) => expect(ink - inks[i]!).toBeGreaterThan(0.07));
  });

  const tokens: HeatToken[] = ['weight', 'score', 'query', 'key', 'value', 'wrong'];
  for (const token of tokens) {
    test(`a number on any cell of ${token} has a contrast of 4.5 in both schemes`, () => {
      for (const scheme of [0, 1] as const) {
        const [full, ground] = [token, 'raised'].map((name) => rgb(schemes(name)[scheme]));
        for (let ink = 0; ink <= 1; ink += 0.001) {
          const cell = full!.map((c, i) => c * ink + ground![i]! * (1 - ink)) as Rgb;
          const fill = faceFill(ink, token);
          const name = /var\(--(.*)\)/.exec(fill)?.[1];
          const face = rgb(name ? schemes(name)[scheme] : fill);
          expect(contrast(face, cell), `${token} ${scheme} ${ink}`).toBeGreaterThanOrEqual(4.5);
        }
      }
    });
  }
});
