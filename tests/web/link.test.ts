import {describe, expect, it} from 'vitest';
import {readFields, readQuery, writeQuery} from '../../web/shared/link.js';
import {
  choiceField,
  flagField,
  nameField,
  numberField,
  numbersField,
  textsField,
  type Schema,
} from '../../web/shared/schema.js';

interface State {
  scores: readonly number[];
  labels: readonly string[];
  method: 'share' | 'softmax';
  temperature: number;
  stable: boolean;
  part: string;
}

const schema: Schema<State> = {
  scores: numbersField([8, 7, 9], 10),
  labels: textsField([], 10),
  method: choiceField<'share' | 'softmax'>('softmax', ['share', 'softmax']),
  temperature: numberField(1, {min: 0.01}),
  stable: flagField(true),
  part: nameField('sqrt'),
};

const state: State = {
  scores: [10, 3, -4.25],
  labels: ['苹果', 'a&b=c', ''],
  method: 'share',
  temperature: 1e-2,
  stable: false,
  part: 'c3-l03/q',
};

describe('state ↔ query', () => {
  it('survives writing and reading', () => {
    expect(readQuery(schema, writeQuery(schema, state))).toEqual({state, problem: null});
  });

  it('writes only the changed fields, readably', () => {
    expect(writeQuery(schema, {...readQuery(schema, '').state, scores: [1, -2]})).toBe(
      'scores=1,-2',
    );
  });

  it('falls back field by field and names the first invalid one', () => {
    const {state: read, problem} = readQuery(schema, 'scores=x&temperature=0&method=share');
    expect(read.scores).toEqual([8, 7, 9]);
    expect(read.temperature).toBe(1);
    expect(read.method).toBe('share');
    expect(problem).toMatchObject({code: 'not-a-number'});
    expect(problem?.message).toContain('scores');
  });

  it('reads an empty attribute as a flag that is on', () => {
    expect(readFields(schema, (key) => (key === 'stable' ? '' : null)).state.stable).toBe(true);
  });
});
