import { PlaceProfileService } from '#places';
import { CartsService, DonationsService } from '#selling';
import { CodesService, ReservationChangesService, type NewCode } from '#tickets';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { book, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { CartForms, type CartEvent } from '../support/cart-forms.js';
import { cartOf, newCart, payCart, sessionOfCart } from '../support/carts.js';
import { OnlinePayments } from '../support/online-payments.js';
import { staffOf } from '../support/panel-staff.js';
import { outcome, tenantWork } from '../support/tenant-work.js';
import { until } from '../support/until.js';

let payments: OnlinePayments;
let test: OnlinePayments['test'];
let stripe: OnlinePayments['stripe'];
let tenant: OnlinePayments['tenant'];
let deliver: OnlinePayments['deliver'];

beforeAll(async () => {
  // So that bookings run at the same time.
  payments = await OnlinePayments.start({ DATABASE_POOL_SIZE: '16' });
  ({ test, stripe, tenant, deliver } = payments);
});
afterEach(() => payments.settle());
afterAll(() => payments.stop());

const { inside, sql } = tenantWork(() => ({ test, tenant }));
const forms = (): CartForms => new CartForms(test, tenant);
const lastSession = () => [...stripe.sessions.values()].at(-1)!;

type Pot = CartEvent & { readonly code: string; readonly codeId: string };

/** An event, with a code that gives away the places that others pay at it. */
async function potOf(amount = '12.00', input: Partial<NewCode> = {}): Promise<Pot> {
  const { id, slug } = await newEvent(test, tenant);
  const priceId = await newPrice(test, tenant, id, { name: 'Entry', amount });
  const fixed = { code: `P${randomUUID().slice(0, 8)}`, effect: 'percent', value: '100', placeAmount: '10' } as const;
  const made: NewCode = { ...fixed, eventIds: [id], ...input };
  const { id: codeId, code } = await inside(() => test.app.get(CodesService).create(made));
  return { id, slug, priceId, code, codeId };
}

/** Buys a ticket and pays places for others. @returns the id of the order */
async function giving(event: CartEvent, places: string): Promise<string> {
  const browser = forms();
  const { path, cookie } = await browser.collect([event]);
  await browser.post(
    `${path}/places`,
    [
      ['event', event.id],
      ['places', places],
    ],
    cookie,
  );
  const sent = await browser.post(`${path}/contact`, await browser.contact(path, `${randomUUID()}@example.org`), cookie);
  expect(sent.headers['location']).toContain('http');
  await deliver(stripe.pay(lastSession().id));
  return path.split('/')[2] as string;
}

const use = (event: { id: string; priceId: string; code: string }) => outcome(book(test, tenant, event, { code: event.code }));

describe('a ticket for somebody else', () => {
  it('is paid in a cart, and becomes places that the code of the event gives away', async () => {
    const event = await potOf();
    const browser = forms();
    const { path, cookie } = await browser.collect([event]);
    expect((await browser.get(path)).text).toContain('A ticket for somebody else');
    const give = (places: string) =>
      browser.post(
        `${path}/places`,
        [
          ['event', event.id],
          ['places', places],
        ],
        cookie,
      );
    for (const wrong of ['21', '-1', 'two']) expect((await give(wrong)).status).toBe(422);
    expect((await give('3')).status).toBe(303);
    expect((await give('2')).status).toBe(303);
    const shown = (await browser.get(path)).text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
    expect(shown.slice(shown.indexOf('Ticket for'))).toMatch(/^Ticket for somebody else .*€20 .*€32 /);
    // Nothing is given before it is paid.
    expect(await use(event)).toMatchObject({ reason: 'code_used_up' });
    const sent = await browser.post(`${path}/contact`, await browser.contact(path), cookie);
    expect(sent.headers['location']).toContain('http');
    expect(lastSession().amount_total).toBe(3200);
    expect(await use(event)).toMatchObject({ reason: 'code_used_up' });
    await deliver(stripe.pay(lastSession().id));
    const { own } = await cartOf(test, tenant, path.split('/')[2] as string);
    expect(own).toMatchObject([{ pieces: 2, amount: '20.00', isPaid: true }]);
    expect(await sql(`select vat_amount from order_line where kind = 'donation' and event_id = $1`, [event.id])).toEqual([
      { vat_amount: '0.00' },
    ]);
    const [first, second] = [await use(event), await use(event)];
    expect([first, second]).toMatchObject([{ amount: '0.00' }, { amount: '0.00' }]);
    expect(await use(event)).toMatchObject({ reason: 'code_used_up' });
    // A place that somebody does not need goes to the next.
    await inside(() => test.app.get(ReservationChangesService).cancel((first as { id: string }).id, { reason: 'staff', notify: false }));
    expect(await use(event)).toMatchObject({ amount: '0.00' });
    const staff = await staffOf(test, tenant);
    expect((await staff.look('codes', event.codeId)).record?.params).toMatchObject({
      given: 2,
      uses: 2,
      givenLeft: 0,
      placeAmount: '10.00',
    });
  });

  it('is given once, when many ask for the last one at the same moment', async () => {
    const event = await potOf();
    await giving(event, '3');
    const results = await Promise.all(Array.from({ length: 12 }, () => use(event)));
    expect(results.filter((one) => !(one instanceof Error))).toHaveLength(3);
    expect(results.filter((one) => one instanceof Error)).toEqual(
      Array.from({ length: 9 }, () => expect.objectContaining({ reason: 'code_used_up' })),
    );
  });

  it('is taken out of the pot with its refund, and leaves what was given away', async () => {
    const event = await potOf();
    const order = await giving(event, '2');
    await use(event);
    await inside(() => test.app.get(DonationsService).giveBack(order));
    expect(await use(event)).toMatchObject({ reason: 'code_used_up' });
    expect((await cartOf(test, tenant, order)).own).toEqual([]);
    await giving(event, '2');
    expect(await use(event)).toMatchObject({ amount: '0.00' });
    expect(await use(event)).toMatchObject({ reason: 'code_used_up' });
  });

  it('is added to an order for one event, and told on the page of the event where the venue wants it', async () => {
    const event = await potOf('12.00', { tellsGiven: true });
    const browser = forms();
    const path = await browser.begin(event.slug, event.priceId, '1');
    expect((await browser.get(path)).text).toContain(`action="${path}/places"`);
    expect((await browser.post(`${path}/places`, [['places', '99']])).status).toBe(422);
    const contact = String((await browser.post(`${path}/places`, [['places', '1']])).headers['location']);
    expect((await browser.get(contact)).text).toContain('Pay €22');
    const cart = contact.replace(/\/contact$/, '');
    await browser.post(contact, await browser.contact(cart));
    await deliver(stripe.pay(lastSession().id));
    const page = await until(
      async () => (await forms().get(`/event/${event.slug}`)).text,
      (text) => text.includes('1 place was paid by others'),
    );
    expect(page).toContain('for people who cannot pay');
    const quiet = await potOf();
    await giving(quiet, '1');
    expect((await forms().get(`/event/${quiet.slug}`)).text).not.toContain('paid by others');
  });

  it('keeps an order from being paid at the venue, and is offered by codes that make tickets of one event free', async () => {
    await inside(() => test.app.get(PlaceProfileService).change({ payAtVenueHours: 0 }));
    const event = await potOf();
    const browser = forms();
    const { path, cookie } = await browser.collect([event]);
    await browser.post(
      `${path}/places`,
      [
        ['event', event.id],
        ['places', '1'],
      ],
      cookie,
    );
    const sent = await browser.post(`${path}/contact`, [...(await browser.contact(path)), ['payment', 'venue']], cookie);
    expect([sent.status, await sql('select state from orders where id = $1', [path.split('/')[2]])]).toEqual([409, [{ state: 'open' }]]);
    const other = await newEvent(test, tenant);
    for (const [wrong, field] of [
      [{ eventIds: [] }, 'placeAmount'],
      [{ effect: 'percent', value: '50' }, 'placeAmount'],
      [{ placeAmount: '0' }, 'placeAmount'],
      [{ eventIds: [event.id] }, 'placeAmount'],
    ] as const)
      expect(await outcome(potWith(other.id, wrong))).toMatchObject({ field });
    const plain = await newEvent(test, tenant);
    const priceId = await newPrice(test, tenant, plain.id, { amount: '5.00' });
    const without = await browser.collect([{ id: plain.id, slug: plain.slug, priceId }]);
    expect((await browser.get(without.path)).text).not.toContain('A ticket for somebody else');
    const forged = await browser.post(
      `${without.path}/places`,
      [
        ['event', plain.id],
        ['places', '1'],
      ],
      without.cookie,
    );
    expect(forged.status).toBe(422);
  });

  it('is offered only while somebody can get it, to those who have a ticket of the event in their cart', async () => {
    const [limited, other] = [await potOf('12.00', { maxUses: 3 }), await potOf()];
    const give = async (event: CartEvent, at: CartEvent, places: string) => {
      const browser = forms();
      const { path, cookie } = await browser.collect([event]);
      const isOffered = (await browser.get(path)).text.includes('A ticket for somebody else');
      const rows: [string, string][] = [
        ['event', at.id],
        ['places', places],
      ];
      return [isOffered, (await browser.post(`${path}/places`, rows, cookie)).status];
    };
    expect([await give(other, limited, '1'), await give(limited, limited, '4')]).toEqual([
      [true, 422],
      [true, 422],
    ]);
    await giving(limited, '2');
    expect([await give(limited, limited, '2'), await give(limited, limited, '1')]).toEqual([
      [true, 422],
      [true, 303],
    ]);
    await giving(limited, '1');
    expect(await give(limited, limited, '1')).toEqual([false, 422]);
    for (const ended of ['disabled = true', `valid_until = now() - interval '1 minute'`, `valid_from = now() + interval '1 hour'`]) {
      const event = await potOf();
      await sql(`update code set ${ended} where id = $1`, [event.codeId]);
      expect(await give(event, event, '1')).toEqual([false, 422]);
    }
  });

  it('promises the last places to one of several orders that nobody has paid yet', async () => {
    const event = await potOf('12.00', { maxUses: 3 });
    const carts = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const cart = await newCart(test, tenant, [event, await newEvent(test, tenant)]);
        await inside(() => test.app.get(CartsService).setGivenPlaces(cart, event.id, '2'));
        // Only the places name the event, so that no lock of its tickets decides.
        const part = (await cartOf(test, tenant, cart)).parts.find(({ eventId }) => eventId === event.id)!;
        await inside(() => test.app.get(CartsService).remove(cart, part.id));
        return cart;
      }),
    );
    const results = await Promise.all(carts.map((cart) => outcome(payCart(test, tenant, cart))));
    const lost = results.filter((one) => one instanceof Error);
    expect(lost).toEqual(Array.from({ length: 4 }, () => expect.objectContaining({ reason: 'changed' })));
    const [winner] = carts.filter((_, index) => !(results[index] instanceof Error)) as [string];
    for (const cart of carts) expect((await cartOf(test, tenant, cart)).own).toHaveLength(cart === winner ? 1 : 0);
    // Whoever lost them completes what the form shows now; what is not paid is offered again.
    const other = carts.find((cart) => cart !== winner)!;
    expect((await payCart(test, tenant, other)).parts).toHaveLength(1);
    const late = await newCart(test, tenant, [event]);
    const give = (places: string) => outcome(inside(() => test.app.get(CartsService).setGivenPlaces(late, event.id, places)));
    expect(await give('2')).toBeInstanceOf(Error);
    await deliver(stripe.runOut(sessionOfCart(await cartOf(test, tenant, winner))));
    expect(await give('3')).toBe(true);
  });

  const potWith = (eventId: string, input: object) =>
    inside(() =>
      test.app.get(CodesService).create({
        code: `P${randomUUID().slice(0, 8)}`,
        effect: 'percent',
        value: '100',
        eventIds: [eventId],
        placeAmount: '10',
        ...input,
      }),
    );
});

