import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EventsService } from '#catalogue';
import { RetentionService, TenantDb, type TenantIdentity } from '#tenancy';
import { OutboxService } from '#webhooks';
import { book } from '../support/booking.js';
import { newEvent, newTicket } from '../support/builders.js';
import { emptyTenant } from '../support/empty-tenant.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey, personalScopes } from '../support/webhooks.js';

let test: TestApp;
let tenant: TenantIdentity;
let authorization: string;

// No worker runs here: the feed does not need one.
beforeAll(async () => {
  test = await startTestApp({ tenants: 'some' });
});
beforeEach(async () => {
  tenant = await emptyTenant(test, tenant);
  authorization = await newKey(test, tenant, 'webhook:read', ...personalScopes);
});
afterAll(() => test.close());

interface FeedItem {
  readonly identifier: string;
  readonly position: number;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Record<string, unknown>;
}

interface FeedPage {
  readonly results: FeedItem[];
  readonly next: number;
  readonly more: boolean;
}

async function feed(query = '', status = 200): Promise<FeedPage> {
  const answer = await test.on(tenant).get(`/api/v2/webhook-events/${query}`).set('Authorization', authorization);
  expect(answer.status).toBe(status);
  return answer.body as FeedPage;
}

const startsAt = new Date('2027-03-01T19:00:00Z');

