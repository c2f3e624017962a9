import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { HolderLinks, LedgerAuditService, OnSaleService } from '#tickets';
import { PricesService, ProductsService } from '#catalogue';
import type { TenantIdentity } from '#tenancy';
import { book, expectNoDrift, letHoldsLapse, newPrice } from '../support/booking.js';
import { newDevice, newEvent } from '../support/builders.js';
import { oneEvent, saleErrors, soldOf, soldPart } from '../support/box-office.js';
import { newMemberPrice, newPlan } from '../support/membership-plans.js';
import type { PanelAnswer, PanelClient } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let venue: TenantIdentity;
let staff: PanelClient;

beforeAll(async () => {
  test = await startTestApp();
  venue = await test.newTenant({ name: 'Venue' });
  staff = await staffOf(test, venue);
});
afterEach(() => expectNoDrift(test, venue));
afterAll(() => test.close());

const sell = (event: { id: string; priceId: string }, more: object = {}, language = 'en'): Promise<PanelAnswer> =>
  staff.send(
    'reservations',
    'sell',
    oneEvent({
      eventId: event.id,
      email: `${randomUUID()}@example.org`,
      paymentMethod: 'cash',
      tickets: [{ priceId: event.priceId, quantity: 1 }],
      ...more,
    }),
    language,
  );

/** The sum below a list of the panel. */
const sumOf = async (list: string): Promise<string> => ((await staff.call('get', `/sums/${list}`).expect(200)).body as { sum: string }).sum;

/** A time zone in which it is currently between 03:00 and 04:00. */
function zoneAtThree(): string {
  const ahead = (27 - new Date().getUTCHours()) % 24;
  return ahead > 12 ? `Etc/GMT+${24 - ahead}` : `Etc/GMT-${ahead}`;
}

