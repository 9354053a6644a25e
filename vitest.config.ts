import {defineConfig} from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/web/**/*.test.ts'],
    // A forgotten `.only` fails the run instead of hiding the rest.
    allowOnly: false,
  },
});
