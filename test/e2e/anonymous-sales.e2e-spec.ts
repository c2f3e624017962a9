import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { HolderLinks } from '#tickets';
import { PricesService, ProductsService } from '#catalogue';
import { ScanningDevicesService } from '#scan';
import type { TenantIdentity } from '#tenancy';
import { oneEvent, saleErrors, soldPart } from '../support/box-office.js';
import { book, expectNoDrift, newPrice } from '../support/booking.js';
import { newDevice, newEvent } from '../support/builders.js';
import { type PanelAnswer, type PanelClient } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { openSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

let test: TestApp;
let mailServer: SmtpSink;
let venue: TenantIdentity;
let staff: PanelClient;

beforeAll(async () => {
  mailServer = await openSmtpSink();
  test = await startTestApp({ environment: { SMTP_URL: mailServer.url } });
  venue = await test.newTenant({ name: 'Venue' });
  staff = await staffOf(test, venue);
});
afterEach(() => expectNoDrift(test, venue));
afterAll(async () => {
  await test.close();
  await mailServer.close();
});

const sell = (event: { id: string; priceId: string }, more: object = {}, language = 'en'): Promise<PanelAnswer> =>
  staff.send(
    'reservations',
    'sell',
    oneEvent({ eventId: event.id, paymentMethod: 'cash', tickets: [{ priceId: event.priceId, quantity: 1 }], ...more }),
    language,
  );
const soldOf = (answer: PanelAnswer) => {
  expect(answer.errors).toBeUndefined();
  return soldPart(answer);
};
const mailsOf = (id: string): Promise<object[]> =>
  test.database.query(`select kind from "${venue.schemaName}".mail where reservation_id = $1`, [id]);

describe('a sale without an e-mail address', () => {
  it.each(['cash', 'card', 'offered'])('is valid at once when it is %s, and writes no mail', async (paymentMethod) => {
    const event = await newEvent(test, venue);
    const sold = soldOf(await sell(event, { paymentMethod, email: ' ' }));
    expect(sold).toMatchObject({ email: null, tickets: [{ name: sold.reference }] });
    const { record } = await staff.look('reservations', sold.id);
    expect(record).toMatchObject({ title: `№ ${sold.reference}`, params: { status: 'V', email: null } });
    expect(await mailsOf(sold.id)).toEqual([]);
    const ticket = await staff.look('tickets', sold.tickets[0]!.id);
    expect(ticket.record!.params).toMatchObject({ status: 'K', holder: `№ ${sold.reference}` });
    const device = await newDevice(test, venue);
    const scan = test.on(venue).post('/scan/ticket').set('Authorization', device.authorization);
    expect((await scan.send({ qrcode_data: ticket.record!.params['qr.text'] }).expect(200)).body).toMatchObject({ success: true });
  });

  it('mentions no mail to the holder, and offers staff no mail action', async () => {
    const event = await newEvent(test, venue);
    const { id } = soldOf(await sell(event));
    const path = await test.inside(venue, () => Promise.resolve(test.app.get(HolderLinks).pathTo({ reservationId: id })));
    const { text } = await test.on(venue).get(path).set('Accept-Language', 'en').buffer(true).expect(200);
    expect(text).not.toMatch(/mail/i);
    const { record } = await staff.look('reservations', id);
    const { recordActions } = record as unknown as { recordActions: { name: string }[] };
    expect(recordActions.map(({ name }) => name)).toContain('print');
    expect(recordActions.map(({ name }) => name)).not.toContain('resend');
    expect(JSON.stringify((await staff.look('reservations', id, 'cancel')).view)).toContain('inform the holder yourself');
    await staff.act('reservations', id, 'cancel');
    expect(await mailsOf(id)).toEqual([]);
    const { records } = await staff.list('refunds', { 'filters.due': 'true' });
    expect(records!.find(({ params }) => params['reservationId'] === id)?.params).toMatchObject({
      amount: '12.50',
      holder: `№ ${id.slice(0, 8).toUpperCase()}`,
      email: null,
    });
  });

  it('appears without an address in the APIs, the feed, device lists and exports', async () => {
    const event = await newEvent(test, venue);
    const { id } = soldOf(await sell(event, { lastName: 'Martin' }));
    const authorization = await newKey(test, venue, 'reservation:read', 'ticket:read', 'webhook:read');
    const read = (path: string) => test.on(venue).get(path).set('Authorization', authorization).expect(200);
    expect((await read(`/api/reservations/${id}/`)).body).toMatchObject({ user_mail: `${id}@no-address.invalid` });
    expect((await read(`/api/v2/reservations/${id}/`)).body.underName).toEqual({ '@type': 'Person', familyName: 'Martin' });
    const feed = (await read('/api/v2/webhook-events/')).body as {
      results: { type: string; data: { identifier?: string; underName?: object } }[];
    };
    const told = feed.results.filter(({ data }) => data.identifier === id);
    expect(told.map(({ data }) => data.underName)).toEqual([{ '@type': 'Person', familyName: 'Martin' }]);
    const device = await newDevice(test, venue);
    await test.inside(venue, () => test.app.get(ScanningDevicesService).change(device.id, { maySearchTickets: true }));
    const list = test.on(venue).post('/scan/list_tickets/').set('Authorization', device.authorization);
    const { body } = await list.send({ event_uuid: event.id }).expect(200);
    expect(body.results).toMatchObject([{ email: '', last_name: 'Martin', reservation_uuid: id }]);
    const csv = ((await staff.file('/exports/reservations.csv').expect(200)).body as Buffer).toString('utf8');
    expect(csv.split('\r\n').find((line) => line.includes(id))).toMatch(/^Martin[;,]/);
    expect(csv).not.toContain('invalid');
  });

  it('accepts an address that the buyer gives later and mails the tickets there', async () => {
    const event = await newEvent(test, venue);
    const { id } = soldOf(await sell(event));
    expect(JSON.stringify((await staff.look('reservations', id, 'correctEmail')).view)).toContain('gave no e-mail address');
    await staff.act('reservations', id, 'correctEmail', { email: 'later@example.org' });
    expect((await staff.look('reservations', id)).record!.params).toMatchObject({
      email: 'later@example.org',
      status: 'V',
    });
    expect(await mailsOf(id)).toEqual([{ kind: 'tickets' }]);
  });

  it('counts as a separate person for the maximum per person', async () => {
    const event = await newEvent(test, venue, { maxPerUser: 2 });
    const lines = (quantity: number): object => ({ tickets: [{ priceId: event.priceId, quantity }] });
    for (const sale of [await sell(event, lines(2)), await sell(event, lines(2))]) soldOf(sale);
    expect(saleErrors(await sell(event, lines(3)))).toEqual({ tickets: expect.stringContaining('more than one person may book') });
    const few = await newPrice(test, venue, event.id, { maxPerUser: 1 });
    expect(Object.keys(saleErrors(await sell({ id: event.id, priceId: few }, { tickets: [{ priceId: few, quantity: 2 }] })))).toEqual([
      'tickets',
    ]);
    soldOf(await sell({ id: event.id, priceId: few }));
  });

  it('is refused at a price for members, with the error beside the address', async () => {
    const event = await newEvent(test, venue);
    const { id } = await test.inside(venue, () => test.app.get(ProductsService).create({ name: 'Friends', category: 'A' }));
    await test.inside(venue, () => test.app.get(PricesService).update(event.priceId, { requiredMembershipId: id }));
    expect(saleErrors(await sell(event))).toEqual({ email: expect.stringContaining('for members') });
    expect(saleErrors(await sell(event, {}, 'fr'))).toEqual({ email: expect.stringContaining('adhérents') });
  });

  it('is possible only at the box office: holds and the API require an address', async () => {
    const event = await newEvent(test, venue);
    expect(saleErrors(await sell(event, { email: 'no' }))).toEqual({ email: expect.stringContaining('ada@example.org') });
    await expect(book(test, venue, event, { email: '' })).rejects.toMatchObject({ field: 'email' });
    await expect(book(test, venue, event, { email: '', origin: 'panel' })).rejects.toMatchObject({ field: 'email' });
    await expect(book(test, venue, event, { email: '', confirmed: true })).rejects.toMatchObject({ field: 'email' });
    const authorization = await newKey(test, venue, 'reservation:write');
    const body = { reservationFor: event.id, paymentMethod: 'cash', reservedTicket: [{ itemOffered: event.priceId, ticketQuantity: 1 }] };
    for (const underName of [undefined, { givenName: 'Ada' }, { email: '' }]) {
      const post = test.on(venue).post('/api/v2/reservations/').set('Authorization', authorization);
      const { body: answer } = await post.send({ '@type': 'EventReservation', ...body, underName }).expect(400);
      expect(JSON.stringify(answer.errors)).toContain('/underName');
    }
  });
});
