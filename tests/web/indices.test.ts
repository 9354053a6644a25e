import {describe, expect, it} from 'vitest';
import {indices} from '../../web/shared/indices.js';

describe('indices', () => {
  it('finds the subscript of a single letter, and no other', () => {
    expect(indices('÷√d_k，再q_i·k_j')).toEqual(['÷√d', 'k', '，再q', 'i', '·k', 'j', '']);
    expect(indices('(T, d_model)，W_Q')).toEqual(['(T, d', 'model', ')，W', 'Q', '']);
    // Keys of a config are names without subscripts.
    for (const name of ['head_dim', 'attn_output_gate＝true', 'n_kv_heads', 'a_', '_b', '没有'])
      expect(indices(name)).toEqual([name]);
  });
});
