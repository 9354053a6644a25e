// Controls of <attn-heads source="trained">, with their texts while the model is loading.

import {html, nothing, type TemplateResult} from 'lit';
import {weightBytes} from '../../shared/course-data.js';
import {seedBox} from '../../shared/experiment.js';
import {binary, integer} from '../../shared/format.js';
import {type BoxHost, numberBox, slider} from '../../shared/number-box.js';
import {type HeadsState, MOST_CHARACTERS, type TrainedResult} from './state.js';
import {textBox} from './text-box.js';
import {inTraditional, otherOf, traditionalOf} from './traditional.js';
import {headName} from '../../training/maps.js';

/** The module, the weights and their state of loading. */
export type Loading = 'no' | 'busy' | 'failed' | 'there';

export interface Host extends BoxHost {
  change: (patch: Partial<HeadsState>) => void;
  loading: Loading;
  load: () => void;
}

/** Notes on characters of the text that the model can't read as intended. */
function notes(
  host: Host,
  state: HeadsState,
  {unknown, doubtful, skipped, block}: TrainedResult,
): TemplateResult {
  const mapped = unknown.filter((character) => traditionalOf(character) !== undefined);
  const others = unknown
    .filter((character) => traditionalOf(character) === undefined)
    .map((character) => (character === '\n' ? '换行' : character));
  const list = (all: readonly string[]) =>
    `${all.slice(0, 12).join('、')}${all.length > 12 ? `等${integer(all.length)}个` : ''}`;
  return html`${
    mapped.length > 0
      ? html`<div class="row">
          <span>语料是繁体字，简体的${list(mapped)}它没见过，都读成□。</span>
          <button
            type="button"
            class="chip"
            @click=${() => {
              host.drafts.delete('text');
              host.change({text: inTraditional(state.text)});
            }}
          >
            换成繁体（${list(mapped.map((character) => `${character}→${traditionalOf(character)}`))}）
          </button>
        </div>`
      : nothing
  }
  ${others.length > 0 ? html`<p class="reading">${list(others)}不在模型的词表里，读成□。</p>` : nothing}
  ${
    doubtful.length > 0
      ? html`<p class="reading">
          ${doubtful.map(
            (character) =>
              `「${character}」在这些诗里是另一个字，若想写「${otherOf(character)}」，请改成「${otherOf(character)}」。`,
          )}
        </p>`
      : nothing
  }
  ${
    skipped > 0
      ? html`<p class="reading">
          模型最多读${integer(block)}个字：只读了最后${integer(block)}个，前面的${integer(skipped)}个没有读。
        </p>`
      : nothing
  }`;
}

function loader({loading, load}: Host): TemplateResult {
  return html`<div class="row">
    <button type="button" class="chip" ?disabled=${loading === 'busy'} @click=${load}>
      载入模型（${binary(weightBytes)}）
    </button>
    <span role="status"
      >${
        loading === 'busy'
          ? '正在载入……'
          : loading === 'failed'
            ? '载入失败，请检查网络再试。'
            : '图是构建时画好的。改动任何一处，也会先载入模型。'
      }</span
    >
  </div>`;
}

export function controls(host: Host, state: HeadsState, result: TrainedResult): TemplateResult {
  const n = result.characters.length;
  const box = {text: state.text, label: '一段话', most: MOST_CHARACTERS, rows: 3};
  return html`${host.loading === 'there' ? nothing : loader(host)}
    ${textBox(host, box)}${notes(host, state, result)}
    <div class="row" role="group" aria-label="哪个头">
      <span>哪个头</span>${result.heads.map(
        ({layer, head}) =>
          html`<button
            type="button"
            class="chip"
            aria-pressed=${layer === state.layer && head === state.head ? 'true' : 'false'}
            @click=${() => host.change({layer, head})}
          >
            ${headName(layer, head)}
          </button>`,
      )}
    </div>
    <div class="dials">
      ${slider(host, {
        key: 'row',
        label: '谁在看',
        value: result.row + 1,
        min: 1,
        max: n,
        step: 1,
        integer: true,
        set: (row) => host.change({row}),
      })}
    </div>
    <div class="dials">
      ${slider(host, {
        key: 'temperature',
        label: '温度',
        value: state.temperature,
        min: 0,
        max: 2,
        step: 0.1,
        by: 0.1,
        set: (temperature) => host.change({temperature}),
      })}
      ${numberBox(host, {
        key: 'topk',
        label: 'top-k',
        value: state.topk,
        min: 0,
        max: 1200,
        integer: true,
        set: (topk) => host.change({topk}),
      })}
      ${seedBox(host, state.seed, (seed) => host.change({seed}))}
    </div>`;
}
