// State and results of <attn-params>.

import type {ParameterAccount, ParameterTensor} from '../../cache.js';
import type {ConfigTextError} from '../../config-json.js';
import {configIn, refusalSentence} from '../../shared/cache-json.js';
import type {ConfigsContent} from '../../shared/content.js';
import {InputError} from '../../shared/input.js';
import type {Resources} from '../../shared/runtime.js';
import {nameField, sampleText, type Schema} from '../../shared/schema.js';

export interface ParamsState {
  /** 本站的模型small或large，或lessons/models里的一个，不带.json */
  model: string;
  /** 粘贴的config.json；有它就不看model */
  config: string;
  /** 选中的一份，例如q_proj；空着是整个模型 */
  part: string;
}

export interface ParamsResult {
  name: string;
  account: ParameterAccount;
}

/** The numbers of a config that a reader may change, with the names that files have for them. */
export const DIALS: readonly {label: string; keys: readonly string[]; most: number}[] = [
  {label: '层数', keys: ['num_hidden_layers', 'n_layer'], most: 1000},
  {label: '模型宽度', keys: ['hidden_size', 'n_embd'], most: 1e6},
  {label: '查询头', keys: ['num_attention_heads', 'n_head'], most: 10000},
  {label: '键值头', keys: ['num_key_value_heads'], most: 10000},
  {label: '前馈宽度', keys: ['intermediate_size', 'n_inner'], most: 1e7},
  {label: '词表', keys: ['vocab_size'], most: 1e8},
];

export const schema: Schema<ParamsState> = {
  model: nameField('small'),
  config: {
    fallback: '',
    read: (text) => text,
    write: (text) => text,
    about: import.meta.env.SSR
      ? {
          takes: '一份config.json的文字',
          sample: (random) =>
            JSON.stringify({vocab_size: Math.floor(100 * random()), note: sampleText(random)}),
        }
      : undefined,
  },
  part: nameField(''),
};

const keepsPicture = (sentence: string) => `${sentence}图仍是上一次的。`;

/** The parsed config of a state. */
function configOf(
  parse: (text: string) => unknown,
  {config, model}: ParamsState,
  {models, refused}: ConfigsContent,
): {name: string; config: unknown} {
  if (config === '') {
    const entry = models.find(({id}) => id === model);
    if (!entry)
      throw new InputError(
        'no-such-model',
        `没有收「${model}」这个模型；可以粘贴它的config.json。`,
      );
    return {name: entry.name, config: entry.config};
  }
  try {
    return {name: '粘贴的配置', config: configIn(parse(config))};
  } catch (error) {
    const refusal = (error as Partial<ConfigTextError>).refusal;
    if (!refusal) throw error;
    throw new InputError('refused', keepsPicture(refusalSentence(refused, refusal)));
  }
}

export function compute(
  {cache}: Resources,
  state: ParamsState,
  content: ConfigsContent,
): ParamsResult {
  const {name, config} = configOf(cache.parseConfig, state, content);
  const account = cache.readParameters(config);
  if ('refused' in account)
    throw new InputError(
      'refused',
      keepsPicture(refusalSentence(content.refused, account.refused)),
    );
  return {name, account};
}

export const GROUPS = ['table', 'attention', 'feed_forward', 'norm', 'head'] as const;

export const sumOf = (tensors: readonly ParameterTensor[]): number =>
  tensors.reduce((sum, {count}) => sum + count, 0);

export const ofGroup = ({tensors}: ParameterAccount, group: string): ParameterTensor[] =>
  tensors.filter((tensor) => tensor.group === group);

/** The tensors of one name, or of one group; a name may occur for several kinds of layers. */
export function chosenIn({tensors}: ParameterAccount, part: string): ParameterTensor[] {
  return tensors.filter(({name, group}) => name === part || group === part);
}

/** The tensors of the blocks, from the input on. */
export const blockTensors = ({tensors}: ParameterAccount): ParameterTensor[] =>
  tensors.filter(({layers}) => layers > 0);
