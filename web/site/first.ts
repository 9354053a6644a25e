// Runs before the first paint, as a script without imports: what would otherwise change the page
// after it is seen.

import './chosen-theme.js';
import './veil.js';

/** A page opened by double-click has no host. An offline file has a base of its own. */
const {base} = document.documentElement.dataset;
if (!location.host && base?.[0] === '.')
  document.write(`<script src="${base}assets/opened.js"></script>`);
