import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CodesService, type CountedCode, type NewCode } from '#tickets';
import { EventsService } from '#catalogue';
import type { TenantIdentity } from '#tenancy';
import { randomUUID } from 'node:crypto';
import { setTimeout as pass } from 'node:timers/promises';
import pLimit from 'p-limit';
import { call, kindOf, type Answer } from '../faults/calls.js';
import type { Started } from '../load/bench-processes.js';
import { expectNoDrift, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { startServers } from '../support/servers.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

let test: TestApp;
let tenant: TenantIdentity;
let authorization: string;
let events: readonly { readonly id: string; readonly priceId: string }[];
const servers: Started[] = [];
/** The quota of bookings is not what is tried. */
const unlimited = { QUOTA_BOOKINGS: '0' };
const mostKills = Number(process.env['KILLS'] ?? 20);

beforeAll(async () => {
  test = await startTestApp();
  tenant = await test.newTenant();
  authorization = await newKey(test, tenant, 'reservation:read', 'reservation:write', 'ticket:read');
  events = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const { id } = await newEvent(test, tenant, { capacity: 10_000 });
      return { id, priceId: await newPrice(test, tenant, id, { amount: '10.00' }) };
    }),
  );
  servers.push(...(await startServers(test, 2, unlimited)));
}, 120_000);
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await test.close();
});

const newCode = (input: Partial<NewCode>): Promise<CountedCode> =>
  test.inside(tenant, () =>
    test.app.get(CodesService).create({ code: `C${randomUUID().slice(0, 8)}`, effect: 'percent', value: '10', ...input }),
  );
const found = async ({ id }: CountedCode): Promise<CountedCode> =>
  (await test.inside(tenant, () => test.app.get(CodesService).find(id))) as CountedCode;

/** One attempt to book a ticket; without an answer, the error of the connection. */
async function attempt(index: number, tries: number, key: string, code?: CountedCode): Promise<Answer | Error> {
  const event = events[index % events.length]!;
  const { port } = servers[(index + tries) % servers.length]!;
  return call({
    port,
    host: tenant.host,
    method: 'POST',
    path: '/api/v2/reservations/',
    headers: { authorization, 'idempotency-key': key },
    body: {
      reservationFor: { identifier: event.id },
      underName: { '@type': 'Person', email: `${key}@example.org`, givenName: 'Ada', familyName: 'Martin' },
      reservedTicket: [{ identifier: event.priceId }],
      confirmed: true,
      paymentMethod: 'cash',
      ...(code && { code: code.code }),
    },
    timeoutMs: 60_000,
  }).catch((error: unknown) => error as Error);
}

const passing = (outcome: Answer | Error): outcome is Answer =>
  !(outcome instanceof Error) && outcome.status < 500 && outcome.status !== 429 && outcome.body['code'] !== 'idempotency.in_progress';

/** Repeats an unchanged request until it has its answer, as clients do. The key of a killed process is held for a minute. */
async function book(index: number, code?: CountedCode): Promise<{ readonly key: string; readonly answer: Answer }> {
  const key = randomUUID();
  const outcomes: Record<string, number> = {};
  for (let tries = 0; tries < 600; tries += 1) {
    // Another server each time: the one before may be gone.
    const outcome = await attempt(index, tries, key, code);
    if (passing(outcome)) return { key, answer: outcome };
    outcomes[kindOf(outcome)] = (outcomes[kindOf(outcome)] ?? 0) + 1;
    await pass(500);
  }
  throw new Error(`no answer for ${key}: ${JSON.stringify(outcomes)}`);
}

const sold = ({ answer }: { readonly answer: Answer }): boolean => answer.status === 201;

describe('a code of fifty uses', () => {
  it('is given to fifty of a rush of five hundred at two servers', async () => {
    const code = await newCode({ maxUses: 50 });
    const lanes = pLimit(64);
    const made = await Promise.all(Array.from({ length: 500 }, (_, index) => lanes(() => book(index, code))));
    expect(made.filter(sold)).toHaveLength(50);
    for (const { answer } of made) if (answer.status !== 201) expect(answer).toMatchObject({ body: { code: 'booking.code_used_up' } });
    expect(await found(code)).toMatchObject({ uses: 50, spent: '50.00' });
    await expectNoDrift(test, tenant);
  }, 300_000);
});

describe('a server that is killed twenty times between sales', () => {
  it('loses no sale, makes none twice, and gives no use and no euro of a code more than there are', async () => {
    const uses = await newCode({ maxUses: 120 });
    const budget = await newCode({ budget: '90.50' });
    const before = await Promise.all(events.map(({ id }) => test.inside(tenant, () => test.app.get(EventsService).find(id))));
    const kills = { done: 0 };
    const made: Awaited<ReturnType<typeof book>>[] = [];
    const lane = async (number: number): Promise<void> => {
      for (let index = number; kills.done < mostKills || index < 60; index += 8)
        made.push(await book(index, [uses, budget, undefined][index % 3] ?? undefined));
    };
    const killer = async (): Promise<void> => {
      for (; kills.done < mostKills; kills.done += 1) {
        const sales = made.length;
        // In the middle of sales, whatever the speed of the machine.
        for (let waits = 0; made.length < sales + 8 && waits < 200; waits += 1) await pass(25);
        const [victim] = servers.splice(kills.done % 2, 1) as [Started];
        process.kill(victim.pid, 'SIGKILL');
        servers.push(...(await startServers(test, 1, unlimited)));
      }
    };
    await Promise.all([killer(), ...Array.from({ length: 8 }, (_, number) => lane(number))]);
    for (const one of made) if (!sold(one)) expect(one.answer).toMatchObject({ body: { code: 'booking.code_used_up' } });
    const rows = await test.database.query<{ email: string; count: number; id: string }>(
      `select email, count(*)::int as count, min(id::text) as id from "${tenant.schemaName}".reservation
       where status <> 'C' and email = any($1) group by email`,
      [made.map(({ key }) => `${key}@example.org`)],
    );
    expect(rows.filter(({ count }) => count !== 1)).toEqual([]);
    const ids = new Map(rows.map(({ email, id }) => [email, id]));
    const acknowledged = made.filter(sold);
    for (const { key, answer } of acknowledged) expect(ids.get(`${key}@example.org`)).toBe(answer.body['identifier']);
    expect(ids.size).toBe(acknowledged.length);
    const after = await Promise.all(events.map(({ id }) => test.inside(tenant, () => test.app.get(EventsService).find(id))));
    const booked = (list: readonly unknown[]): number => (list as { booked: number }[]).reduce((sum, one) => sum + one.booked, 0);
    expect(booked(after) - booked(before)).toBe(acknowledged.length);
    expect((await found(uses)).uses).toBeLessThanOrEqual(120);
    expect(Number((await found(budget)).spent)).toBeLessThanOrEqual(90.5);
    const used = await test.database.query<{ count: number }>(
      `select count(*)::int as count from "${tenant.schemaName}".code_use where code_id = any($1)`,
      [[uses.id, budget.id]],
    );
    expect(used[0]?.count).toBe((await found(uses)).uses + (await found(budget)).uses);
    await expectNoDrift(test, tenant);
    console.log(`${kills.done} kills, ${made.length} answers, ${acknowledged.length} sales`);
  }, 1_200_000);
});
