// Widgets that the build has drawn are taken over as they stand. Lit's own way is to import its
// support before anything else of Lit; in a bundle that the pages share with other people's, which
// have nothing drawn, Lit is there first.

import {LitElement} from 'lit';
import '@lit-labs/ssr-client/lit-element-hydrate-support.js';

declare global {
  var litElementHydrateSupport: ((lit: {LitElement: typeof LitElement}) => void) | undefined;
}

globalThis.litElementHydrateSupport?.({LitElement});