describe('the box office', () => {
  it('shows which prices the public pages do not sell now, and sells them', async () => {
    const event = await newEvent(test, venue, { name: 'Windows', startsAt: new Date(Date.now() + 20 * 86_400_000) });
    const [soon, gone] = [new Date(Date.now() + 86_400_000), new Date(Date.now() - 86_400_000)];
    const upcoming = await newPrice(test, venue, event.id, { name: 'Early', salesFrom: soon });
    const ended = await newPrice(test, venue, event.id, { name: 'Late', salesUntil: gone });
    const { view } = await staff.page('reservations', 'sell', { event: event.id });
    const { prices } = view!['sale'] as { prices: { id: string; sale: string; salesFrom: string | null; salesUntil: string | null }[] };
    expect(Object.fromEntries(prices.map(({ id, sale, salesFrom, salesUntil }) => [id, { sale, salesFrom, salesUntil }]))).toEqual({
      [event.priceId]: { sale: 'open', salesFrom: null, salesUntil: null },
      [upcoming]: { sale: 'upcoming', salesFrom: soon.toISOString(), salesUntil: null },
      [ended]: { sale: 'ended', salesFrom: null, salesUntil: gone.toISOString() },
    });
    for (const priceId of [upcoming, ended]) expect(soldPart(await sell({ id: event.id, priceId })).tickets).toHaveLength(1);
  });

  it('says that it sells one date of a pass', async () => {
    const event = await newEvent(test, venue, { name: 'Course' });
    await newPrice(test, venue, event.id, { name: 'All dates', wholeSeries: true });
    expect(JSON.stringify((await staff.page('reservations', 'sell', { event: event.id })).view)).toContain('"All dates – one date"');
  });

  it('lists what is on sale with the remaining number, today first', async () => {
    const other = await test.newTenant();
    const client = await staffOf(test, other);
    expect((await client.page('reservations', 'sell')).view).toMatchObject({ events: [], sale: null });
    const far = await newEvent(test, other, { name: 'Next week', startsAt: new Date(Date.now() + 7 * 86_400_000) });
    await newEvent(test, other, { name: 'Hidden', published: false });
    await newEvent(test, other, { name: 'Long over', startsAt: new Date(Date.now() - 86_400_000) });
    const only = await client.page('reservations', 'sell');
    expect(only.view).toMatchObject({
      events: [{ name: 'Next week', isToday: false, remaining: 50 }],
      eventId: far.id,
      sale: { prices: [{ id: far.priceId, name: 'Full price', amount: '12.50', remaining: 50 }] },
    });
    const tonight = await newEvent(test, other, { name: 'Tonight', startsAt: new Date(), capacity: 3 });
    const both = await client.page('reservations', 'sell');
    expect(both.view).toMatchObject({ events: [{ name: 'Tonight', isToday: true }, { name: 'Next week' }], eventId: tonight.id });
    await newPrice(test, other, tonight.id, { name: 'Few', stock: 2, maxPerUser: 1 });
    const asked = await client.page('reservations', 'sell', { event: tonight.id });
    expect(asked.view).toMatchObject({
      sale: { event: { remaining: 3 }, prices: [{ remaining: 3 }, { name: 'Few', remaining: 2, maxPerUser: 1 }] },
    });
    expect((await client.page('reservations', 'sell', { event: randomUUID() })).view).toMatchObject({ notOnSale: true, sale: null });
  });

  it('does not count places of expired holds, even without a worker', async () => {
    const tenant = await test.newTenant();
    const client = await staffOf(test, tenant);
    const event = await newEvent(test, tenant, { startsAt: new Date(), capacity: 3 });
    const few = await newPrice(test, tenant, event.id, { name: 'Few', stock: 1 });
    await book(test, tenant, event, { confirmed: true });
    await book(test, tenant, event);
    await book(test, tenant, { id: event.id, priceId: few });
    const shown = async (): Promise<object> => {
      const { text } = await test.on(tenant).get(`/event/${event.slug}`).set('Accept-Language', 'en').expect(200);
      const { events } = (await client.call('get', '/api/dashboard').expect(200)).body as { events: object[] };
      const [record] = (await client.list('events')).records!;
      const onSale = await test.inside(tenant, () => test.app.get(OnSaleService).events(10));
      return {
        soldOut: text.match(/Sold out/g)?.length ?? 0,
        tonight: events.map((shownEvent) => 'sellHref' in shownEvent),
        filled: record!.params['filled'],
        remaining: onSale.map(({ remaining }) => remaining),
      };
    };
    expect(await shown()).toEqual({ soldOut: 3, tonight: [false], filled: '3 / 3', remaining: [0] });
    await letHoldsLapse(test, tenant);
    expect(await shown()).toEqual({ soldOut: 0, tonight: [true], filled: '1 / 3', remaining: [2] });
    await book(test, tenant, { id: event.id, priceId: few });
    expect(await shown()).toEqual({ soldOut: 1, tonight: [true], filled: '2 / 3', remaining: [1] });
    await expectNoDrift(test, tenant);
  });

  it('sells at a free price for the amount that the buyer chooses', async () => {
    const event = await newEvent(test, venue);
    const priceId = await newPrice(test, venue, event.id, { name: 'Free price', amount: '5', freeAmount: true });
    const { view } = await staff.page('reservations', 'sell', { event: event.id });
    expect(view).toMatchObject({ sale: { prices: [{ freeAmount: false }, { id: priceId, amount: '5.00', freeAmount: true }] } });
    const at = (amount?: string): Promise<PanelAnswer> => sell(event, { tickets: [{ priceId, quantity: 2, amount }] });
    expect(soldPart(await at('7,5'))).toMatchObject({ total: '15.00' });
    expect(soldPart(await at())).toMatchObject({ total: '10.00' });
    expect(saleErrors(await at('4'))).toEqual({ 'tickets.0.amount': 'The minimum amount is 5.00.' });
    expect(saleErrors(await at('much'))).toEqual({ 'tickets.0.amount': expect.stringContaining('Send an amount') });
  });

  it('sells tickets whose codes are valid at once, and shows the amount to collect', async () => {
    const event = await newEvent(test, venue);
    const answer = await sell(event, {
      tickets: [{ priceId: event.priceId, quantity: 2 }],
      firstName: 'Ada',
      lastName: 'Martin',
      paymentMethod: 'card',
    });
    expect(saleErrors(answer)).toEqual({});
    const sold = soldPart(answer);
    expect(sold).toMatchObject({ total: '25.00', method: 'card', tickets: [{ name: 'Ada Martin' }, { name: 'Ada Martin' }] });
    const id = sold.href.split('/').at(-2)!;
    const { record } = await staff.look('reservations', id);
    expect(record!.params).toMatchObject({
      status: 'V',
      origin: 'panel',
      paid: '25.00',
      'payments.items.0.title': '€25.00',
      'payments.items.0.details': 'Card · at the venue',
      'mails.items.0.title': 'Tickets',
      'mails.items.0.badge.text': 'Waiting',
    });
    const device = await newDevice(test, venue);
    for (const ticket of sold.tickets) {
      const page = await staff.look('tickets', ticket.id);
      expect(page.record!.params['qr.picture']).toBe(ticket.picture);
      const { body } = await test
        .on(venue)
        .post('/scan/ticket')
        .set('Authorization', device.authorization)
        .send({ qrcode_data: page.record!.params['qr.text'] })
        .expect(200);
      expect(body).toMatchObject({ success: true });
    }
  });

  it('collects nothing for offered or free tickets', async () => {
    const event = await newEvent(test, venue);
    const offered = soldPart(await sell(event, { paymentMethod: 'offered' }));
    expect(offered).toMatchObject({ total: '12.50', method: 'offered' });
    expect((await staff.look('reservations', offered.id)).record!.params).toMatchObject({ paid: '0.00' });
    const free = await newPrice(test, venue, event.id, { amount: '0' });
    expect(soldPart(await sell({ id: event.id, priceId: free }))).toMatchObject({ total: '0.00', payments: [] });
  });

  it('shows all missing input at once, beside its field, in the language of the user', async () => {
    const none = await staff.send('reservations', 'sell', {});
    expect(Object.keys(saleErrors(none)).toSorted()).toEqual(['paymentMethod', 'tickets']);
    const wrong = oneEvent({ email: 'no', tickets: 'x', eventId: [], paymentMethod: 'gold' });
    const french = await staff.send('reservations', 'sell', wrong, 'fr');
    expect(saleErrors(french)).toMatchObject({
      tickets: 'Choisissez au moins un billet.',
      email: expect.stringContaining('adresse e-mail'),
      eventId: 'Choisissez l’événement.',
    });
  });

  it('refuses more than is left, and shows the remaining number', async () => {
    const event = await newEvent(test, venue, { capacity: 3 });
    await sell(event, { tickets: [{ priceId: event.priceId, quantity: 2 }] });
    const two = { tickets: [{ priceId: event.priceId, quantity: 2 }] };
    expect(saleErrors(await sell(event, two))).toEqual({
      tickets: 'Not enough places are left. Left – Full price: 1.',
    });
    expect(saleErrors(await sell(event, two, 'fr'))['tickets']).toContain('Il reste – Full price: 1.');
    expect(saleErrors(await sell(event))).toEqual({});
    expect((await staff.page('reservations', 'sell', { event: event.id })).view).toMatchObject({ sale: { event: { remaining: 0 } } });
  });

  it('refuses more than one person may book, and prices for members', async () => {
    const event = await newEvent(test, venue, { maxPerUser: 2 });
    const email = 'ada@example.org';
    await sell(event, { email });
    expect(saleErrors(await sell(event, { email: 'Ada+friends@example.org', tickets: [{ priceId: event.priceId, quantity: 2 }] }))).toEqual(
      {
        tickets: 'That is more than one person may book. This person can book 1 more.',
      },
    );
    const { id: requiredMembershipId } = await test.inside(venue, () =>
      test.app.get(ProductsService).create({ name: 'Circle of friends', category: 'A' }),
    );
    await test.inside(venue, () => test.app.get(PricesService).update(event.priceId, { requiredMembershipId }));
    expect(saleErrors(await sell(event))['tickets']).toContain('for members');
  });

  it('refuses prices and events that are not on sale', async () => {
    const event = await newEvent(test, venue);
    const foreign = await newEvent(test, venue);
    expect(Object.keys(saleErrors(await sell({ id: event.id, priceId: foreign.priceId })))).toEqual(['tickets.0.priceId']);
    const hidden = await newEvent(test, venue, { published: false });
    expect(saleErrors(await sell(hidden))).toEqual({ eventId: 'This event is not published.' });
    expect(Object.keys(saleErrors(await sell({ id: randomUUID(), priceId: event.priceId })))).toEqual(['eventId']);
  });

  it('sells tickets of several events and memberships at once, also at the price of these members', async () => {
    const [first, second] = [await newEvent(test, venue, { name: 'First' }), await newEvent(test, venue, { name: 'Second', capacity: 2 })];
    const plan = await newPlan(test, venue, '30');
    const { priceId } = plan;
    const forMembers = await newMemberPrice(test, venue, second, plan, '5');
    expect((await staff.page('reservations', 'sell')).view).toMatchObject({ memberships: { prices: [{ id: priceId, amount: '30.00' }] } });
    const sale = (email: string, quantity: number): Promise<PanelAnswer> =>
      staff.send('reservations', 'sell', {
        email,
        paymentMethod: 'card',
        memberships: [{ priceId, quantity: 1 }],
        parts: [
          { eventId: first.id, tickets: [{ priceId: first.priceId, quantity: 2 }] },
          { eventId: second.id, tickets: [{ priceId: forMembers, quantity }] },
        ],
      });
    expect(saleErrors(await sale('', 1))).toEqual({ email: expect.stringContaining('e-mail address') });
    expect(saleErrors(await sale('new@example.org', 3))).toEqual({ 'parts.1.tickets': expect.stringContaining('Not enough places') });
    expect((await staff.list('memberships')).records).toEqual([]);
    const sold = soldOf(await sale('new@example.org', 1));
    expect(sold).toMatchObject({ total: '60.00', parts: [{ tickets: [{}, {}] }, { tickets: [{}] }], memberships: [{}] });
    expect(sold.payments).toHaveLength(3);
    expect((await staff.list('memberships')).records).toMatchObject([{ params: { state: 'valid' } }]);
  });

  it('corrects a wrong payment method once, and the ledger keeps what was recorded', async () => {
    const event = await newEvent(test, venue, { name: 'Wrong method' });
    const sold = soldPart(await sell(event, { tickets: [{ priceId: event.priceId, quantity: 2 }] }));
    const [payment] = sold.payments;
    const correct = () => staff.act('payments', payment!, 'correctMethod', { method: 'card', note: 'Terminal used' });
    const answers = await Promise.all([correct(), correct(), correct()]);
    expect(answers.filter(({ notice }) => notice?.type === 'success')).toHaveLength(1);
    const { records } = await staff.list('payments', { 'filters.eventId': event.id });
    const shown = records!.map(({ params }) => [params['amount'], params['method'], params['status']].join(' '));
    expect(shown.toSorted()).toEqual(['-25.00 cash refunded', '25.00 card paid', '25.00 cash paid']);
    expect(await sumOf(`payments?filters.eventId=${event.id}`)).toBe('25.00');
    expect(await sumOf(`payments?filters.eventId=${event.id}&filters.method=cash`)).toBe('0.00');
    expect((await staff.list('refunds', { 'filters.eventId': event.id })).records).toEqual([]);
    const { params } = (await staff.look('reservations', sold.id)).record!;
    expect(params).toMatchObject({ paid: '25.00' });
    expect(Object.values(params)).toContain('Cash · Method corrected · Terminal used');
    expect(await test.inside(venue, () => test.app.get(LedgerAuditService).drifts())).toEqual([]);
    const path = await test.inside(venue, () => Promise.resolve(test.app.get(HolderLinks).pathTo({ reservationId: sold.id })));
    expect((await test.on(venue).get(path).expect(200)).text).not.toContain('refunded');
    // What is cancelled later is given back as it was really paid.
    expect((await staff.act('reservations', sold.id, 'cancel', {})).notice?.type).toBe('success');
    const due = (await staff.list('refunds', { 'filters.eventId': event.id })).records!;
    expect(due).toMatchObject([{ params: { amount: '25.00', method: 'card' } }]);
    expect(await sumOf(`payments?filters.eventId=${event.id}&filters.status=refund_due`)).toBe('-25.00');
  });

  it('exists only for places that sell, and only for their staff', async () => {
    const association = await test.newTenant({ category: 'M' });
    const client = await staffOf(test, association);
    expect((await client.page('reservations', 'sell')).notice?.type).toBe('error');
    const event = await newEvent(test, venue);
    const stranger = await client.send('reservations', 'sell', { eventId: event.id });
    expect(stranger.notice?.type).toBe('error');
    expect((await client.call('get', '/api/dashboard').expect(200)).body).toMatchObject({ sellHref: null });
  });

  it('is linked from the start page for running events, also in the last hour of the day, which ends at 04:00', async () => {
    const late = await test.newTenant({ timeZone: zoneAtThree() });
    const client = await staffOf(test, late);
    const event = await newEvent(test, late, { startsAt: new Date() });
    const { body } = await client.call('get', '/api/dashboard').expect(200);
    expect(body).toMatchObject({ sellHref: '/admin/resources/reservations/actions/sell' });
    expect(JSON.stringify(body)).toContain(`sell?event=${event.id}`);
  });
});
