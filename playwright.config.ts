import {defineConfig} from '@playwright/test';
import {chromium} from './web/tools/setup.mjs';

export default defineConfig({
  testDir: 'tests/browser',
  outputDir: 'build/test-results/browser',
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  // One more than there are processors on a small machine: many tests wait for a page.
  workers: 3,
  timeout: 120_000,
  // A busy machine takes its time over a page.
  expect: {timeout: 20_000},
  use: {
    // A new context costs a test 0.7 s of processor time. Playwright clears the storage, routes and
    // scripts of a reused one.
    reuseContext: true,
    launchOptions: {
      executablePath: chromium(),
      args: [
        '--no-sandbox',
        '--disable-quic',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
    locale: 'zh-CN',
    viewport: {width: 1280, height: 900},
    contextOptions: {reducedMotion: 'reduce'},
  },
});
