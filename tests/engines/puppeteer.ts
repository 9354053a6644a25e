// Chromium and Firefox, driven by puppeteer-core: Chromium by DevTools, Firefox by WebDriver BiDi.
import puppeteer, {type LaunchOptions} from 'puppeteer-core';
import {chromium, firefox} from '../../web/tools/setup.mjs';
import {inPage, type Engine} from './engine.js';

async function launched(name: string, options: LaunchOptions): Promise<Engine> {
  const browser = await puppeteer.launch({headless: true, ...options});
  const page = await browser.newPage();
  let complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`uncaught: ${String(error)}`));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`console: ${message.text()}`);
  });
  return {
    name,
    version: await browser.version(),
    page: inPage((expression) => page.evaluate(expression)),
    open: async (url) => {
      await page.goto(url, {waitUntil: 'load'});
    },
    resize: (width, height) => page.setViewport({width, height}),
    screenshot: () => page.screenshot({encoding: 'base64'}),
    complaints: () => {
      const reported = complaints;
      complaints = [];
      return reported;
    },
    close: () => browser.close(),
  };
}

export const openChromium = () =>
  launched('Chromium', {
    browser: 'chrome',
    executablePath: chromium() ?? '',
    args: ['--no-sandbox', '--disable-quic', '--force-prefers-reduced-motion', '--lang=zh-CN'],
  });

export const openFirefox = () =>
  launched('Firefox', {
    browser: 'firefox',
    executablePath: firefox() ?? '',
    extraPrefsFirefox: {'ui.prefersReducedMotion': 1, 'intl.accept_languages': 'zh-CN'},
  });
