import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { PricesService, type PriceChange } from '#catalogue';
import { dayAndTimeWords } from '#kernel';
import { TenantDb, type TenantIdentity } from '#tenancy';
import { book, expectNoDrift, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { changeHold, complete, endHold, hold } from '../support/drafts.js';
import { OrderForms } from '../support/order-forms.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

const hour = 3_600_000;

let test: TestApp;
let tenant: TenantIdentity;
let forms: OrderForms;

beforeAll(async () => {
  test = await startTestApp({ environment: { RATE_PAGES: '100000/min' } });
  tenant = await test.newTenant({ language: 'en', timeZone: 'America/Montreal' });
  forms = new OrderForms(test, tenant);
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(() => test.close());

const inside = <Result>(work: () => Promise<Result>): Promise<Result> => test.inside(tenant, work);
const outcome = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);
/** In whole seconds, at the given number of hours from now. */
const inHours = (hours: number): Date => new Date(Math.floor(Date.now() / 1000) * 1000 + hours * hour);
const timeWords = (instant: Date): string => dayAndTimeWords(instant, 'en', tenant.timeZone);

/** An event of the day after tomorrow that sells only one price, with this window. */
async function eventWith(window: PriceChange, amount = '0.00'): Promise<{ id: string; slug: string; name: string; priceId: string }> {
  const event = await newEvent(test, tenant, { startsAt: inHours(48) });
  const priceId = await newPrice(test, tenant, event.id, { name: 'Entry', amount, ...window });
  await inside(() => test.app.get(PricesService).update(event.priceId, { published: false }));
  return { id: event.id, slug: event.slug, name: event.name, priceId };
}

const change = (priceId: string, window: PriceChange): Promise<unknown> =>
  inside(() => test.app.get(PricesService).update(priceId, window));

describe('a price whose sale opens later', () => {
  it('is shown with the time of the venue and refused with it, until it opens', async () => {
    const opens = inHours(20);
    const event = await eventWith({ salesFrom: opens });
    const page = await forms.get(`/event/${event.slug}`);
    expect(page.text).toContain(`Sales open on ${timeWords(opens)}`);
    expect(page.text).not.toContain('<form');
    expect(page.text).toContain('"availability":"https://schema.org/PreOrder"');
    expect(page.headers['cache-control']).toBe('public, max-age=60');
    // The form of an older page.
    const refused = await forms.choose(event.slug, event.priceId, '1');
    expect(refused.status).toBe(409);
    expect(refused.text).toContain(`The sale of this price opens on ${timeWords(opens)}.`);
    await change(event.priceId, { salesFrom: inHours(-1) });
    expect((await forms.get(`/event/${event.slug}`)).text).toContain(`id="q-${event.priceId}" name="quantity"`);
    await forms.begin(event.slug, event.priceId, '1');
  });

  it('shortens how long caches keep pages and lists, so that they show the opening in time', async () => {
    const seconds = (headers: Record<string, string>): number => Number(/max-age=(\d+)/.exec(headers['cache-control'] ?? '')![1]);
    const event = await eventWith({ salesFrom: new Date(Date.now() + 30_000) });
    for (const path of [`/event/${event.slug}`, `/event/${event.slug}.json`, '/', '/agenda.json']) {
      const age = seconds((await forms.get(path)).headers);
      expect([path, age > 0 && age <= 30]).toEqual([path, true]);
    }
    const before = await forms.get('/agenda.json');
    await change(event.priceId, { salesFrom: null });
    expect((await forms.get('/agenda.json')).headers['etag']).not.toBe(before.headers['etag']);
  });

  it('opens by itself', async () => {
    const event = await eventWith({ salesFrom: new Date(Date.now() + 2500) });
    expect((await forms.get(`/event/${event.slug}`)).text).toContain('Sales open on');
    expect(await outcome(hold(test, tenant, event))).toMatchObject({ reason: 'sale_not_open' });
    await eventually(async () => expect(await outcome(hold(test, tenant, event))).toEqual(expect.any(String)), { timeout: 20_000 });
    expect((await forms.get(`/event/${event.slug}`)).text).not.toContain('Sales open on');
  }, 30_000);
});

describe('a price whose sale has ended', () => {
  it('is shown and refused, and says before until when it is sold', async () => {
    const ends = inHours(5);
    const event = await eventWith({ salesUntil: ends });
    expect((await forms.get(`/event/${event.slug}`)).text).toContain(`On sale until ${timeWords(ends)}`);
    await change(event.priceId, { salesUntil: inHours(-1) });
    const page = (await forms.get(`/event/${event.slug}`)).text;
    expect(page).toContain('Sales ended');
    expect(page).not.toContain('<form');
    const refused = await forms.choose(event.slug, event.priceId, '1');
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('The sale of this price has ended.')]);
  });

  it('stays with a buyer whose tickets are held, but is not held again', async () => {
    const event = await eventWith({ salesUntil: inHours(5) });
    const [held, lapsed, changed] = [await hold(test, tenant, event), await hold(test, tenant, event), await hold(test, tenant, event)];
    await change(event.priceId, { salesUntil: inHours(-1) });
    expect(await complete(test, tenant, held)).toMatchObject({ status: 'F' });
    await endHold(test, tenant, lapsed);
    expect(await outcome(complete(test, tenant, lapsed))).toMatchObject({ reason: 'sale_ended', field: 'tickets' });
    expect(await outcome(changeHold(test, tenant, changed, event, { quantity: 2 }))).toMatchObject({ reason: 'sale_ended' });
    const [row] = await inside(() =>
      test.app
        .get(TenantDb)
        .transaction((tx) => tx.query('select count(*)::int as count from ticket where reservation_id = $1', [changed])),
    );
    expect(row).toEqual({ count: 1 });
  });
});

