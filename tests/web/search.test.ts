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

  it('lists the lesson about a topic first', () => {
    const of = (path: string, above: string, heading: string) =>
      searchEntries(
        path,
        parsePage(
          `<main>${above}<h1>怎样不偷看？</h1><p>先遮住。</p>` +
            `<h2 id="a">${heading}</h2><p>掩码遮住后面的词元。</p></main>`,
        ),
      );
    const topic = '<p class="eyebrow">因果掩码<span class="minutes">约20分钟</span></p>';
    const all = [...of('errata/', '', '掩码'), ...of('c3/l04/', topic, '失败'), ...entries];
    const ranked = MiniSearch.loadJSON<SearchEntry>(searchIndex(all), searchOptions);
    expect(ranked.search('掩码').map(({id}) => String(id))[0]).toBe('c3/l04/index.html');
    expect(all.find(({id}) => id === 'c3/l04/index.html')?.section).toBe('因果掩码');
  });

  it('leaves out the gallery’s wall and the parts of class reference', () => {
    const tree = parsePage(
      '<main><h1>墙</h1><p>引言</p><div class="wall"><h2>第4课</h2><p>甲</p></div>' +
        '<section class="part reference"><h2>属性</h2><p>乙</p></section></main>',
    );
    expect(searchEntries('widgets/', tree).map(({text}) => text.trim())).toEqual(['引言']);
  });

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
