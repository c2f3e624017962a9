import { randomUUID } from 'node:crypto';
import { EventsService } from '#catalogue';
import { GatesService, ScanningDevicesService } from '#scan';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { extractText } from 'unpdf';
import { book } from '../support/booking.js';
import { newDevice, newEvent, newTickets, type BuiltTicket, type PairedDevice } from '../support/builders.js';
import { inLongRuns } from '../support/long-run.js';
import { accessFaults, overhang } from './page-faults.js';
import { openPanelVenue, picture, type PanelVenue } from './panel-venue.js';

let panel: PanelVenue;
let device: PairedDevice;
let other: PairedDevice;
let event: { id: string; name: string };
let gates: string[];
let tickets: BuiltTicket[];

const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

async function post(path: string, body: object, by = device): Promise<Record<string, unknown>> {
  const { test, venue } = panel;
  return (await test.on(venue).post(path).set('Authorization', by.authorization).send(body).expect(200)).body;
}

/** An evening: 60 people of 90 came in during the last hour, through two gates, one of them twice. */
beforeAll(async () => {
  panel = await openPanelVenue();
  const { test, venue } = panel;
  [device, other] = [await newDevice(test, venue, 'Door 1'), await newDevice(test, venue, 'Terrace')];
  await test.inside(venue, () => test.app.get(ScanningDevicesService).change(other.id, { role: 'supervisor' }));
  const made = await newEvent(test, venue, {
    name: 'Nuit blanche',
    capacity: 200,
    startsAt: new Date(Date.now() - 1_800_000),
    endsAt: new Date(Date.now() + 4 * 3_600_000),
  });
  event = made;
  gates = await test.inside(venue, async () => {
    const service = test.app.get(GatesService);
    return [(await service.create({ name: 'Main door' })).id, (await service.create({ name: 'Terrace, river side', position: 1 })).id];
  });
  tickets = await newTickets(test, venue, { event: made, count: 86 });
  await book(test, venue, made, { quantity: 4, firstName: 'Zoé', lastName: 'Alard', confirmed: true });
  const line = (ticket: string, index: number) => ({
    scan_id: randomUUID(),
    sequence: index,
    verdict: 'admitted',
    mode: 'offline',
    ticket,
  });
  const lines = tickets.slice(0, 60).map(({ id }, index) =>
    JSON.stringify({
      ...line(id, index),
      gate: gates[index % 3 === 0 ? 1 : 0],
      device_time: minutesAgo(index < 30 ? 50 - index : (60 - index) / 4),
    }),
  );
  await post('/scan/batch/', { lines });
  const twice = { ...line(tickets[0]!.id, 0), device_time: minutesAgo(1), clock_error_ms: 1200, gate: gates[1] };
  await post('/scan/batch/', { lines: [JSON.stringify(twice)] }, other);
  await post('/scan/ticket/', { qrcode_data: tickets[1]!.code, gate: gates[0] });
}, 120_000);
afterAll(() => panel?.close());

const inside = (page: Page): Promise<string> => page.locator('.gt-door-inside strong').innerText();
const door = () => panel.address(`/resources/scan-log/actions/door?event=${event.id}`);

const looks = [
  ['en-GB', 1280],
  ['de-DE', 390],
  ['fr-FR', 390],
] as const;

