import {readFileSync, readdirSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {assumed, doubts, refused, variants} from '../../lessons/data/cache-words.json';
import lessonNumbers from '../../lessons/c3/l08/numbers.js';
import questions from '../../lessons/c3/l08/questions.js';
import {bothWays, computations, formulas} from '../../lessons/c3/l08/example.js';
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
const {texts, value} = printed(numbers);

describe('a generation', () => {
  it('computes 2 + 3 + 4 keys without a cache, 5 of them again, and 2 + 1 + 1 with it', () => {
    expect(texts('anew_1', 'anew_2', 'anew_3')).toEqual(['2', '3', '4']);
    expect(texts('again_1', 'again_2', 'again_3')).toEqual(['0', '2', '3']);
    expect(texts('kept_1', 'kept_2', 'kept_3')).toEqual(['2', '1', '1']);
    expect(texts('taken_1', 'taken_2', 'taken_3')).toEqual(['0', '2', '3']);
    expect(texts('decode_all', 'decode_repeated', 'decode_cached')).toEqual(['9', '5', '4']);
  });

  it('has equal counts in the engine and in the formulas, for every prefix', () => {
    const {sequence, world} = context;
    for (let prompt = 1; prompt <= 5; prompt++) {
      for (let generated = 1; prompt + generated - 1 <= 5; generated++) {
        const {anew, kept} = bothWays(sequence, world, {prompt, generated});
        expect(computations(anew)).toBe(formulas.anew(prompt, generated));
        expect(computations(kept)).toBe(formulas.kept(prompt, generated));
        const repeats = anew.reduce((sum, {repeated}) => sum + repeated, 0);
        expect(repeats).toBe(computations(anew) - computations(kept));
      }
    }
    const lesson = bothWays(sequence, world, {prompt: 2, generated: 3});
    expect(computations(lesson.anew)).toBe(value('decode_all'));
    expect(computations(lesson.kept)).toBe(value('decode_cached'));
  });

  it('outputs the same bits with the cache and without it, for every prefix', () => {
    const {sequence, world} = context;
    for (const layers of [1, 2, 3]) {
      for (let prompt = 1; prompt <= 5; prompt++) {
        const generated = 6 - prompt;
        const {anew, kept} = bothWays(sequence, world, {prompt, generated, layers});
        anew.forEach(({output}, i) => {
          const other = kept[i]!.output;
          // Comparing bits, since values would not distinguish 0 and −0.
          expect(new BigUint64Array(output.data.buffer)).toEqual(
            new BigUint64Array(other.data.buffer),
          );
        });
      }
    }
    // 5 + 4 + 3 + 2 + 1 outputs of 4 numbers, through one layer and through two.
    expect(texts('largest_difference', 'compared')).toEqual(['0', '120']);
  });

  it('costs the square of the length without a cache', () => {
    // 1000·1000 + 1000·999/2 = 1,499,500; 1999; 1,499,500 ÷ 1999 = 750.1.
    expect(texts('long_anew', 'long_kept', 'long_ratio')).toEqual(['1,499,500', '1,999', '750']);
    // n(n + 1)/2 for n = 2, 3, 4: 3 + 6 + 10. Kept: 3, then 3 and 4 for the one new query.
    expect(texts('pairs_anew', 'pairs_kept')).toEqual(['19', '10']);
  });
});

describe('cached keys', () => {
  it('stay valid in the second layer only under the causal mask', () => {
    for (const c of [1, 2, 3, 4]) {
      expect(numbers[`key_causal_4_${c}`]?.value).toBe(numbers[`key_causal_3_${c}`]?.value);
    }
    expect(value('change_causal')).toBe(0);
    expect(value('change_open')).toBeGreaterThan(0.1);
    const changes = [1, 2, 3, 4].map((c) =>
      Math.abs(value(`key_open_4_${c}`) - value(`key_open_3_${c}`)),
    );
    expect(Math.max(...changes)).toBeGreaterThan(0.1);
    expect(value('change_open')).toBeGreaterThanOrEqual(Math.max(...changes));
  });

  it('give another output of 给了 when 把 is missing', () => {
    // Row 给了 of lesson 7 through W_O; its features are 人, 物, 语法, 身份 ÷ 2.
    expect(texts('out_1', 'out_2', 'out_3', 'out_4')).toEqual(['0.906', '0.812', '0.252', '0.548']);
    // Heads' weights on 小明 把 苹果 给了: A 89.52 0.86 9.04 0.58, B 4.67 8.69 77.03 9.61 (lesson 7).
    // Without 把 the others share 1: A ÷ 0.991447, B ÷ 0.913113.
    // 人: (0.8952·1 + 0.090407·0.1 + 0.00584·0.2) ÷ 0.991447 = 0.913219;
    // 物: (0.046701·0.1 + 0.770267·1 + 0.096146·0.2) ÷ 0.913113 = 0.869735.
    expect(value('lossy_1')).toBeCloseTo(0.913219, 5);
    expect(value('lossy_2')).toBeCloseTo(0.869735, 5);
    // 物: 0.869735 − 0.811543.
    expect(value('lossy_difference')).toBeCloseTo(0.058192, 5);
  });
});

describe('the size of a cache', () => {
  it('is as worked by hand', () => {
    // 2 · 4 numbers; 32 · 2 · 32 · 128 · 2 = 524,288, × 4096 = 2³¹; 80 · 2 · 64 · 128 · 2 =
    // 2,621,440, × 4096 = 10,737,418,240 = 10 GiB; 8 heads: 327,680 (B7 of the sheet).
    expect(texts('token_values')).toEqual(['8']);
    expect(texts('llama7_layers', 'llama7_heads', 'llama7_width')).toEqual(['32', '32', '128']);
    expect(texts('llama7_token', 'llama7_token_binary')).toEqual(['524,288 B', '512 KiB']);
    expect(texts('llama7_total', 'llama7_total_binary')).toEqual(['2,147,483,648 B', '2 GiB']);
    expect(texts('llama70_mha_token', 'llama70_mha_token_binary')).toEqual([
      '2,621,440 B',
      '2.5 MiB',
    ]);
    expect(texts('llama70_mha_total', 'llama70_mha_total_binary')).toEqual([
      '10,737,418,240 B',
      '10 GiB',
    ]);
    expect(texts('llama70_token', 'llama70_token_binary')).toEqual(['327,680 B', '320 KiB']);
    // The anchor as MHA: 16 · 2 · 24 · 256 · 2 = 393,216; × 262,144 = 96 GiB.
    expect(texts('mha_token', 'mha_token_binary', 'mha_total')).toEqual([
      '393,216 B',
      '384 KiB',
      '96 GiB',
    ]);
  });

  it('has the digits of the calculator and of the timeline, for any config', () => {
    const ids = readdirSync('lessons/models')
      .filter((name) => name.endsWith('.json'))
      .map((name) => name.replace('.json', ''));
    const changes: Record<string, number>[] = [{}, {head_dim: 192, num_key_value_heads: 6}];
    for (const change of changes) {
      const changed = make(change);
      const {cache} = changed;
      const models = ids.map((id) => {
        const published = parseConfig(readFileSync(`lessons/models/${id}.json`, 'utf8')) as {
          model: string;
          config: Record<string, unknown>;
        };
        const config = {...published.config, ...(id === 'anchor-model' ? change : {})};
        return {id, model: published.model, cache: cache.readConfig(config)};
      });
      const content: ModelsContent = {models, assumed, variants, refused, doubts};
      const calculator = (patch: Partial<KvCacheState>) =>
        AttnKvCache.spec.compute(
          changed,
          {...defaults<KvCacheState>(AttnKvCache.spec.schema), ...patch},
          content,
        );
      const here: Record<string, NumberSpec> = {
        ...chapterNumbers(changed),
        ...lessonNumbers(changed),
      };

      const seven = calculator({model: 'llama-2-7b', context: 4096});
      expect(here['llama7_total']?.text).toBe(bytes(BigInt(seven.total)));
      expect(here['llama7_token']?.text).toBe(bytes(BigInt(seven.growing_per_token)));
      const seventy = calculator({model: 'llama-2-70b', context: 4096});
      expect(here['llama70_token']?.text).toBe(bytes(BigInt(seventy.growing_per_token)));
      const design = (result: typeof seventy, name: string) =>
        result.designs.find((each) => each.name === name)!;
      expect(here['llama70_mha_token']?.text).toBe(bytes(BigInt(design(seventy, 'MHA').perToken)));
      expect(here['llama70_mha_total_binary']?.text).toBe(binary(design(seventy, 'MHA').total));

      const anchor = calculator({model: 'anchor-model', context: 262144});
      for (const name of ['MHA', 'MQA', 'GQA']) {
        const {perToken, total} = design(anchor, name);
        expect(here[`${name.toLowerCase()}_token`]?.text).toBe(bytes(BigInt(perToken)));
        // The calculator adds the states of the other layers, which do not grow.
        const growing = BigInt(total) - BigInt(anchor.constant);
        expect(here[`${name.toLowerCase()}_total`]?.text).toBe(binary(growing));
      }
    }
    // The timeline prints these numbers by name.
    const node = (id: string) => timeline.find((each) => each.id === id)!;
    for (const id of ['mha_token', 'mha_token_binary', 'mha_total']) {
      expect(node('N9').stuck).toContain(`{num ${id}}`);
    }
    expect(node('N9').solved).toContain('{num decode_cached}');
  });
});

describe('the questions of lesson 8', () => {
  it('have the answers of a derivation', () => {
    const right = rightAnswers(questions({...context, numbers}));
    // 2 + 3 + 4; the last token present; no mask, no cache; 4 − 4; 100 · 101 ÷ 2; only the tokens
    // before the change; 2 · 2.
    expect(right('count-anew')).toBe(9);
    expect(right('whose-query')).toBe('「给了」的');
    expect(right('without-mask')).toBe('变了，存着的旧键作废');
    expect(right('one-step')).toBe(0);
    expect(right('long-run')).toBe(5050);
    expect(right('edit-second')).toBe(1);
    expect(right('twice-twice')).toBe(4);
  });
});
