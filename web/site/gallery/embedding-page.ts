// How the widgets are put into other people's pages.

import {HOST_PROPERTIES} from '../declarations.js';
import type {MadePage} from '../paths.js';

const properties = HOST_PROPERTIES.map(({name, what}) => `| \`${name}\` | ${what} |`);

const MESSAGES = [
  ["{type: 'attn:size', width, height}", '小工具变高或变矮时'],
  ['\'{"subject": "lti.frameResize", "height": …}\'', '同时，写成Canvas认得的样子'],
  ["{type: 'attn:ready'}", '要载入的都到了'],
  ["{type: 'attn:change', state, result}", '状态变了之后，或者外层来问'],
  ["{type: 'attn:error', code, message}", '给的值用不了'],
].map(([message, when]) => `| \`${message}\` | ${when} |`);

const ORDERS = [
  ["{type: 'attn:set', state}", '换掉给出的几项'],
  ["{type: 'attn:theme', theme}", '换成`auto`、`light`或`dark`'],
  ["{type: 'attn:reset'}", '回到最初的状态'],
  ["{type: 'attn:get'}", '问现在的状态，答的是`attn:change`'],
].map(([message, what]) => `| \`${message}\` | ${what} |`);

export function embeddingPage(): MadePage {
  return {
    path: 'widgets/embedding/index.md',
    markdown: [
      '## 三种办法 {#ways}',
      '',
      '把`dist/`整个放到你的服务器上，或直接用这里的地址。三种办法都不向别处发请求。',
      '',
      '- **标签**最灵活：属性、状态、事件都能用脚本读写。',
      '- **iframe**用在不许放脚本的地方。',
      '- **图片**用在连iframe也不许的地方。',
      '',
      '要复制的写法在[每个小工具](/widgets/index.html)自己的页上：先把它调成要的样子，再复制，状态就带在里面。' +
        '有一页[现成的例子](/embed/example.html)；编辑器用的清单是`embed/custom-elements.json`。',
      '',
      '## 打包工具和框架 {#package}',
      '',
      '`npm run package`写出`dist/packages/`里的npm包。计算模块带在脚本里，Vite、webpack、esbuild都不用设置，服务器上渲染时也可以引用。',
      '',
      "- **一个小工具**：`import 'attn-lessons/softmax'`；全部：`import 'attn-lessons'`，页面上有哪个标签才载入哪个。",
      "- **React 19**：先`await ready`（`import {ready} from 'attn-lessons/softmax'`）再画第一次，" +
        '然后写`<attn-softmax state={state} onattn-change={…} />`。',
      '- **Vue 3**：`h("attn-softmax", {".state": state, onAttnChange})`；' +
        '写在模板里，要告诉编译器`attn-`开头的是组件（`isCustomElement`）。',
      '- **reveal.js**：标签写进`<section>`里就行。正用着的键留在小工具里，别的键仍然翻页。',
      '- **只许放一个普通脚本**：`<script src="classic.js">`，全部小工具装在一个文件里，从U盘双击打开也能用。',
      '',
      '受控地用（状态由外层拿着）时，每变一次只发一次`attn-change`，写回一样的状态不再发。',
      '',
      '## 不联网 {#offline}',
      '',
      '`npm run offline`写出`dist/offline/`：每课一个HTML文件，双击就能用，小工具都会动；旁边是整个站点的zip。',
      '',
      '## 服务器要发什么 {#server}',
      '',
      '别的网站要用这里的地址，或把iframe放进`sandbox`，服务器得发送`Access-Control-Allow-Origin: *`。' +
        "页面有内容安全策略（CSP）时，`script-src`要有`'wasm-unsafe-eval'`；没有的话，标签里原来的内容会留着，并说明原因。",
      '',
      '## 每个标签都有的 {#common}',
      '',
      '- 属性`theme`：`auto`（跟随系统，默认）、`light`、`dark`。',
      '- 属性`lang`：目前只有`zh`。',
      '- 属性`version`：各页列出的写法是第1版；写了别的版本号，就用默认值，并说一句。',
      '- 性质`state`：输入，能读能写，写时只换给出的几项，属性跟着变。`result`：算出来的结果，只读。两个都是普通的JSON。',
      '- 方法`toSVG()`：现在的图。',
      '',
      '## 和iframe互通消息 {#messages}',
      '',
      '| 消息 | 什么时候 |',
      '| --- | --- |',
      ...MESSAGES,
      '',
      '`embed/fit.js`照第一种调整iframe的高度，外层引用它一次就够。',
      '',
      '外层用`iframe.contentWindow.postMessage(消息, "*")`发这几种；别的窗口发来的不理会：',
      '',
      '| 消息 | 做什么 |',
      '| --- | --- |',
      ...ORDERS,
      '',
      '## 换上你的颜色 {#colours}',
      '',
      '下面的样式变量可以写在标签上，或写在它外层的元素上。别的样式进不去，也出不来。',
      '',
      '| 变量 | 管什么 |',
      '| --- | --- |',
      ...properties,
      '',
    ].join('\n'),
    data: {
      title: '放进你的网页',
      description: '把小工具放进别的网页：标签、iframe或图片，服务器要发的头，消息和样式变量。',
      lead: '每个小工具都能放进讲义、博客或教学平台：一个标签、一个iframe，或一张图。',
    },
  };
}
