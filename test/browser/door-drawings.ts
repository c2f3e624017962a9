import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { openChromium } from './chromium.js';
import { phoneSize } from './door-phone.js';

/** The page of `scripts/door-cards.js`: every result and every screen of the scanner app, drawn without a server. */
export interface DoorDrawings {
  readonly page: Page;
  close(): Promise<void>;
}

/** The time of the page stands still on the evening of its event. */
export async function openDoorDrawings(): Promise<DoorDrawings> {
  const file = join(process.env['GUICHET_TEST_FOLDER'] as string, 'door-cards.html');
  await promisify(execFile)(process.execPath, ['scripts/door-cards.js', file]);
  const html = await readFile(file, 'utf8');
  const chromium = await openChromium();
  const context = await chromium.browser.newContext({ viewport: phoneSize, timezoneId: 'Europe/Paris' });
  const page = await context.newPage();
  await page.route('http://cards.localhost/', (route) => route.fulfill({ contentType: 'text/html', body: html }));
  await page.clock.setFixedTime(new Date('2027-06-18T19:42:07+02:00'));
  await page.goto('http://cards.localhost/');
  return { page, close: () => chromium.close() };
}
