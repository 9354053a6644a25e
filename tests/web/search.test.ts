// Search finds formulas in any spelling, and shows the text around them.
import katex from 'katex';
import MiniSearch from 'minisearch';
import {describe, expect, it} from 'vitest';
import {parsePage} from '../../web/site/html.js';
import {excerpt} from '../../web/site/search.js';
import {searchEntries, searchIndex, type SearchEntry} from '../../web/site/search-index.js';
import {searchOptions} from '../../web/site/search-options.js';

const tex = (formula: string) => katex.renderToString(formula);

const page = parsePage(`<main><h1>缩放</h1>
  <h2 id="root">除以根号</h2><p>点积除以${tex('\\sqrt{d_k}')}，标准差回到1。</p>
  <h2 id="product">打分</h2><p>一次乘法${tex('S = QK^\\top')}得到全部分数，行数是${tex('n_{kv}')}。</p>
  <h2 id="words">全角</h2><p>温度Ｔ＝１时，softmax（ｌｏｇｉｔｓ）不变。</p></main>`);

const entries = searchEntries('c3/l03/', page);
const index = MiniSearch.loadJSON<SearchEntry>(searchIndex(entries), searchOptions);
const found = (query: string) => index.search(query).map(({id}) => String(id).replace(/^.*#/, ''));

describe('search', () => {
  it.each(['√d_k', '√dk', '\\sqrt{d_k}', 'sqrt(d_k)', 'd_k', 'd_{k}', 'dk', '√'])(
    '%s finds the root of d_k',
    (query) => expect(found(query)).toContain('root'),
  );

  it.each(['QK^T', 'QK^⊤', 'QKᵀ', 'QK^\\top', 'QK', 'ＱＫ', 'qk^t', 'n_kv'])(
    '%s finds the product',
    (query) => expect(found(query)).toContain('product'),
  );

  it.each(['logits', 'ｌｏｇｉｔｓ', 'Ｓoftmax', 'T', '１'])(
    '%s finds text of either width',
    (query) => expect(found(query)).toContain('words'),
  );

  it('distinguishes a root from its radicand', () => {
    expect(found('√n')).toEqual([]);
    expect(found('S')).not.toContain('root');
  });

  it('keeps root signs, subscripts and superscripts in the shown text', () => {
    expect(entries.map(({text}) => text.trim())).toEqual([
      '点积除以√d_k，标准差回到1。',
      '一次乘法S=QK^⊤得到全部分数，行数是n_kv。',
      '温度Ｔ＝１时，softmax（ｌｏｇｉｔｓ）不变。',
    ]);
  });

  it('shows the words around the match, for letters of any width', () => {
    const text = `${'前'.repeat(100)}ｌｏｇｉｔｓ${'后'.repeat(100)}`;
    // A third of the 60 characters is before the match.
    expect(excerpt(text, 'LOGITS')).toBe(`…${'前'.repeat(20)}ｌｏｇｉｔｓ${'后'.repeat(34)}…`);
    expect(excerpt('点积除以√d_k。', '√d_k')).toBe('点积除以√d_k。…');
  });
});
