import {defineConfig} from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/web/**/*.test.ts'],
    // Style sheets read as text (the palette of figures) come as they are.
    css: true,
    // A forgotten `.only` fails the run instead of hiding the rest.
    allowOnly: false,
  },
});
