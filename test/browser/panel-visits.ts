import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { PageWatch } from './chromium.js';
import { longRun } from '../support/long-run.js';
import { overhang } from './page-faults.js';

interface ResourceState {
  readonly id: string;
  readonly resourceActions: readonly { readonly name: string; readonly custom?: { readonly page?: boolean } }[];
}

interface Listed {
  readonly id: string;
  readonly recordActions: readonly { readonly name: string; readonly component?: unknown }[];
}

/**
 * Every address of a face: the start page, each list, its form, and the pages of its first record. The form of an existing record has the
 * fields of a new one, and actions of a record mostly have the same page: outside of long runs, the first of the forms and every second of
 * the actions.
 */
async function addressesOf(page: Page): Promise<string[]> {
  const resources = await page.evaluate<ResourceState[]>('window.REDUX_STATE.resources');
  const paths = [''];
  let actions = 0;
  for (const { id, resourceActions } of resources) {
    if (!resourceActions.some(({ name }) => name === 'list')) continue;
    paths.push(`/resources/${id}`);
    if (resourceActions.some(({ name }) => name === 'new')) paths.push(`/resources/${id}/actions/new`);
    for (const { name, custom } of resourceActions) if (custom?.page) paths.push(`/resources/${id}/actions/${name}`);
    const list = `/admin/api/resources/${id}/actions/list`;
    const { records } = await page.evaluate<{ records: Listed[] }>(`fetch('${list}').then((answer) => answer.json())`);
    const [first] = records;
    for (const { name, component } of first?.recordActions ?? []) {
      if (component === false || name === 'delete') continue;
      if (name === 'edit' && !longRun && resourceActions.some((action) => action.name === 'new')) continue;
      if (!['show', 'edit'].includes(name) && !longRun && (actions += 1) % 4 !== 1) continue;
      paths.push(`/resources/${id}/records/${encodeURIComponent(first!.id)}/${name}`);
    }
  }
  return paths;
}

const textOf = (page: Page): Promise<string> => page.evaluate<string>('document.body.innerText');

/** Waits until the page has loaded. @returns its text */
export async function settled({ page, still }: PageWatch): Promise<string> {
  await page.waitForSelector('h1');
  await still();
  return textOf(page);
}

/** Navigates to another panel page without reloading, as its links do; a long run loads it anew. */
async function goTo(page: Page, path: string): Promise<void> {
  if (longRun || !page.url().startsWith(path.slice(0, path.indexOf('/admin')))) await page.goto(path);
  else
    await page.evaluate(
      `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate', { state: null }))`,
    );
  expect(page.url()).toBe(path);
}

const desk = { name: 'at a desk', size: { width: 1280, height: 900 } };
const phone = { name: 'on a phone', size: { width: 390, height: 800 } };

/** Visits all pages on a phone, and a quarter of them at a desk, too. @returns the number of pages */
export async function visitAll(watch: PageWatch, address: (path: string) => string): Promise<number> {
  const { page } = watch;
  const paths = await addressesOf(page);
  const texts = new Set<string>();
  let left: string | undefined;
  for (const [nth, path] of paths.entries()) {
    await goTo(page, address(path));
    const text = await settled(watch);
    texts.add(text);
    // The page before was not read again.
    expect(text).not.toBe(left);
    expect(`${path}: ${/undefined|(?<![\w-])NaN(?![\w-])|\[object|\{\{|Invalid Date/.exec(text)?.[0] ?? 'fine'}`).toBe(`${path}: fine`);
    // A page is opened at the width at which the one before it was left: laying out a page again takes long. What is too wide is so on a
    // phone first; a long run visits every page at a desk, too.
    const both = nth % 2 === 0 ? [desk, phone] : [phone, desk];
    for (const { name, size } of longRun || nth % 4 === 0 ? both : [phone]) {
      await page.setViewportSize(size);
      expect(`${path} ${name}: ${await overhang(page)} px`).toBe(`${path} ${name}: 0 px`);
    }
    left = await textOf(page);
  }
  expect(texts.size).toBe(paths.length);
  return paths.length;
}

/** Nothing complained, and the pages loaded from one host only. @param host with its port */
export function expectClean({ faults, hosts }: PageWatch, host: string): void {
  expect(faults).toEqual([]);
  expect([...hosts]).toEqual([host]);
}
