// For a page with our iframes: gives each the height that its widget reports.

addEventListener(
  'message',
  ({data, source}: MessageEvent<{type?: unknown; height?: unknown} | null>) => {
    if (data?.type !== 'attn:size' || typeof data.height !== 'number') return;
    for (const frame of document.querySelectorAll('iframe')) {
      if (frame.contentWindow === source) frame.style.height = `${data.height}px`;
    }
  },
);
