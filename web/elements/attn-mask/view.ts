// Pictures of <attn-mask>: the board, and one of its rows.

import {html, type TemplateResult} from 'lit';
import {detail} from './detail.js';
import {board} from './grid.js';
import {shownRow} from './moment.js';
import type {MaskResult, MaskState} from './state.js';
import type {MaskTouch} from './touch.js';

/** The pictures; a widget that answers a reader gives `touch`. */
export function view(state: MaskState, result: MaskResult, touch?: MaskTouch): TemplateResult {
  const shown = shownRow(state, result);
  const boards = result.blocks.map((_, block) => board({state, result, shown, block, touch}));
  return html`<p class="reading">行是在看的，列是被看的。斜纹：遮住；格里的数：权重的百分数。</p>
    ${
      boards.length > 1
        ? html`<div class="board many">${boards}${detail(state, shown)}</div>`
        : html`<div class="board">${boards}${detail(state, shown)}</div>`
    }`;
}
