// This file tries widgets in React and Vue, controlled by the host's own state, and in reveal.js;
// then the types of the package.
import {cpSync} from 'node:fs';
import {createRequire} from 'node:module';
import type {Browser, Page} from 'puppeteer-core';
import ts from 'typescript';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {serve} from '../../web/tools/serve.mjs';
import {openBrowser, visit} from './browser.js';
import {documentOf, hostFolder, reach} from './places.js';

const require = createRequire(`${reach}package.json`);
const esbuild = require('esbuild') as {build(options: object): Promise<unknown>};

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const page = (body: string, head = '') =>
  documentOf(`${body}<script type="module" src="main.js"></script>`, head);

/** Bundles `main` beside a page and opens it; `then` works with the page. */
async function withHost(
  name: string,
  main: string,
  then: (page: Page) => Promise<void>,
  html = page('<div id="app"></div>'),
): Promise<void> {
  const root = hostFolder(name, {'main.jsx': main, 'dist/index.html': html});
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['main.jsx'],
    outdir: 'dist',
    bundle: true,
    splitting: true,
    format: 'esm',
    jsx: 'automatic',
    define: {'process.env.NODE_ENV': '"production"', __VUE_OPTIONS_API__: 'false'},
    logLevel: 'silent',
  });
  if (name === 'reveal')
    cpSync(`${reach}node_modules/reveal.js/dist/reveal.css`, `${root}dist/reveal.css`);
  const host = await serve({folder: `${root}dist`});
  const opened = await visit(browser, host.url);
  await opened.page.waitForSelector('attn-softmax[ready]');
  await then(opened.page);
  expect(opened.complaints).toEqual([]);
  await opened.page.close();
  await host.close();
}

/** The host counts the events in `window.events`, and has buttons that set its own state. */
const settle = (page: Page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50))));
const counted = (page: Page) =>
  page.evaluate(() => (window as unknown as {events: number}).events ?? 0);
const shown = (page: Page) =>
  page.evaluate(() => {
    const widget = document.querySelector('attn-softmax') as unknown as {scores: number[]};
    return `${widget.scores.join()} ${document.querySelector('output')?.textContent}`;
  });

/** One event for each change, whoever made it, and none for a state that is equal. */
async function controlled(page: Page): Promise<void> {
  expect(await shown(page)).toBe('1,2,3 1,2,3');
  const before = await counted(page);
  await page.click('#host');
  await settle(page);
  expect(await shown(page)).toBe('3,2,1 3,2,1');
  expect(await counted(page)).toBe(before + 1);
  await page.click('#host');
  await settle(page);
  expect(await counted(page)).toBe(before + 1);
  await page.evaluate(() => {
    (document.querySelector('attn-softmax') as unknown as {state: object}).state = {
      scores: [5, 5, 6],
    };
  });
  await settle(page);
  expect(await shown(page)).toBe('5,5,6 5,5,6');
  expect(await counted(page)).toBe(before + 2);
}

