// The pages with a single widget, for iframes, and the list of all widgets for editors.

import {join} from 'node:path';
import {runtime} from '../shared/runtime.js';
import {styleLink, type ClientAssets} from './assets.js';
import {customElementsManifest} from './declarations.js';
import {drawBarePage} from './drawn-page.js';
import type {Shown} from './gallery/shown.js';
import {escapeHtml, jsonAttributes} from './html.js';
import type {Widgets} from './page-widgets.js';
import {BASE} from './paths.js';
import {write} from './write.js';

/** A page that holds one widget and nothing else. */
function framePage(
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

export async function writeFrames(
  out: string,
  widgets: Widgets,
  shown: readonly Shown[],
  assets: ClientAssets,
): Promise<void> {
  const {early, styles, script} = assets.frame;
  runtime.place = 'frame';
  for (const each of shown) {
    const {tag} = each.declaration;
    const html = framePage(each, jsonAttributes(widgets.addedAttributes(widgets.read(tag, {}))), [
      `<link rel="icon" href="${BASE}favicon.svg" type="image/svg+xml">`,
      `<script src="${BASE}${early}"></script>`,
      ...styles.map(styleLink),
      '<!--chunks-->',
      `<script type="module" src="${BASE}${script}"></script>`,
    ]);
    write(join(out, `embed/${tag}.html`), await drawBarePage(html, '/embed/', assets));
  }
  runtime.place = 'course';
  const manifest = customElementsManifest(shown.map(({declaration}) => declaration));
  write(join(out, 'embed/custom-elements.json'), `${JSON.stringify(manifest, null, 1)}\n`);
}
