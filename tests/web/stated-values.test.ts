// Every value that the chapter promises, on the page that prints it, with the kind of its source.

import {existsSync, readFileSync} from 'node:fs';
import {beforeAll, describe, expect, it} from 'vitest';
import chapterNumbers from '../../lessons/c3/numbers.js';
import type {NumberKind, NumberSpec, NumbersModule} from '../../web/site/numbers.js';
import {authorsContext} from './authors-context.js';

const lessons = import.meta.glob<{default: NumbersModule}>('../../lessons/c3/*/numbers.ts', {
  eager: true,
});

let byPage: Map<string, Record<string, NumberSpec>>;
beforeAll(async () => {
  const context = await authorsContext();
  const chapter = chapterNumbers(context);
  byPage = new Map(
    Object.entries(lessons).map(([path, module]) => [
      path.split('/').at(-2)!,
      {...chapter, ...module.default(context)},
    ]),
  );
});

type Row = [what: string, page: string, id: string, text: string, kind?: NumberKind];

/** Values computed from the teaching vectors; their only source is the file of the vectors. */
const world: Row[] = [
  ['TW01 cos(e[给了], e[给了])', 'l01', 'cos_geile', '1.000'],
  ['TW04 cos(k[小明], k[小王])', 'l05', 'cos_k_names', '0.995'],
  ['TW05 no mask, 给了 on 小王', 'l04', 'weight_answer', '32.5 %'],
  ['TW06 causal, 给了 on 苹果', 'l04', 'masked_pingguo', '56.5 %'],
  ['TW06 the same beside two heads', 'l07', 'one_pingguo', '56.5 %'],
  ['TW07 causal, 给了 on 小明', 'l04', 'masked_xiaoming', '39.4 %'],
  ['TW07 the same beside two heads', 'l07', 'one_xiaoming', '39.4 %'],
  ['TW08 head A, 给了 on 小明', 'l07', 'a_xiaoming', '89.5 %'],
  ['TW09 head B, 给了 on 苹果', 'l07', 'b_pingguo', '77.0 %'],
  ['TW10 causal score of 苹果 on 小明', 'b4', 'sink_score_xiaoming', '0.04'],
  ['TW11 causal score of 苹果 on 把', 'b4', 'sink_score_ba', '0.36'],
  ['TW12 causal score of 苹果 on 苹果', 'b4', 'sink_score_pingguo', '0.00'],
  ['TW13 weight of 苹果 on 小明', 'b4', 'row_xiaoming', '30 %'],
  ['TW14 weight of 苹果 on 把', 'b4', 'row_ba', '41 %'],
  ['TW15 weight of 苹果 on 苹果', 'b4', 'row_pingguo', '29 %'],
  ['the unmasked row: 小明', 'l04', 'free_xiaoming', '26.6 %'],
  ['the unmasked row: 苹果', 'l04', 'free_pingguo', '38.1 %'],
  ['V of the two names', 'l05', 'cos_v_names', '−0.166'],
];

/** Values computed from the configs: the anchor, DeepSeek, GLM. Each has its derivation. */
const models: Row[] = [
  // GPT-2: 12 heads of 768 ÷ 12 columns; a pair costs 64 products after two projections, 768 with M
  ['GPT-2 products of a pair', 'l01', 'gpt2_head_width', '64'],
  ['GPT-2 products of a pair with M', 'l01', 'gpt2_width', '768', 'config'],
  // 24 heads of 256 columns, of which 256 · ¼ = 64 are rotated
  ['anchor heads', 'l09', 'n_heads', '24', 'config'],
  ['anchor head width', 'l03', 'head_dim', '256', 'config'],
  ['anchor rotated dims', 'l06', 'rotary_dims', '64'],
  ['anchor context', 'l08', 'max_context', '262,144', 'config'],
  // 16 layers · 2 · 24 · 256 · 2 B = 393,216 B = 384 KiB; · 262,144 = 96 GiB
  ['anchor MHA a token', 'l08', 'mha_token_binary', '384 KiB'],
  ['anchor MHA a token', 'l09', 'mha_token', '393,216 B'],
  ['anchor MHA at its context', 'l08', 'mha_total', '96 GiB'],
  // one head of 24: 384 ÷ 24 = 16 KiB, 96 ÷ 24 = 4 GiB
  ['anchor MQA a token', 'l09', 'mqa_token_binary', '16 KiB'],
  ['anchor MQA at its context', 'l09', 'mqa_total', '4 GiB'],
  // four heads: 64 KiB, 16 GiB; 24 ÷ 4 = 6
  ['anchor GQA a token', 'l09', 'gqa_token_binary', '64 KiB'],
  ['anchor GQA at its context', 'l09', 'gqa_total', '16 GiB'],
  ['anchor query heads a group', 'l09', 'group_size', '6'],
  // 144 MiB ÷ 48 = 3 MiB = 786,432 · 4 B; 150,994,944 ÷ 65,536 = 2,304
  ['anchor fixed state', 'l09', 'state_total', '144 MiB'],
  ['anchor layers with a fixed state', 'l09', 'n_linear_layers', '48', 'config'],
  ['fixed state of a layer', 'l09', 'state_values', '786,432'],
  ['fixed state in cached tokens', 'l09', 'state_tokens', '2,304'],
  ['the same beside the RNN', 'b1', 'state_tokens', '2,304'],
  // 95 · 2 · 8 · 128 · 2 B; with 64 heads 8 times that; · 2²⁰ = 380 GiB
  ['DeepSeek LLM 67B a token', 'l09', 'llm67_token', '389,120 B'],
  ['DeepSeek LLM 67B with MHA', 'l09', 'llm67_mha_token', '3,112,960 B'],
  ['DeepSeek LLM 67B for 1M', 'l09', 'llm67_total', '380 GiB'],
  // 512 + 64 = 576; 60, 61, 78 layers · 576 · 2 B
  ['latent and rotary numbers', 'l10', 'mla_values', '576'],
  ['DeepSeek-V2 a token', 'l10', 'v2_token', '69,120 B'],
  ['DeepSeek-V3 a token', 'l10', 'v3_token', '70,272 B'],
  ['GLM-5.3 a token', 'l10', 'glm_token', '89,856 B'],
  ['GLM-5.3 context', 'l10', 'glm_context', '1,048,576', 'config'],
  ['GLM-5.3 at its context', 'l10', 'glm_total', '87.75 GiB'],
  // 1 − 69,120 ÷ 389,120 = 0.8224
  ['DeepSeek-V2 against 67B', 'l10', 'v2_saving', '82.2 %'],
  ['DeepSeek-V2 against 67B, its own figure', 'l10', 'v2_saving_official', '93.3 %', 'quoted'],
  ['DeepSeek-V4.1 a token', 'l10', 'v41_token', '890 B', 'quoted'],
  ['T5-XXL, MHA', 'l09', 't5_mha_score', '47.2', 'quoted'],
  ['T5-XXL, MHA, seconds', 'l09', 't5_mha_time', '1.51', 'quoted'],
  ['T5-XXL, MQA', 'l09', 't5_mqa_score', '46.6', 'quoted'],
  ['T5-XXL, MQA, seconds', 'l09', 't5_mqa_time', '0.24', 'quoted'],
  ['T5-XXL, GQA-8', 'l09', 't5_gqa_score', '47.1', 'quoted'],
  ['T5-XXL, GQA-8, seconds', 'l09', 't5_gqa_time', '0.28', 'quoted'],
];

