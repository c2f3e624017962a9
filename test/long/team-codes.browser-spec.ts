import { randomUUID } from 'node:crypto';
import decodeQr from 'qr/decode.js';
import sharp from 'sharp';
import { extractText } from 'unpdf';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DeviceCareService, GatesService } from '#scan';
import { newEvent, newTicket } from '../support/builders.js';
import { inLongRuns } from '../support/long-run.js';
import { pairPhone, type PairedPhone } from '../support/team-codes.js';
import { until } from '../support/until.js';
import type { PageWatch } from '../browser/chromium.js';
import { accessFaults, overhang } from '../browser/page-faults.js';
import { openPanelVenue, picture, type PanelVenue } from '../browser/panel-venue.js';

let panel: PanelVenue;

beforeAll(async () => {
  panel = await openPanelVenue();
});
afterAll(() => panel?.close());

const newGate = (name: string, eventId: string | null = null): Promise<string> =>
  panel.test.inside(panel.venue, async () => (await panel.test.app.get(GatesService).create({ name, eventId })).id);

async function qrOf(page: Page, selector: string): Promise<string> {
  const { data, info } = await sharp(await page.locator(selector).screenshot())
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return decodeQr({ width: info.width, height: info.height, data });
}

const visits = [
  { locale: 'en-GB', width: 1280, save: 'Save', sheet: 'en', move: 'Move', see: 'Mark this line as seen', seen: 'Marked as seen' },
  {
    locale: 'fr-FR',
    width: 390,
    save: 'Enregistrer',
    sheet: 'de',
    move: 'Déplacer',
    see: 'Marquer cette ligne comme vue',
    seen: 'Marqué comme vu',
  },
];

/** What a person with one of the widths sees, without faults. */
async function look({ page, still }: PageWatch, name: string, width: number): Promise<void> {
  await still();
  expect(await overhang(page)).toBe(0);
  expect(await accessFaults(page, '#app main, #app section')).toEqual([]);
  await picture(page, `${name}-${width}`);
}

