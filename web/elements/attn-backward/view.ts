// Pictures and lines of <attn-backward>.

import {html, type TemplateResult} from 'lit';
import {board} from './board.js';
import {flow} from './flow.js';
import {momentOf} from './moment.js';
import type {BackwardResult, BackwardState} from './state.js';
import type {BackwardTouch} from './touch.js';
import {cellProduct, checked} from './words.js';

/** The pictures; a widget that answers a reader gives `touch`. */
export function view(
  state: BackwardState,
  result: BackwardResult,
  touch?: BackwardTouch,
): TemplateResult {
  const moment = momentOf(state);
  const {right, text} = checked(result);
  return html`<div class="board">
    ${board({state, result, moment, touch})}
    <div>
      ${flow(moment, result)}
      <div class="verse"><p class="reading">${cellProduct(state, result)}</p></div>
      <p class="reading">
        <b class=${right ? 'right' : 'wrong'}>${right ? '✓ 核对相符' : '✗ 核对不符'}</b>　${text}
      </p>
    </div>
  </div>`;
}
