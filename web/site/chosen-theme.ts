// Runs before the first paint: the reader's choice of light or dark.

let chosen: string | null = null;
try {
  chosen = localStorage.getItem('attn-theme');
} catch {
  // Storage is refused: the system's choice is used.
}
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset['theme'] = chosen;
