import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JobRunner } from '#jobs';
import sharp from 'sharp';
import { inLongRuns } from '../support/long-run.js';
import { linkIn, mailTo } from '../support/place-form.js';
import { openSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { openChromium, type TestBrowser } from './chromium.js';
import { pageFaults } from './page-faults.js';

let test: TestApp;
let chromium: TestBrowser;
let smtp: SmtpSink;
let base: string;

beforeAll(async () => {
  smtp = await openSmtpSink();
  [test, chromium] = await Promise.all([startTestApp({ environment: { SMTP_URL: smtp.url } }), openChromium()]);
  test.app.get(JobRunner).start();
  base = `http://meta.localhost:${test.port}`;
});
afterAll(async () => {
  await chromium?.close();
  await test?.close();
  await smtp?.close();
});

describe('the creation of a place in Chromium, without scripts, on a phone', () => {
  it.each(inLongRuns(['en-GB', 'fr-FR'], ['fr-FR']))('leads from the agenda to the first steps in the new panel (%s)', async (locale) => {
    const french = locale === 'fr-FR';
    const viewport = { width: 390, height: 844 };
    const context = await chromium.browser.newContext({ locale, javaScriptEnabled: false, viewport });
    const checker = await chromium.browser.newContext({ bypassCSP: true, viewport });
    const page = await context.newPage();
    const refused: string[] = [];
    page.on('console', (message) => {
      // Ignores what Chromium says about responses of 400 and more, which this test expects, and about scripts in the preview.
      if (!/the server responded with a status of|Blocked script execution/.test(message.text())) refused.push(message.text());
    });
    const fits = async (name: string): Promise<void> =>
      expect({ name, faults: await pageFaults(page, checker) }).toEqual({ name, faults: [] });
    const email = `ana-${locale}@example.org`.toLowerCase();

    await page.goto(base);
    await page.click('a[href="/tenant/new/"]');
    await fits('form');
    // Enter submits the form instead of checking the sub-domain.
    await page.fill('#name', `Le Hangar ${locale}`);
    await page.press('#name', 'Enter');
    await page.locator('.summary').waitFor();
    expect(await page.locator('.summary li').count()).toBe(3);
    await page.locator('.summary:focus').waitFor();
    expect(await page.inputValue('#name')).toBe(`Le Hangar ${locale}`);
    await fits('faults');
    await page.click('.summary a[href="#short_description"]');
    await page.fill('#short_description', 'Concerts au bord de la Loire');
    await page.check('#category-F');
    await page.fill('#email', email);
    const picture = await sharp({ create: { width: 600, height: 400, channels: 3, background: 'teal' } })
      .png()
      .toBuffer();
    await page.setInputFiles('#image', { name: 'hall.png', mimeType: 'image/png', buffer: picture });
    await page.fill('#slug', 'www');
    await page.click('button[formaction]');
    await page.locator('#slug-fault').waitFor();
    await page.locator('#slug:focus').waitFor();
    await page.fill('#slug', `hangar-${locale.toLowerCase()}`);
    await page.click('button[formaction]');
    await page.locator('#slug-free').waitFor();
    expect(await page.evaluate("document.querySelector('.kept img').naturalWidth")).toBe(150);
    await fits('checked');
    await page.check('#terms');
    await page.locator('.closing .button').focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/tenant/new/sent');
    await fits('sent');

    await page.goto(base + linkIn(await mailTo(smtp, email)));
    await fits('confirm');
    // The pages use the port of the settings, but the test listens on another one.
    const [lost] = await Promise.all([page.waitForEvent('requestfailed'), page.click('main .button')]);
    await page.waitForURL('chrome-error://**');
    await page.goto(lost.url().replace(':3000', `:${test.port}`));
    await page.locator('#password').waitFor();
    expect(await page.locator('.gt-lead').textContent()).toContain(`Le Hangar ${locale} ${french ? 'est en ligne' : 'is online'}`);
    await page.fill('#name', 'Zoé Martin');
    await page.fill('#password', 'short');
    await page.click('button[type=submit]');
    await fits('password');
    await page.fill('#password', 'a long enough sentence');
    await page.click('button[type=submit]');
    await page.locator('.gt-welcome-step').first().waitFor();
    expect(new URL(page.url())).toMatchObject({ pathname: '/admin/welcome', hostname: `hangar-${locale.toLowerCase()}.localhost` });
    expect(await page.locator('.gt-welcome-step').count()).toBe(4);
    await fits('welcome');
    // The first event is published without leaving the steps.
    await page.click('#event summary');
    await page.fill('#first-name', 'Bal des lucioles');
    await page.fill('#first-day', '2040-05-21');
    // There is no address yet, so that another place is chosen.
    expect(await page.locator('#first-placeName').isVisible()).toBe(true);
    expect(await page.locator('#first-until').isVisible()).toBe(false);
    await page.selectOption('#first-place', '');
    expect(await page.locator('#first-placeName').isVisible()).toBe(false);
    await page.fill('#first-amount1', 'much');
    await page.click('#event button[value=true]');
    await page.locator('#first-begins-fault').waitFor();
    await fits('faults of the event');
    await page.fill('#first-begins', '20:30');
    await page.fill('#first-amount1', '12');
    await page.click('.gt-more-rows:has(#first-price2) > summary');
    await page.fill('#first-price2', 'Members');
    await page.fill('#first-amount2', '8');
    // A row that was typed by mistake.
    await page.locator('.gt-more-rows:has(#first-price3) > summary').last().click();
    await page.fill('#first-amount3', 'much');
    await page.check('input[name="removed-price3"]');
    await page.selectOption('#first-category', 'DAN');
    await page.selectOption('#first-place', 'elsewhere');
    await page.fill('#first-placeName', 'Le Pré');
    await page.setInputFiles('#first-img', { name: 'ball.png', mimeType: 'image/png', buffer: picture });
    await page.click('#event button[value=true]');
    await page.locator('.gt-welcome-preview').waitFor();
    await page.click('#event summary');
    expect(await page.locator('#event').textContent()).toContain('Bal des lucioles');
    await fits('the first event');
    await page.click('form[action="/admin/welcome"] button');
    await page.waitForURL('**/admin');
    expect(refused).toEqual([]);
    await Promise.all([context.close(), checker.close()]);
  });
});