/** Costs of training and of generating. */
const costs: Row[] = [
  ['RNN: updates of the first of 4,096 tokens', 'b1', 'rnn_updates', '4,095'],
  // 4096² · 256 · 2 B = 2³³ B; 4096² · 2 B = 2²⁵ B
  ['additive scoring', 'l02', 'additive_memory', '8 GiB'],
  ['dot scoring', 'l02', 'dot_memory', '32 MiB'],
  // 4 questions; positions 1 + 2 + 3 + 4
  ['questions of a pass', 'l04', 'n_questions', '4'],
  ['positions, prefix by prefix', 'l04', 'prefix_positions', '10'],
  // 2 + 3 + 4 without a cache, 2 + 3 − 1 with it
  ['K and V computed without a cache', 'l08', 'decode_all', '9'],
  ['of which repeats', 'l08', 'decode_repeated', '5'],
  ['with a cache', 'l08', 'decode_cached', '4'],
  // √256; 10, 3, −4: −4 ÷ 9
  ['std of the anchor’s dot products', 'l03', 'dot_std', '16'],
  ['share of a negative score', 'l03', 'share_car', '−44.4 %'],
  // e²⁰ = 485,165,195
  ['weights at a gap of 20', 'l03', 'exp_gap_example', '4.9亿'],
];

const textOf = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '');
/** The lesson's text and questions, and the timeline, which every lesson shows. */
const printedOn = (page: string) =>
  ['index.md', 'questions.ts', '../timeline.ts']
    .map((name) => textOf(`lessons/c3/${page}/${name}`))
    .join('\n');

describe.each([
  ['the teaching world', world, 'teaching'],
  ['the models', models, 'computed'],
  ['the costs', costs, undefined],
] as [string, Row[], NumberKind | undefined][])('what is stated of %s', (_, rows, usual) => {
  it.each(rows)('%s, on %s: %s', (_what, page, id, text, kind = usual) => {
    const spec = byPage.get(page)?.[id];
    expect(spec?.text).toBe(text);
    expect(printedOn(page)).toContain(`{num ${id}}`);
    if (kind) expect(spec?.kind).toBe(kind);
    expect(spec?.inputs.length).toBeGreaterThan(0);
    for (const {name, source} of spec!.inputs) {
      expect(name).not.toBe('');
      expect(source).not.toBe('');
    }
    if (spec?.kind === 'computed') expect(spec.formula).not.toBe('');
  });
});

describe('the orders of similarity in the teaching sentence', () => {
  const valuesOf = (ids: Record<string, string>) => {
    const numbers = byPage.get('l01')!;
    return Object.entries(ids).sort(
      ([, a], [, b]) => Number(numbers[b]!.value) - Number(numbers[a]!.value),
    );
  };
  const inOrder = (ids: Record<string, string>) => valuesOf(ids).map(([token]) => token);

  it('TW02: 给了 is most similar to itself, and 小明, 苹果, 小王 are the last', () => {
    const ids = {
      小明: 'cos_xiaoming',
      把: 'cos_ba',
      苹果: 'cos_pingguo',
      给了: 'cos_geile',
      小王: 'cos_xiaowang',
    };
    expect(inOrder(ids)).toEqual(['给了', '把', '小明', '苹果', '小王']);
    for (const id of Object.values(ids)) expect(printedOn('l01')).toContain(`{num ${id}}`);
  });

  it('TW03: after projection 苹果, 小王, 小明 are the first, and 给了 is the last', () => {
    const ids = {
      小明: 'score_xiaoming',
      把: 'score_ba',
      苹果: 'score_pingguo',
      给了: 'score_geile',
      小王: 'score_xiaowang',
    };
    expect(inOrder(ids)).toEqual(['苹果', '小王', '小明', '把', '给了']);
    for (const id of Object.values(ids)) expect(printedOn('l01')).toContain(`{num ${id}}`);
  });
});
