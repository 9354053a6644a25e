// The part of the pages' script that is loaded after the widgets: the cards of numbers, and the
// reader's progress. Until then a number is a link to its row in the table of sources.

import {showSources} from './number-cards.js';
import {showProgress} from './progress.js';

export function startLater(): void {
  showSources();
  if (document.querySelector('[data-progress]')) showProgress();
}
