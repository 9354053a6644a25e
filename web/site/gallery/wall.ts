// The script of the gallery. A link to a widget with a state, from the time before each widget had
// a page of its own, goes on to that page.

import './wall.css';

const [, id = '', query] = /^#w-([\w-]+)\?(.+)$/.exec(location.hash) ?? [];
if (query && document.getElementById(`attn-${id}`))
  location.replace(`attn-${id}/index.html#w-${id}?${query}`);
