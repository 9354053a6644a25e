// The same figure file, from a live view.

import {render, type TemplateResult} from 'lit';
import {writeFigure, type Drawing, type FigureText} from './figure.js';

function drawingsIn(parent: ParentNode): (Drawing | string)[] {
  return [...parent.childNodes].flatMap((node): (Drawing | string)[] => {
    if (node instanceof Text) return [node.data];
    if (!(node instanceof Element)) return [];
    const attributes = [...node.attributes].map(({name, value}) => [name, value] as const);
    return [{name: node.localName, attributes, children: drawingsIn(node)}];
  });
}

export function figureFromTemplate(template: TemplateResult, words: FigureText): string {
  const box = document.createElement('div');
  render(template, box);
  return writeFigure(drawingsIn(box), words);
}
