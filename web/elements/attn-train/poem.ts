// Poems as <attn-train> prints them.

import {html, nothing} from 'lit';
import {shownCharacter} from '../../training/maps.js';

/** On one line, with boxes for unknown characters. */
export const poem = (text: string): string =>
  text
    .trim()
    .replace(/<unk>|<pad>/g, shownCharacter('<unk>'))
    .replaceAll('\n', ' ／ ');

/** Explains the boxes in a poem or a line. */
export const aboutUnknown = (text: string): unknown =>
  text.includes('<unk>')
    ? html`<p class="reading">
        ${shownCharacter('<unk>')}是词表外的字：词表只收语料里最常见的字，语料是繁体。它们合起来比哪一个字都常见，温度越低，写出来的就越多。
      </p>`
    : nothing;
