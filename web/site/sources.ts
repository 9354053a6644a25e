// The table of a page's numbers, and numbers.json.

import {integer} from '../shared/format.js';
import type {NumberKind, NumberSpec} from './numbers.js';
import {escapeHtml} from './html.js';

const KIND_NAMES: Record<NumberKind, string> = {
  computed: '构建时现算',
  config: '模型配置',
  teaching: '教学数据',
  recorded: '实跑记录',
  quoted: '引用',
};

function fullDigits(spec: NumberSpec): string {
  const value = spec.unit === 'B' ? integer(spec.value) : String(spec.value);
  return `${value.replace('-', '−')}${spec.unit ? ` ${spec.unit}` : ''}`;
}

function row(id: string, spec: NumberSpec): string {
  const inputs = spec.inputs.map(({name, value, source}) => {
    const named = `${escapeHtml(name)}${value ? ` = ${escapeHtml(value)}` : ''}`;
    return `${named}　${escapeHtml(source)}`;
  });
  const digits = `<span class="digits">${escapeHtml(fullDigits(spec))}</span>`;
  const formula = spec.formula ? `<dt>算法</dt><dd>${escapeHtml(spec.formula)}</dd>\n` : '';
  return `<li class="number-source" id="num-${id}"><dl>
<dt>数值</dt><dd><strong>${escapeHtml(spec.text)}</strong>${digits}</dd>
${formula}<dt>来自</dt><dd>${inputs.join('<br>')}</dd>
<dt>种类</dt><dd>${spec.kindName ?? KIND_NAMES[spec.kind]}</dd>
</dl></li>`;
}

export function sourcesTable(ids: readonly string[], numbers: Record<string, NumberSpec>): string {
  const rows = ids.map((id) => {
    const spec = numbers[id];
    if (!spec) throw new Error(`printed number without a source: ${id}`);
    return row(id, spec);
  });
  // The browser opens the fold when the reader follows a link to a row, with or without scripts.
  return (
    `<details class="sources-fold"><summary>本页${rows.length}个数字的来历</summary>\n` +
    `<ol class="sources">\n${rows.join('\n')}\n</ol>\n</details>`
  );
}

export interface NumberRecord {
  id: string;
  page: string;
  text: string;
  value: number | string;
  unit: string;
  kind: NumberKind;
  formula: string;
  inputs: NumberSpec['inputs'];
}

export function numberRecord(id: string, page: string, spec: NumberSpec): NumberRecord {
  const exact = typeof spec.value === 'bigint' && spec.value > BigInt(Number.MAX_SAFE_INTEGER);
  return {
    id,
    page,
    text: spec.text,
    value: exact ? spec.value.toString() : Number(spec.value),
    unit: spec.unit,
    kind: spec.kind,
    formula: spec.formula,
    inputs: spec.inputs,
  };
}
