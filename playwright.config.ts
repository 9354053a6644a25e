import {defineConfig} from '@playwright/test';
import {chromium} from './web/tools/setup.mjs';

export default defineConfig({
  testDir: 'tests/browser',
  outputDir: 'build/test-results/browser',
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  workers: 2,
  timeout: 120_000,
  use: {
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
