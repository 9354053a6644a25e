// Runs in a bare page before its first paint. It sets the theme of the address, and shows a
// sentence if the page's own script fails to load, as in a sandboxed frame from a server without
// CORS.

const theme = new URLSearchParams(location.search).get('theme');
if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme;

addEventListener(
  'error',
  ({target}) => {
    if (!(target instanceof HTMLScriptElement) || target.type !== 'module') return;
    const showMessage = () => {
      const widget = document.querySelector('main > :last-child');
      const notice = document.createElement('p');
      notice.className = 'core-missing';
      notice.setAttribute('role', 'status');
      notice.textContent =
        '脚本载入失败，下面的图停在构建时的样子。放在sandbox里的页面，服务器要发送Access-Control-Allow-Origin。';
      widget?.before(notice);
      widget?.toggleAttribute('static', true);
    };
    if (document.readyState === 'loading')
      document.addEventListener('DOMContentLoaded', showMessage);
    else showMessage();
  },
  true,
);
