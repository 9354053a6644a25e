// The search dialog: it loads its index when first opened, and needs no server.

import MiniSearch from 'minisearch';
import type {SearchEntry} from './search-index.js';
import {plainForm, searchOptions} from './search-options.js';
import style from './search.css?url';

const MOST_RESULTS = 12;
const EXCERPT = 60;

/** The dialog, loaded once even if the reader opens it again while it loads. */
let dialog: Promise<HTMLDialogElement> | undefined;

/** The words around the place where the query, or the beginning of it, stands. */
export function excerpt(text: string, query: string): string {
  // A full-width letter matches its half-width form; positions are those of the printed text.
  const characters = [...text];
  const plain = characters.map(plainForm);
  const wanted = plainForm(query);
  const all = plain.join('');
  let found = all.indexOf(wanted);
  if (found < 0) found = all.indexOf([...wanted].slice(0, 2).join(''));
  let at = 0;
  for (let passed = 0; passed < found; at++) passed += plain[at]?.length ?? 1;
  const from = Math.max(0, at - EXCERPT / 3);
  return `${from > 0 ? '…' : ''}${characters
    .slice(from, from + EXCERPT)
    .join('')
    .trim()}…`;
}

function makeDialog(index: MiniSearch<SearchEntry>, base: URL): HTMLDialogElement {
  const made = document.createElement('dialog');
  made.className = 'search';
  made.setAttribute('aria-label', '查找');
  const form = document.createElement('form');
  form.method = 'dialog';
  const input = document.createElement('input');
  input.type = 'search';
  input.autocomplete = 'off';
  input.setAttribute('aria-label', '查找内容');
  input.placeholder = '例如：温度、梯度、softmax';
  const close = document.createElement('button');
  close.textContent = '关闭';
  close.type = 'button';
  close.addEventListener('click', () => made.close());
  const count = document.createElement('p');
  count.setAttribute('role', 'status');
  const list = document.createElement('ol');
  form.append(input, close);
  made.append(form, count, list);

  const find = () => {
    const query = input.value.trim();
    const results = query === '' ? [] : index.search(query);
    count.textContent =
      query === ''
        ? ''
        : results.length === 0
          ? `没有找到「${query}」。`
          : `找到${results.length}处。`;
    list.replaceChildren(
      ...results.slice(0, MOST_RESULTS).map((result) => {
        const item = document.createElement('li');
        const link = document.createElement('a');
        link.href = new URL(String(result.id), base).href;
        link.textContent = [result['title'], result['section']].filter(Boolean).join(' · ');
        link.addEventListener('click', () => made.close());
        const words = document.createElement('p');
        words.textContent = excerpt(String(result['text']), query);
        item.append(link, words);
        return item;
      }),
    );
  };
  input.addEventListener('input', (event) => {
    if (!(event as InputEvent).isComposing) find();
  });
  input.addEventListener('compositionend', find);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const first = list.querySelector('a');
    if (first) {
      made.close();
      location.href = first.href;
    }
  });
  document.body.append(made);
  return made;
}

/** The dialog works even if its style sheet fails to load. */
function styled(): Promise<void> {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = new URL(style, import.meta.url).href;
  document.head.append(link);
  return new Promise((resolve) => {
    link.onload = link.onerror = () => resolve();
  });
}

async function load(base: URL): Promise<HTMLDialogElement> {
  const [response] = await Promise.all([fetch(new URL('search-index.json', base)), styled()]);
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  return makeDialog(MiniSearch.loadJSON<SearchEntry>(await response.text(), searchOptions), base);
}

/** Shown in place of the dialog when loading fails; opening it again repeats the attempt. */
function showLoadFailure(): void {
  const missing = document.createElement('dialog');
  missing.className = 'search';
  const sentence = document.createElement('p');
  sentence.textContent = '查找用的索引载入失败，请刷新页面再试。';
  const form = document.createElement('form');
  form.method = 'dialog';
  const close = document.createElement('button');
  close.textContent = '关闭';
  form.append(close);
  missing.append(sentence, form);
  missing.addEventListener('close', () => missing.remove());
  document.body.append(missing);
  missing.showModal();
}

export async function openSearch(base: URL): Promise<void> {
  try {
    const shown = await (dialog ??= load(base));
    if (!shown.open) shown.showModal();
  } catch (error) {
    console.warn('attn-lessons: the search index did not load', error);
    dialog = undefined;
    showLoadFailure();
  }
}
