import {describe, expect, it} from 'vitest';
import {csvOf} from '../../web/embed/csv.js';
import {iframeSnippet, markdownSnippet, tagSnippet} from '../../web/embed/snippets.js';

const snippet = {
  site: 'https://school.example/attn/',
  tag: 'attn-softmax',
  title: '分数到权重',
  attributes: [['labels', '"><script>,&']] as const,
  figure: 'figures/widgets-w-softmax.svg',
  height: 512,
};

describe('snippets', () => {
  it('escape a reader’s text inside its attribute', () => {
    expect(tagSnippet(snippet)).toContain('labels="&quot;&gt;&lt;script&gt;,&amp;"');
    expect(iframeSnippet(snippet, 'a=1&b=2')).toContain('?a=1&amp;b=2"');
  });

  it('contain the static figure only in the default state, which it shows', () => {
    expect(tagSnippet(snippet)).not.toContain('<img');
    expect(tagSnippet({...snippet, attributes: []})).toContain(
      '<img src="https://school.example/attn/figures/widgets-w-softmax.svg" alt="分数到权重">',
    );
    expect(markdownSnippet(snippet)).toBe(
      '![分数到权重](https://school.example/attn/figures/widgets-w-softmax.svg)',
    );
  });

  it('need no inline style or script', () => {
    const all = tagSnippet(snippet) + iframeSnippet(snippet);
    expect(all).not.toMatch(/style=|on\w+=|<script(?![^>]*src=)/);
  });
});

describe('csv', () => {
  it('is readable by spreadsheets: CRLF, doubled quotes, ASCII minus, no separators', () => {
    const table = {
      columns: ['词', '分数'],
      rows: [
        ['他说"好"', '−1,234.5'],
        ['a,b', '0.5'],
      ],
    };
    expect(csvOf(table)).toBe('\ufeff词,分数\r\n"他说""好""",-1234.5\r\n"a,b",0.5\r\n');
  });

  it('contains no formula of a spreadsheet', () => {
    const table = {columns: ['词'], rows: [['=HYPERLINK("http://x")'], ['+1+1'], ['@x'], ['-a']]};
    expect(csvOf(table).split('\r\n').slice(1, 5)).toEqual([
      `"'=HYPERLINK(""http://x"")"`,
      "'+1+1",
      "'@x",
      "'-a",
    ]);
  });
});
