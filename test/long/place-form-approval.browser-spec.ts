import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JobRunner } from '#jobs';
import { UsersService } from '#tenancy';
import type { Page } from 'playwright-core';
import { formFields, linkOf, mailTo } from '../support/place-form.js';
import { openSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { openChromium, watchedPage, type TestBrowser } from '../browser/chromium.js';
import { pageFaults, tooWide } from '../browser/page-faults.js';
import { picture } from '../browser/panel-venue.js';

let test: TestApp;
let chromium: TestBrowser;
let smtp: SmtpSink;

beforeAll(async () => {
  smtp = await openSmtpSink();
  const environment = { SMTP_URL: smtp.url, TENANT_FORM: 'approval' };
  [test, chromium] = await Promise.all([startTestApp({ environment }), openChromium()]);
  test.app.get(JobRunner).start();
});
afterAll(async () => {
  await chromium?.close();
  await test?.close();
  await smtp?.close();
});

/** Looks at a page at phone and desktop width. */
async function look(page: Page, name: string): Promise<void> {
  for (const [kind, width] of [
    ['phone', 390],
    ['desk', 1280],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    await picture(page, `${name}-${kind}`);
    expect({ name, kind, wide: await tooWide(page) }).toEqual({ name, kind, wide: [] });
  }
}

describe('the approval of a place in Chromium', () => {
  it('waits on the page of the link, and is given in the Root panel', async () => {
    const fields = formFields({ name: 'Le Hangar Bleu', short_description: 'Concerts <b>au bord</b> de la Loire, '.repeat(12) });
    const link = await linkOf(test, smtp, fields);
    const checker = await chromium.browser.newContext({ bypassCSP: true });
    const visitor = (await watchedPage(chromium.browser, 'fr-FR')).page;
    await visitor.goto(`http://meta.localhost:${test.port}/tenant/new/`);
    expect(await visitor.textContent('main')).toContain('Les exploitants de ce serveur examinent');
    await look(visitor, 'place-form-approval');
    await visitor.goto(`http://meta.localhost:${test.port}${link}`);
    await look(visitor, 'place-form-send');
    await visitor.click('main .button');
    expect(await visitor.textContent('h1')).toBe('Votre demande est chez les exploitants');
    expect(await pageFaults(visitor, checker)).toEqual([]);
    await look(visitor, 'place-form-awaited');

    const { email, password } = await test.app.get(UsersService).create({ email: 'super@example.org', isSuperUser: true });
    const root = (await watchedPage(chromium.browser, 'en-US')).page;
    await root.goto(`http://localhost:${test.port}/admin/resources/place-requests`);
    await root.fill('input[name=email]', email);
    await root.fill('input[name=password]', password);
    await root.click('button[type=submit]');
    await root.waitForSelector('h1');
    await root.goto(`http://localhost:${test.port}/admin/resources/place-requests`);
    await root.waitForSelector('text=Le Hangar Bleu');
    await look(root, 'place-requests');
    expect(await root.evaluate(`getComputedStyle(document.querySelector('tr.gt-row')).display`)).toBe('table-row');
    await root.click('text=Le Hangar Bleu');
    await root.waitForSelector('text=de la Loire');
    await look(root, 'place-request');
    await root.goto(`${root.url().replace(/\/show$/, '')}/approve`);
    await root.waitForSelector('text=Le Hangar Bleu will be created');
    await look(root, 'place-request-approve');
    await root.click('.gt-action-form button[type=submit]');
    await root.waitForSelector('text=No request waits for a decision');
    await mailTo(smtp, fields['email']!, 2);
    await visitor.reload();
    expect(await visitor.textContent('h1')).toBe('Le Hangar Bleu est en ligne');
    await checker.close();
  }, 90_000);
});
