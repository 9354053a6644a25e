// Runs before the first paint: the reader's choice of light or dark.

const chosen = localStorage.getItem('attn-theme');
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset['theme'] = chosen;
