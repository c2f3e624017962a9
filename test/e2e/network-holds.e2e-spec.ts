import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ReservationChangesService } from '#tickets';
import { JobsService } from '#jobs';
import type { TenantIdentity } from '#tenancy';
import { crowd, expectNoDrift, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { changeHold, complete, hold } from '../support/drafts.js';
import { outcome, tenantWork } from '../support/tenant-work.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;

beforeAll(async () => {
  test = await startTestApp({ environment: { HELD_TICKETS_PER_EVENT: '10' } });
  tenant = await test.newTenant();
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(() => test.close());

const { inside, sql } = tenantWork(() => ({ test, tenant }));
const network = 'school';

async function freeEvent(capacity: number): Promise<{ id: string; priceId: string }> {
  const event = await newEvent(test, tenant, { capacity, maxPerUser: 100 });
  return { id: event.id, priceId: await newPrice(test, tenant, event.id, { amount: '0.00' }) };
}

/** Lets a hold end that lasted a quarter of an hour. */
async function lapse(id: string): Promise<void> {
  await sql(
    `update reservation set created_at = now() - interval '15 minutes', expires_at = now() - interval '1 millisecond' where id = $1`,
    [id],
  );
  await inside(() => test.app.get(JobsService).workOf('draft-expiry')(id, { number: 1, isLast: false }));
}

const passMinutes = (event: { id: string }, minutes: number): Promise<unknown> =>
  sql(`update ended_hold set ended_at = ended_at - make_interval(mins => $2::int) where event_id = $1`, [event.id, minutes]);

describe('a network', () => {
  it('holds at most a tenth of the places of an event, and ten tickets at least, until they are paid or confirmed', async () => {
    const [large, small] = [await freeEvent(150), await freeEvent(20)];
    const first = await hold(test, tenant, large, { quantity: 15, network });
    const refused = await outcome(hold(test, tenant, large, { network }));
    expect(refused).toMatchObject({ reason: 'too_many_here', message: expect.stringMatching(/at most 15 tickets.*school or a company/s) });
    await hold(test, tenant, large, { quantity: 15, network: 'home' });
    const second = await hold(test, tenant, small, { quantity: 10, network });
    expect(await outcome(changeHold(test, tenant, second, small, { quantity: 11 }))).toMatchObject({ reason: 'too_many_here' });
    await complete(test, tenant, first);
    expect(await outcome(hold(test, tenant, large, { network }))).toMatchObject({ reason: 'too_many_here' });
    await inside(() => test.app.get(ReservationChangesService).verify(first));
    await hold(test, tenant, large, { quantity: 15, network });
  });

  // Without `demandFits` and `refuseTooMany` behind the taking of places, several of them do.
  it('does not hold more with simultaneous forms', async () => {
    const event = await freeEvent(200);
    const answers = await Promise.all(crowd(12, () => outcome(hold(test, tenant, event, { quantity: 10, network }))));
    expect(answers.filter((answer) => typeof answer === 'string')).toHaveLength(2);
  });

  it('shares half of the places with the others of its site of IPv6', async () => {
    const event = await freeEvent(40);
    const from = (own: string): Promise<unknown> => outcome(hold(test, tenant, event, { quantity: 10, network: own, site: 'site' }));
    expect([await from('a'), await from('b')]).toEqual([expect.any(String), expect.any(String)]);
    expect(await from('c')).toMatchObject({ reason: 'too_many_here' });
  });

  it('that holds again and again waits longer each time', async () => {
    const event = await freeEvent(100);
    const again = (): Promise<unknown> => outcome(hold(test, tenant, event, { quantity: 10, network }));
    const [first] = [await again()];
    await lapse(String(first));
    expect(await again()).toMatchObject({ reason: 'too_many_here' });
    await hold(test, tenant, event, { quantity: 10, network: 'others' });
    await passMinutes(event, 16);
    await lapse(String(await again()));
    await passMinutes(event, 16);
    expect(await again()).toMatchObject({ reason: 'too_many_here' });
    await passMinutes(event, 16);
    await lapse(String(await again()));
    await passMinutes(event, 40);
    expect(await again()).toMatchObject({ reason: 'too_many_here' });
    await passMinutes(event, 1440);
    expect(await again()).toEqual(expect.any(String));
  });

  it('may begin a hold that ended anew once, and counts what it gives up before the end', async () => {
    const event = await freeEvent(100);
    const draft = await hold(test, tenant, event, { quantity: 10, network });
    await lapse(draft);
    expect(await changeHold(test, tenant, draft, event, { quantity: 10 })).toBe(true);
    await lapse(draft);
    expect(await outcome(changeHold(test, tenant, draft, event, { quantity: 10 }))).toMatchObject({ reason: 'too_many_here' });
    const other = await freeEvent(100);
    const given = await hold(test, tenant, other, { quantity: 10, network });
    await sql(`update reservation set created_at = now() - interval '14 minutes' where id = $1`, [given]);
    expect(await changeHold(test, tenant, given, other, { quantity: 2 })).toBe(true);
    expect(await outcome(hold(test, tenant, other, { network }))).toMatchObject({ reason: 'too_many_here' });
    const third = await hold(test, tenant, await freeEvent(100), { quantity: 10, network });
    await complete(test, tenant, third);
    await inside(() => test.app.get(ReservationChangesService).cancel(third, { reason: 'holder' }));
    expect(await sql('select tickets, is_first as "isFirst" from ended_hold where reservation_id = $1', [third])).toEqual([
      { tickets: 10, isFirst: true },
    ]);
  });
});
