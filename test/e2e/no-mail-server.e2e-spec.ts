import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MailSenderService } from '#notices';
import { HolderLinks, ReservationsService } from '#tickets';
import { SETTINGS } from '#kernel';
import { PricesService, ProductsService } from '#catalogue';
import { TenantDb, type TenantIdentity } from '#tenancy';
import { oneEvent } from '../support/box-office.js';
import { book, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { OrderForms } from '../support/order-forms.js';
import type { PanelClient } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;
let staff: PanelClient;

beforeAll(async () => {
  test = await startTestApp();
  tenant = await test.newTenant();
  staff = await staffOf(test, tenant);
});
afterAll(() => test.close());

const inside = <Result>(work: () => Promise<Result>): Promise<Result> => test.inside(tenant, work);
/** Phrases that announce a mail, in both languages. */
const claims = /on (the|its|their) way|en route|\bsent\b|mailbox|boîte|inbox|by mail|by e-mail|par e-mail|partent|envoy/i;
/** Phrases that state that no mail is sent. */
const denials = new RegExp(
  'No mail server is set up|nothing is sent|Not sent|reach nobody|' +
    'Aucun serveur de messagerie n’est configuré|rien n’est envoyé|n’atteignent personne',
  'gi',
);
const expectNoClaim = (text: string): void => expect(text.replace(denials, '')).not.toMatch(claims);

async function page(id: string, language: string): Promise<string> {
  const path = await inside(() => Promise.resolve(test.app.get(HolderLinks).pathTo({ reservationId: id })));
  const { text } = await test.on(tenant).get(path).set('Accept-Language', language).buffer(true).expect(200);
  return text.replace(/<[^>]*>/g, ' ');
}

describe('without a mail server', () => {
  it('promises no mail on the pages of holders', async () => {
    const event = await newEvent(test, tenant);
    const free = await newPrice(test, tenant, event.id, { amount: '0' });
    const waiting = await book(test, tenant, event, { tickets: [{ priceId: free, quantity: 1 }] });
    const valid = await book(test, tenant, event, { confirmed: true });
    for (const language of ['en', 'fr']) {
      for (const { id } of [waiting, valid]) expectNoClaim(await page(id, language));
      expect(await page(valid.id, language)).toMatch(language === 'en' ? /tickets are below/ : /billets sont ci-dessous/);
    }
  });

  it('shows the link of the mail in a demo on one computer alone', async () => {
    const event = await newEvent(test, tenant);
    const free = await newPrice(test, tenant, event.id, { amount: '0' });
    const forms = new OrderForms(test, tenant);
    const path = await forms.begin(event.slug, free, '1');
    const { headers } = await forms.complete(path, { email: `${randomUUID()}@example.org` });
    const sent = async (): Promise<string> => (await forms.get(headers['location'] ?? path)).text;
    const link = /href="(\/reservation\/[^"]+)">Open the link of the mail/;
    expect(await sent()).toMatch(/Ask the venue for the link|Demandez au lieu le lien/);
    const settings = test.app.get<{ demo: boolean; baseDomain: string }>(SETTINGS);
    try {
      Object.assign(settings, { demo: true, baseDomain: 'tickets.example' });
      expect(await sent()).not.toMatch(link);
      Object.assign(settings, { baseDomain: 'localhost' });
      const page = await test
        .on(tenant)
        .get(headers['location'] ?? path)
        .set('Accept-Language', 'en')
        .expect(200);
      const [, opened = ''] = link.exec(page.text) ?? [];
      expect((await forms.get(opened)).text).toContain(`action="${opened}/confirm"`);
    } finally {
      Object.assign(settings, { demo: false, baseDomain: 'localhost' });
    }
  });

  it('books free places and reserves those paid at the venue at once, where nobody can confirm an address', async () => {
    const startsAt = new Date(Date.now() + 86_400_000);
    const [free, paid] = [await newEvent(test, tenant, { startsAt }), await newEvent(test, tenant, { startsAt })];
    const price = await newPrice(test, tenant, free.id, { amount: '0' });
    const forms = new OrderForms(test, tenant);
    const sql = <Row>(text: string, values: unknown[] = []) =>
      inside(() => test.app.get(TenantDb).transaction((tx) => tx.query<Row[]>(text, values)));
    await sql('insert into configuration (id, pay_at_venue_hours) values (1, 2) on conflict (id) do update set pay_at_venue_hours = 2');
    const settings = test.app.get<{ confirmsAddresses: boolean }>(SETTINGS);
    try {
      Object.assign(settings, { confirmsAddresses: false });
      const states = [];
      for (const [{ slug }, priceId] of [[free, price] as const, [paid, paid.priceId] as const]) {
        const path = await forms.begin(slug, priceId, '1');
        expect((await forms.complete(path, { email: `${randomUUID()}@example.org` })).status).toBe(303);
        const { headers } = await forms.get(path);
        expect(headers['location']).toMatch(/^\/reservation\//);
        const { text } = await forms.get(String(headers['location']));
        expectNoClaim(text.replace(/<[^>]*>/g, ' ').replace(/By e-mail|Par e-mail/, ''));
        const [row] = await sql<{ status: string; held: boolean; until: Date | null; network: string | null }>(
          `select status, expires_at > now() + interval '1 hour' as held, pay_until as until, network from reservation where id = $1`,
          [path.split('/')[2]],
        );
        states.push([row?.status, row?.held, row?.until, row?.network === null]);
      }
      // They count for their network, like all that nobody confirms.
      expect(states).toEqual([
        ['FA', null, null, false],
        ['R', true, null, false],
      ]);
    } finally {
      Object.assign(settings, { confirmsAddresses: true });
    }
  });

  it('gives who gives a ticket away the link to pass on', async () => {
    const { id, tickets } = await book(test, tenant, await newEvent(test, tenant), { confirmed: true });
    const forms = new OrderForms(test, tenant);
    const path = await inside(() => Promise.resolve(test.app.get(HolderLinks).pathTo({ reservationId: id })));
    const friend = { email: `${randomUUID()}@example.org`, first_name: 'Ole', last_name: 'Berg', message: '', step: 'send' };
    expect((await forms.post(`${path}/tickets/${tickets[0]!.id}/transfer`, Object.entries(friend))).status).toBe(303);
    const { text } = await forms.get(path);
    const [, gift = ''] = /value="https?:\/\/[^/"]+(\/gift\/[^"]+)"/.exec(text) ?? [];
    expectNoClaim(text.replace(/<[^>]*>/g, ' ').replace(/By e-mail|Par e-mail/, ''));
    const accepted = await forms.post(gift, []);
    expect(accepted.headers['location']).toMatch(/^\/ticket\/.*\?accepted=1$/);
    const { text: own } = await test.on(tenant).get(String(accepted.headers['location'])).set('Accept-Language', 'en').expect(200);
    expect(own).toContain('The ticket is yours');
  });

  it('distinguishes stored mails from sent ones, and sets the reservation to PN', async () => {
    const event = await newEvent(test, tenant);
    const free = await newPrice(test, tenant, event.id, { amount: '0' });
    const { id } = await book(test, tenant, event, { tickets: [{ priceId: free, quantity: 1 }] });
    await staff.act('reservations', id, 'confirm');
    const mails = await test.database.query<{ id: string }>(
      `select id from "${tenant.schemaName}".mail where reservation_id = $1 and status = 'waiting'`,
      [id],
    );
    for (const mail of mails) await inside(() => test.app.get(MailSenderService).send(mail.id, { isLast: false }));
    const { records } = await staff.list('mails', { 'filters.status': 'kept' });
    expect(records!.map(({ params }) => [params['reservationId'], params['sentAt'] ?? null])).toContainEqual([id, null]);
    expect((await staff.list('mails', { 'filters.status': 'sent' })).records).toEqual([]);
    const { status } = (await inside(() => test.app.get(ReservationsService).find(id)))!;
    expect(['V', 'PN']).toContain(status);
  });

  it('says in the panel that nothing is sent: before and after selling, confirming, resending and cancelling', async () => {
    const event = await newEvent(test, tenant);
    expect((await staff.page('reservations', 'sell', { event: event.id })).view).toMatchObject({ mailed: false });
    const tickets = [{ priceId: event.priceId, quantity: 1 }];
    const email = `${randomUUID()}@example.org`;
    const sold = await staff.send('reservations', 'sell', oneEvent({ eventId: event.id, email, paymentMethod: 'cash', tickets }));
    expect(sold.view?.['sold']).toMatchObject({ mailed: false });

    const { id } = await book(test, tenant, event);
    const words = async (resource: string, record: string, action: string): Promise<string> =>
      JSON.stringify((await staff.look(resource, record, action)).view);
    const confirming = await words('reservations', id, 'confirm');
    expectNoClaim(confirming);
    expect(confirming).toContain('No mail server is set up');
    expect((await staff.act('reservations', id, 'confirm', { method: 'cash' })).notice?.message).toBe('confirmedKept');
    const link = String((await staff.look('reservations', id, 'show')).record?.params['guestLink']);
    expect(link).toMatch(/\/reservation\//);
    expect(await words('reservations', id, 'resend')).toContain('reach nobody');
    expect((await staff.act('reservations', id, 'resend')).notice?.message).toBe('resentKept');
    const cancelling = await words('reservations', id, 'cancel');
    expect(cancelling).toContain('No mail server is set up: inform');
    expectNoClaim(cancelling.replaceAll('Appears in the e-mail', ''));
    const off = await words('events', event.id, 'cancel');
    expect(off).toContain('inform the holders yourself');
    expectNoClaim(off);

    const product = await inside(() => test.app.get(ProductsService).create({ name: `Club ${randomUUID()}`, category: 'A' }));
    await inside(() => test.app.get(PricesService).create({ productId: product.id, name: 'Year', amount: '0' }));
    expectNoClaim(JSON.stringify((await staff.page('memberships', 'enrol')).view).replace('no card is sent', ''));
  });
});