describe('outside of a sale window', () => {
  it('the API books only what the caller confirms, and the box office sells', async () => {
    const opens = inHours(20);
    const event = await eventWith({ salesFrom: opens }, '5.00');
    const authorization = await newKey(test, tenant, 'reservation:write');
    const post = (more: object) =>
      test
        .on(tenant)
        .post('/api/v2/reservations/')
        .set('Authorization', authorization)
        .send({
          reservationFor: { identifier: event.id },
          underName: { email: 'ada@example.org' },
          reservedTicket: [{ identifier: event.priceId, ticketQuantity: 1 }],
          ...more,
        });
    const { body } = await post({}).expect(409);
    expect(body).toMatchObject({ code: 'booking.sale_not_open', availabilityStarts: expect.stringContaining('-0') });
    expect(new Date((body as { availabilityStarts: string }).availabilityStarts)).toEqual(opens);
    await post({ confirmed: true }).expect(201);
    await change(event.priceId, { salesFrom: null, salesUntil: inHours(-1) });
    expect((await post({}).expect(409)).body).toMatchObject({ code: 'booking.sale_ended' });
    await post({ paymentMethod: 'cash' }).expect(201);
    expect(await book(test, tenant, event, { origin: 'panel', confirmed: true })).toMatchObject({ status: 'V' });
  });
});

describe('the agenda', () => {
  const entryOf = async (name: string): Promise<string> => {
    const { text } = await forms.get('/');
    const items = text.split(/<(?:li class="entry|article class="next)/).map((item) => item.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' '));
    return items.find((item) => item.includes(name)) ?? '';
  };
  const offersOf = async (name: string): Promise<unknown> => {
    const { body } = await test.on(tenant).get('/agenda.json').expect(200);
    return (body as { results: { name: string; offers?: unknown }[] }).results.find((event) => event.name === name)?.offers;
  };

  it('counts prices whose sale has ended only when there are no others, and says when the first sale opens', async () => {
    const opens = inHours(20);
    const event = await eventWith({ salesFrom: opens }, '20.00');
    const early = await newPrice(test, tenant, event.id, { name: 'Early', amount: '8.00', salesUntil: inHours(1) });
    expect(await entryOf(event.name)).toContain('From €8');
    expect(await entryOf(event.name)).not.toContain('Sales open');
    await change(early, { salesUntil: inHours(-1) });
    expect(await entryOf(event.name)).toMatch(/€20 +Sales open on /);
    expect(await offersOf(event.name)).toMatchObject({ lowPrice: '20.00', availability: 'https://schema.org/PreOrder' });
    expect(await offersOf(event.name)).toHaveProperty('availabilityStarts');
    await change(event.priceId, { stock: 0 });
    expect(await entryOf(event.name)).toContain('Sold out');
    await change(event.priceId, { stock: null, salesFrom: null, salesUntil: inHours(-2) });
    expect(await entryOf(event.name)).toContain('Sales ended');
    expect(await offersOf(event.name)).toMatchObject({ lowPrice: '8.00', highPrice: '20.00', availability: 'https://schema.org/SoldOut' });
  });
});
