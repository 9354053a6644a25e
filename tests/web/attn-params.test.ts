import {beforeAll, describe, expect, it} from 'vitest';
import {AttnParams} from '../../web/elements/attn-params.js';
import type {ParamsState} from '../../web/elements/attn-params/state.js';
import {nameOf} from '../../web/elements/attn-params/words.js';
import {resources} from '../../web/shared/runtime.js';
import {drawTemplate} from '../../web/site/draw.js';
import {defaults} from '../../web/shared/schema.js';
import type {ConfigsContent} from '../../web/shared/content.js';
import {openCourse} from './whole-course.js';

const {spec} = AttnParams;
let content: ConfigsContent;
beforeAll(async () => {
  content = (await openCourse()).get('configs') as ConfigsContent;
});

function show(patch: Partial<ParamsState> = {}) {
  const state = {...defaults(spec.schema), ...patch};
  const result = spec.compute(resources, state, content);
  return {result, says: spec.says(state, result), table: spec.table(state, result), state};
}

describe('attn-params', () => {
  // The parts that the overview's table has: 153,600, 8,192, 131,072, 131,840 and 1,280.
  it('counts the case’s small model', () => {
    const {result, says, table} = show();
    expect(result.account.total).toBe(425984);
    expect(says).toBe(
      '本站的小模型一共425,984个参数，约42.6万。注意力占30.8 %，前馈网络占30.9 %，' +
        '词表的两头占38.0 %，开头和结尾共用一张。',
    );
    expect(table.rows.at(-1)).toEqual(['合计', '', '2', '', '', '425,984', '100.0 %']);
    expect(show({model: 'large'}).result.account.total).toBe(1376256);
  });

  it('says how a part is made up', () => {
    // 80 layers of 8192 × 28672.
    expect(show({model: 'llama-2-70b', part: 'gate_proj'}).says).toBe(
      '门：80层，8,192×28,672；80×8,192×28,672＝18,790,481,920，占全部的27.2 %。',
    );
    expect(show({model: 'mixtral-8x7b', part: 'experts.down_proj'}).says).toContain(
      '32层，每层8个，14,336×4,096；32×8×14,336×4,096＝15,032,385,536',
    );
    expect(show({part: 'attention'}).says).toBe('注意力一共131,072个参数，占全部的30.8 %。');
    expect(nameOf('shared.up_bias')).toBe('共享专家的放宽，偏置');
  });

  it('has a Chinese name for every tensor of the course’s models', () => {
    for (const {id} of content.models)
      for (const {name} of show({model: id}).result.account.tensors)
        expect(nameOf(name)).toMatch(/^(W_[QKVO]|[\p{Script=Han}，]+)+$/u);
  });

  it('refuses what it cannot read or count, with a sentence', () => {
    expect(() => show({config: '{'})).toThrow('图仍是上一次的。');
    expect(() => show({config: '{"model_type": "bert"}'})).toThrow('图仍是上一次的。');
    expect(() => show({model: 'falcon-7b'})).toThrow('没有收');
    const falcon = '{"model_type": "falcon", "hidden_size": 64, "num_attention_heads": 1}';
    expect(() => show({config: falcon})).toThrow('还不会数参数');
  });

  it('draws every model of the list', async () => {
    for (const {id} of content.models) {
      const {state, result} = show({model: id});
      expect(await drawTemplate(spec.view(state, result))).not.toMatch(/NaN|undefined/);
    }
  });
});
