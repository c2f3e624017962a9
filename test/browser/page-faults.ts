import { eventually } from '../support/eventually.js';
import axe from 'axe-core';
import type { BrowserContext, Page } from 'playwright-core';

/** Number of pixels by which a page is wider than its window. */
export function overhang(page: Page): Promise<number> {
  // A page that waits for something may load again meanwhile.
  return eventually(() => page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth'), {
    timeout: 20_000,
  });
}

/**
 * Violations of WCAG 2.2 AA and best practices found by axe, including contrast, headings, landmarks and link names.
 * @param part CSS selector of the part of the page; default: all of it
 */
export async function accessFaults(page: Page, part?: string): Promise<string[]> {
  // Parsing the half megabyte of axe takes longer than looking for it.
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source);
  const found = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
    `axe.run(${part === undefined ? 'document' : JSON.stringify(part)}, { resultTypes: ['violations'] })`,
  );
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
}

/**
 * What axe finds on a page, and whether the page is wider than its window.
 * @param checker for pages without scripts: axe needs scripts, so a copy of the page is opened in this context, which has `bypassCSP`
 */
export async function pageFaults(page: Page, checker?: BrowserContext): Promise<string[]> {
  return [...(await tooWide(page)), ...(checker ? await faultsOfCopy(checker, page) : await accessFaults(page))];
}

/** Whether a page is wider than its window. */
export async function tooWide(page: Page): Promise<string[]> {
  const wider = await overhang(page);
  return wider > 0 ? [`${wider} px too wide`] : [];
}

/** Pages for copies that no test uses at the moment: opening a page and loading axe into it takes longer than its search. */
const idleCopies = new WeakMap<BrowserContext, Page[]>();

async function faultsOfCopy(checker: BrowserContext, page: Page): Promise<string[]> {
  const content = await eventually(() => page.content(), { timeout: 20_000 });
  const idle = idleCopies.get(checker) ?? [];
  idleCopies.set(checker, idle);
  const copy = idle.pop() ?? (await checker.newPage());
  await copy.setViewportSize(page.viewportSize()!);
  // The copy needs the same origin, so that the page's style sheet loads.
  const { origin, href } = new URL('/robots.txt', page.url());
  if (new URL(copy.url()).origin !== origin) await copy.goto(href);
  await copy.setContent(content, { waitUntil: 'load' });
  const faults = await accessFaults(copy);
  idle.push(copy);
  return faults;
}
