#!/usr/bin/env node
/**
 * `npm run pictures`: takes the screenshots of the README from the demo in Chromium: the page of an event, and the panel's start page
 * and box office. Needs the development packages.
 */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import packaged from '@sparticuz/chromium';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { root } from './build-if-stale.js';

const folder = join(root, 'docs/pictures');
const dataDir = await mkdtemp(join(tmpdir(), 'guichet-pictures-'));
const server = spawn(process.execPath, [join(root, 'scripts/start.js')], {
  env: { ...process.env, PORT: '0', DATA_DIR: dataDir, DEMO: 'on', LOG_LEVEL: 'silent' },
  stdio: ['ignore', 'pipe', 'inherit'],
});

/** The line that the server prints when it is ready. */
function ready() {
  return new Promise((resolve, reject) => {
    let text = '';
    server.once('exit', (code) => reject(new Error(`The server ended with code ${code}`)));
    server.stdout.on('data', (chunk) => {
      text += chunk;
      if (/Demo sign-in.*\n/.test(text)) resolve(text);
    });
  });
}

async function keep(page, name) {
  await page.waitForLoadState('networkidle');
  const picture = await page.screenshot();
  await sharp(picture)
    .webp({ quality: 82 })
    .toFile(join(folder, `${name}.webp`));
}

let browser;
try {
  const said = await ready();
  const event = /Buy a ticket\s+(\S+)/.exec(said)[1];
  const panel = /Demo venue\s+(\S+)/.exec(said)[1];
  const [, email, password] = /Demo sign-in\s+(\S+)\s+(\S+)/.exec(said);
  await mkdir(folder, { recursive: true });
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? (await packaged.executablePath()),
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const context = await browser.newContext({ viewport: { width: 1100, height: 780 }, locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto(event);
  // One ticket at the first price.
  await page.setViewportSize({ width: 900, height: 1540 });
  await page.locator('.stepper').first().locator('button').last().click();
  await page.evaluate('scrollTo(0, 0)');
  await keep(page, 'event');
  await page.setViewportSize({ width: 1100, height: 780 });

  await page.goto(panel);
  await page.fill('input[name=email]', email);
  await page.fill('input[name=password]', password);
  await page.click('button[type=submit]');
  await page.waitForSelector('.gt-event');
  await keep(page, 'panel');

  await page.click('.gt-event a:has-text("Sell tickets")');
  await page.locator('.gt-step-more').first().click();
  await page.locator('.gt-step-more').first().click();
  await keep(page, 'box-office');
} finally {
  await browser?.close();
  server.removeAllListeners('exit');
  server.kill('SIGTERM');
  await new Promise((resolve) => {
    server.once('exit', resolve);
  });
  await rm(dataDir, { recursive: true, force: true });
}
