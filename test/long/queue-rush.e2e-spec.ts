import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TenantDb, type TenantIdentity } from '#tenancy';
import { rushBuyers } from '../load/rush-buyers.js';
import { expectNoDrift } from '../support/booking.js';
import { queuePlaces, startQueueServers } from '../support/queue-places.js';
import { startServers } from '../support/servers.js';
import type { TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

let test: TestApp;
let other: TestApp;
let tenant: TenantIdentity;

beforeAll(async () => {
  [test, other] = await startQueueServers({ places: 410, ofNetwork: 4 });
  tenant = await test.newTenant({ language: 'en' });
});
afterAll(async () => {
  await expectNoDrift(test, tenant);
  await other.close();
  await test.close();
});

const { sql, freeEvent, fill, clear } = queuePlaces(() => ({ test, tenant }));

describe('a rush on two servers', () => {
  it('sells exactly the places there are, through the queue, without a refusal before they are gone', async () => {
    const [places, buyers] = [60, 180];
    const event = await freeEvent(places);
    // More people than are let in at the same time were there before, so that buyers see their position however fast the machine books.
    await fill(event.id, 100);
    const environment = { TRUSTED_PROXIES: '127.0.0.1', DATABASE_POOL_SIZE: '3', DATABASE_WAIT_MS: '20000', DATABASE_TIMEOUT_MS: '30000' };
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
  }, 180_000);
});
