import { randomUUID } from 'node:crypto';
import type { TenantIdentity } from '#tenancy';
import { newPrice } from './booking.js';
import { newEvent } from './builders.js';
import { QueueVisitor } from './queue-visitor.js';
import { tenantWork } from './tenant-work.js';
import { startTestApp, type TestApp } from './test-app.js';

/** An event whose tickets cost nothing, and how many people wait for it. */
export interface QueuedEvent {
  readonly id: string;
  readonly slug: string;
  readonly priceId: string;
}

/** More people than are let in at the same time, whatever the speed of the machine. */
export const crowdInQueue = 400;

/**
 * Starts two servers on one database, behind a proxy on this machine.
 * @param limits of the queue: places of a tenant, and those of one network
 */
export async function startQueueServers(limits: { readonly places: number; readonly ofNetwork: number }): Promise<[TestApp, TestApp]> {
  const environment = {
    TRUSTED_PROXIES: '127.0.0.1',
    BOOKING_QUEUE_PLACES: String(limits.places),
    HELD_TICKETS_PER_NETWORK: String(limits.ofNetwork),
    RATE_PAGES: '100000/min',
  };
  const test = await startTestApp({ environment });
  return [test, await startTestApp({ environment, database: test.database })];
}

/** Work on the queues of a tenant. @param now the application and tenant at the time of the call */
export function queuePlaces(now: () => { readonly test: TestApp; readonly tenant: TenantIdentity }) {
  const { sql } = tenantWork(now);

  async function freeEvent(capacity = 50): Promise<QueuedEvent> {
    const { test, tenant } = now();
    const event = await newEvent(test, tenant, { capacity });
    const priceId = await newPrice(test, tenant, event.id, { name: 'Entry', amount: '0.00' });
    return { id: event.id, slug: event.slug, priceId };
  }

  /** Lets people with other addresses wait before everybody else. */
  async function fill(eventId: string, count = crowdInQueue): Promise<void> {
    await sql(
      `insert into booking_queue (id, event_id, network, choice, arrived_at, ask_by)
       select gen_random_uuid(), $1::uuid, 'others ' || n, '{"lines":[],"options":[]}', now() - interval '1 minute',
         now() + interval '1 hour'
       from generate_series(1, $2) n`,
      [eventId, count],
    );
  }

  /** The others go away. */
  const clear = (eventId: string): Promise<unknown> =>
    sql(`update booking_queue set ask_by = now() where event_id = $1 and network like 'others %'`, [eventId]);

  /** A buyer with an address of their own. */
  const visitor = (at: TestApp = now().test): QueueVisitor => new QueueVisitor(at, now().tenant);

  return { sql, freeEvent, fill, clear, visitor };
}

/** The id of the place in the path of its page. */
export const placeIn = (path: string): string => path.split('/')[4] ?? randomUUID();
