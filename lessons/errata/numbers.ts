// Numbers of the errata page: those of the corrected lessons, and a few of its own.
import {defineNumbers} from '../../web/site/numbers.js';
import {caseErrata} from './case.js';
import chapterNumbers from '../c3/numbers.js';
import lessonNumbers from '../c3/l03/numbers.js';
import {HAND} from '../c3/l05/example.js';
import valueNumbers from '../c3/l05/numbers.js';
import positionNumbers from '../c3/l06/numbers.js';
import headNumbers from '../c3/l07/numbers.js';
import {matrix, rowsOf, valuesOf} from '../../web/core.js';
import maskNumbers from '../c3/l04/numbers.js';
import latentNumbers from '../c3/l10/numbers.js';
import sinkNumbers from '../c3/b4/numbers.js';
import cacheNumbers from '../c3/l08/numbers.js';

const FROM_CHAPTER = ['head_dim', 'dot_std', 'n_questions'];
/** Printed numbers of lesson 4. */
const FROM_MASKS = [
  'prefix_positions',
  'hand_1',
  'hand_2',
  'zero_1',
  'zero_2',
  'zero_3',
  'two_useful',
  'four_useful',
  'very_long',
  'very_short',
  'pad_right_last',
  'pad_width',
  'query_empty',
  'empty_mean_real',
  'wide_layers',
  'wide_window',
  'wide_reach',
  'wide_ratio',
  'wide_saving',
  'wide_saving_causal',
  'bf16_constant',
  'fp16_max',
  'fill_hidden',
  'add_left',
];
const FROM_LESSON = [
  'soft_a',
  'soft_b',
  'soft_c',
  'doubled_c',
  'lse_plain',
  'lse_hot',
  'lse_hot_less',
  'cold_entropy',
  'float32_limit',
  'float64_limit',
  'stable_1',
  'stable_2',
  'stable_3',
  'ones_sixty_four',
  'jacobian_uniform',
  'jacobian_tie',
  'jacobian_head',
  'jacobian_mean_head',
  'init_sigma',
  'init_width',
  'init_component_128',
  'init_component_256',
  'init_component_512',
  'init_score_128',
  'init_score_256',
  'init_score_512',
];

const FROM_VALUES = ['hand_out1', 'hand_out2', 'giver_told', 'giver_changed'];
const FROM_POSITIONS = [
  'wave_1',
  'wave_512',
  'wave_512_naive',
  'fast_sin_44',
  'fast_cos_44',
  'fast_sin_100',
  'fast_cos_100',
  'single_geile',
  'deep_geile',
  'nopos_causal',
  'learnt_causal',
];
const FROM_CACHE = [
  'llama70_layers',
  'llama70_heads',
  'llama70_kv_heads',
  'llama70_mha_token',
  'llama70_mha_token_binary',
  'llama70_token',
  'llama70_token_binary',
];
const FROM_HEADS = ['portrait_length', 'portrait_distance', 'portrait_last'];
/** Printed numbers from the chapter's numbers on caches; FROM_LATENTS lists those of lesson 10. */
const FROM_CACHES = ['v2_saving', 'v2_saving_official', 'llm67_kv_heads'];
const FROM_LATENTS = [
  'six_bits',
  'six_bit_saving',
  'llm67_layers',
  'v2_layers',
  'per_layer_saving',
];
/** Printed numbers of branch B4. */
const FROM_SINKS = ['low_plain', 'low_ba', 'low_sum'];

