// The sentence above widgets that could not start.

/** The message on pages of the course. */
export const STILL = '计算模块载入失败，下面的图保持构建时的样子；文字、公式和数字都是全的。';

export function showMessage(widgets: readonly Element[], sentence: string): void {
  const notice = document.createElement('p');
  notice.className = 'core-missing';
  notice.setAttribute('role', 'status');
  notice.textContent = sentence;
  widgets[0]?.before(notice);
  for (const widget of widgets) widget.toggleAttribute('static', true);
}