describe('GET /api/v2/webhook-events/', () => {
  it('omits personal data for a key without the scope that reads it, and keeps the positions', async () => {
    const event = await newEvent(test, tenant);
    await book(test, tenant, event, { confirmed: true });
    await test.inside(tenant, () => test.app.get(EventsService).update(event.id, { capacity: 81 }));
    const whole = await feed();
    const personal = whole.results.filter(({ type }) => type.startsWith('reservation.'));
    expect(personal.length).toBeGreaterThan(0);
    // Before, a key with only `webhook:read` could read names and addresses here.
    authorization = await newKey(test, tenant, 'webhook:read');
    const { results, next } = await feed();
    expect(results).toEqual(whole.results.filter(({ type }) => type.startsWith('event.')));
    expect(next).toBe(results.at(-1)!.position);
    authorization = await newKey(test, tenant, 'webhook:read', 'reservation:read');
    expect((await feed()).results).toEqual(whole.results);
  });

  it('shows schema.org events in the order in which they happened, each with its sequence', async () => {
    const events = test.app.get(EventsService);
    await test.inside(tenant, async () => {
      const { id } = await events.create({ name: 'Nuit blanche', startsAt, category: 'LIV', shortDescription: 'All night' });
      await events.update(id, { capacity: 80, published: false });
      await events.update(id, { capacity: 80 });
      await events.remove(id);
    });
    const { results, next, more } = await feed();
    expect(results.map(({ type, position, data }) => [type, position, data['sequence']])).toEqual([
      ['event.created', 1, 1],
      ['event.updated', 2, 2],
      ['event.deleted', 3, 3],
    ]);
    expect({ next, more }).toEqual({ next: 3, more: false });
    const [created, updated] = results as [FeedItem, FeedItem];
    const id = String(created.data['identifier']);
    expect(created.timestamp).toMatch(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+0[12]:00$/);
    expect(created.data).toEqual({
      '@context': 'https://schema.org',
      '@type': 'MusicEvent',
      additionalType: 'Concert',
      identifier: id,
      name: 'Nuit blanche',
      url: `http://${tenant.host}:3000/event/nuit-blanche-20270301-2000-${id.slice(0, 8)}`,
      startDate: '2027-03-01T20:00:00+01:00',
      maximumAttendeeCapacity: 50,
      disambiguatingDescription: 'All night',
      description: 'All night',
      eventStatus: 'https://schema.org/EventScheduled',
      offers: { '@type': 'Offer', returnPolicy: { '@type': 'MerchantReturnPolicy', merchantReturnDays: 7 } },
      sequence: 1,
    });
    expect(updated.data).toMatchObject({
      maximumAttendeeCapacity: 80,
      eventStatus: 'https://schema.org/EventCancelled',
    });
  });

  it('continues after a position or an event, page by page', async () => {
    await test.inside(tenant, async () => {
      for (let number = 0; number < 7; number += 1) await test.app.get(EventsService).create({ name: `No. ${number}`, startsAt });
    });
    const first = await feed('?limit=3');
    expect(first).toMatchObject({ next: 3, more: true });
    const second = await feed(`?limit=3&after=${first.next}`);
    expect(second.results.map(({ position }) => position)).toEqual([4, 5, 6]);
    const third = await feed(`?limit=3&after=${second.results[2]!.identifier.toUpperCase()}`);
    expect(third.results.map(({ position }) => position)).toEqual([7]);
    expect(third.more).toBe(false);
    expect(await feed('?after=7')).toEqual({ results: [], next: 7, more: false });
  });

  it('contains no change that was rolled back, and nothing of another place', async () => {
    const other = await test.newTenant();
    await test.inside(other, () => test.app.get(EventsService).create({ name: 'Elsewhere', startsAt }));
    const failing = test.inside(tenant, () =>
      test.app.get(TenantDb).transaction(async (tx) => {
        await test.app.get(EventsService).createIn(tx, { name: 'Never', startsAt });
        throw new Error('rolled back');
      }),
    );
    await expect(failing).rejects.toThrow('rolled back');
    expect((await feed()).results).toEqual([]);
  });

  it('contains no event for a refused deletion', async () => {
    const event = await newEvent(test, tenant);
    await newTicket(test, tenant, { event });
    await expect(test.inside(tenant, () => test.app.get(EventsService).remove(event.id))).rejects.toThrow(/reservations/);
    expect((await feed()).results.map(({ type }) => type)).toEqual(['event.created']);
  });

  it('misses nothing while many transactions commit in another order than they began', async () => {
    // Reading such rows by ids that were assigned before the commit loses half of them (140 of 300). Without the lock on the feed's counter
    // two readers assign the same positions, and this fails with 500.
    const db = test.app.get(TenantDb);
    const outbox = test.app.get(OutboxService);
    const subjects = Array.from({ length: 300 }, () => randomUUID());
    let writing = true;
    const writers = Promise.all(
      Array.from({ length: 6 }, async (_, writer) => {
        for (const subjectId of subjects.filter((_subject, index) => index % 6 === writer)) {
          await test.inside(tenant, () =>
            db.transaction(async (tx) => {
              await outbox.add(tx, { type: 'event.updated', subjectId, sequence: 1, data: { identifier: subjectId } });
              await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
            }),
          );
        }
      }),
    ).finally(() => {
      writing = false;
    });
    const reader = async (): Promise<FeedItem[]> => {
      const seen: FeedItem[] = [];
      for (let done = false; !done;) {
        const last = !writing;
        const { results } = await feed(`?after=${seen.at(-1)?.position ?? 0}&limit=50`);
        seen.push(...results);
        done = last && results.length === 0;
      }
      return seen;
    };
    const [seen, ...others] = await Promise.all([reader(), reader(), reader()]);
    await writers;
    expect(others).toEqual([seen, seen]);
    expect(seen.map(({ position }) => position)).toEqual(subjects.map((_, index) => index + 1));
    expect(new Set(seen.map(({ data }) => data['identifier']))).toEqual(new Set(subjects));
  });

  it('shows committed events to each of ten simultaneous readers', async () => {
    // Without moving events to the feed first, readers that wait for another one would get an outdated answer.
    for (let round = 1; round <= 5; round += 1) {
      await test.inside(tenant, () => test.app.get(EventsService).create({ name: `Round ${round}`, startsAt }));
      const pages = await Promise.all(Array.from({ length: 10 }, () => feed(`?after=${round - 1}`)));
      expect(pages.map(({ results }) => results.map(({ position }) => position))).toEqual(pages.map(() => [round]));
    }
  });

  it('deletes events after 30 days, and tells late readers', async () => {
    await test.inside(tenant, async () => {
      for (const name of ['Old', 'Older', 'New']) await test.app.get(EventsService).create({ name, startsAt });
    });
    await feed();
    await test.database.query(
      `update "${tenant.schemaName}".webhook_event set occurred_at = now() - interval '30 days 1 minute' where position < 3`,
    );
    await test.inside(tenant, () => test.app.get(RetentionService).prune());
    expect((await feed()).results.map(({ position }) => position)).toEqual([3]);
    expect(await feed('?after=1', 410)).toMatchObject({ code: 'webhook_event.pruned' });
    expect((await feed('?after=2')).results).toHaveLength(1);
    expect((await feed('?after=0')).results).toHaveLength(1);
  });

  it.each(['after=-1', 'after=x', 'after=1.5', 'after=99999999999999999999', 'limit=0', 'limit=501', 'limit=a', 'after=1&after=2'])(
    'refuses %s',
    async (query) => {
      expect(await feed(`?${query}`, 400)).toMatchObject({ code: 'query.invalid' });
    },
  );

  it('answers 404 for an event that is not in it', async () => {
    expect(await feed(`?after=${randomUUID()}`, 404)).toMatchObject({ code: 'webhook_event.unknown' });
    // A position that this feed never reached, for example after a restore from a backup.
    expect(await feed('?after=999999999', 404)).toMatchObject({ code: 'webhook_event.unknown' });
  });
});