describe('a free price', () => {
  it('is chosen among suggested amounts, of which one is usual, or typed', async () => {
    const { id, slug } = await newEvent(test, tenant);
    const priceId = await newPrice(test, tenant, id, {
      amount: '2.00',
      freeAmount: true,
      suggestedAmounts: '5 10,00 15',
      usualAmount: '10',
    });
    const page = (await forms().get(`/event/${slug}`)).text;
    expect(
      [...page.matchAll(/type="radio" name="chosen-[^"]*" value="([^"]*)"( checked)?/g)].map(([, value, mark]) => `${value}${mark ?? ''}`),
    ).toEqual(['5.00', '10.00 checked', '15.00']);
    expect(page).toContain('usual price');
    const add = async (amount: string, chosen: string): Promise<string> => {
      const browser = forms();
      const sent = await browser.post(`/cart/event/${slug}`, [
        ['price', priceId],
        ['quantity', '1'],
        ['amount', amount],
        [`chosen-${priceId}`, chosen],
      ]);
      if (sent.status !== 303) return sent.text;
      return (await cartOf(test, tenant, String(sent.headers['location']).split('/')[2] as string)).parts[0]?.amount ?? '';
    };
    expect([await add('', '15.00'), await add('3,50', '15.00'), await add('', '')]).toEqual(['15.00', '3.50', '2.00']);
    expect(await add('1', '15.00')).toContain('Enter at least €2');
    for (const [wrong, field] of [
      [{ suggestedAmounts: '1 5' }, 'suggestedAmounts'],
      [{ suggestedAmounts: '5 six' }, 'suggestedAmounts'],
      [{ suggestedAmounts: '5 6', usualAmount: '7' }, 'usualAmount'],
    ] as const)
      expect(await outcome(newPrice(test, tenant, id, { amount: '2.00', freeAmount: true, ...wrong }))).toMatchObject({ field });
  });
});