describe('team codes in Chromium', () => {
  it.each(inLongRuns(visits, visits.slice(1)))(
    'are created, shown, printed and used; a phone is moved and its lines are read ($locale, $width px)',
    async (words) => {
      const { test, venue } = panel;
      const { width } = words;
      const event = await newEvent(test, venue, { name: `Jazz ${width}` });
      const elsewhere = await newGate('Elsewhere', (await newEvent(test, venue)).id);
      const [main, balcony] = [await newGate(`Main ${width}`, event.id), await newGate(`Balcony ${width}`, event.id)];
      await test.database.query('update shared.tenant set language = $2 where id = $1', [venue.id, words.sheet]);
      const watch = await panel.open(words.locale, `/resources/team-codes/actions/new?eventId=${event.id}`);
      const { page } = watch;
      await page.setViewportSize({ width, height: 860 });
      await page.fill('#edit-name', 'Door team');
      await page.check(`input[name=gateIds][value="${main}"]`);
      await page.check(`input[name=gateIds][value="${balcony}"]`);
      expect(await page.locator(`[value="${elsewhere}"]`).count()).toBe(0);
      await page.selectOption('#edit-gateId', main);
      await look(watch, 'team-code-form', width);
      await page.getByRole('button', { name: words.save, exact: true }).click();
      const code = await page.locator('.gt-typed-code').innerText();
      const address = await qrOf(page, '.gt-team-code .gt-qr');
      expect(address).toMatch(new RegExp(`^http://${venue.host}:\\d+/door/#pair=${code}$`));

      const { body } = await pairPhone(test, venue, code, undefined, 'Pixel 7').expect(200);
      const phone = body as PairedPhone;
      await page.getByText('Door team 1 (Pixel 7)').waitFor();
      await look(watch, 'team-code', width);
      const guide = `/door/guide.${words.locale.slice(0, 2)}.html`;
      expect(await page.locator(`a[href="${guide}"]`).count()).toBe(1);
      const record = page.url().replace(/\/code\b.*$/, '');
      await page.goto(`${record}/show`);
      await page.getByText('Door team 1 (Pixel 7)').waitFor();
      await look(watch, 'team-code-record', width);
      await page.goto(`${record}/edit`);
      await page.waitForSelector('#edit-places');
      expect(await page.locator('#edit-eventId, #edit-gateId, #edit-role, input[name=gateIds]').count()).toBe(0);
      await look(watch, 'team-code-edit', width);
      await page.fill('#edit-places', '12');
      await page.getByRole('button', { name: words.save, exact: true }).click();
      await page.getByText('1 / 12').waitFor();
      await page.goto(`${record}/sheet`);
      await page.waitForSelector('.gt-sheet img');
      expect(await page.locator(`a[href="${guide}"]`).count()).toBe(1);
      await look(watch, 'pairing-sheet', width);
      expect(await qrOf(page, '.gt-sheet img')).toBe(address);
      expect(await page.getAttribute('.gt-sheet', 'lang')).toBe(words.sheet);
      await page.emulateMedia({ media: 'print' });
      // A4 without its margins, in pixels of the browser.
      await page.setViewportSize({ width: 680, height: 1032 });
      await picture(page, `pairing-sheet-paper-${width}`);
      await page.emulateMedia({ media: 'screen' });
      await page.setViewportSize({ width, height: 860 });
      const paper = await page.pdf({ preferCSSPageSize: true });
      const { totalPages, text } = await extractText(new Uint8Array(paper), { mergePages: true });
      expect(totalPages).toBe(1);
      expect(text.replaceAll(/\s+/g, ' ')).toContain(code);

      const contact = async (): Promise<{ gate: string | null }> => {
        const said = test.on(venue).post('/scan/contact/').set('Authorization', `Api-Key ${phone.api_key}`);
        const answer = await said.send({ event: event.id, gate: main, battery: 71, network: 'live' }).expect(200);
        return (answer.body as { device: { gate: string | null } }).device;
      };
      expect(await contact()).toMatchObject({ gate: main });
      await page.goto(panel.address(`/resources/scan-log/actions/door?event=${event.id}`));
      await page.getByRole('button', { name: words.move }).click();
      await page.selectOption('.gt-move select', balcony);
      await look(watch, 'door-move', width);
      await page.locator('.gt-move button[type=submit]').click();
      await until(contact, ({ gate }) => gate === balcony);

      const ticket = await newTicket(test, venue, { event });
      const made = { scan_id: randomUUID(), sequence: 1, qrcode_data: ticket.code, gate: main, verdict: 'admitted', mode: 'offline' };
      await test.inside(venue, () => test.app.get(DeviceCareService).wipe(phone.device_uuid));
      const lines = [JSON.stringify({ ...made, device_time: new Date().toISOString(), clock_error_ms: 1500 })];
      const bearer = `Bearer ${phone.quarantine_token}`;
      await test.on(venue).post('/scan/quarantine/').set('Authorization', bearer).send({ lines }).expect(200);
      await page.goto(panel.address(`/resources/devices/records/${phone.device_uuid}/quarantine`));
      await page.getByRole('button', { name: words.see }).waitFor();
      await look(watch, 'quarantine', width);
      await page.getByRole('button', { name: words.see }).click();
      await page.getByText(words.seen).first().waitFor();
      await page.goto(panel.address('/resources/devices'));
      await page.waitForSelector('.gt-row');
      await look(watch, 'devices', width);

      await page.goto(panel.address('/resources/devices/actions/new'));
      await page.fill('#edit-name', 'South door');
      await page.getByRole('button', { name: words.save, exact: true }).click();
      await page.waitForSelector('.gt-pairing .gt-qr');
      await look(watch, 'device-code', width);
      const token = await qrOf(page, '.gt-pairing .gt-qr');
      expect(token).toMatch(new RegExp(`^http://${venue.host}:\\d+/door/#pair=[A-Za-z0-9_-]{43}$`));
      await page.goto(page.url().replace(/\/pair\b.*$/, '/sheet'));
      await page.waitForSelector('.gt-sheet img');
      expect(await qrOf(page, '.gt-sheet img')).toBe(token);
      await page.close();
    },
  );
});
