import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { CodesService } from '#tickets';
import type { TenantIdentity } from '#tenancy';
import { expectNoDrift, newPrice } from '../support/booking.js';
import { endHold } from '../support/drafts.js';
import { placeIn, queuePlaces, startQueueServers, type QueuedEvent } from '../support/queue-places.js';
import { QueueVisitor } from '../support/queue-visitor.js';
import type { TestApp } from '../support/test-app.js';

const most = { places: 410, ofNetwork: 4 };

let test: TestApp;
/** Another server on the same database, which has not seen the queue. */
let other: TestApp;
let tenant: TenantIdentity;

beforeAll(async () => {
  [test, other] = await startQueueServers(most);
  tenant = await test.newTenant({ language: 'en' });
});
afterEach(async () => {
  await sql('delete from booking_queue');
  await expectNoDrift(test, tenant);
});
afterAll(async () => {
  await other.close();
  await test.close();
});

const { sql, freeEvent, fill, clear, visitor } = queuePlaces(() => ({ test, tenant }));

const own = (): Promise<{ id: string; choice: { lines: { priceId: string; quantity: number }[]; code?: string } }[]> =>
  sql(`select id, choice from booking_queue where network not like 'others %'`);
const tickets = (event: QueuedEvent): Promise<unknown[]> => sql('select 1 from ticket where event_id = $1', [event.id]);
const book = ({ slug }: QueuedEvent): string => `/event/${slug}/book`;
const cart = ({ slug }: QueuedEvent): string => `/cart/event/${slug}`;

/** Moves the opening of a sale. */
const openIn = (priceId: string, time: string): Promise<unknown> =>
  sql('update price set sales_from = now() + $2::interval where id = $1', [priceId, time]);

