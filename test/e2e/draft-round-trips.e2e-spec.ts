import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { DraftCompletionService, type CompletedReservation, type OrderedTickets } from '#selling';
import { toSchemaOrgReservation, type DraftContact } from '#tickets';
import { EventOptionsService, QuestionsService } from '#catalogue';
import { TenantDb, type TenantIdentity } from '#tenancy';
import { crowd, expectNoDrift, newPrice, ticketsBy } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { changeHold, complete, endHold, hold, type Choosing, type ChosenEvent } from '../support/drafts.js';
import { tripsOfTransaction } from '../support/round-trips.js';
import { outcome, tenantWork } from '../support/tenant-work.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;
let free: ChosenEvent;
let asking: ChosenEvent;
let paid: ChosenEvent;
let limited: ChosenEvent;
let optionIds: string[];

beforeAll(async () => {
  test = await startTestApp();
  tenant = await test.newTenant();
  paid = await newEvent(test, tenant, { capacity: 500, startsAt: new Date(Date.now() + 86_400_000) });
  free = { id: paid.id, priceId: await newPrice(test, tenant, paid.id, { amount: '0', name: 'Free' }) };
  asking = { id: paid.id, priceId: await newPrice(test, tenant, paid.id, { amount: '0', name: 'With questions', maxPerUser: 4 }) };
  const small = await newEvent(test, tenant, { capacity: 500, maxPerUser: 2 });
  limited = { id: small.id, priceId: await newPrice(test, tenant, small.id, { amount: '0', name: 'Two each' }) };
  const [product] = await sql<{ id: string }>('select product_id as id from price where id = $1', [asking.priceId]);
  optionIds = await test.inside(tenant, async () => {
    await test.app.get(QuestionsService).define(product?.id ?? '', [
      { label: 'Diet', kind: 'text', scope: 'ticket' },
      { label: 'Town', kind: 'text', required: true },
    ]);
    const options = test.app.get(EventOptionsService);
    const made = [];
    for (const name of ['Zebra', 'apple']) made.push(await options.create(paid.id, { kind: 'checkbox', name }));
    return made.map(({ id }) => id);
  });
  await sql('insert into configuration (id, pay_at_venue_hours) values (1, 2) on conflict (id) do update set pay_at_venue_hours = 2');
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(() => test.close());

const { sql } = tenantWork(() => ({ test, tenant }));

const find = (id: string): Promise<OrderedTickets | undefined> => test.inside(tenant, () => test.app.get(DraftCompletionService).find(id));

const known = 'known@example.org';

const short = (trips: readonly (readonly string[])[]): string[][] =>
  trips.map((texts) => texts.map((text) => text.replaceAll(/\s+/g, ' ').slice(0, 60)));

describe('a draft', () => {
  const holds: readonly [name: string, event: () => ChosenEvent, how: () => Choosing][] = [
    ['of one ticket', () => free, () => ({})],
    ['of an event with a maximum per person', () => limited, () => ({ quantity: 2 })],
    ['with options and a price with a maximum', () => asking, () => ({ quantity: 3, options: optionIds })],
  ];

  it.each(holds)('%s takes one round trip when its offer was read a moment ago, and two to be shown', async (_name, event, how) => {
    let id = '';
    await hold(test, tenant, event(), how());
    const taken = await tripsOfTransaction('insert into reservation', async () => (id = await hold(test, tenant, event(), how())));
    expect(short(taken)).toHaveLength(1);
    const [vat] = await sql<{ rates: number }>('select count(vat_rate)::int as rates from ticket where reservation_id = $1', [id]);
    expect(vat?.rates).toBe(how().quantity ?? 1);
    let shown: OrderedTickets | undefined;
    expect(short(await tripsOfTransaction('from ticket where', async () => (shown = await find(id))))).toHaveLength(2);
    expect(shown?.reservation.options.map(({ name }) => name)).toEqual(how().options ? ['Zebra', 'apple'] : []);
    expect(shown?.questions.map(({ label }) => label)).toEqual(event() === asking ? ['Diet', 'Town'] : []);
  });

  const forms: readonly [name: string, event: () => ChosenEvent, quantity: number, contact: Partial<DraftContact>][] = [
    ['with a typed address', () => free, 1, {}],
    ['of who is signed in', () => free, 2, { email: ' Known@example.org ', signedIn: known, acceptsTerms: true, language: 'fr' }],
    [
      'with names and answers',
      () => asking,
      2,
      {
        holders: [undefined, { firstName: ' Zoë ', lastName: 'Roux' }],
        answers: new Map([['town', 'Paris']]),
        ticketAnswers: [new Map([['diet', 'vegan']]), undefined],
      },
    ],
    ['with a maximum per person', () => limited, 2, {}],
    ['to be paid at the venue by somebody unknown', () => paid, 1, { payment: 'venue' }],
    ['to be paid at the venue by somebody known', () => paid, 1, { payment: 'venue', email: known, signedIn: known }],
  ];

  it.each(forms)(
    'becomes a reservation %s in four round trips, five when the address is to be confirmed, and is shown as it is stored',
    async (_name, event, quantity, contact) => {
      const id = await hold(test, tenant, event(), { quantity });
      let shown: CompletedReservation | undefined;
      const taken = await tripsOfTransaction('is_draft = false', async () => (shown = await complete(test, tenant, id, contact)));
      expect(short(taken)).toHaveLength(contact.signedIn ? 4 : 5);
      const { event: _event, payments: _payments, options: _options, answers, tickets, ...row } = shown!;
      const stored = (await find(id))!.reservation;
      // Times are written in whole milliseconds.
      expect(stored).toMatchObject(row);
      expect(stored.tickets).toEqual(tickets);
      expect(stored.answers).toMatchObject(answers.map(({ ticketId, label, value }) => ({ ticketId, label, value })));
      expect(toSchemaOrgReservation(shown!, tenant)).toEqual(toSchemaOrgReservation(stored, tenant));
      const [message] = await test.database.query<{ data: object }>('select data from shared.outbox where subject_id = $1', [id]);
      expect(message?.data).toMatchObject({ identifier: id, sequence: 1 });
      const jobs = await test.database.query<{ kind: string }>('select kind from shared.job where subject_id = $1', [id]);
      expect(jobs.map(({ kind }) => kind)).toEqual(stored.expiresAt ? ['reservation-expiry'] : []);
    },
  );

  it('is completed by one of two forms that were sent for it at once, and again with what another window chose', async () => {
    const id = await hold(test, tenant, free);
    const [before] = await sql<{ id: string }>('select id from ticket where reservation_id = $1', [id]);
    await changeHold(test, tenant, id, free, { quantity: 2 });
    expect(await outcome(complete(test, tenant, id, { ticketIds: [before!.id] }))).toMatchObject({ reason: 'changed' });
    const results = await Promise.all(crowd(4, (index) => complete(test, tenant, id, { email: `window${index}@example.org` })));
    expect(new Set(results.map((result) => result?.email)).size).toBe(1);
    expect(await sql('select id from mail where reservation_id = $1', [id])).toHaveLength(1);
  });
});

describe('many drafts of one person', () => {
  /** Keeps the statements that complete drafts from ending, so that all that may run beside one another do. */
  const meanwhile = async (ids: readonly string[], work: () => Promise<unknown>): Promise<void> => {
    const started = { work: Promise.resolve() as Promise<unknown> };
    await test.inside(tenant, () =>
      test.app.get(TenantDb).transaction(async (tx) => {
        await tx.query('select 1 from reservation where id = any($1) for update', [ids]);
        started.work = work();
        await delay(500);
      }),
    );
    await started.work;
  };

  it('are completed up to the maximum per person, also at the same time', async () => {
    const email = `${randomUUID()}@example.org`;
    const before = (await ticketsBy(test, tenant, limited.id))['K'] ?? 0;
    const ids = await Promise.all(crowd(8, () => hold(test, tenant, limited)));
    let completed = 0;
    await meanwhile(ids, () =>
      Promise.all(
        ids.map((id) =>
          complete(test, tenant, id, { email, signedIn: email }).then(
            () => (completed += 1),
            (error: unknown) => expect(error).toMatchObject({ reason: 'limit_per_user' }),
          ),
        ),
      ),
    );
    expect(completed).toBe(2);
    expect((await ticketsBy(test, tenant, limited.id))['K']).toBe(before + 2);
  });

  it('are completed up to the maximum per person when some of them lost their places meanwhile', async () => {
    const email = `${randomUUID()}@example.org`;
    const ids = await Promise.all(crowd(8, () => hold(test, tenant, limited)));
    for (const id of ids.slice(0, 4)) await endHold(test, tenant, id);
    const results = await Promise.allSettled(ids.map((id) => complete(test, tenant, id, { email, signedIn: email })));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  });
});
