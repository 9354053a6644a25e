// Names, sentence, table and steps of <attn-params>.

import {html, type TemplateResult} from 'lit';
import type {ParameterTensor} from '../../cache.js';
import {integer, percent, wan} from '../../shared/format.js';
import type {Table} from '../attn-widget/spec.js';
import {chosenIn, GROUPS, ofGroup, type ParamsResult, type ParamsState, sumOf} from './state.js';

export const GROUP_NAMES: Readonly<Record<string, string>> = {
  table: '词向量表和位置表',
  attention: '注意力',
  feed_forward: '前馈网络',
  norm: '归一化',
  head: '输出层',
};

const NAMES: Readonly<Record<string, string>> = {
  embed_tokens: '词向量表',
  embed_positions: '位置表',
  q: 'W_Q',
  k: 'W_K',
  v: 'W_V',
  o: 'W_O',
  q_down: '查询，压低',
  q_up: '查询，展开',
  kv_down: '键值，压低',
  kv_up: '键值，展开',
  index_q: '索引器的查询',
  index_k: '索引器的键',
  index_norm: '索引器的归一化',
  index_weights: '索引器各头的权重',
  sinks: '每个头的水槽',
  gate: '门',
  up: '放宽',
  down: '收回',
  router: '挑专家的门',
  input_norm: '注意力前的归一化',
  after_attention_norm: '注意力后的归一化',
  middle_norm: '前馈前的归一化',
  after_feed_forward_norm: '前馈后的归一化',
  final_norm: '最后的归一化',
  q_norm: '查询的归一化',
  k_norm: '键的归一化',
  kv_norm: '键值的归一化',
  lm_head: '输出层',
};

/** "experts.up_bias" → 专家的放宽，偏置 */
export function nameOf(tensor: string): string {
  const [, owner, own = tensor] = /^(experts|shared)\.(.*)$/.exec(tensor) ?? [];
  const whose = owner === 'experts' ? '专家的' : owner === 'shared' ? '共享专家的' : '';
  const stem = own.replace(/_(proj|bias)$/, '');
  return `${whose}${NAMES[own] ?? NAMES[stem] ?? own}${own.endsWith('_bias') ? '，偏置' : ''}`;
}

/** "4,096×14,336", or the length of a vector. */
export const shapeOf = ({rows, columns}: ParameterTensor): string =>
  columns === 1 ? integer(rows) : `${integer(rows)}×${integer(columns)}`;

/** "32层×4,096×4,096" without the unit: an equation that holds as printed. */
function productOf(tensor: ParameterTensor): string {
  const factors = [tensor.layers, tensor.each].filter((factor) => factor > 1).map(integer);
  return [...factors, shapeOf(tensor)].join('×');
}

const formulaOf = (tensor: ParameterTensor): string => {
  const product = productOf(tensor);
  return product.includes('×') ? `${product}＝${integer(tensor.count)}` : product;
};

/** In words: so many layers, experts in each, and the shape. */
function makeUp(tensor: ParameterTensor): string {
  const layers = tensor.layers > 0 ? `${integer(tensor.layers)}层，` : '';
  const each = tensor.each > 1 ? `每层${integer(tensor.each)}个，` : '';
  return `${layers}${each}${tensor.columns === 1 ? '长' : ''}${shapeOf(tensor)}`;
}

export function says({part}: ParamsState, {name, account}: ParamsResult): string {
  const {total} = account;
  const chosen = chosenIn(account, part);
  if (chosen.length > 0) {
    const sum = sumOf(chosen);
    const title = GROUP_NAMES[part] ?? nameOf(part);
    const share = `占全部的${percent(sum / total)}。`;
    if (GROUP_NAMES[part] !== undefined) return `${title}一共${integer(sum)}个参数，${share}`;
    const formulas = chosen.map((each) => `${makeUp(each)}；${formulaOf(each)}`);
    return `${title}：${formulas.join('。')}，${share}`;
  }
  const table = sumOf(ofGroup(account, 'table')) + sumOf(ofGroup(account, 'head'));
  const forward = sumOf(ofGroup(account, 'feed_forward'));
  const attention = sumOf(ofGroup(account, 'attention'));
  const unsure = account.known ? '' : '这一类模型的张量没有逐个核对过，按常见的写法数。';
  return (
    `${name}一共${integer(total)}个参数，约${wan(total)}。注意力占${percent(attention / total)}，` +
    `前馈网络占${percent(forward / total)}，词表的两头占${percent(table / total)}` +
    `${account.tied ? '，开头和结尾共用一张' : ''}。${unsure}`
  );
}

export function table(_state: ParamsState, {account}: ParamsResult): Table {
  return {
    columns: ['部分', '名字', '层数', '每层几个', '形状', '参数', '占'],
    rows: [
      ...account.tensors.map((tensor) => [
        GROUP_NAMES[tensor.group] ?? tensor.group,
        `${nameOf(tensor.name)} ${tensor.name}`,
        tensor.layers > 0 ? integer(tensor.layers) : '',
        integer(tensor.each),
        shapeOf(tensor),
        integer(tensor.count),
        percent(tensor.count / account.total),
      ]),
      ['合计', '', integer(account.layers), '', '', integer(account.total), percent(1)],
    ],
  };
}

export function steps(_state: ParamsState, {account}: ParamsResult): TemplateResult {
  return html`<ol class="steps">
    ${GROUPS.filter((group) => ofGroup(account, group).length > 0).map(
      (group) =>
        html`<li>
          ${GROUP_NAMES[group]}：${ofGroup(account, group)
            .map((tensor) => `${nameOf(tensor.name)} ${formulaOf(tensor)}`)
            .join('；')}。
        </li>`,
    )}
    <li>
      这里数的是语言模型自己：图像、声音的部分不算，多猜几个词元的附加层不算，量化的倍数不算。
    </li>
  </ol>`;
}