/** The queue of an event that a server knows of. */
async function rushOn(event: QueuedEvent): Promise<void> {
  await fill(event.id);
  expect(await visitor().choose(event)).toMatch(/\/queue\//);
  await sql(`delete from booking_queue where network not like 'others %'`);
}

describe('a sale that is not open', () => {
  it('has no places in the queue', async () => {
    const event = await freeEvent();
    const priceId = await newPrice(test, tenant, event.id, { name: 'Later', amount: '0.00' });
    await rushOn(event);
    await openIn(priceId, '5 minutes');
    const refused = await visitor().send({ priceId }, '2', book(event));
    expect([refused.status, refused.text.includes('value="2"')]).toEqual([409, false]);
    expect(refused.text).toMatch(/Sales open|opens/i);
    expect((await visitor(other).send({ priceId }, '2', book(event), other)).status).toBe(409);
    expect(await own()).toEqual([]);
    // Who waits for another price keeps it.
    const ada = visitor();
    const path = await ada.choose(event);
    expect((await ada.send({ priceId }, '1', book(event))).status).toBe(409);
    expect(await own()).toMatchObject([{ id: placeIn(path), choice: { lines: [{ priceId: event.priceId }] } }]);
    await openIn(priceId, '-1 second');
    expect(await ada.choose({ ...event, priceId })).toBe(path);
    expect(await own()).toMatchObject([{ choice: { lines: [{ priceId }] } }]);
  });

  it('keeps no place of somebody whose turn it is before', async () => {
    const event = await freeEvent();
    await fill(event.id);
    const ada = visitor();
    const path = await ada.choose(event);
    await openIn(event.priceId, '5 minutes');
    await clear(event.id);
    await ada.untilPage(path, 409);
    expect(await own()).toEqual([]);
    await openIn(event.priceId, '-1 second');
    await fill(event.id);
    expect(await ada.choose(event)).not.toBe(path);
  });
});

describe('an order that is changed while others wait', () => {
  it('gets fewer tickets at once, but not more or others', async () => {
    const event = await freeEvent();
    const dearer = await newPrice(test, tenant, event.id, { name: 'Front row', amount: '0.00' });
    const ada = visitor();
    const order = await ada.choose(event, '2');
    await fill(event.id);
    for (const [priceId, quantity, path, at] of [
      [event.priceId, '3', book(event), test],
      [event.priceId, '3', book(event), other],
      [dearer, '1', book(event), test],
      [event.priceId, '3', `${order}/tickets`, other],
    ] as const) {
      const refused = await ada.send({ priceId }, quantity, path, at);
      expect([refused.status, refused.text.includes('this order can have fewer tickets')]).toEqual([409, true]);
    }
    expect(await tickets(event)).toHaveLength(2);
    expect(await ada.choose(event, '1')).toBe(order);
    expect(await tickets(event)).toHaveLength(1);
    expect(await own()).toEqual([]);
    await sql('delete from booking_queue');
    expect((await ada.send(event, '3', `${order}/tickets`)).status).toBe(303);
    expect(await tickets(event)).toHaveLength(3);
  });

  it('waits like everybody after its hold has ended', async () => {
    const event = await freeEvent();
    const ada = visitor();
    const order = await ada.choose(event);
    await endHold(test, tenant, order.split('/')[2] as string);
    await fill(event.id);
    const refused = await ada.send(event, '1', `${order}/tickets`, other);
    expect([refused.status, refused.text.includes('The time for this order is over')]).toEqual([409, true]);
    expect(await ada.choose(event, '1', other)).toMatch(/\/queue\//);
  });

  it('waits as a part of a cart, and keeps until then what it has', async () => {
    const event = await freeEvent();
    const ada = visitor();
    const path = await ada.choose(event, '1', test, cart(event));
    await fill(event.id);
    const place = await ada.choose(event, '3', other, cart(event));
    expect(place).toMatch(/\/queue\//);
    expect(await tickets(event)).toHaveLength(1);
    await clear(event.id);
    expect(await ada.untilTurn(place)).toBe(path);
    expect(await tickets(event)).toHaveLength(3);
  });
});

describe('places of people who went away', () => {
  it('count for their network', async () => {
    const event = await freeEvent();
    await rushOn(event);
    const sent = async (count: number): Promise<number[]> => {
      const answers = [];
      for (let index = 0; index < count; index += 1)
        answers.push((await new QueueVisitor(test, tenant, '198.51.100.9').send(event, '1', book(event))).status);
      return answers;
    };
    expect(await sent(5)).toEqual([303, 303, 303, 303, 429]);
    await sql(`update booking_queue set ask_by = now() where network not like 'others %'`);
    expect(await sent(2)).toEqual([429, 429]);
    await sql(`delete from booking_queue where id = (select id from booking_queue where network not like 'others %' limit 1)`);
    expect(await sent(2)).toEqual([303, 429]);
  });

  it('come back only while the queue has room', async () => {
    const event = await freeEvent();
    await fill(event.id);
    const ada = visitor();
    const path = await ada.choose(event);
    await sql(`update booking_queue set ask_by = now() where id = $1`, [placeIn(path)]);
    await fill(event.id, most.places - 400);
    const full = await ada.untilPage(path, 503);
    expect(full).toContain('the queue is full');
    expect(await own()).toHaveLength(1);
    await sql(`delete from booking_queue where network = 'others 1'`);
    await eventually(async () => expect((await ada.get(path)).text).toContain('You are number '), { timeout: 10_000 });
  });
});

describe('who adds to a cart', () => {
  it('keeps the place, also with other tickets, and chooses again after a refusal', async () => {
    const event = await freeEvent(2);
    await freeEvent();
    await rushOn(event);
    const ada = visitor();
    const sent = await ada.send(event, '3', cart(event));
    expect(String(sent.headers['set-cookie'])).toMatch(/^guichet-order-[0-9a-f]{12}=[\w.-]+; Path=\/;/);
    const path = String(sent.headers['location']);
    expect(await ada.choose(event, '4', test, cart(event))).toBe(path);
    await clear(event.id);
    const page = await ada.untilPage(path, 409);
    expect(page).toContain(`<form class="booking" method="post" action="${cart(event)}"`);
    expect(page).toContain('<button class="button go">Add to the cart</button>');
    await fill(event.id);
    await sql(`update booking_queue set arrived_at = now() where network like 'others %'`);
    expect(await ada.choose(event, '2', test, cart(event))).toBe(path);
    expect(await ada.untilTurn(path)).toMatch(/^\/cart\//);
    expect(await tickets(event)).toHaveLength(2);
  });

  it('keeps the place for goods, and waits for all of them', async () => {
    const event = await freeEvent();
    const newGoods = (name: string, stock: number): Promise<string> =>
      newPrice(test, tenant, event.id, { name, amount: '0.00', stock }, 'M');
    const [bag, shirt] = [await newGoods('Bag', 5), await newGoods('Shirt', 1)];
    await rushOn(event);
    const ada = visitor();
    const goods = (priceId: string) => ({ ...event, priceId, eventId: event.id });
    const path = await ada.choose(goods(bag), '1', test, '/cart/goods');
    await test.inside(tenant, () => test.app.get(CodesService).create({ code: 'GOODS-10', effect: 'percent', value: '10' }));
    await sql(`update booking_queue set choice = choice || '{"code": "GOODS-10"}' where id = $1`, [placeIn(path)]);
    expect(await ada.choose(goods(shirt), '2', test, '/cart/goods')).toBe(path);
    expect(await ada.choose(goods(bag), '2', other, '/cart/goods')).toBe(path);
    const [place] = await own();
    expect(place?.choice.code).toBe('GOODS-10');
    const chosen = new Map(place?.choice.lines.map(({ priceId, quantity }) => [priceId, quantity]));
    expect(chosen).toEqual(
      new Map([
        [bag, 2],
        [shirt, 2],
      ]),
    );
    await clear(event.id);
    const page = await ada.untilPage(path, 409);
    expect(page).toContain(`action="/cart/goods" novalidate><input type="hidden" name="event" value="${event.id}"/>`);
    expect(page).toContain('name="code" value="GOODS-10"');
    await eventually(async () =>
      expect(await sql('select 1 from booking_queue where id = $1 and ask_by <= now()', [placeIn(path)])).toHaveLength(1),
    );
    // The form names all goods: what is not in it is not wanted any more.
    expect(await ada.choose(goods(bag), '1', test, '/cart/goods')).toBe(path);
    expect(await ada.untilTurn(path)).toMatch(/^\/cart\//);
    expect(await tickets(event)).toHaveLength(1);
  });
});
