// Takes over the widgets that the build has drawn. Lit recommends importing its hydration support
// before any other part of Lit. The scripts share their Lit bundle with foreign pages, which have
// no drawn widgets, so here Lit is loaded first.

import {LitElement} from 'lit';
import '@lit-labs/ssr-client/lit-element-hydrate-support.js';

declare global {
  var litElementHydrateSupport: ((lit: {LitElement: typeof LitElement}) => void) | undefined;
}

/** The pages' script gets both with one request. */
export {startWidgets} from '../elements/start.js';

globalThis.litElementHydrateSupport?.({LitElement});
