import { readFile } from 'node:fs/promises';
import axe from 'axe-core';
import type { CDPSession, Page } from 'playwright-core';
import { extractText } from 'unpdf';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { inLongRuns } from '../support/long-run.js';
import { languages } from '#kernel';
import { openDoorDrawings, type DoorDrawings } from './door-drawings.js';
import { accessFaults, overhang } from './page-faults.js';

let drawings: DoorDrawings;
let page: Page;
let devtools: CDPSession;

beforeAll(async () => {
  drawings = await openDoorDrawings();
  ({ page } = drawings);
  devtools = await page.context().newCDPSession(page);
  await page.evaluate(axe.source);
});
afterAll(() => drawings?.close());

const draw = (name: string, language = 'en', preferences: object = {}): Promise<unknown> =>
  page.evaluate(`drawScreen(${JSON.stringify(language)}, ${JSON.stringify(name)}, ${JSON.stringify(preferences)})`);

/** What axe finds, with the rule for the size of targets, which is off by default. */
async function faults(): Promise<string[]> {
  const found = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
    `axe.run(document, { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } })`,
  );
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
}

interface Node {
  readonly nodeId: string;
  readonly ignored: boolean;
  readonly role?: { readonly value: string };
  readonly name?: { readonly value: string };
  readonly properties?: ReadonlyArray<{ readonly name: string; readonly value: { readonly value: unknown } }>;
}

/** What the browser tells screen readers: `role: name` of each node, in their order. */
async function tree(): Promise<string[]> {
  const { nodes } = (await devtools.send('Accessibility.getFullAXTree')) as unknown as { nodes: readonly Node[] };
  const words = new Set(['StaticText', 'InlineTextBox', 'generic', 'none', 'RootWebArea']);
  return nodes
    .filter(({ ignored, role }) => !ignored && !words.has(role?.value ?? ''))
    .map(({ role, name }) => `${role?.value}: ${name?.value}`);
}

/** The element with the focus, by its action or its name. */
const focused = (): Promise<string> =>
  page.evaluate<string>(`(({ tagName, dataset, id }) => dataset.action ?? (id || tagName))(document.activeElement)`);

/** Presses Tab until the focus comes back to where it was first. @returns each element on the way, once */
async function walk(): Promise<string[]> {
  const seen: string[] = [];
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const now = await focused();
    if (now === 'BODY') continue;
    if (seen.includes(now)) break;
    seen.push(now);
  }
  return seen;
}

const live = (): Promise<string> => page.locator('[aria-live="assertive"]').innerText();
const scan = async (): Promise<void> => {
  await page.evaluate(`model.scan('code', 'keyboard')`);
  await page.locator('section.result').waitFor();
};

const looks = [
  ['en', 'light', 390, 844, 100],
  ['de', 'dark', 360, 740, 200],
] as const;

describe.each(inLongRuns(looks, looks.slice(1)))(
  'every screen of the scanner app in %s, %s, %i × %i, with text of %i %%',
  (language, theme, width, height, text) => {
    it('has no fault that axe finds, and is not wider than the phone', async () => {
      await page.setViewportSize({ width, height });
      const names = await page.evaluate<string[]>('screenNames');
      expect(names.length).toBeGreaterThan(30);
      const found: [string, number, string[]][] = [];
      for (const name of names) {
        await draw(name, language, { theme });
        await page.evaluate(`document.documentElement.style.fontSize = '${text === 100 ? '' : `${1.125 * text}%`}'`);
        found.push([name, await overhang(page), await faults()]);
      }
      await page.evaluate(`document.documentElement.style.fontSize = ''`);
      expect(found.filter(([, wider, list]) => wider > 0 || list.length > 0)).toEqual([]);
    });
  },
);

