// <attn-sentence>: one sentence, the attention of one of its tokens, from vectors to the output.

import {html, type TemplateResult} from 'lit';
import {nearestStop} from '../shared/beats.js';
import {Playhead} from '../shared/playhead.js';
import {sentenceFigure, type Choose} from './attn-sentence/picture.js';
import {
  compute,
  schema,
  STOPS,
  type SentenceResult,
  type SentenceState,
} from './attn-sentence/state.js';
import {says, steps, table} from './attn-sentence/words.js';
import {AttnWidget} from './attn-widget.js';
import type {Spec} from './attn-widget/spec.js';

function view(state: SentenceState, result: SentenceResult, choose?: Choose): TemplateResult {
  return sentenceFigure(result, state.at, says(state, result), choose);
}

/**
 * The causal attention of one token of the teaching sentence, from word vectors to the output.
 *
 * @name 一句话里的注意力
 * @summary 点一个词，看它从前面的词各取多少，又是怎样一步步算出来的。
 * @attr token at
 * @fires attn-change  detail: {state, result}
 */
export class AttnSentence extends AttnWidget<SentenceState, SentenceResult> {
  static override readonly spec: Spec<SentenceState, SentenceResult> = {
    tag: 'attn-sentence',
    title: '一句话里的注意力',
    hint: '点一个词，看它从哪里取信息：线越粗，取得越多。再拖滑杆，看百分比怎样一步步算出来。',
    schema,
    compute,
    view,
    says,
    table,
    steps,
  };

  readonly #play = new Playhead(this, {
    seconds: 11,
    stops: () => STOPS,
    at: () => this.state.at,
    show: (at) => this.preview({at}),
    settle: () => this.change({}),
  });

  protected override body(state: SentenceState, result: SentenceResult): TemplateResult {
    const choose: Choose = (i) => this.change({token: result.tokens[i] ?? state.token});
    const name = STOPS[nearestStop(STOPS, state.at)]?.name ?? '';
    return html`<div class="view">${view(state, result, choose)}</div>
      ${this.#play.bar('算到哪一步', name)}`;
  }
}
