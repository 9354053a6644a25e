// Sorts the rows of the models' chart. The build wrote the place of each row in every order.

const list = document.querySelector('.sizes > ol');
const buttons = [...document.querySelectorAll<HTMLButtonElement>('.sizes [data-order]')];

function sort(order: string): void {
  const place = (row: HTMLElement) => Number(row.dataset[order]);
  const rows = [...(list?.children ?? [])] as HTMLElement[];
  list?.append(...rows.sort((a, b) => place(a) - place(b)));
}

for (const button of buttons)
  button.addEventListener('click', () => {
    sort(button.dataset['order'] ?? '');
    for (const other of buttons) other.setAttribute('aria-pressed', String(other === button));
  });

// A module without an import or export would be a script to the type checker.
export {};
