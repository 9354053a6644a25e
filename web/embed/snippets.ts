// Texts that people copy from a widget's page into their own pages. The build writes the default
// state, the page's script the reader's.

export interface Snippet {
  /** Address of the site's root, with the slash at its end. */
  site: string;
  tag: string;
  title: string;
  /** Text form of the fields that differ from the default. */
  attributes: readonly (readonly [name: string, text: string])[];
  /** Below the root; of the default state. */
  figure: string;
  /** The widget's current height in pixels. */
  height: number;
}

function quoted(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** The figure shows the default state until the widget is loaded; other states go without it. */
export function tagSnippet({site, tag, title, attributes, figure}: Snippet): string {
  const written = attributes.map(([name, text]) => ` ${name}="${quoted(text)}"`).join('');
  const still =
    attributes.length === 0
      ? `\n  <img src="${quoted(site + figure)}" alt="${quoted(title)}">\n`
      : '';
  const script = `<script type="module" src="${quoted(site)}embed/attn.js"></script>`;
  return `${script}\n<${tag}${written}>${still}</${tag}>`;
}

function frameAddress({site, tag}: Pick<Snippet, 'site' | 'tag'>, query: string): string {
  return `${site}embed/${tag}.html${query ? `?${query}` : ''}`;
}

export function iframeSnippet(snippet: Snippet, query = ''): string {
  const {site, title, height} = snippet;
  const address = quoted(frameAddress(snippet, query));
  return `<script type="module" src="${quoted(site)}embed/fit.js"></script>
<iframe src="${address}" title="${quoted(title)}" width="100%" height="${height}"
  sandbox="allow-scripts allow-popups" allow="clipboard-write"
  loading="lazy" frameborder="0"></iframe>`;
}

export function markdownSnippet({site, title, figure}: Snippet): string {
  return `![${title}](${site}${figure})`;
}