export default defineNumbers((context) => {
  const {core, computed, given, recorded, format} = context;
  const chapter = chapterNumbers(context);
  const lesson = lessonNumbers(context);
  const values = valueNumbers(context);
  const heads = headNumbers(context);
  const positions = positionNumbers(context);
  const unit = (scaled: boolean) =>
    rowsOf(
      core.attention(matrix(HAND.q), matrix(HAND.k), matrix(HAND.k), {scaled, mask: 'none'}).output,
    )[2]!;
  const unitNumbers = (id: string, scaled: boolean) =>
    Object.fromEntries(
      unit(scaled).map((value, c) => [
        `${id}${c + 1}`,
        computed(value, format.fixed(3), {
          formula: `Σ softmax(q₃·k${scaled ? ' ÷ √2' : ''})·v，v＝k`,
          from: Object.fromEntries(
            [
              ['q3', HAND.q[2]!] as const,
              ...HAND.k.map((row, i) => [`k${i + 1}`, row] as const),
            ].map(([name, row]) => [
              name,
              {name, value: `(${row.join(', ')})`, source: '本课选的例子'},
            ]),
          ),
        }),
      ]),
    );
  const masks = maskNumbers(context);
  const latents = latentNumbers(context);
  const sinks = sinkNumbers(context);
  const caches = cacheNumbers(context);
  const decodeLength = given(8192, '已有的词元数n');
  const dotStd = chapter['dot_std']!;
  const scores = [-1000, -1000, -1001];
  const stable = core.weigh(scores);
  const unmasked = [1, 2, 0.5];
  const many = 64;
  const wide = core.jacobian(Array.from({length: many}, () => 1 / many));
  const float16Max = given(65504, 'float16的最大值');

  // An untrained head with d_model = d_k = d and weights N(0, σ²).
  const narrow = given(32, 'd');
  const sigma = given(0.02, '初始化的标准差σ');
  const sweep = {d: narrow, sigma};

  return {
    ...Object.fromEntries(FROM_CHAPTER.map((id) => [id, chapter[id]!])),
    ...Object.fromEntries(FROM_LESSON.map((id) => [id, lesson[id]!])),
    ...Object.fromEntries(FROM_VALUES.map((id) => [id, values[id]!])),
    ...Object.fromEntries(FROM_HEADS.map((id) => [id, heads[id]!])),
    ...Object.fromEntries(FROM_POSITIONS.map((id) => [id, positions[id]!])),
    ...Object.fromEntries(FROM_CACHE.map((id) => [id, caches[id]!])),
    decode_length: decodeLength,
    decode_square: computed(decodeLength.value ** 2, format.integer, {
      formula: 'n × n',
      from: {n: decodeLength},
    }),
    ...unitNumbers('unit_out', false),
    ...unitNumbers('unit_scaled_out', true),
    ...Object.fromEntries(FROM_MASKS.map((id) => [id, masks[id]!])),
    ...Object.fromEntries(FROM_CACHES.map((id) => [id, chapter[id]!])),
    ...Object.fromEntries(FROM_LATENTS.map((id) => [id, latents[id]!])),
    ...Object.fromEntries(FROM_SINKS.map((id) => [id, sinks[id]!])),
    ...Object.fromEntries(
      valuesOf(core.weigh(unmasked).weights).map((w, i) => [
        `unmasked_${i + 1}`,
        computed(w, format.fixed(4), {
          formula: 'softmax(1, 2, 0.5)',
          from: Object.fromEntries(
            unmasked.map((s, j) => [`s${j + 1}`, given(s, `第${j + 1}个分数`)]),
          ),
        }),
      ]),
    ),
    ...Object.fromEntries(
      valuesOf(stable.weights).map((w, i) => [
        `low_${i + 1}`,
        computed(w, format.fixed(3), {
          formula: 'e^(s − max) ÷ Σ e^(s − max)',
          from: Object.fromEntries(
            scores.map((s, j) => [`s${j + 1}`, given(s, `第${j + 1}个分数`)]),
          ),
        }),
      ]),
    ),
    jacobian_uniform_64: computed(wide.norm, format.fixed(3), {
      formula: '√(n − 1) ÷ n',
      from: {n: given(many, 'n')},
    }),
    regrow: computed(Math.sqrt(Number(dotStd.value)), format.general(3), {
      formula: '√(√head_dim)：q、k各长这么多倍，分数长√head_dim倍',
      from: {dot_std: dotStd},
    }),
    float16_max: float16Max,
    float16_limit: computed(core.log(float16Max.value), format.fixed(1), {
      formula: 'ln(float16的最大值)',
      from: {max: float16Max},
    }),
    sweep_models: recorded('init-sweep', ['rows', 0, 'models'], format.integer),
    sweep_measured: recorded(
      'init-sweep',
      ['rows', 0, 'unscaled', 'logitDeviation'],
      format.fixed(3),
    ),
    sweep_predicted: computed(sigma.value ** 2 * narrow.value ** 1.5, format.fixed(3), {
      formula: 'σ² · d^1.5',
      from: sweep,
    }),
    sweep_unit: computed(Math.sqrt(narrow.value), format.fixed(2), {
      formula: '√d',
      from: {d: narrow},
    }),
    ...caseErrata(context),
  };
});
