// Lists of a page's contents, by which two engines, or two moments, are compared.
import {helpersOf, type InPage} from '../browser/checks/in-page.js';

/**
 * Every text of the page, folded parts included: visible text, announcements and contents of boxes,
 * in document order.
 *
 * @param tag  only the texts inside the first element of this name
 */
export async function texts(page: InPage, tag = 'body'): Promise<string[]> {
  return page.evaluate(
    ({helpers: {elements, within, ownText}, tag}) => {
      const spoken = ['aria-label', 'aria-description', 'aria-valuetext', 'alt', 'title'];
      // Announcements to screen readers come some time after a change.
      const silent = (element: Element) =>
        element.matches('script, style, noscript, template, [role=status]');
      const start = document.querySelector(tag)!;
      return (
        elements(start.shadowRoot ?? start)
          .filter((element) => !within(element, silent))
          .flatMap((element) => [
            ownText(element),
            ...spoken.map((name) => element.getAttribute(name) ?? ''),
            // The position of a slider between two steps differs between engines.
            element instanceof HTMLInputElement && element.type !== 'range' ? element.value : '',
          ])
          // The code of a frame has the widget's height in this engine.
          .map((text) => text.replaceAll(/ height="\d+"/g, ' height'))
          .map((text) => text.replaceAll(/\s+/g, ' ').trim())
          .filter((text) => text !== '')
      );
    },
    {helpers: await helpersOf(page), tag},
  );
}

export interface Box {
  /** The element's place in the document, its text and its colours. */
  what: string;
  /** Left, top, width and height in pixels, relative to the corner of its widget. */
  at: number[];
}

/** Every visible box inside the widgets, except those of controls. */
export async function drawn(page: InPage): Promise<Box[]> {
  return page.evaluate(
    async ({elements, within, path, ownText, visible, isWidget}) => {
      const isControl = (element: Element) => element.matches('.live');
      await document.fonts.ready;
      // Parts outside the viewport are laid out too.
      const everything = new CSSStyleSheet();
      everything.replaceSync('* {content-visibility: visible !important}');
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, everything];
      return elements(document.body)
        .filter(isWidget)
        .flatMap((widget) => {
          const corner = widget.getBoundingClientRect();
          return (
            elements(widget.shadowRoot ?? widget)
              // Boxes for numbers are placed only when the page is at rest, definitions never.
              .filter(
                (element) =>
                  visible(element) && !within(element, isControl) && !element.closest('defs'),
              )
              .map((element) => {
                const box = element.getBoundingClientRect();
                const style = getComputedStyle(element);
                const {fill, stroke, color, backgroundColor, opacity, fontSize} = style;
                return {
                  what: [
                    path(element),
                    ownText(element).replaceAll(/\s+/g, ' ').trim(),
                    ...[fill, stroke, color, backgroundColor, opacity, fontSize],
                  ].join(' | '),
                  at: [box.left - corner.left, box.top - corner.top, box.width, box.height],
                };
              })
          );
        });
    },
    await helpersOf(page),
  );
}

/** Engines round lengths to fractions of a pixel, in different ways. */
const ROUNDING_PX = 0.5;

/** The differences, one sentence each. */
export function changes(before: readonly Box[], after: readonly Box[]): string[] {
  if (before.length !== after.length) {
    const counted = `${after.length} boxes, before ${before.length}`;
    const at = before.findIndex(({what}, i) => what !== after[i]?.what);
    return [`${counted}; first ${before[at]?.what} became ${after[at]?.what}`];
  }
  return before.flatMap(({what, at}, i) => {
    const now = after[i]!;
    const moved = at.some((length, side) => Math.abs(length - now.at[side]!) > ROUNDING_PX);
    if (what === now.what && !moved) return [];
    return [`${what} at ${at.join(' ')} became ${now.what} at ${now.at.join(' ')}`];
  });
}

/**
 * Writes two large digits after a Chinese character, and returns for each column of pixels between
 * the centres of the digits whether anything is drawn in it.
 *
 * @param screenshot  gives a PNG of the window as base64
 */
export async function inkBetweenDigits(
  page: InPage,
  screenshot: () => Promise<string>,
): Promise<boolean[]> {
  const [left, right, bottom] = await page.evaluate(async () => {
    document.body.replaceChildren('约25分');
    document.documentElement.style.colorScheme = 'light';
    document.body.style.font = '80px/1.5 var(--text)';
    const text = document.body.firstChild!;
    for (let frames = 0; frames < 3; frames++) await new Promise(requestAnimationFrame);
    const middle = (at: number) => {
      const range = document.createRange();
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      const box = range.getBoundingClientRect();
      return (box.left + box.right) / 2;
    };
    return [middle(1), middle(2), document.body.getBoundingClientRect().bottom];
  });
  const png = await screenshot();
  return page.evaluate(
    async ({png, left, right, bottom}) => {
      const image = new Image();
      const loaded = new Promise((resolve) => image.addEventListener('load', resolve));
      image.src = `data:image/png;base64,${png}`;
      await loaded;
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [image.width, image.height];
      const context = canvas.getContext('2d')!;
      context.drawImage(image, 0, 0);
      const [x, width, height] = [Math.round(left), Math.round(right - left), Math.ceil(bottom)];
      const {data} = context.getImageData(x, 0, width, height);
      const paper = data[1]!;
      return Array.from({length: width}, (_, column) =>
        Array.from({length: height}, (_, row) => data[4 * (row * width + column) + 1]!).some(
          (green) => Math.abs(green - paper) > 60,
        ),
      );
    },
    {png, left: left!, right: right!, bottom: bottom!},
  );
}
