// The button that switches between light, dark and the system's choice.

type Choice = 'light' | 'dark' | 'auto';

const NEXT: Record<Choice, Choice> = {auto: 'light', light: 'dark', dark: 'auto'};
const NAMES: Record<Choice, string> = {auto: '跟随系统', light: '亮', dark: '暗'};

export function switchTheme(): void {
  const button = document.querySelector<HTMLButtonElement>('#theme-switch');
  const root = document.documentElement;
  if (!button) return;
  const show = (choice: Choice) => {
    if (choice === 'auto') delete root.dataset['theme'];
    else root.dataset['theme'] = choice;
    button.setAttribute('aria-label', `明暗：${NAMES[choice]}`);
    button.textContent = choice === 'auto' ? '明暗' : NAMES[choice];
  };
  const current = (): Choice =>
    root.dataset['theme'] === 'light' || root.dataset['theme'] === 'dark'
      ? root.dataset['theme']
      : 'auto';
  show(current());
  button.addEventListener('click', () => {
    const choice = NEXT[current()];
    show(choice);
    try {
      if (choice === 'auto') localStorage.removeItem('attn-theme');
      else localStorage.setItem('attn-theme', choice);
    } catch {
      // Storage is refused: the choice is kept until the page is closed.
    }
  });
}
