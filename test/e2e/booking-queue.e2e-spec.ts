import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { DraftsService } from '#selling';
import { clientNetworks } from '#kernel';
import { TenantDb, type TenantIdentity } from '#tenancy';
import { rushBuyers } from '../load/rush-buyers.js';
import { book, expectNoDrift, newPrice } from '../support/booking.js';
import { itInLongRuns } from '../support/long-run.js';
import { crowdInQueue as crowd, queuePlaces, startQueueServers } from '../support/queue-places.js';
import { QueueVisitor } from '../support/queue-visitor.js';
import { startServers } from '../support/servers.js';
import type { TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

let test: TestApp;
/** Another server on the same database. */
let other: TestApp;
let tenant: TenantIdentity;

beforeAll(async () => {
  [test, other] = await startQueueServers({ places: 410, ofNetwork: 4 });
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
const held = async (eventId: string): Promise<number> => (await sql('select 1 from reservation where event_id = $1', [eventId])).length;

describe('a quiet sale', () => {
  it('has no queue', async () => {
    const event = await freeEvent();
    expect(await visitor().choose(event)).toMatch(/^\/order\//);
    expect(await sql('select 1 from booking_queue')).toEqual([]);
  });
});

describe('a buyer behind many others', () => {
  // Verified to book at once, before all others, without the look at the queue in `insertDraft`.
  it('sees the position, keeps it when the page or another window is loaded, and gets the order when it is the turn', async () => {
    const event = await freeEvent();
    await fill(event.id);
    const ada = visitor();
    const path = await ada.choose(event, '2');
    expect(path).toMatch(new RegExp(`^/event/${event.slug}/queue/`));
    const page = await ada.get(path);
    expect(page.status).toBe(200);
    expect(page.text).toContain(`You are number ${crowd + 1}.`);
    expect(page.text).toMatch(/<noscript><meta http-equiv="refresh" content="\d+"\/><\/noscript>/);
    expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
    expect(await held(event.id)).toBe(0);
    expect(await visitor(other).choose(event)).toMatch(/\/queue\//);
    // The form sent again, also with other tickets and at another server, keeps the place.
    expect(await ada.choose(event, '3', other)).toBe(path);
    expect((await ada.get(path, other)).text).toContain(`You are number ${crowd + 1}.`);
    await clear(event.id);
    await eventually(async () => expect((await ada.get(path)).headers['location']).toMatch(/^\/order\//), { timeout: 10_000 });
    const order = await ada.get(String((await ada.get(path)).headers['location']));
    expect(order.text.match(/name="ticket"/g)).toHaveLength(3);
    expect(await held(event.id)).toBe(1);
  });

  // Verified to fail (two orders) without `served_at is null` in `servePlace`, and a draft with an id of its own.
  it('gets one order in several windows', async () => {
    const event = await freeEvent();
    await fill(event.id);
    const ada = visitor();
    const path = await ada.choose(event);
    await clear(event.id);
    const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => ada.untilTurn(path, index % 2 === 0 ? test : other)));
    expect(new Set(answers).size).toBe(1);
    expect(await held(event.id)).toBe(1);
  });

  it('who was refused may choose again before all others', async () => {
    const event = await freeEvent(2);
    await fill(event.id);
    // Without a queue the event would refuse at once.
    await visitor().choose(event);
    const ada = visitor();
    const path = await ada.choose(event, '3');
    await clear(event.id);
    const page = await ada.untilPage(path, 409);
    expect(page).toContain('Only 2 are left.');
    expect(page).toMatch(/value="3"/);
    await fill(event.id);
    await sql(`update booking_queue set arrived_at = now() where network like 'others %'`);
    expect(await ada.choose(event, '2')).toBe(path);
    expect(await ada.untilTurn(path)).toMatch(/^\/order\//);
  });

  it('does not wait for people who went away, and those find their position again', async () => {
    const event = await freeEvent();
    await fill(event.id);
    const [ada, ben] = [visitor(), visitor()];
    const first = await ada.choose(event);
    const second = await ben.choose(event);
    await sql(`update booking_queue set ask_by = now() where id = $1`, [first.split('/')[4]]);
    await eventually(async () => expect((await ben.get(second)).text).toContain(`You are number ${crowd + 1}.`), { timeout: 10_000 });
    expect((await ada.get(first)).text).toContain(`You are number ${crowd + 1}.`);
    await eventually(async () => expect((await ben.get(second)).text).toContain(`You are number ${crowd + 2}.`), { timeout: 10_000 });
  });

  it('adds to a cart when it is the turn', async () => {
    const event = await freeEvent();
    await freeEvent();
    await fill(event.id);
    const ada = visitor();
    const path = await ada.choose(event, '1', test, `/cart/event/${event.slug}`);
    expect(path).toMatch(/\/queue\//);
    await clear(event.id);
    const cart = await ada.untilTurn(path);
    expect(cart).toMatch(/^\/cart\//);
    expect((await ada.get(cart)).status).toBe(200);
    expect(await ada.untilTurn(path)).toBe(cart);
  });

  it('of goods waits, too, and keeps the tickets of the cart', async () => {
    const event = await freeEvent();
    const bag = { slug: event.slug, priceId: await newPrice(test, tenant, event.id, { name: 'Bag', amount: '0.00' }, 'M') };
    await freeEvent();
    const ada = visitor();
    const cart = await ada.choose(event, '2', test, `/cart/event/${event.slug}`);
    await fill(event.id);
    expect(await visitor().choose(event)).toMatch(/\/queue\//);
    const path = await ada.choose({ ...bag, eventId: event.id }, '1', test, '/cart/goods');
    expect(path).toMatch(/\/queue\//);
    await clear(event.id);
    expect(await ada.untilTurn(path)).toBe(cart);
    const tickets = await sql('select price_id from ticket where event_id = $1', [event.id]);
    expect(tickets).toHaveLength(3);
  });

  it('cannot use the link of another place, event or venue, and hears that an old place has ended', async () => {
    const [event, elsewhere] = [await freeEvent(), await freeEvent()];
    await fill(event.id);
    const ada = visitor();
    const path = await ada.choose(event);
    const [, , , , id, mark] = path.split('/');
    expect((await ada.get(path.replace(id as string, randomUUID()))).status).toBe(404);
    expect((await ada.get(`${path.slice(0, -3)}abc`)).status).toBe(404);
    expect((await ada.get(path.replace(event.slug, elsewhere.slug))).headers['location']).toBe(`/order/${id}/${mark}`);
    const stranger = await test.newTenant({ language: 'en' });
    expect((await test.on(stranger).get(path)).status).toBe(404);
    await sql('delete from booking_queue');
    await eventually(async () => expect((await ada.get(path)).headers['location']).toBe(`/order/${id}/${mark}`), { timeout: 10_000 });
    expect((await ada.get(`/order/${id}/${mark}`)).status).toBe(410);
  });
});

describe('a rush on two servers', () => {
  itInLongRuns(
    'sells exactly the places there are, through the queue, without a refusal before they are gone',
    async () => {
      const [places, buyers] = [60, 180];
      const event = await freeEvent(places);
      // More people than are let in at the same time were there before, so that buyers see their position however fast the machine books.
      await fill(event.id, 100);
      const environment = {
        TRUSTED_PROXIES: '127.0.0.1',
        DATABASE_POOL_SIZE: '3',
        DATABASE_WAIT_MS: '20000',
        DATABASE_TIMEOUT_MS: '30000',
      };
      const servers = await startServers(test, 2, environment);
      try {
        // While the event is locked, bookings wait, and the next buyers come to the queue.
        const locked = test.inside(tenant, () =>
          test.app.get(TenantDb).transaction(async (tx) => {
            await tx.query('select 1 from event where id = $1 for update', [event.id]);
            await until(() => test.database.waiting(), Boolean);
            await tx.query('select pg_sleep(3)');
          }),
        );
        const venue = { ports: servers.map(({ port }) => port), host: tenant.host, slug: event.slug, priceId: event.priceId };
        const buyersWait = `select 1 from booking_queue where event_id = $1 and network not like 'others %'`;
        const left = until(
          async () => (await sql(buyersWait, [event.id])).length,
          (count) => count > places,
        ).then(async () => {
          // The buyers open the page with their position.
          await delay(1500);
          await clear(event.id);
        });
        const [rush] = await Promise.all([rushBuyers(venue, buyers, 1000), left, locked]);
        expect(rush.queued).toBeGreaterThan(0);
        expect([rush.times.length, rush.refused]).toEqual([places, buyers - places]);
        expect(Object.keys(rush.answers).filter((answer) => !/ (200|303|409)$/.test(answer))).toEqual([]);
        const [{ count }] = (await sql(`select count(*)::int as count from ticket where event_id = $1 and status <> 'R'`, [event.id])) as [
          { count: number },
        ];
        expect(count).toBe(places);
      } finally {
        for (const server of servers) await server.stop();
      }
    },
    180_000,
  );
});

describe('the queue', () => {
  it('has limits for each network and in all, and keeps what was typed', async () => {
    const event = await freeEvent();
    await fill(event.id);
    const address = '198.51.100.7';
    const sent = await Promise.all(
      Array.from({ length: 7 }, () => new QueueVisitor(test, tenant, address).send(event, '2', `/event/${event.slug}/book`)),
    );
    expect(sent.map(({ status }) => status).toSorted()).toEqual([303, 303, 303, 303, 429, 429, 429]);
    for (let number = 0; number < 6; number += 1) expect(await visitor().choose(event)).toMatch(/\/queue\//);
    const full = await visitor().send(event, '2', `/event/${event.slug}/book`);
    expect(full.status).toBe(503);
    expect(full.text).toContain('the queue is full');
    expect(full.text).toMatch(/value="2"/);
  });

  it('has eight times the limit of a network for the site of IPv6 around it', async () => {
    const event = await freeEvent();
    await fill(event.id);
    const send = async (address: string): Promise<number> =>
      (await new QueueVisitor(test, tenant, address).send(event, '1', `/event/${event.slug}/book`)).status;
    const { networkSite } = await test.inside(tenant, async () => test.app.get(DraftsService).keysOf(clientNetworks('2001:db8:7::1')));
    await sql(
      `insert into booking_queue (id, event_id, network, network_site, choice, arrived_at, ask_by)
       select gen_random_uuid(), event_id, 'others', $2, choice, arrived_at, now() from booking_queue, generate_series(1, 31)
       where event_id = $1 and network = 'others 1'`,
      [event.id, networkSite],
    );
    expect(await send('2001:db8:7:100::1')).toBe(303);
    expect(await send('2001:db8:7:200::1')).toBe(429);
    expect(await send('2001:db8:8:200::1')).toBe(303);
  });

  it('lets the API and other events book', async () => {
    const [event, quiet] = [await freeEvent(), await freeEvent()];
    await fill(event.id);
    expect(await visitor().choose(quiet)).toMatch(/^\/order\//);
    expect((await book(test, tenant, event)).tickets).toHaveLength(1);
  });
});
