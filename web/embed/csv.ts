// A table as a file that spreadsheets open: RFC 4180, UTF-8 with a byte order mark, and minus signs
// in ASCII.

import type {Table} from '../elements/attn-widget/spec.js';

function cell(text: string): string {
  const number = text.replace('−', '-');
  // A spreadsheet would read other texts as formulas, so they are quoted as text.
  const plain = /^-?[\d.,]+( ?%)?$/.test(number)
    ? number.replaceAll(',', '')
    : /^[=+@\-\t\r]/.test(text)
      ? `'${text}`
      : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

export function csvOf({columns, rows}: Table): string {
  return `\ufeff${[columns, ...rows].map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
}
