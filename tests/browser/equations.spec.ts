// Every equation that a built page prints holds as printed: text, tables, figures, number cards.
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from '@playwright/test';
import {blocksOf} from '../web/page-text.js';
import {equationsIn, holds} from '../web/printed-equations.js';
import {dist, pagesOf} from './site.js';

test('the equations of every page hold as printed', () => {
  test.setTimeout(180_000);
  const seen = new Set<string>();
  const wrong: string[] = [];
  for (const page of pagesOf(dist))
    for (const block of blocksOf(readFileSync(join(dist, page), 'utf8')))
      for (const equation of equationsIn(block)) {
        if (!holds(equation)) wrong.push(`${page}: ${equation.text}`);
        seen.add(equation.text);
      }
  expect(wrong).toEqual([]);
  // The parser still finds three known equations: from text, table and steps.
  for (const known of ['512＋64＝576个数', '15 ÷ 21＝71.4 %', '50×50×512＝1,280,000'])
    expect([...seen]).toContain(known);
  expect(seen.size).toBeGreaterThan(50);
});
