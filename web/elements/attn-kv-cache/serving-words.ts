// Texts of <attn-kv-cache> about cards, weights, engines and a common beginning: the sentences of
// `npm run cache`.

import {html, nothing, type TemplateResult} from 'lit';
import {size} from '../../shared/cache-text.js';
import {formatName} from '../../shared/value-formats.js';
import {integer} from '../../shared/format.js';
import type {EngineName, KvCacheResult, KvCacheState, Serving} from './state.js';

export const ENGINE_TITLES: Record<EngineName, string> = {
  vllm: 'vLLM',
  'llama.cpp': 'llama.cpp',
  sglang: 'SGLang',
};

function weightsText({weights}: KvCacheState, serving: Serving): string {
  if (weights === 'none') return '';
  const {parameters} = serving;
  const how = parameters === null ? '' : `（${integer(parameters)}个参数，${formatName(weights)}）`;
  return `，权重约${size(serving.weights)}${how}`;
}

function fitsItem({batch}: KvCacheState, {fits, sequences}: KvCacheResult): string {
  const many = sequences === 'any' ? '多少条都放得下' : `放得下${integer(BigInt(sequences))}条`;
  const long =
    fits === 'any'
      ? '多长都放得下'
      : Number(fits) < 0
        ? '不随长度变的部分也放不下'
        : `每条最长${integer(BigInt(fits))}个词元`;
  return `这样长的序列${many}；${integer(batch)}条序列，${long}。`;
}

/** The list under 放到显卡上. */
export function servingList(state: KvCacheState, result: KvCacheResult): TemplateResult {
  const {serving} = result;
  if (!serving) return html``;
  const {cards, engine, prefix, context} = state;
  const {card, taken, saved, memory, reserve, available, log} = serving;
  return html`<h3>放到显卡上</h3>
    <ul class="sums">
      ${cards > 1 ? html`<li>${integer(cards)}张卡，每张存${size(card)}。</li>` : nothing}
      ${
        prefix > 0
          ? html`<li>开头${integer(Math.min(prefix, context))}个词元共用，省下${size(saved)}。</li>`
          : nothing
      }
      ${
        engine !== 'none' && taken
          ? html`<li>
              ${ENGINE_TITLES[engine]}在每张卡上实际占用${size(taken.total)}，一块${integer(
                taken.block,
              )}个词元。${
                log.length > 0
                  ? html`它的日志会写：${log.map((line) => html`<code class="line">${line}</code>`)}`
                  : nothing
              }
            </li>`
          : nothing
      }
      <li>
        显存共${size(memory)}${weightsText(state, serving)}${
          Number(reserve) > 0 ? `，给激活和引擎留${size(reserve)}` : ''
        }。
      </li>
      <li>
        ${
          Number(available) < 0
            ? '权重和激活已经放不下。'
            : `缓存可用${size(available)}，${fitsItem(state, result)}`
        }
      </li>
    </ul>`;
}
