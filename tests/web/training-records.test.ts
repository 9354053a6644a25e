// Live training compared with a recorded run: which numbers are comparable, and whether they are
// equal.
import {describe, expect, it} from 'vitest';
import {agreement} from '../../web/training/agreement.js';
import {keyFor, recordedLosses} from '../../web/training/records.js';
import {curveOf, record, state} from './training-record.js';

describe('live beside recorded', () => {
  it('counts each recorded loss once', () => {
    // The first 20 losses, then those of steps 20, 30, … 1490 and 1499: 148 + 1.
    expect(recordedLosses(record()).length).toBe(20 + 148 + 1);
  });

  it('compares all digits', () => {
    // Losses 0 … 19, 20, 30, … 100: 29; three diagnostics of two steps.
    expect(agreement(record(), state(), curveOf(101))).toEqual({
      compared: 29 + 6,
      firstDifference: null,
      until: 1500,
      why: 'whole',
    });
    const off = curveOf(101);
    off.losses[30]! += 2 ** -50;
    expect(agreement(record(), state(), off).firstDifference).toBe(30);
    const turned = curveOf(101);
    turned.diagnostics = turned.diagnostics.map((at) =>
      at.step === 74 ? {...at, entropy: at.entropy + 2 ** -53} : at,
    );
    expect(agreement(record(), state(), turned).firstDifference).toBe(74);
  });

  it('compares only as far as the settings are those of the record', () => {
    // Another length shares only the warm-up. Loss 100 follows from updates 0 … 99.
    const short = agreement(record(), state({steps: 200}), curveOf(200));
    expect(short).toMatchObject({until: 101, why: 'steps', compared: 29 + 6});
    // Another rate from step 50 on: loss 50 is still that of the record. 20 + 20, 30, 40, 50;
    // diagnostics of step 0.
    const peaks = [
      {step: 0, rate: 0.003},
      {step: 50, rate: 1},
    ];
    expect(agreement(record(), state(), curveOf(120, {peaks}))).toMatchObject({
      until: 51,
      why: 'rate',
      compared: 24 + 3,
    });
    const other = agreement(
      record(),
      state({rate: 1}),
      curveOf(120, {peaks: [{step: 0, rate: 1}]}),
    );
    expect(other).toMatchObject({until: 0, why: 'rate', compared: 0});
  });

  it('prefers the record with the same number of steps', () => {
    const short = record({experiment: 'failure-scaled', steps: 300});
    expect(keyFor([record(), short], state({steps: 300}))?.experiment).toBe('failure-scaled');
    expect(keyFor([short, record()], state({steps: 500}))?.experiment).toBe('small-scaled');
    expect(keyFor([record()], state({seed: 1}))).toBeUndefined();
  });
});
