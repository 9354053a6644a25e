import {defineConfig} from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/engines/**/*.test.ts'],
    allowOnly: false,
    // Three browsers on two cores: a page takes its time.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
