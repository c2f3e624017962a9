import { languages } from '#kernel';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { TestBrowser } from './chromium.js';
import { inLongRuns, longRun } from '../support/long-run.js';
import { pageFaults } from './page-faults.js';

/** How a visitor sees pages. */
interface Look {
  readonly language: string;
  readonly width: number;
  readonly dark: boolean;
}

/** Milliseconds for the visits of one test. */
export const visitTimeout = longRun ? 1_200_000 : 240_000;

const looks: readonly Look[] = inLongRuns(
  languages.flatMap((language) => [390, 1280].flatMap((width) => [false, true].map((dark) => ({ language, width, dark })))),
  [
    { language: 'de', width: 390, dark: true },
    { language: 'fr', width: 1280, dark: false },
  ],
);

/** The colour schemes in which a test looks at its nth page: light and dark in turn, both in a long run. */
export function schemesOf(nth: number): readonly ('light' | 'dark')[] {
  return inLongRuns(['light', 'dark'], [nth % 2 === 0 ? 'light' : 'dark']);
}

/**
 * Opens a page as several visitors do: languages, a phone and a desk, light and dark. `SCREENSHOTS=<folder>` keeps what they see,
 * `<name>-<width>-<scheme>-<language>.png`.
 * @param path path and query of the page, or how the visitor gets there
 * @returns what axe finds, pages that are wider than their window, and errors instead of pages
 */
export async function visit(
  chromium: TestBrowser,
  base: string,
  name: string,
  path: string | ((page: Page, base: string) => Promise<void>),
): Promise<string[]> {
  const faults: string[] = [];
  for (const { language, width, dark } of looks) {
    const colorScheme = dark ? 'dark' : 'light';
    const viewport = { width, height: 844 };
    const context = await chromium.browser.newContext({ locale: language, viewport, colorScheme, bypassCSP: true });
    const page = await context.newPage();
    if (typeof path === 'string') {
      const answer = await page.goto(base + path);
      if (!answer?.ok()) faults.push(`${language} ${answer?.status()}`);
    } else await path(page, base);
    faults.push(...(await pageFaults(page)).map((fault) => `${language} ${fault}`));
    const folder = process.env['SCREENSHOTS'];
    if (folder) {
      await mkdir(folder, { recursive: true });
      await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}-${language}.png`), fullPage: true });
    }
    await context.close();
  }
  return faults;
}
