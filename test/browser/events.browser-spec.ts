import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventsService } from '#catalogue';
import { JobRunner } from '#jobs';
import { TenantDb, UsersService, type TenantIdentity } from '#tenancy';
import { book } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { openChromium, type TestBrowser } from './chromium.js';
import { PanelSessions } from './panel-sessions.js';

let test: TestApp;
let chromium: TestBrowser;
let venue: TenantIdentity;
let folder: string;
let sessions: PanelSessions;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guichet-mails-'));
  [test, chromium] = await Promise.all([startTestApp({ environment: { MAIL_FOLDER: folder } }), openChromium()]);
  test.app.get(JobRunner).start();
  venue = await test.newTenant({ name: 'Venue' });
  const users = test.app.get(UsersService);
  const person = await users.create({ email: 'staff@example.org', name: 'Zoé Staff' });
  await users.grant(person.id, { tenantId: venue.id });
  sessions = new PanelSessions(chromium.browser, person);
});
afterAll(async () => {
  await chromium?.close();
  await test?.close();
  await rm(folder, { recursive: true, force: true });
});

const at = (path: string): string => `http://${venue.host}:${test.port}/admin/resources/events/records/${path}`;

describe('events in Chromium', () => {
  it('are duplicated by a week and published, on a phone', async () => {
    const event = await newEvent(test, venue, { name: 'Every week', startsAt: new Date('2027-06-01T18:00:00Z') });
    const watch = await sessions.open(at(`${event.id}/show`), 'en-GB');
    const { page } = watch;
    await page.setViewportSize({ width: 390, height: 800 });
    await page.click('.gt-header summary:has-text("More")');
    await page.click('.gt-header a:has-text("Duplicate")');
    await page.click('label:has-text("A week")');
    await page.click('form.gt-action-form button[type=submit]');
    await page.waitForSelector('.gt-shown-value:has-text("8 Jun 2027")');
    await page.click('.gt-header button:has-text("Publish")');
    await page.waitForSelector('.gt-header button:has-text("Unpublish")', { state: 'attached' });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    const all = await test.inside(venue, () => test.app.get(EventsService).list());
    const copies = all.filter(({ name }) => name === 'Every week').map(({ startsAt }) => startsAt.toISOString());
    expect(copies).toEqual(['2027-06-01T18:00:00.000Z', '2027-06-08T18:00:00.000Z']);
    // The form of a price says that both events sell it; the sentence is no field.
    await page.goto(at('').replace('events/records/', `prices/records/${event.priceId}/edit`));
    await page.waitForSelector('form .gt-stale:has-text("2 events sell this price")');
    await page.fill('#edit-name', 'For both');
    await page.click('form:has(#edit-name) button[type=submit]');
    await page.waitForSelector('h1:has-text("For both")');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(watch.faults).toEqual([]);
    await page.close();
  });

  it('are made on several dates by one form, on a phone, which the only button for a new event opens', async () => {
    const watch = await sessions.open(at('').replace('/records/', ''), 'en-GB');
    const { page } = watch;
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await page.locator('.gt-header a:has-text("New event")').count()).toBe(1);
    await page.click('.gt-header a:has-text("New event")');
    await page.fill('#name', 'Circus');
    for (const [field, value] of Object.entries({ day: '2027-05-01', begins: '16:30', doors: '16:00' }))
      await page.fill(`#${field}`, value);
    expect(await page.locator('#until').count()).toBe(0);
    await page.selectOption('#step', 'week');
    await page.fill('#until', '2027-05-08');
    await page.click('fieldset:has-text("Several times a day") button');
    await page.fill('#clock1', '20:30');
    await page.selectOption('#place', 'elsewhere');
    await page.selectOption('#category', 'SPO');
    await page.click('form.gt-action-form button[name=also]');
    await page.waitForSelector('.gt-fault:has-text("Enter at least the name")');
    await page.fill('#placeName', 'Big top');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.click('form.gt-action-form button[name=also]');
    await page.waitForSelector('.gt-header button:has-text("Publish all dates")', { state: 'attached' });
    await page.click('.gt-header summary:has-text("More")');
    await page.click('.gt-header a:has-text("Change this and all later dates")');
    await page.waitForSelector('.gt-facts:has-text("4, without cancelled")');
    await page.fill('#capacity', '33');
    await page.click('form.gt-action-form button[type=submit]');
    await page.waitForSelector('.gt-shown-value:has-text("Big top")');
    const dates = await test.inside(venue, () =>
      test.app
        .get(TenantDb)
        .transaction((tx) => tx.query<object[]>(`select capacity, published from event where name = 'Circus' order by starts_at`)),
    );
    expect(dates).toEqual(Array.from({ length: 4 }, () => ({ capacity: 33, published: false })));
    await page.goto(at('').replace('records/', 'actions/setUp'));
    await page.fill('#name', 'Open rehearsal');
    for (const [field, value] of Object.entries({ day: '2027-06-01', begins: '18:00', capacity: '30' }))
      await page.fill(`#${field}`, value);
    await page.selectOption('#category', 'LIV');
    await page.click('form.gt-action-form button:has-text("Save and add details")');
    await page.waitForSelector('#edit-name');
    expect(await page.inputValue('#edit-name')).toBe('Open rehearsal');
    // Beside the form stands what has pages of its own; what was typed is not lost on the way there.
    await page.fill('#edit-subtitle', 'Bring a friend');
    await page.click('.gt-header-actions > a[href$="/products"]');
    await page.click('.gt-dialog button[value=no]');
    expect(await page.inputValue('#edit-subtitle')).toBe('Bring a friend');
    await page.click('.gt-header-actions > a[href$="/gallery"]');
    await page.click('.gt-dialog button[value=yes]');
    await page.waitForURL(/\/gallery$/);
    await page.goto(at('').replace('events/records/', 'bank-entries/actions/upload'));
    for (const [name, columns] of [
      ['statement.xml', 0],
      ['STATEMENT.CSV', 7],
    ] as const) {
      await page.setInputFiles('#file', { name, mimeType: 'text/plain', buffer: Buffer.from('x') });
      await page.locator('#amount').waitFor({ state: columns > 0 ? 'visible' : 'hidden' });
      expect(await page.locator('form.gt-action-form input[type=text]').count()).toBe(columns);
    }
    expect(watch.faults).toEqual([]);
    await page.close();
  });

  it('are cancelled with a note, and the page shows the progress', async () => {
    const event = await newEvent(test, venue, { name: 'Never' });
    for (let count = 0; count < 3; count += 1) {
      await book(test, venue, event, { confirmed: true, paymentMethod: 'cash' });
    }
    const watch = await sessions.open(at(`${event.id}/show`), 'en-GB');
    const { page } = watch;
    await page.click('.gt-header summary:has-text("More")');
    await page.click('.gt-header a:has-text("Cancel the event")');
    await page.waitForSelector('.gt-facts:has-text("3 reservations cancelled")');
    await page.fill('#note', 'The hall is flooded.');
    await page.click('form.gt-action-form button:has-text("Cancel the event")');
    await page.waitForSelector('.gt-shown-name');
    const isOver = (): Promise<boolean> => page.isVisible('text=Cancelled, with 3 reservations');
    // The page that was loaded before the end shows the end, too, but its actions are those of the beginning.
    const isOffered = (): Promise<boolean> => page.isVisible('.gt-header a:has-text("Cancel the event")');
    for (const end = Date.now() + 90_000; (!(await isOver()) || (await isOffered())) && Date.now() < end;) {
      await page.goto(at(`${event.id}/show`));
      await page.waitForSelector('.gt-shown-name');
    }
    expect(await isOver()).toBe(true);
    expect(await isOffered()).toBe(false);
    expect(watch.faults).toEqual([]);
    await page.close();
  }, 180_000);
});
