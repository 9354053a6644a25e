import {defineConfig} from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/web/**/*.test.ts'],
    // Style sheets read as text (the palette of figures) come as they are.
    css: true,
    // A forgotten `.only` fails the run instead of hiding the rest.
    allowOnly: false,
    // On a busy machine everything takes ten times as long; a limit only ends what hangs.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
