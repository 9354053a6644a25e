// Checks the files themselves, without a browser.
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {HtmlValidate} from 'html-validate';
import type {Site} from '../site.js';

const validator = new HtmlValidate({
  root: true,
  extends: ['html-validate:standard'],
  rules: {
    // The strict policy ignores style attributes.
    'no-inline-style': 'error',
    // A raw ">" in text is valid.
    'no-raw-characters': 'off',
  },
});

/** The file is valid HTML. */
export async function validHtml(site: Pick<Site, 'folder'>, page: string): Promise<string[]> {
  const report = await validator.validateString(readFileSync(join(site.folder, page), 'utf8'));
  return report.results.flatMap(({messages}) =>
    messages.map(
      ({line, column, message, ruleId}) => `${page}:${line}:${column} ${message} (${ruleId})`,
    ),
  );
}
