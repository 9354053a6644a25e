// Numbers of the page about training: sizes of the recorded runs, and the core's default settings.
import {defineNumbers} from '../../../web/site/numbers.js';

export default defineNumbers(({core, recorded, computed, given, format}) => {
  const {integer} = format;
  const sizes = (preset: 'small' | 'large') => {
    const of = (key: string) => recorded(`${preset}-scaled`, ['config', key], integer);
    const [layers, heads, model, hidden] = [
      of('nLayers'),
      of('nHeads'),
      of('dModel'),
      of('dFf'),
    ] as const;
    return {
      layers,
      heads,
      model,
      hidden,
      width: computed(model.value / heads.value, integer, {
        formula: '模型宽度 ÷ 头数',
        from: {model, heads},
      }),
      total: recorded(`${preset}-scaled`, ['parameters'], integer),
    };
  };
  const named = (preset: 'small' | 'large') =>
    Object.fromEntries(
      Object.entries(sizes(preset)).map(([name, spec]) => [`${preset}_${name}`, spec]),
    );
  const run = (keys: string[], as = format.general()) => recorded('small-scaled', keys, as);
  const vocabulary = run(['config', 'vocabSize'], integer);
  // The fourth of the recorded diagnostics, one every 74 steps.
  const unscaled = (at: number, key: string, as = format.general(2)) =>
    recorded('large-unscaled', ['diagnostics', at, key], as);
  const collapse = {
    collapse_start: unscaled(0, 'entropy'),
    collapse_step: unscaled(3, 'step', integer),
    collapse_entropy: unscaled(3, 'entropy'),
    collapse_jacobian_start: unscaled(0, 'jacobianNorm'),
    collapse_jacobian: unscaled(3, 'jacobianNorm'),
  };
  return {
    ...named('small'),
    ...named('large'),
    vocabulary,
    characters: computed(vocabulary.value - 2, integer, {formula: '词表 − 2', from: {vocabulary}}),
    poems: given(4003, 'web/tools/corpus.mjs · textOf', integer),
    know_nothing: computed(core.log(vocabulary.value), format.fixed(2), {
      formula: 'ln 词表',
      from: {vocabulary},
    }),
    unknown: run(['unknownShare'], format.percent()),
    training_tokens: run(['trainingTokens'], integer),
    validation_tokens: run(['validationTokens'], integer),
    block: run(['config', 'blockSize'], integer),
    batch: run(['batchSize'], integer),
    warmup: run(['warmupSteps'], integer),
    peak: run(['learningRate']),
    first_rate: computed(
      run(['learningRate']).value / run(['warmupSteps']).value,
      format.scientific(0),
      {
        formula: '最高的学习率 ÷ 预热的步数：第0步',
        from: {peak: run(['learningRate']), warmup: run(['warmupSteps'])},
      },
    ),
    steps: run(['steps'], integer),
    ...collapse,
    norm_epsilon: given(1e-5, 'core/gpt/layer_norm.cpp · kEpsilon', format.scientific(0)),
    sigma: given(0.02, 'core/gpt/gpt.cpp · kStartDeviation'),
    beta1: given(0.9, 'core/gpt/adamw.h · beta1'),
    beta2: given(0.95, 'core/gpt/adamw.h · beta2'),
    adam_epsilon: given(1e-8, 'core/gpt/adamw.h · epsilon', format.scientific(0)),
    decay: given(0.1, 'core/gpt/adamw.h · weight_decay'),
    validation_passes: given(32, 'core/gpt/trainer.h · passes'),
    validation_windows: given(8, 'core/gpt/trainer.cpp · kValidationWindows'),
    clip: given(1, 'core/gpt/trainer.h · clip'),
  };
});
