// The same figure file, from a live view.

import {render, type TemplateResult} from 'lit';
import {composeFigure, type FigureText} from './figure.js';

export function figureFromTemplate(template: TemplateResult, words: FigureText): string {
  const box = document.createElement('div');
  render(template, box);
  return composeFigure(box.innerHTML, words);
}