describe('frameworks', () => {
  it('React: a controlled widget fires once a change', async () => {
    const main = `import {useState} from 'react';
      import {createRoot} from 'react-dom/client';
      import {ready} from 'attn-lessons/softmax';
      function App() {
        const [state, setState] = useState({scores: [1, 2, 3]});
        return <>
          <attn-softmax state={state} onattn-change={(event) => {
            window.events = (window.events ?? 0) + 1;
            setState(event.detail.state);
          }} />
          <output>{state.scores.join()}</output>
          <button id="host" onClick={() => setState({...state, scores: [3, 2, 1]})}>3, 2, 1</button>
        </>;
      }
      // React 19 gives objects to the properties that an element has when it is made.
      await ready;
      createRoot(document.querySelector('#app')).render(<App />);`;
    await withHost('react', main, controlled);
  });

  it('Vue: a controlled widget fires once a change', async () => {
    const main = `import {createApp, h, ref} from 'vue';
      import 'attn-lessons/softmax';
      createApp({setup() {
        const state = ref({scores: [1, 2, 3]});
        return () => [
          h('attn-softmax', {
            '.state': state.value,
            onAttnChange: (event) => {
              window.events = (window.events ?? 0) + 1;
              state.value = event.detail.state;
            },
          }),
          h('output', state.value.scores.join()),
          h('button', {
            id: 'host',
            onClick: () => (state.value = {...state.value, scores: [3, 2, 1]}),
          }, '3, 2, 1'),
        ];
      }}).mount('#app');`;
    await withHost('vue', main, controlled);
  });

  it('reveal.js: keys of a widget stay in it, and slides keep theirs', async () => {
    const main = `import Reveal from 'reveal.js';
      import 'attn-lessons/softmax';
      window.deck = new Reveal({hash: false});
      window.deck.initialize();`;
    const html = page(
      `<div class="reveal"><div class="slides">
        <section><attn-softmax></attn-softmax></section><section><h2>二</h2></section>
      </div></div>`,
      '<link rel="stylesheet" href="reveal.css">',
    );
    const slide = (page: Page) =>
      page.evaluate(
        () => (window as unknown as {deck: {getIndices(): {h: number}}}).deck.getIndices().h,
      );
    const look = async (page: Page) => {
      const focus = (control: string) =>
        page.evaluate((wanted) => {
          const root = document.querySelector('attn-softmax')?.shadowRoot;
          root?.querySelector('details.exact')?.setAttribute('open', '');
          return [...(root?.querySelectorAll<HTMLElement>(wanted) ?? [])].some((control) => {
            control.focus();
            return root?.activeElement === control;
          });
        }, control);
      expect(await focus('[role=slider], input[type=range]')).toBe(true);
      await page.keyboard.press('ArrowRight');
      expect(await focus('input[type=text], input:not([type])')).toBe(true);
      await page.keyboard.press('b');
      await settle(page);
      expect(await slide(page)).toBe(0);
      expect(await page.$('.reveal.paused')).toBeNull();
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      await page.keyboard.press('ArrowRight');
      await settle(page);
      expect(await slide(page)).toBe(1);
    };
    await withHost('reveal', main, look, html);
  });
});

describe('types', () => {
  /** The compiler's complaints about a module, each with its line. */
  function said(name: string, text: string): string[] {
    const file = `${hostFolder(`types-${name}`, {[`${name}.tsx`]: text})}${name}.tsx`;
    const program = ts.createProgram([file], {
      strict: true,
      noEmit: true,
      jsx: ts.JsxEmit.ReactJSX,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      target: ts.ScriptTarget.ES2022,
      types: [],
    });
    return ts.getPreEmitDiagnostics(program).map(({file: at, start, messageText}) => {
      const line = at && start !== undefined ? at.getLineAndCharacterOfPosition(start).line + 1 : 0;
      return `${line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
    });
  }

  it('are right for elements and their events', () => {
    const text = `import 'attn-lessons/softmax';
      import type {AttnSoftmaxState} from 'attn-lessons';
      const widget = document.createElement('attn-softmax');
      widget.scores = [1, 2];
      widget.state = {method: 'share'};
      const weights: readonly {value: number}[] | undefined = widget.result?.trace.weights;
      widget.addEventListener('attn-change', ({detail}) => {
        const state: AttnSoftmaxState = detail.state;
        console.log(state.temperature.toFixed(2), weights);
      });`;
    expect(said('right', text)).toEqual([]);
  });

  it('refuse a wrong field, value or tag', () => {
    const text = `import 'attn-lessons/softmax';
      const widget = document.createElement('attn-softmax');
      widget.scores = 'many';
      widget.state = {method: 'soft'};
      widget.state = {score: [1]};`;
    expect(said('wrong', text).map((line) => Number.parseInt(line, 10))).toEqual([3, 4, 5]);
  });

  it('know the tags in JSX and the components of Vue', () => {
    const react = `import 'attn-lessons/react';
      export const right = <attn-softmax scores={[1, 2]} theme="dark" labels="甲,乙" />;
      export const wrong = <attn-softmax theme="blue" />;`;
    expect(said('react', react).map((line) => Number.parseInt(line, 10))).toEqual([3]);
    const vue = `import type {GlobalComponents} from 'vue';
      import 'attn-lessons/vue';
      type Props = InstanceType<GlobalComponents['attn-softmax']>['$props'];
      export const right: Props = {scores: '1,2', theme: 'dark'};
      export const wrong: Props = {theme: 'blue'};`;
    expect(said('vue', vue).map((line) => Number.parseInt(line, 10))).toEqual([5]);
  });
});
