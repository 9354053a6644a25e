// The parts of a widget's frame that every widget has: the table, and links to take it along.

import {html, type TemplateResult} from 'lit';
import {showText} from '../../shared/rich-text.js';
import type {Table} from './spec.js';

const rowOf = (row: readonly string[]): TemplateResult => {
  const [head = '', ...cells] = row;
  return html`<tr>
    <th scope="row">${showText(head)}</th>
    ${cells.map((cell) => html`<td>${showText(cell)}</td>`)}
  </tr>`;
};

export function tableView(caption: string, {columns, rows}: Table): TemplateResult {
  return html`<table>
    <caption>
      ${caption}
    </caption>
    <thead>
      <tr>
        ${columns.map((column) => html`<th scope="col">${column}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(rowOf)}
    </tbody>
  </table>`;
}

/** Hands a picture to the browser as a file to save. */
export function savePicture(svg: string, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([svg], {type: 'image/svg+xml'}));
  link.download = `${name}.svg`;
  link.click();
  // The browser needs the address until the download has begun.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
