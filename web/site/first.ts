// Runs before the first paint, as a script without imports: what would otherwise change the page
// after it is seen.

import './chosen-theme.js';
import './veil.js';
