// The messages between a page that holds one widget and the page around its iframe.

interface Widget extends HTMLElement {
  state: unknown;
  result?: unknown;
  reset?: () => void;
}

interface Order {
  type: string;
  state?: unknown;
  theme?: unknown;
}

const THEMES: readonly unknown[] = ['auto', 'light', 'dark'];

const post = (message: object): void => parent.postMessage(message, '*');

/** Any page may hold the frame, so only its window is checked, and the shape of what it sends. */
function orderOf({source, data}: MessageEvent<unknown>): Order | undefined {
  if (source !== parent || typeof data !== 'object' || data === null) return undefined;
  return 'type' in data && typeof data.type === 'string' ? (data as Order) : undefined;
}

/** Does what the page around the frame asks of `widget`, and reports each change. */
export function exchangeMessages(widget: Widget): void {
  const tell = () => {
    const {state, result} = widget;
    if (result !== undefined) post({type: 'attn:change', state, result});
  };
  addEventListener('attn-ready', () => post({type: 'attn:ready'}));
  addEventListener('attn-change', tell);
  addEventListener('attn-error', (event) =>
    post({type: 'attn:error', ...(event as CustomEvent<object>).detail}),
  );
  addEventListener('message', (event: MessageEvent<unknown>) => {
    const order = orderOf(event);
    if (order?.type === 'attn:get') tell();
    else if (order?.type === 'attn:reset') widget.reset?.();
    else if (order?.type === 'attn:set') widget.state = order.state;
    else if (order?.type === 'attn:theme' && THEMES.includes(order.theme))
      widget.setAttribute('theme', String(order.theme));
  });
}
