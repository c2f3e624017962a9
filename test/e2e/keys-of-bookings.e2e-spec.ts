import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { runInRequest, type RequestContext } from '#kernel';
import { ApiKeysService, TenantDb, type TenantIdentity } from '#tenancy';
import { newEvent } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { roundTripsOf } from '../support/round-trips.js';
import { tenantWork } from '../support/tenant-work.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

let test: TestApp;
let tenant: TenantIdentity;
let events: Awaited<ReturnType<typeof newEvent>>[];
let authorization: string;

beforeAll(async () => {
  test = await startTestApp({ environment: { WORKER: 'separate' } });
  tenant = await test.newTenant();
  events = await Promise.all([newEvent(test, tenant, { capacity: 500 }), newEvent(test, tenant, { capacity: 500 })]);
});
beforeEach(async () => {
  authorization = await newKey(test, tenant, 'reservation:write');
});
afterAll(() => test.close());

const { sql } = tenantWork(() => ({ test, tenant }));

function book(event = events[0]!, headers: object = {}, email = `${randomUUID()}@example.org`) {
  return test
    .on(tenant)
    .post('/api/v2/reservations/')
    .set({ Authorization: authorization, ...headers })
    .send({
      reservationFor: event.id,
      underName: { email },
      reservedTicket: [{ identifier: event.priceId }],
    });
}

const count = async (): Promise<number> => (await sql<{ count: number }>('select count(*)::int as count from reservation'))[0]!.count;

/** What another process does with all keys of the tenant. */
const ofKeys = (text: string): Promise<unknown> => test.database.query(text, [tenant.id]);

describe('a booking with a key that the process looked up a moment ago', () => {
  it('needs no look-up before its transaction, which is a single round trip', async () => {
    // Looked up at most a second ago, which a slow machine may miss.
    await eventually(
      async () => {
        await book().expect(201);
        const trips = await roundTripsOf(async () => {
          await book().expect(201);
        });
        const texts = trips.flatMap(({ texts }) => texts.map((text) => text.replaceAll(/\s+/g, ' ')));
        expect(texts.filter((text) => text.includes('insert into reservation'))).toHaveLength(1);
        expect(texts.filter((text) => text.includes('shared.api_key k where id = $1'))).toEqual([]);
        expect(texts.filter((text) => text.includes('shared.enter_tenant('))).toHaveLength(1);
      },
      { timeout: 20_000 },
    );
  });

  const fates: readonly [what: string, text: string, status: number, code: string][] = [
    ['is revoked', 'update shared.api_key set revoked_at = now() where tenant_id = $1', 401, 'key.revoked'],
    ['is suspended', 'update shared.api_key set suspended_at = now() where tenant_id = $1', 403, 'key.suspended'],
    ['has expired', `update shared.api_key set expires_at = now() - interval '1 second' where tenant_id = $1`, 401, 'key.expired'],
    ['is deleted', 'delete from shared.api_key where tenant_id = $1', 401, 'key.revoked'],
  ];

  it.each(fates)('is refused when the key %s by another process, and leaves nothing', async (_what, text, status, code) => {
    for (const event of events) await book(event).expect(201);
    const again = (): ReturnType<typeof book> => book(events[0], { 'Idempotency-Key': name }, 'again@example.org');
    const name = randomUUID();
    await again().expect(201);
    await ofKeys(text);
    const before = await count();
    const ways: readonly [string, () => ReturnType<typeof book>][] = [
      ['without reading the offer', () => book()],
      ['of an offer that has changed', () => book(events[1])],
      ['whose answer is stored', again],
    ];
    await sql(`update event set name = name || '.' where id = $1`, [events[1]!.id]);
    for (const [way, send] of ways) {
      const { status: answered, body, headers } = await send();
      const expected = way === 'whose answer is stored' && text.startsWith('delete') ? 'key.unknown' : code;
      expect([way, answered, (body as { code: string }).code]).toEqual([way, status, expected]);
      expect(headers['www-authenticate']).toBe(status === 401 ? 'Api-Key' : undefined);
    }
    expect(await count()).toBe(before);
  });

  it('is made with a key that works on, also after another key of the tenant was revoked', async () => {
    const revoked = await newKey(test, tenant, 'reservation:write');
    await book().expect(201);
    await test.database.query(`update shared.api_key set revoked_at = now() where id = $1`, [revoked.split('_')[1]]);
    await book().expect(201);
  });

  it('is finished when the key is revoked after its first transaction', async () => {
    const keyId = authorization.split('_')[1]!;
    const transaction = (): Promise<unknown> => test.inside(tenant, () => test.app.get(TenantDb).transaction((tx) => tx.query('select 1')));
    const request = (): RequestContext => ({ requestId: randomUUID(), actor: { kind: 'key', keyId }, keyUnchecked: true });
    await runInRequest(request(), async () => {
      await transaction();
      await ofKeys('update shared.api_key set revoked_at = now() where tenant_id = $1');
      await transaction();
    });
    await expect(runInRequest(request(), transaction)).rejects.toMatchObject({ code: 'key.revoked' });
  });

  it('follows the origins of the key at once, and its reactivation', async () => {
    const keyId = authorization.split('_')[1]!;
    const origin = 'https://venue.example';
    await book().expect(201);
    const inside = <Result>(work: () => Promise<Result>): Promise<Result> => test.inside(tenant, work);
    await inside(() => test.app.get(ApiKeysService).allowOrigins(keyId, [origin]));
    await book(events[0], { Origin: origin }).expect(201);
    await inside(() => test.app.get(ApiKeysService).allowOrigins(keyId, ['https://other.example']));
    expect((await book(events[0], { Origin: origin })).body).toMatchObject({ code: 'key.origin' });
    await ofKeys('update shared.api_key set suspended_at = now() where tenant_id = $1');
    expect((await book()).body).toMatchObject({ code: 'key.suspended' });
    await ofKeys('update shared.api_key set suspended_at = null where tenant_id = $1');
    await book().expect(201);
  });

  it('is refused without the scope, as before', async () => {
    await book().expect(201);
    authorization = await newKey(test, tenant, 'reservation:read');
    for (let times = 0; times < 2; times += 1) expect((await book()).body).toMatchObject({ code: 'key.scope' });
  });
});
