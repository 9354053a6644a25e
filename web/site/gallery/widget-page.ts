// The page of one widget: live, where the course shows it, its attributes and events, and the code
// to embed it in another page.

import {iframeSnippet, markdownSnippet, tagSnippet} from '../../embed/snippets.js';
import type {Declaration} from '../declarations.js';
import {escapeHtml} from '../html.js';
import {BASE, type MadePage} from '../paths.js';
import type {Shown} from './shown.js';

/** Numbers in the widgets' texts are taken from this lesson's numbers. */
export const EXAMPLES_FROM = 'c3/l03';

/** Height of an iframe before its widget reports its own. */
const IFRAME_HEIGHT = 640;
/** The address of dist/ until a script fills in the page's own. */
const SITE = 'attn/';

/** Markdown replaces braces with a number's name. */
const cell = (text: string) => escapeHtml(text).replaceAll('{', '&#123;');
const code = (text: string) => (text === '' ? '' : `<code>${cell(text)}</code>`);

function copyable(name: string, label: string, text: string): string {
  return (
    `<div class="snippet wide"><p><b>${label}</b>` +
    `<button type="button" class="scripted" data-copy="${name}">复制</button></p>` +
    `<pre tabindex="0" aria-label="${label}">` +
    `<code data-snippet="${name}">${escapeHtml(text)}</code></pre></div>`
  );
}

/** The texts to copy. The search leaves out every part of class "reference". */
function take({tag}: Declaration, title: string): string[] {
  const name = tag.replace('attn-', '');
  const figure = `figures/widgets-w-${name}.svg`;
  const what = {site: SITE, tag, title, attributes: [], figure, height: IFRAME_HEIGHT};
  return [
    `<section class="part reference take" data-widget="w-${name}" data-figure="${figure}">`,
    '<h2 id="take">放进你的网页</h2>',
    '<p>下面各样都带着小工具现在的状态：先在上面调好，再复制。' +
      `<a href="${BASE}widgets/embedding/index.html">怎样放、服务器要发什么</a></p>`,
    copyable('tag', '标签', tagSnippet(what)),
    copyable('iframe', 'iframe', iframeSnippet(what)),
    copyable('markdown', 'Markdown图片（默认状态，不用脚本）', markdownSnippet(what)),
    '<div class="snippet wide scripted"><p><b>链接</b><button type="button" data-copy="link">复制' +
      '</button></p><pre tabindex="0" aria-label="链接"><code data-snippet="link"></code>' +
      '</pre></div>',
    `<p class="downloads"><a href="${BASE}embed/${tag}.html">单独页面</a>` +
      ['svg', 'png', 'csv']
        .map(
          (kind) =>
            `<button type="button" class="scripted" data-save="${kind}">` +
            `保存${kind.toUpperCase()}</button>`,
        )
        .join('') +
      '</p>',
    '</section>',
    '',
  ];
}

function table(label: string, head: readonly string[], rows: readonly string[]): string {
  const columns = head.map((name) => `<th scope="col">${name}</th>`).join('');
  return (
    `<div class="scroll wide" tabindex="0" role="group" aria-label="${label}"><table><thead><tr>` +
    `${columns}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`
  );
}

function reference({fields, result}: Declaration): string[] {
  const attributes = fields.map(
    ({name, what, takes, fallback, type}) =>
      `<tr><th scope="row"><code>${name}</code></th><td>${cell(what)}</td>` +
      `<td>${cell(takes)}</td><td>${code(fallback)}</td><td>${code(type)}</td></tr>`,
  );
  const event = (name: string, when: string, detail: string) =>
    `<tr><th scope="row"><code>${name}</code></th><td>${when}</td><td>${code(detail)}</td></tr>`;
  return [
    '<section class="part reference">',
    '<h2 id="attributes">属性和状态</h2>',
    '<p>每个属性也是<code>state</code>里同名的一项，能读能写；元素自己没有这个名字的，还能直接写<code>element.名字</code>。</p>',
    table('属性和状态', ['属性', '是什么', '写法', '默认', 'state里'], attributes),
    `<p class="wide"><code>result</code>是算出来的，只读：${code(`{${result}}`)}</p>`,
    '</section>',
    '<section class="part reference">',
    '<h2 id="events">事件</h2>',
    '<p>都冒泡，也穿过影子树。</p>',
    table(
      '事件',
      ['事件', '什么时候', 'detail'],
      [
        event('attn-ready', '要载入的都到了，只发一次', '{state, result}'),
        event('attn-change', '状态变了之后；一起改的只发一次', '{state, result}'),
        event('attn-error', '给的值用不了；图仍是上一次的', '{code, message}'),
      ],
    ),
    '</section>',
    '',
  ];
}

function used({places}: Shown): string[] {
  if (places.length === 0) return [];
  const items = places.map(
    ({href, title}) => `<li><a href="${BASE}${href}">${escapeHtml(title)}</a></li>`,
  );
  return [
    '<section class="part reference">',
    '<h2 id="used">用在哪里</h2>',
    `<ul>${items.join('')}</ul>`,
    '</section>',
    '',
  ];
}

function onward(before: Shown | undefined, after: Shown | undefined): string {
  const link = (rel: string, {declaration: {tag, name}}: Shown) =>
    `<a rel="${rel}" href="${BASE}widgets/${tag}/index.html">` +
    `${rel === 'prev' ? '← ' : ''}${escapeHtml(name)}${rel === 'next' ? ' →' : ''}</a>`;
  return (
    '<nav class="onward" aria-label="前一个与后一个小工具">' +
    (before ? link('prev', before) : '') +
    `<a href="${BASE}widgets/index.html">全部小工具</a>` +
    `${after ? link('next', after) : ''}</nav>`
  );
}

/** @param neighbours  the widgets before and after it on the wall */
export function widgetPage(
  shown: Shown,
  {before, after}: {before?: Shown | undefined; after?: Shown | undefined},
): MadePage {
  const {declaration, title} = shown;
  const {tag, name, summary} = declaration;
  return {
    path: `widgets/${tag}/index.md`,
    markdown: [
      // Headings inside a widget are of the third level.
      '<h2 id="try">试一试</h2>',
      '',
      `<${tag} id="w-${tag.replace('attn-', '')}">`,
      `</${tag}>`,
      '',
      ...used(shown),
      ...take(declaration, title),
      ...reference(declaration),
      onward(before, after),
      '',
    ].join('\n'),
    data: {
      title: name,
      gallery: 'take',
      eyebrow: `<a href="${BASE}widgets/index.html">小工具</a> · <code>&lt;${tag}&gt;</code>`,
      description: `${name}：${summary}`,
      lead: summary,
    },
  };
}
