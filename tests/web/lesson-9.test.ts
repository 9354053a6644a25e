import {readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {assumed, doubts, refused, variants} from '../../lessons/data/cache-words.json';
import lessonNumbers from '../../lessons/c3/l09/numbers.js';
import questions from '../../lessons/c3/l09/questions.js';
import chapterNumbers from '../../lessons/c3/numbers.js';
import timeline from '../../lessons/c3/timeline.js';
import {AttnKvCache} from '../../web/elements/attn-kv-cache.js';
import type {KvCacheState} from '../../web/elements/attn-kv-cache/state.js';
import {parseConfig} from '../../web/config-json.js';
import type {ModelsContent} from '../../web/shared/content.js';
import {binary, bytes} from '../../web/shared/format.js';
import {defaults} from '../../web/shared/schema.js';
import type {NumberSpec} from '../../web/site/numbers.js';
import {authorsContexts, printed} from './authors-context.js';
import {rightAnswers} from './right-answers.js';

const make = await authorsContexts();
const context = make();
const numbers = {...chapterNumbers(context), ...lessonNumbers(context)};
const {texts} = printed(numbers);
const SEEN = ['xiaoming', 'ba', 'pingguo', 'geile'];

describe('two heads that share their keys and values', () => {
  // The halves of K: 小明 (2, 0.4 | 0.2, 0.15), 把 (0.2, 1.6 | 0.4, 0.5), 苹果 (0.2, 0.2 | 2, 0.55),
  // 给了 (0.4, 2 | 0.4, 0.6); their means:
  const keys = [
    [1.1, 0.275],
    [0.3, 1.05],
    [1.1, 0.375],
    [0.4, 1.3],
  ];

  it('have keys that are means', () => {
    SEEN.forEach((name, token) => {
      for (const c of [0, 1]) {
        expect(numbers[`key_${name}_${c + 1}`]?.value).toBeCloseTo(keys[token]![c]!, 14);
      }
    });
  });

  it('differ less than with keys of their own', () => {
    // As in lesson 7.
    expect(texts(...SEEN.map((name) => `own_a_${name}`))).toEqual([
      '89.5 %',
      '0.9 %',
      '9.0 %',
      '0.6 %',
    ]);
    expect(texts(...SEEN.map((name) => `own_b_${name}`))).toEqual([
      '4.7 %',
      '8.7 %',
      '77.0 %',
      '9.6 %',
    ]);
    // q[给了] = (2.066, −2.382 | 1.884, 1.432).
    for (const [head, q] of [
      ['a', [2.066, -2.382]],
      ['b', [1.884, 1.432]],
    ] as const) {
      const parts = keys.map(([x, y]) => Math.exp((q[0] * x! + q[1] * y!) / Math.SQRT2));
      const sum = parts.reduce((total, part) => total + part, 0);
      SEEN.forEach((name, token) =>
        expect(numbers[`one_${head}_${name}`]?.value).toBeCloseTo(parts[token]! / sum, 12),
      );
    }
    expect(texts('one_a_xiaoming', 'one_b_pingguo')).toEqual(['50.2 %', '27.9 %']);
  });

  it('output means of values', () => {
    // As in lesson 7: 人, 身份 | 物, 语法.
    expect(texts('own_out_1', 'own_out_2', 'own_out_3', 'own_out_4')).toEqual([
      '0.906',
      '1.096',
      '0.812',
      '0.252',
    ]);
    // Means of V's halves: 小明 (0.55, 0.7), 把 (0.15, 0.6), 苹果 (0.55, 0.15), 给了 (0.2, 0.5).
    const values = [
      [0.55, 0.7],
      [0.15, 0.6],
      [0.55, 0.15],
      [0.2, 0.5],
    ];
    for (const [head, first] of [
      ['a', 1],
      ['b', 3],
    ] as const) {
      for (const c of [0, 1]) {
        const sum = SEEN.reduce(
          (total, name, token) =>
            total + Number(numbers[`one_${head}_${name}`]?.value) * values[token]![c]!,
          0,
        );
        expect(numbers[`one_out_${first + c}`]?.value).toBeCloseTo(sum, 12);
      }
    }
  });

  it('have narrower projections', () => {
    // W_K and W_V: 2 · 4 · 4, and 2 · 4 · 2.
    expect(texts('projections_own', 'projections_one')).toEqual(['32', '16']);
  });
});

describe('sizes', () => {
  it('of the anchor are as worked by hand', () => {
    // 16 · 2 · h · 256 · 2 B with h = 24, 4, 1; × 262,144.
    expect(texts('mha_token', 'mha_token_binary', 'mha_total')).toEqual([
      '393,216 B',
      '384 KiB',
      '96 GiB',
    ]);
    expect(texts('gqa_token', 'gqa_token_binary', 'gqa_total')).toEqual([
      '65,536 B',
      '64 KiB',
      '16 GiB',
    ]);
    expect(texts('mqa_token', 'mqa_token_binary', 'mqa_total')).toEqual([
      '16,384 B',
      '16 KiB',
      '4 GiB',
    ]);
    expect(texts('n_heads', 'n_kv_heads', 'group_size')).toEqual(['24', '4', '6']);
    // 150,994,944 B = 144 MiB over 48 layers: 3 MiB, ÷ 4 = 786,432 numbers; ÷ 65,536 = 2,304
    // tokens.
    expect(texts('state_total', 'state_layer', 'state_values', 'state_tokens')).toEqual([
      '144 MiB',
      '3 MiB',
      '786,432',
      '2,304',
    ]);
    // The convolution's state adds 48 · 61,440 B = 2.8125 MiB.
    expect(texts('state_with_tail')).toEqual(['146.81 MiB']);
    // 144 ÷ 1024 = 0.140625 GiB are added to each.
    expect(texts('mha_all', 'gqa_all', 'mqa_all')).toEqual(['96.14 GiB', '16.14 GiB', '4.14 GiB']);
  });

  it('of Llama-2-70B with 64, 8 and 1 key-value heads are as worked by hand', () => {
    // 80 · 2 · h · 128 · 2 B; × 4096.
    expect(texts('llama70_mha_token', 'llama70_mha_token_binary', 'llama70_mha_total')).toEqual([
      '2,621,440 B',
      '2.5 MiB',
      '10 GiB',
    ]);
    expect(texts('llama70_gqa_token', 'llama70_gqa_token_binary', 'llama70_gqa_total')).toEqual([
      '327,680 B',
      '320 KiB',
      '1.25 GiB',
    ]);
    expect(texts('llama70_mqa_token', 'llama70_mqa_token_binary', 'llama70_mqa_total')).toEqual([
      '40,960 B',
      '40 KiB',
      '160 MiB',
    ]);
    expect(texts('llama70_group', 'llama8_group')).toEqual(['8', '4']);
  });

  it('of DeepSeek LLM 67B are as worked by hand', () => {
    // 95 · 2 · 8 · 128 · 2 and with 64 heads; × 2²⁰ = 380 GiB.
    expect(texts('llm67_token', 'llm67_mha_token', 'llm67_total', 'llm67_saving')).toEqual([
      '389,120 B',
      '3,112,960 B',
      '380 GiB',
      '8',
    ]);
  });

  it('are those of the calculator and of the timeline, for any config', () => {
    const ids = ['anchor-model', 'llama-2-70b', 'deepseek-llm-67b'];
    const changes: Record<string, number>[] = [
      {},
      {head_dim: 128, num_attention_heads: 32, num_key_value_heads: 8},
    ];
    for (const change of changes) {
      const changed = make(change);
      const content: ModelsContent = {
        assumed,
        variants,
        refused,
        doubts,
        models: ids.map((id) => {
          const {model, config} = parseConfig(
            readFileSync(`lessons/models/${id}.json`, 'utf8'),
          ) as {model: string; config: Record<string, unknown>};
          if (id === 'anchor-model') Object.assign(config, change);
          return {id, model, cache: changed.cache.readConfig(config)};
        }),
      };
      const here: Record<string, NumberSpec> = {
        ...chapterNumbers(changed),
        ...lessonNumbers(changed),
      };
      const designs = (model: string, tokens: number) => {
        const state = {
          ...defaults<KvCacheState>(AttnKvCache.spec.schema),
          model,
          context: tokens,
          compare: [],
        };
        const result = AttnKvCache.spec.compute(changed, state, content);
        return (name: string) => result.designs.find((design) => design.name === name)!;
      };
      const anchor = designs('anchor-model', 262144);
      const seventy = designs('llama-2-70b', 4096);
      for (const name of ['MHA', 'GQA', 'MQA']) {
        const id = name.toLowerCase();
        expect(here[`${id}_all`]?.text).toBe(binary(anchor(name).total));
        expect(here[`${id}_token`]?.text).toBe(bytes(BigInt(anchor(name).perToken)));
        expect(here[`llama70_${id}_token`]?.text).toBe(bytes(BigInt(seventy(name).perToken)));
        expect(here[`llama70_${id}_total`]?.text).toBe(binary(seventy(name).total));
      }
      const llm67 = designs('deepseek-llm-67b', 2 ** 20);
      expect(here['llm67_total']?.text).toBe(binary(llm67('GQA').total));
      expect(here['llm67_token']?.text).toBe(bytes(BigInt(llm67('GQA').perToken)));
      expect(here['llm67_mha_token']?.text).toBe(bytes(BigInt(llm67('MHA').perToken)));
    }
    const node = (id: string) => timeline.find((each) => each.id === id)!;
    for (const [id, text] of [
      ['mqa_token', node('N10').solved],
      ['mqa_total', node('N10').solved],
      ['gqa_token', node('N11').solved],
      ['gqa_total', node('N11').solved],
      ['llm67_token', node('N11').stuck],
      ['llm67_total', node('N11').stuck],
    ] as const) {
      expect(text).toContain(`{num ${id}}`);
    }
  });
});

describe('the T5-XXL table', () => {
  it('is quoted with its source', () => {
    // GQA paper, table 1: MHA 47.2 / 1.51, MQA 46.6 / 0.24, GQA-8 47.1 / 0.28.
    expect(
      texts(
        't5_mha_score',
        't5_mha_time',
        't5_mqa_score',
        't5_mqa_time',
        't5_gqa_score',
        't5_gqa_time',
      ),
    ).toEqual(['47.2', '1.51', '46.6', '0.24', '47.1', '0.28']);
    // 47.2 − 46.6, 47.2 − 47.1; 1.51 ÷ 0.24 = 6.29, ÷ 0.28 = 5.39.
    expect(texts('mqa_drop', 'gqa_drop', 'mqa_speed', 'gqa_speed')).toEqual([
      '0.6',
      '0.1',
      '6.3',
      '5.4',
    ]);
    expect(numbers['t5_gqa_score']?.kind).toBe('quoted');
    expect(numbers['t5_gqa_score']?.inputs[0]?.source).toContain('表1');
  });
});

describe('the questions of lesson 9', () => {
  it('have the answers of a derivation', () => {
    const right = rightAnswers(questions({...context, numbers}));
    // 24 ÷ 1; other queries, other scores; 50.2 %; 24 ÷ 4; 32 ÷ 8; 16 · 64 = 8 · 128; a table for
    // each query head; 2 heads · 2 columns.
    expect(right('shared-times')).toBe(24);
    expect(right('same-weights')).toBe('不会，查询不同，分数就不同');
    expect(right('pooled-giver')).toBe('五成左右');
    expect(right('group-size')).toBe(6);
    expect(right('gqa-eight')).toBe(4);
    expect(right('same-cache')).toBe('一样大');
    expect(right('fewer-scores')).toBe('不变');
    expect(right('same-output')).toBe('不变');
  });
});
