/** Calls `then` once, when a widget is drawn, or stays as it is for good. */
export function onceSettled(widget: Element, then: (drawn: boolean) => void): void {
  const watcher = new MutationObserver(() => {
    watcher.disconnect();
    then(widget.hasAttribute('ready'));
  });
  watcher.observe(widget, {attributeFilter: ['ready', 'static']});
}
