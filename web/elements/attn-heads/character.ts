// Characters of the small model as pictures and sentences show them.

/** The signs for a line break and an unknown character. */
export const shown = (character: string): string =>
  character === '\n' ? '↵' : character === '<unk>' || character === '<pad>' ? '□' : character;
