import {defineConfig} from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/reach/**/*.test.ts'],
    globalSetup: 'tests/reach/set-up.ts',
    allowOnly: false,
    // One browser at a time: two cores.
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 240_000,
  },
});