describe('the scanner app for screen readers and keyboards', () => {
  beforeAll(() => page.setViewportSize({ width: 390, height: 844 }));

  it('names the place, the switch and every button of the door', async () => {
    await draw('scanning');
    const nodes = await tree();
    for (const node of ['main: ', 'heading: Nuit des musiciens', 'status: ', 'group: Entry or exit', 'navigation: Tools'])
      expect(nodes.filter((one) => one.startsWith(node)).map(() => node)).toEqual([node]);
    for (const name of ['Hall A', 'Entry', 'Exit', 'Menu', 'Type']) expect(nodes).toContain(`button: ${name}`);
    expect(nodes.filter((one) => /^(?:button|link|textbox|checkbox|combobox): *$/.test(one))).toEqual([]);
    expect(await walk()).toEqual(['gates', 'recent', 'undo', 'entry', 'exit', 'settings', 'search']);
  });

  it('announces each result with its reason and its step, also the same one again', async () => {
    await draw('scanning');
    expect(await live()).toBe('');
    await page.evaluate(`window.heard = [];
      new MutationObserver(() => heard.push(document.querySelector('[aria-live="assertive"]').innerText))
        .observe(document.querySelector('[aria-live="assertive"]'), { subtree: true, childList: true, characterData: true })`);
    await scan();
    const sentence = await live();
    expect(sentence).toMatch(/^Stop\. Already used\. Maëlle Guyonvarc’h\. .*Hall B · Pixel 8\. Send to the box office$/);
    await scan();
    await eventually(async () => expect(await page.evaluate('heard')).toEqual([sentence, sentence]));
    const nodes = await tree();
    expect(nodes).toContain('region: Stop');
    // What the result covers is out of reach.
    expect(nodes.filter((one) => one.startsWith('button:'))).toEqual(['button: Next']);
  });

  it('leads the keyboard through the result and back to where it was', async () => {
    await draw('scanning');
    await page.locator('[data-action="settings"]').focus();
    await scan();
    // The focus stays off the buttons: the Enter of a keyboard scanner would press one.
    expect(await focused()).toBe('BODY');
    expect(await walk()).toEqual(['next']);
    await page.keyboard.press('Escape');
    await page.locator('section.result').waitFor({ state: 'detached' });
    await eventually(async () => expect(await focused()).toBe('settings'));
    await draw('result-ask');
    expect(await walk()).toEqual(['admit', 'next']);
    // The walk ended where it began.
    await page.keyboard.press('Enter');
    expect(await page.evaluate<string[]>('asked')).toEqual([expect.stringMatching(/^admit /)]);
  });

  it.each(['settings', 'search', 'gates', 'recent'])(
    'opens the dialog %s with the keyboard, keeps the focus in it and gives it back',
    async (action) => {
      await draw('scanning-tools');
      await page.locator(`[data-action="${action}"]`).focus();
      await page.keyboard.press('Enter');
      await page.locator('dialog[open]').waitFor();
      const nodes = await tree();
      expect(nodes.filter((one) => one.startsWith('dialog:'))).toEqual([expect.stringMatching(/^dialog: \w/)]);
      expect(nodes.filter((one) => one.startsWith('main:'))).toEqual([]);
      const inside = (): Promise<boolean> => page.evaluate<boolean>(`document.activeElement.closest('dialog') !== null`);
      expect(await inside()).toBe(true);
      for (const one of await walk()) expect([one, await inside()]).toEqual([one, true]);
      await page.keyboard.press('Escape');
      await page.locator('dialog').waitFor({ state: 'detached' });
      await eventually(async () => expect(await focused()).toBe(action));
    },
  );

  it('shows a result over a dialog that was open', async () => {
    await draw('sheet-settings');
    await scan();
    expect(await page.locator('dialog').count()).toBe(0);
    expect(await live()).toMatch(/^Stop\. /);
  });

  it('searches, and undoes with a reason, by keyboard alone', async () => {
    await draw('sheet-search');
    await page.locator('#words').focus();
    await page.keyboard.type('guyon');
    await page.keyboard.press('Enter');
    await page.locator('[data-ticket]').first().waitFor();
    expect(await page.locator('dialog [role="status"]').innerText()).toBe('3 tickets');
    expect(await page.evaluate<string[]>('asked')).toEqual(['search guyon']);
    await draw('sheet-undo');
    // Opening the dialog moves the focus.
    await page.locator('dialog:modal #reason').focus();
    await page.keyboard.type('wrong door');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await eventually(async () => expect(await page.evaluate('asked')).toEqual(['undo go-plain wrong door']));
  });
});

describe('the page for volunteers', () => {
  it.each(inLongRuns(languages, ['de', 'fr']))(
    'is one sheet of A4 in %s, fits on a phone and has no fault that axe finds',
    async (language) => {
      const sheet = await page.context().newPage();
      await sheet.route('http://cards.localhost/door/*', async (route) => {
        const { pathname } = new URL(route.request().url());
        const contentType = pathname.endsWith('.css') ? 'text/css' : pathname.endsWith('.svg') ? 'image/svg+xml' : 'text/html';
        await route.fulfill({ contentType, body: await readFile(`dist${pathname}`) });
      });
      await sheet.setViewportSize({ width: 360, height: 740 });
      await sheet.goto(`http://cards.localhost/door/guide.${language}.html`);
      expect(await overhang(sheet)).toBe(0);
      expect(await accessFaults(sheet)).toEqual([]);
      const folder = process.env['SCREENSHOTS'];
      const pdf = await sheet.pdf({
        preferCSSPageSize: true,
        printBackground: true,
        ...(folder && { path: `${folder}/door-guide-${language}.pdf` }),
      });
      expect((await extractText(new Uint8Array(pdf), { mergePages: false })).totalPages).toBe(1);
      await sheet.close();
    },
  );
});
