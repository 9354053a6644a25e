// For a page with our iframes: each gets the height that its widget asks for.

addEventListener(
  'message',
  ({data, source}: MessageEvent<{type?: unknown; height?: unknown} | null>) => {
    if (data?.type !== 'attn:size' || typeof data.height !== 'number') return;
    for (const frame of document.querySelectorAll('iframe')) {
      if (frame.contentWindow === source) frame.style.height = `${data.height}px`;
    }
  },
);
