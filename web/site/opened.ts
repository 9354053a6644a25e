// Browsers give no module scripts to a page that was opened by double-click, so such a page shows
// its widgets at rest, and names the file to open instead. The script first.ts loads this one.

const LESSON = /^c3\/(\w+)\/index\.html$/;

/** The address of the offline file that stands for this page. */
function offlineFile(base: URL): string {
  const path = location.href.replace(/[?#].*$/, '').slice(base.href.length);
  const name = LESSON.exec(path);
  return new URL(`offline/${name ? `c3-${name[1]}` : 'index'}.html`, base).href;
}

function explain(base: URL): void {
  const notice = document.createElement('p');
  notice.className = 'core-missing';
  notice.setAttribute('role', 'status');
  const link = document.createElement('a');
  link.href = offlineFile(base);
  link.textContent = link.href.slice(base.href.length);
  notice.append(
    '这一页是双击打开的，浏览器不许它载入脚本，图停在构建时的样子；会动的在npm run offline写出的',
    link,
    '里，双击就能用。',
  );
  document.querySelector('main')?.prepend(notice);
  for (const button of document.querySelectorAll<HTMLElement>('.scripted'))
    button.style.display = 'none';
  for (const element of document.querySelectorAll('*'))
    if (element.localName.startsWith('attn-')) element.toggleAttribute('static', true);
}

const explainHere = () =>
  explain(new URL(document.documentElement.dataset['base'] ?? './', location.href));
if (document.readyState === 'loading') addEventListener('DOMContentLoaded', explainHere);
else explainHere();
