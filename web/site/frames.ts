// The pages with a single widget, for iframes, and the list of all widgets for editors.

import {join} from 'node:path';
import {register, TAGS, widgetClass} from '../elements/registry.js';
import {runtime} from '../shared/runtime.js';
import {titleOf, type Widgets} from './page-widgets.js';
import {styleLink, type ClientAssets} from './assets.js';
import {customElementsManifest, declarationOf} from './declarations.js';
import {drawBarePage} from './drawn-page.js';
import {framePage, type Shown} from './gallery-page.js';
import {jsonAttributes} from './html.js';
import {BASE} from './paths.js';
import {write} from './write.js';

/** Every widget in its default state. */
export async function shownWidgets(widgets: Widgets): Promise<Shown[]> {
  await register(TAGS);
  return Promise.all(
    TAGS.map(async (tag) => {
      const widget = await widgetClass(tag);
      const title = titleOf(widgets.byDefault(widget.spec));
      return {declaration: declarationOf(widget), title};
    }),
  );
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