describe('the page of the door in Chromium', () => {
  it('shows an entry without a reload, and reads nothing while it is hidden', async () => {
    const watch = await panel.open('en-GB');
    const { page } = watch;
    await page.clock.install();
    await page.locator('.gt-event', { hasText: event.name }).getByRole('link', { name: 'Door' }).click();
    await page.waitForSelector('.gt-door-inside');
    expect(await inside(page)).toBe('60');
    const marked = await page.evaluate(`window.marked = true; document.querySelectorAll('.gt-gate svg').length`);
    expect(marked).toBe(2);
    await post('/scan/ticket/', { qrcode_data: tickets[60]!.code, gate: gates[0] });
    await page.locator('.gt-door-inside strong', { hasText: /^61$/ }).waitFor();
    expect(await page.evaluate('window.marked')).toBe(true);
    expect(await page.locator('.gt-forecast').innerText()).toMatch(/everybody is in at about|not everybody is in before/);
    await page.getByText('1 double entry needs a decision').waitFor();
    expect(await page.locator('.gt-door-lists').innerText()).toContain('Already scanned');

    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })`);
    await page.clock.runFor(7000);
    const whileHidden = asked.length;
    await page.evaluate(`delete document.visibilityState; document.dispatchEvent(new Event('visibilitychange'))`);
    await page.waitForRequest(/part=now/);
    expect(whileHidden).toBeLessThanOrEqual(1);
    expect(watch.faults).toEqual([]);
    await page.close();
  });

  it.each(inLongRuns(looks, looks.slice(1, 2)))(
    'has no faults in %s at %i px, like the guest list and the ledger',
    async (locale, width) => {
      const watch = await panel.open(locale);
      const { page } = watch;
      await page.setViewportSize({ width, height: 860 });
      const visit = async (name: string, path: string, ready: string): Promise<void> => {
        await page.goto(path);
        await page.waitForSelector(ready);
        await watch.still();
        await picture(page, `door-${name}-${locale}-${width}`);
        expect([name, await overhang(page), await accessFaults(page, '[data-css="app-content"]')]).toEqual([name, 0, []]);
      };
      await visit('live', door(), '.gt-door-inside');
      await page.locator('.gt-entries-table summary').click();
      await picture(page, `door-table-${locale}-${width}`);
      expect(await overhang(page)).toBe(0);
      await visit('guests', panel.address(`/resources/scan-log/actions/guests?event=${event.id}`), '.gt-guest-table');
      await visit('ledger', panel.address('/resources/double-entries'), '.gt-table');
      const [row] = await page.evaluate<{ id: string }[]>(
        `fetch('/admin/api/resources/double-entries/actions/list').then((answer) => answer.json()).then(({ records }) => records)`,
      );
      await visit('entry', panel.address(`/resources/double-entries/records/${row!.id}/show`), '.gt-related, .gt-absent');
      await visit('decide', panel.address(`/resources/double-entries/records/${row!.id}/decide`), '.gt-action-form');
      expect(watch.faults).toEqual([]);
      await page.close();
    },
  );

  it('prints the guest list on A4 with its heading, every name and a box, and without the panel', async () => {
    const watch = await panel.open('en-GB', `/resources/scan-log/actions/guests?event=${event.id}`);
    const { page } = watch;
    await page.waitForSelector('.gt-guest-table');
    const pdf = await page.pdf({ preferCSSPageSize: true });
    const { text, totalPages } = await extractText(new Uint8Array(pdf), { mergePages: false });
    expect(totalPages).toBeGreaterThan(1);
    const all = text.join('\n');
    expect(all).toContain('Nuit blanche');
    expect(all).toMatch(/As of .*\d\d:\d\d:\d\d/);
    expect(all.match(/Alard/g)).toHaveLength(4);
    expect(all.match(/Martin/g)).toHaveLength(86);
    expect(all).not.toMatch(/Scan log|Box office|Print/);
    // Each page repeats the heading of the columns, and no page has an empty sheet after it.
    for (const sheet of text) expect(sheet).toMatch(/Name\s*Ticket\s*Status\s*Reference/);
    await page.getByRole('radio', { name: 'Only people inside' }).click();
    await page.locator('.gt-guests header', { hasText: 'people inside' }).waitFor();
    expect(await page.locator('.gt-guest-table tbody tr').count()).toBe(61);
    expect(watch.faults).toEqual([]);
    await page.close();
  });

  it('offers the door from the record of an event', async () => {
    const { test, venue } = panel;
    const watch = await panel.open('en-GB');
    const { page } = watch;
    await test.inside(venue, () => test.app.get(EventsService).update(event.id, { doorNote: 'red wristband' }));
    await page.goto(panel.address(`/resources/events/records/${event.id}/show`));
    await page.getByText('red wristband').waitFor();
    await page.getByRole('button', { name: 'Door, live' }).click();
    await page.waitForSelector('.gt-door-inside');
    expect(watch.faults).toEqual([]);
    await page.close();
  });
});
