import {defineConfig} from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/engines/**/*.test.ts'],
    allowOnly: false,
    // Three browsers share two cores, so a page may take long.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
