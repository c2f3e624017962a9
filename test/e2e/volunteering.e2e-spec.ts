import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { RefusedBooking } from '#tickets';
import type { Event } from '#catalogue';
import { JobRunner } from '#jobs';
import type { TenantIdentity } from '#tenancy';
import type supertest from 'supertest';
import { oneEvent, soldPart } from '../support/box-office.js';
import { book, crowd, expectNoDrift, newPrice } from '../support/booking.js';
import { newDevice, newEvent } from '../support/builders.js';
import type { PanelClient } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { readPdf } from '../support/read-pdf.js';
import { openSmtpSink, type SmtpSink, type TakenMail } from '../support/smtp-sink.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { builtIn, newSlot } from '../support/volunteering.js';
import { newKey } from '../support/webhooks.js';

type Body = Record<string, unknown>;

let test: TestApp;
let post: SmtpSink;
let tenant: TenantIdentity;
let authorization: string;
let staff: PanelClient;
let festival: Event;

beforeAll(async () => {
  post = await openSmtpSink();
  test = await startTestApp({ environment: { SMTP_URL: post.url } });
  test.app.get(JobRunner).start();
  tenant = await test.newTenant();
  authorization = await newKey(
    test,
    tenant,
    'reservation:read',
    'reservation:write',
    'ticket:read',
    'product:read',
    'product:write',
    'event:write',
    'webhook:read',
  );
  staff = await staffOf(test, tenant);
  festival = await newEvent(test, tenant);
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(async () => {
  await test.close();
  await post.close();
});

const call = (method: 'get' | 'post' | 'patch' | 'delete', path: string): supertest.Test =>
  test.on(tenant).call(method, path).set('Authorization', authorization);
const signUp = (event: { readonly id: string }, more: object = {}): supertest.Test =>
  call('post', '/api/v2/reservations/').send({
    reservationFor: event.id,
    underName: { email: `${randomUUID()}@example.org`, givenName: 'Ada', familyName: 'Martin' },
    reservedTicket: [{}],
    ...more,
  });
const signedUp = async (event: { readonly id: string }, more: object = {}): Promise<Body> =>
  (await signUp(event, more).expect(201)).body as Body;
const rows = <Row extends Body>(sql: string, ...values: unknown[]): Promise<Row[]> =>
  test.database.query<Row>(sql.replaceAll('{tenant}', `"${tenant.schemaName}"`), values);

/** The first mail to an address. */
async function mailTo(email: string): Promise<TakenMail> {
  for (const end = Date.now() + 20_000; ;) {
    const mail = post.mails.find(({ to }) => to.includes(email));
    if (mail) return mail;
    if (Date.now() > end) throw new Error(`No mail to ${email}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('a volunteering slot without a product', () => {
  it('is booked for free over the API, mailed, scanned, exported and sent to webhooks', async () => {
    const slot = await newSlot(test, tenant, festival, { capacity: 3, maxPerUser: 2 });
    const email = `${randomUUID()}@example.org`;
    const made = await signedUp(slot, {
      underName: { email, givenName: 'Zoë' },
      reservedTicket: [{ ticketQuantity: 2 }],
      confirmed: true,
      inLanguage: 'en',
    });
    expect(made).toMatchObject({ totalPrice: '0.00', reservationStatus: 'https://schema.org/ReservationConfirmed' });
    expect(made['reservedTicket']).toEqual(
      Array.from({ length: 2 }, () =>
        expect.objectContaining({
          name: 'Volunteer',
          totalPrice: '0.00',
          status: 'K',
          qrcode: expect.any(String),
          itemOffered: expect.objectContaining({ category: 'admission' }),
        }),
      ),
    );
    expect(await rows('select booked from {tenant}.event where id = $1', slot.id)).toEqual([{ booked: 2 }]);

    const { to, parsed } = await mailTo(email);
    expect([to, parsed.text]).toEqual([[email], expect.stringContaining('Volunteering')]);
    const pdf = await readPdf(
      Buffer.from(parsed.attachments.find(({ mimeType }) => mimeType === 'application/pdf')!.content as ArrayBuffer),
    );
    expect(pdf.pages[0]!.map(({ text }) => text).join('\n')).toContain('Volunteering');

    const device = await newDevice(test, tenant);
    const scan = async (code: string): Promise<Body> =>
      (await test.on(tenant).post('/scan/ticket/').set('Authorization', device.authorization).send({ qrcode_data: code }).expect(200))
        .body as Body;
    const [one, two] = made['reservedTicket'] as [Body, Body];
    expect(await scan(one['qrcode'] as string)).toMatchObject({ success: true, ticket: { price: 'Volunteer', product: 'Volunteering' } });
    expect(await scan(one['qrcode'] as string)).toMatchObject({ success: false, reason: 'already_scanned' });

    for (const path of [`/api/reservations/${String(made['identifier'])}/`, `/api/ticket/${String(two['identifier'])}/`])
      await call('get', path).expect(200);
    const exported = (await staff.file('/exports/tickets.csv')).body as Buffer;
    expect(exported.toString('utf8')).toContain('Volunteering · Volunteer');
    expect((await staff.list('scan-log')).records![0]!.params).toMatchObject({ outcome: 'already_scanned' });
    const { results } = (await call('get', '/api/v2/webhook-events/')).body as { results: Body[] };
    const told = results.filter(({ data }) => (data as Body)['identifier'] === made['identifier']);
    expect(told.map(({ type }) => type as string)).toEqual(['reservation.created']);
    expect(told[0]).toMatchObject({ data: { totalPrice: '0.00', reservedTicket: [{ name: 'Volunteer' }, { name: 'Volunteer' }] } });
  });

  it('awaits the confirmation of the address like every free booking, and frees its place when cancelled', async () => {
    const slot = await newSlot(test, tenant, festival, { capacity: 1 });
    const { identifier, paymentDueDate } = await signedUp(slot, { reservedTicket: [{ identifier: null, price: 0 }] });
    expect(paymentDueDate).toEqual(expect.any(String));
    expect((await signUp(slot)).body).toMatchObject({
      status: 409,
      code: 'booking.sold_out',
      remaining: [{ name: 'Volunteer', remaining: 0 }],
    });
    const cancelled = { reservationStatus: 'https://schema.org/ReservationCancelled' };
    await call('patch', `/api/v2/reservations/${String(identifier)}/`)
      .send(cancelled)
      .expect(200);
    await signedUp(slot, { confirmed: true });
  });

  it('applies the maximum per person, publication and end of the event', async () => {
    const slot = await newSlot(test, tenant, festival, { maxPerUser: 1 });
    const underName = { email: `${randomUUID()}@example.org` };
    await signedUp(slot, { underName });
    expect((await signUp(slot, { underName })).body).toMatchObject({ code: 'booking.limit_per_user', mayBook: 0 });
    expect((await signUp(await newSlot(test, tenant, festival, { published: false }))).body).toMatchObject({
      code: 'booking.event_not_published',
    });
    const past = new Date(Date.now() - 86_400_000);
    expect((await signUp(await newSlot(test, tenant, festival, { startsAt: past }))).body).toMatchObject({ code: 'booking.event_over' });
    expect((await signUp(slot, { reservedTicket: [{ price: 5 }] })).body).toMatchObject({
      errors: [{ pointer: '/reservedTicket/0/price' }],
    });
  });

  it('is sold at the box office', async () => {
    const slot = await newSlot(test, tenant, festival, { capacity: 2 });
    const { view } = await staff.page('reservations', 'sell', { event: slot.id });
    expect(view!['events']).toContainEqual(expect.objectContaining({ id: slot.id, remaining: 2 }));
    expect(view).toMatchObject({
      sale: { prices: [{ product: 'Volunteering', name: 'Volunteer', amount: '0.00', remaining: 2, admits: true }] },
    });
    const { id: priceId } = (view!['sale'] as { prices: { id: string }[] }).prices[0]!;
    const sale = oneEvent({ eventId: slot.id, paymentMethod: 'cash', tickets: [{ priceId, quantity: 2 }] });
    const sold = await staff.send('reservations', 'sell', sale);
    expect(soldPart(sold)).toMatchObject({ total: '0.00', tickets: [{ price: 'Volunteering · Volunteer' }, {}] });
    const { params } = (await staff.look('events', slot.id)).record!;
    expect(params).toMatchObject({ filled: '2 / 2', 'products.items.0.title': 'Volunteering' });
  });

  it('is shown as a call for volunteers on its public page', async () => {
    const slot = await newSlot(test, tenant, festival, { capacity: 1, maxPerUser: 1 });
    const page = async (language: string): Promise<string> =>
      (await test.on(tenant).get(`/event/${slot.slug}`).set('Accept-Language', language).expect(200)).text;
    const offers = (text: string): Body[] =>
      (JSON.parse(/<script type="application\/ld\+json"[^>]*>([^<]*)</.exec(text)![1]!) as Body)['offers'] as Body[];
    const open = await page('en');
    expect(open).toContain('Places are free: volunteers can still sign up.');
    expect(open).not.toContain('<h2>Tickets</h2>');
    expect(offers(open)).toEqual([
      expect.objectContaining({ name: 'Volunteering', price: '0.00', availability: 'https://schema.org/InStock' }),
    ]);
    expect(offers(open)[0]).not.toHaveProperty('returnPolicy');
    await signedUp(slot);
    expect(await page('fr')).toContain('Complet\u00a0: assez de bénévoles se sont inscrits.');
    expect(offers(await page('en'))).toMatchObject([{ availability: 'https://schema.org/SoldOut' }]);
  });

  it('is booked with the product that staff link to it instead, while goods are sold in addition', async () => {
    const slot = await newSlot(test, tenant, festival);
    const shirt = await newPrice(test, tenant, slot.id, { name: 'T-shirt', amount: '10.00' }, 'T');
    const both = await signedUp(slot, { reservedTicket: [{}, { identifier: shirt }], paymentMethod: 'cash' });
    expect(both).toMatchObject({ totalPrice: '10.00', reservedTicket: [{ name: 'Volunteer' }, { name: 'T-shirt' }] });
    const meal = await newPrice(test, tenant, slot.id, { name: 'With a meal', amount: '5.00' });
    expect((await signUp(slot)).body).toMatchObject({ errors: [{ pointer: '/reservedTicket/0/identifier', code: 'isUuid' }] });
    const { price } = await builtIn(test, tenant);
    expect((await signUp(slot, { reservedTicket: [{ identifier: price }] })).body).toMatchObject({
      errors: [{ pointer: '/reservedTicket/0/identifier' }],
    });
    expect(await signedUp(slot, { reservedTicket: [{ identifier: meal }] })).toMatchObject({ totalPrice: '5.00' });
    const { view } = await staff.page('reservations', 'sell', { event: slot.id });
    expect((view!['sale'] as { prices: Body[] }).prices.map(({ name }) => name as string)).toEqual(['With a meal', 'T-shirt']);
  });

  it('refuses an entry without an offer for every other event, and without an event, by entry', async () => {
    const concert = await newEvent(test, tenant);
    const lines = { reservedTicket: [{}, { identifier: concert.priceId }, { identifier: null }] };
    const faults = [0, 2].map((line) => ({ pointer: `/reservedTicket/${line}/identifier`, code: 'isUuid' }));
    expect((await signUp(concert, lines)).body).toMatchObject({ code: 'body.invalid', errors: faults });
    expect((await signUp({ id: randomUUID() })).body).toMatchObject({ errors: [faults[0]] });
    expect((await signUp(concert, { reservationFor: null })).body).toMatchObject({ errors: [faults[0]] });
    const { price } = await builtIn(test, tenant);
    expect((await signUp(concert, { reservedTicket: [{ identifier: price }] })).body).toMatchObject({
      errors: [{ pointer: '/reservedTicket/0/identifier', code: 'refused' }],
    });
  });
});

describe('many simultaneous volunteers', () => {
  it('get all remaining places of a slot and no more, and one each where the maximum is one', async () => {
    const slot = await newSlot(test, tenant, festival, { capacity: 7 });
    const answers = await Promise.all(crowd(40, () => signUp(slot)));
    const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other);
    // Without the reason `places` in claim-statement.ts all 40 get a place.
    expect(statuses).toEqual([...Array<number>(7).fill(201), ...Array<number>(33).fill(409)]);
    expect(await rows('select booked from {tenant}.event where id = $1', slot.id)).toEqual([{ booked: 7 }]);

    const single = await newSlot(test, tenant, festival, { capacity: 20, maxPerUser: 1 });
    const { price } = await builtIn(test, tenant);
    const email = `${randomUUID()}@example.org`;
    const outcomes = await Promise.allSettled(
      crowd(12, (index) => book(test, tenant, { id: single.id, priceId: price }, { email: index % 2 ? email : email.toUpperCase() })),
    );
    const refusals = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as RefusedBooking] : []));
    expect(refusals.map(({ reason }) => reason)).toEqual(Array<string>(11).fill('limit_per_user'));
  });
});
