// The field of a state that chooses a token of the teaching sentence.

import {teachingTokens} from './course-data.js';
import {InputError} from './input.js';
import {pick, type Field} from './schema.js';

export function tokenField(): Field<string> {
  return {
    fallback: '给了',
    read: (text) => {
      const token = text.trim();
      if (!teachingTokens.includes(token))
        throw new InputError('not-an-option', `这里只能是${teachingTokens.join('、')}之一。`);
      return token;
    },
    write: (token) => token,
    about: import.meta.env.SSR
      ? {takes: '教学句里的一个词元', sample: (random) => pick(random, teachingTokens)}
      : undefined,
  };
}
