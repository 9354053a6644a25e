// Every link of a page leads somewhere.
import {readFileSync} from 'node:fs';
import {resolve} from '../../../web/tools/serve.mjs';
import type {Site} from '../site.js';
import {helpersOf, type InPage} from './in-page.js';

/**
 * The ids that a fragment can refer to, by page file. Fragments cannot refer to ids in shadow
 * roots.
 */
const idsOfFile = new Map<string, Set<string>>();

async function idsIn(page: InPage, file: string): Promise<Set<string>> {
  let ids = idsOfFile.get(file);
  if (!ids) {
    // DOMParser leaves declarative shadow roots as templates, so the query does not find their ids.
    const list = await page.evaluate(
      (html) =>
        [
          ...new DOMParser().parseFromString(html, 'text/html').querySelectorAll('[id], a[name]'),
        ].map((element) => element.id || (element.getAttribute('name') ?? '')),
      readFileSync(file, 'utf8'),
    );
    idsOfFile.set(file, (ids = new Set(list)));
  }
  return ids;
}

/** False for a percent sign that is not part of an escape. */
function isEscaped(url: string): boolean {
  try {
    return decodeURIComponent(url) !== '';
  } catch {
    return false;
  }
}

/** Every address on the page leads to a file of the site, every fragment to an element there. */
export async function links(page: InPage, site: Site): Promise<string[]> {
  const found = await page.evaluate(
    ({elements, path}) => {
      const attributes = ['href', 'src', 'action', 'poster', 'xlink:href'];
      return elements().flatMap((element) => {
        const addresses = attributes.map((name) => element.getAttribute(name));
        // The `data` of a widget is not an address.
        if (element.localName === 'object') addresses.push(element.getAttribute('data'));
        const candidates = element.getAttribute('srcset')?.split(',') ?? [];
        addresses.push(...candidates.map((candidate) => candidate.trim().split(/\s+/)[0] ?? ''));
        return addresses
          .filter((address) => address !== null)
          .map((address) => ({
            address,
            // A reference inside a picture (<use href="#…">) is looked up in its own shadow root.
            local:
              element.namespaceURI === 'http://www.w3.org/2000/svg' &&
              address.startsWith('#') &&
              (element.getRootNode() as Document | ShadowRoot).getElementById(address.slice(1)) !==
                null,
            url: URL.canParse(address, document.baseURI)
              ? new URL(address, document.baseURI).href
              : '',
            where: path(element),
          }));
      });
    },
    await helpersOf(page),
  );
  const origin = new URL(site.url).origin;
  const findings: string[] = [];
  for (const {address, local, url, where} of found) {
    if (local) continue;
    const broken = (why: string) => findings.push(`${where}: ${address} ${why}`);
    if (!url || !isEscaped(url)) {
      broken('is no address');
      continue;
    }
    const target = new URL(url);
    if (['https:', 'mailto:', 'data:'].includes(target.protocol)) continue;
    if (target.origin !== origin) {
      broken('has a protocol that no reader can follow');
      continue;
    }
    const clean = target.origin + target.pathname;
    if (!clean.startsWith(site.url)) {
      broken('leaves the folder that the site is in');
      continue;
    }
    const file = resolve(site.folder, `/${decodeURIComponent(clean.slice(site.url.length))}`);
    if (!file || !('file' in file)) {
      broken(file ? 'is a folder and lacks its slash' : 'leads nowhere');
      continue;
    }
    // A widget's state follows a question mark: #widget?scores=8,7,9
    const id = decodeURIComponent(target.hash.slice(1).split('?')[0] ?? '');
    if (id && id !== 'top' && file.file.endsWith('.html')) {
      if (!(await idsIn(page, file.file)).has(id)) broken('points at an id that the page lacks');
    }
  }
  return [...new Set(findings)];
}
