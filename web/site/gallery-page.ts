// The gallery: every widget in use, its attributes, and the code to embed it in another page.

import {iframeSnippet, markdownSnippet, tagSnippet} from '../embed/snippets.js';
import {HOST_PROPERTIES, type Declaration} from './declarations.js';
import {escapeHtml} from './html.js';
import {BASE, type MadePage} from './paths.js';

/** Numbers in the widgets' texts are taken from this lesson's numbers. */
export const EXAMPLES_FROM = 'c3/l03';

/** Height of an iframe before its widget reports its own. */
const IFRAME_HEIGHT = 640;
/** The address of dist/ until a script fills in the gallery's own. */
const SITE = 'attn/';

export interface Shown {
  declaration: Declaration;
  title: string;
}

const nameOf = (tag: string) => tag.replace('attn-', '');
/** Path of the static figure of a gallery's widget, below the site's root. */
const figureOf = (tag: string) => `figures/widgets-w-${nameOf(tag)}.svg`;

const cell = (text: string) => escapeHtml(text).replaceAll('{', '&#123;');
const code = (text: string) => (text === '' ? '' : `<code>${cell(text)}</code>`);

function copyable(name: string, label: string, text: string): string {
  return (
    `<div class="snippet"><p><b>${label}</b>` +
    `<button type="button" class="scripted" data-copy="${name}">复制</button></p>` +
    `<pre tabindex="0" aria-label="${label}">` +
    `<code data-snippet="${name}">${escapeHtml(text)}</code></pre></div>`
  );
}

function section({declaration: {tag, fields, result}, title}: Shown): string {
  const name = nameOf(tag);
  const what = {
    site: SITE,
    tag,
    title,
    attributes: [],
    figure: figureOf(tag),
    height: IFRAME_HEIGHT,
  };
  return [
    `## ${title} {#${name}}`,
    '',
    `<p class="tag-name"><code>&lt;${tag}&gt;</code> · <a href="/embed/${tag}.html">单独页面</a></p>`,
    '',
    `<${tag} id="w-${name}">`,
    `</${tag}>`,
    '',
    `<details class="box take" data-widget="w-${name}" data-figure="${figureOf(tag)}">` +
      `<summary>放进你的网页</summary>`,
    `<p>下面各样都带着这个小工具现在的状态；先在上面调好，再复制。</p>`,
    copyable('tag', '标签', tagSnippet(what)),
    copyable('iframe', 'iframe', iframeSnippet(what)),
    copyable('markdown', 'Markdown图片（默认状态，不用脚本）', markdownSnippet(what)),
    `<div class="snippet scripted"><p><b>链接</b><button type="button" data-copy="link">复制` +
      `</button></p><pre tabindex="0" aria-label="链接"><code data-snippet="link"></code>` +
      `</pre></div>`,
    `<p class="scripted downloads"><button type="button" data-save="svg">保存SVG</button>` +
      `<button type="button" data-save="png">保存PNG</button>` +
      `<button type="button" data-save="csv">保存CSV</button></p>`,
    '</details>',
    '',
    '<details class="box"><summary>属性、状态、事件</summary>',
    '<div class="scroll" tabindex="0" role="group" aria-label="属性和状态"><table>',
    '<thead><tr><th scope="col">属性</th><th scope="col">是什么</th><th scope="col">写法</th>' +
      '<th scope="col">默认</th><th scope="col">state里</th></tr></thead><tbody>',
    ...fields.map(
      (field) =>
        `<tr><th scope="row"><code>${field.name}</code></th><td>${cell(field.what)}</td>` +
        `<td>${cell(field.takes)}</td><td>${code(field.fallback)}</td>` +
        `<td>${code(field.type)}</td></tr>`,
    ),
    '</tbody></table></div>',
    `<p><code>result</code>：${code(`{${result}}`)}</p>`,
    '<p>事件：<code>attn-change</code>，<code>detail</code>是<code>&#123;state, result}</code>；' +
      '<code>attn-error</code>，<code>detail</code>是<code>&#123;code, message}</code>。都冒泡，' +
      '也穿过影子树。</p>',
    '</details>',
    '',
  ]
    .map((line) => line.replaceAll('href="/', `href="${BASE}`))
    .join('\n');
}

/** The page of all widgets, in the order in which tags are registered. */
export function galleryPage(shown: readonly Shown[]): MadePage {
  return {
    path: 'widgets/index.md',
    markdown: galleryMarkdown(shown),
    data: {
      title: '小工具',
      description: '这门课的每个小工具：现场可用，也能放进你的网页。',
      lead: '课里的每个小工具都在这里，能单独用，也能放进你的网页：一个标签、一个iframe，或一张图。',
    },
  };
}

function galleryMarkdown(shown: readonly Shown[]): string {
  const links = shown.map(
    ({declaration: {tag}, title}) => `<li><a href="#${nameOf(tag)}">${escapeHtml(title)}</a></li>`,
  );
  return [
    `<nav class="wide pick" aria-label="小工具"><ul>${links.join('')}</ul></nav>`,
    '',
    '把`dist/`整个放到你的服务器上，或直接用这里的地址。标签最灵活：属性、状态、事件都能用脚本读写。不许放脚本的地方用iframe，连iframe也不许的地方用图片。' +
      '三样都不向别处发请求。',
    '',
    '别的网站要用这里的地址，或把iframe放进`sandbox`，服务器得发送`Access-Control-Allow-Origin: *`。' +
      "页面有内容安全策略（CSP）时，`script-src`要有`'wasm-unsafe-eval'`；没有的话，标签里原来的内容会留着，并说明原因。",
    '',
    '有一页[现成的例子](/embed/example.html)；编辑器用的清单是`embed/custom-elements.json`。',
    '',
    ...shown.map(section),
    '## 所有小工具共有的 {#common}',
    '',
    '- 属性`theme`：`auto`（跟随系统，默认）、`light`、`dark`。',
    '- 属性`lang`：目前只有`zh`。',
    '- 属性`version`：上面这些写法是第1版；写了别的版本号，就用默认值，并说一句。',
    '- 性质`state`：输入，能读能写，写时只换给出的几项，属性跟着变。`result`：算出来的结果，只读。两个都是普通的JSON。',
    '- 方法`toSVG()`：现在的图。',
    "- iframe页给外层发的消息：`{type: 'attn:size', width, height}`和`{type: 'attn:change', state, " +
      'result}`。`embed/fit.js`照前一种调高度，外层引用它一次就够。',
    `- 可以在标签上或外层设的样式变量：` +
      `${HOST_PROPERTIES.map(({name, what}) => `\`${name}\`（${what}）`).join('、')}。别的样式进不去，也出不来。`,
    '',
  ].join('\n');
}

/** A page that holds one widget and nothing else. */
export function framePage(
  {declaration: {tag}, title}: Shown,
  attributes: string,
  head: readonly string[],
): string {
  return `<!doctype html>
<html lang="zh-CN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · 注意力 · 一问一课</title>
<meta name="color-scheme" content="light dark">
<base target="_blank">
${head.join('\n')}
</head>
<body>
<main><h1>注意力 · 一问一课</h1><h2>${escapeHtml(title)}</h2><${tag}${attributes}></${tag}></main>
</body>
</html>
`;
}
