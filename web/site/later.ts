// The part of the pages' script that is loaded after the widgets, once a new reader points, types
// or scrolls: cards of numbers, marks that light together, ghosts of guesses, boxes that scroll by
// keyboard, and the reader's progress. Until then a number is a link to its row in the table of
// sources.

import {showGuesses} from './guesses.js';
import {showSources} from './number-cards.js';
import {lightThings} from './pointing.js';
import {showProgress} from './progress.js';
import {stopAtBroad} from './scrollers.js';

export function startLater(): void {
  showSources();
  stopAtBroad();
  lightThings();
  showGuesses();
  if (document.querySelector('[data-progress]')) showProgress();
}
