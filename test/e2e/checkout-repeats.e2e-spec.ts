import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CheckoutsService } from '#payments';
import { BookingsService } from '#selling';
import { HolderLinks, ReservationChangesService } from '#tickets';
import { ProductsService } from '#catalogue';
import type { TenantIdentity } from '#tenancy';
import type supertest from 'supertest';
import { expectNoDrift, letHoldsLapse } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { openLossyDatabase, type LossyDatabase } from '../support/lossy-database.js';
import { startStripeApp, type StripeApp } from '../support/stripe-app.js';
import { installedDatabase } from '../support/test-app.js';
import type { TestDatabase } from '../support/test-database.js';
import { newKey } from '../support/webhooks.js';

let database: TestDatabase;
let lossy: LossyDatabase;
let test: StripeApp;
let tenant: TenantIdentity;
let authorization: string;
let event: Awaited<ReturnType<typeof newEvent>>;

beforeAll(async () => {
  database = await installedDatabase('few');
  lossy = await openLossyDatabase(database.url);
  const environment = { DATABASE_WAIT_MS: '2000', DATABASE_TIMEOUT_MS: '8000' };
  test = await startStripeApp({ database: { ...database, url: lossy.url }, environment });
});
beforeEach(async () => {
  tenant = await test.newVenue({ node: 0 });
  authorization = await newKey(test, tenant, 'reservation:read', 'reservation:write', 'membership:write', 'membership:read');
  event = await newEvent(test, tenant, { capacity: 1 });
  test.stripe.sessions.clear();
});
afterEach(async () => {
  test.stripe.fault = undefined;
  await expectNoDrift(test, tenant);
});
afterAll(async () => {
  await test.close();
  await lossy.close();
  await database.drop();
});

interface Answer {
  readonly identifier: string;
  readonly checkoutUrl?: string;
  readonly code?: string;
}

const inside = <Result>(work: () => Promise<Result>): Promise<Result> => test.inside(tenant, work);
const post = (key: string, path = 'reservations', body: object = reservation()): supertest.Test =>
  test.on(tenant).post(`/api/v2/${path}/`).set({ Authorization: authorization, 'Idempotency-Key': key }).send(body);

function reservation(): object {
  return {
    reservationFor: { identifier: event.id },
    underName: { email: 'zoe@example.org' },
    reservedTicket: [{ identifier: event.priceId }],
  };
}

interface Row {
  readonly status: string;
  readonly payments: readonly { readonly status: string; readonly reference: string | null }[];
}

/** Reservations of the tenant with their payments, oldest first. */
const rows = (): Promise<Row[]> =>
  database.query<Row>(
    `select status, (select coalesce(json_agg(json_build_object('status', p.status, 'reference', p.reference)), '[]')
       from "${tenant.schemaName}".payment p where p.reservation_id = r.id) as payments
     from "${tenant.schemaName}".reservation r order by created_at`,
  );

/** Expects one hold with one open checkout at the provider, at the address in the response. */
async function expectOneCheckout({ body }: supertest.Response): Promise<void> {
  const open = [...test.stripe.sessions.values()].filter(({ status }) => status === 'open');
  expect([open.length, (body as Answer).checkoutUrl]).toEqual([1, open[0]?.['url']]);
  const [only, ...others] = await rows();
  expect([others, only]).toMatchObject([[], { status: 'U' }]);
  // Failed payments have no open checkout.
  const payments = only?.payments.filter(({ status }) => status !== 'failed');
  expect(payments).toEqual([{ status: 'pending', reference: open[0]?.id }]);
}

describe('the repeat of a booking with an Idempotency-Key', () => {
  it.each(['error', 'kept error', 'cut', 'cut after', 'limit', 'no JSON'] as const)(
    'opens the checkout that the provider did not open or not answer at first: %s',
    async (fault) => {
      const key = randomUUID();
      test.stripe.fault = fault;
      expect((await post(key).expect(503)).body).toMatchObject({ code: 'payment.unavailable' });
      expect((await post(key).expect(503)).body).toMatchObject({ code: 'payment.unavailable' });
      expect(await rows()).toMatchObject([{ status: 'R' }]);
      test.stripe.fault = undefined;
      const again = await post(key).expect(201);
      expect(again.headers['idempotency-replayed']).toBe('true');
      await expectOneCheckout(again);
      expect((await post(key).expect(201)).body).toEqual(again.body);
      await expectOneCheckout(again);
    },
  );

  it('answers the opened checkout when its address could not be stored or the answer was lost', async () => {
    for (const [fault, statement] of [
      ['lose commit', /update payment set reference/],
      ['lose answer', /update payment set reference/],
      ['lose commit', /insert into payment /i],
    ] as const) {
      event = await newEvent(test, tenant, { capacity: 1 });
      const key = randomUUID();
      lossy.fail(fault, statement);
      await post(key).expect(503);
      const again = await post(key).expect(201);
      const open = [...test.stripe.sessions.values()].filter(({ status }) => status === 'open');
      expect([open.length, (again.body as Answer).checkoutUrl]).toEqual([1, open[0]?.['url']]);
      expect((await rows()).at(-1)).toEqual({ status: 'U', payments: [{ status: 'pending', reference: open[0]?.id }] });
      test.stripe.sessions.clear();
    }
  });

  it('opens one checkout when several repeats arrive at once, also in several processes', async () => {
    const key = randomUUID();
    test.stripe.fault = 'error';
    await post(key).expect(503);
    const [held] = await database.query<{ id: string; expiresAt: Date }>(
      `select id, expires_at as "expiresAt" from "${tenant.schemaName}".reservation`,
    );
    test.stripe.fault = undefined;
    // A process that loses its lock on the key continues, and both open the same checkout.
    const { id, expiresAt } = held!;
    const bill = { subject: { reservationId: id }, description: event.name, email: 'zoe@example.org', language: 'en' as const, expiresAt };
    const opened = (tx: Parameters<ReservationChangesService['openedCheckout']>[0]) =>
      test.app.get(ReservationChangesService).openedCheckout(tx, id);
    const opening = () =>
      inside(() => {
        const returnUrl = test.app.get(HolderLinks).urlTo(bill.subject);
        return test.app.get(CheckoutsService).open({ ...bill, returnUrl }, { opened, read: async () => undefined });
      });
    await Promise.all([opening(), opening(), opening()]);
    const answers = await Promise.all([post(key), post(key), post(key)]);
    for (const { status, body } of answers) expect(status === 201 || (body as Answer).code === 'idempotency.in_progress').toBe(true);
    await expectOneCheckout(await post(key).expect(201));
  });

  it('books again when the hold had expired, but not when staff cancelled it', async () => {
    const [late, cancelled] = [randomUUID(), randomUUID()];
    test.stripe.fault = 'error';
    await post(late).expect(503);
    test.stripe.fault = undefined;
    await letHoldsLapse(test, tenant, '20 minutes');
    const again = await post(late).expect(201);
    expect(again.headers['idempotency-replayed']).toBeUndefined();
    const [open] = test.stripe.sessions.values();
    expect([test.stripe.sessions.size, (again.body as Answer).checkoutUrl]).toEqual([1, open?.['url']]);
    expect((await rows()).map(({ status }) => status)).toEqual(['C', 'U']);
    expect((await post(late).expect(201)).body).toEqual(again.body);

    await inside(() => test.app.get(ReservationChangesService).cancel((again.body as Answer).identifier, { reason: 'staff' }));
    test.stripe.fault = 'error';
    await post(cancelled).expect(503);
    test.stripe.fault = undefined;
    const [, , last] = await database.query<{ id: string }>(`select id from "${tenant.schemaName}".reservation order by created_at`);
    await inside(() => test.app.get(ReservationChangesService).cancel(last!.id, { reason: 'staff' }));
    expect((await post(cancelled).expect(201)).body).toMatchObject({
      identifier: last!.id,
      reservationStatus: 'https://schema.org/ReservationCancelled',
    });
    expect((await rows()).map(({ status }) => status)).toEqual(['C', 'C', 'C']);
  });

  it('is refused like the booking when the provider refuses the payment, and nothing is stored', async () => {
    const [key, secret] = [randomUUID(), test.stripe.secretKey];
    test.stripe.keys.clear();
    try {
      for (const sent of [post(key), post(key)]) expect((await sent.expect(409)).body).toMatchObject({ code: 'payment.refused' });
    } finally {
      test.stripe.keys.add(secret);
    }
    expect(await rows()).toMatchObject([{ status: 'C', payments: [{ status: 'failed' }] }]);
    await post(randomUUID()).expect(201);
  });

  it('is not possible without a key: the places are then free at once', async () => {
    test.stripe.fault = 'error';
    const booking = inside(() =>
      test.app
        .get(BookingsService)
        .book({ eventId: event.id, email: 'zoe@example.org', tickets: [{ priceId: event.priceId, quantity: 1 }], origin: 'api' }),
    );
    await expect(booking).rejects.toMatchObject({ name: 'PaymentProviderUnavailable' });
    expect(await rows()).toMatchObject([{ status: 'C' }]);
  });
});

describe('the repeat of a membership with an Idempotency-Key', () => {
  it('opens one checkout', async () => {
    const plan = await inside(
      async () =>
        (
          await test.app
            .get(ProductsService)
            .create({ name: 'Members', category: 'A', prices: [{ name: 'Year', amount: '30.00', stock: 1 }] })
        ).prices[0]!.id,
    );
    const body = { member: { email: 'zoe@example.org' }, membershipPlan: plan };
    for (const fault of ['cut after', 'error'] as const) {
      const key = randomUUID();
      test.stripe.fault = fault;
      await post(key, 'memberships', body).expect(503);
      test.stripe.fault = undefined;
      const again = await post(key, 'memberships', body).expect(201);
      expect(await post(key, 'memberships', body).then(({ body: answer }) => answer)).toEqual(again.body);
      const open = [...test.stripe.sessions.values()].filter(({ status }) => status === 'open');
      expect([open.length, (again.body as Answer).checkoutUrl]).toEqual([1, open[0]?.['url']]);
      await database.query(`update "${tenant.schemaName}".price set stock = stock + 1 where id = $1`, [plan]);
      test.stripe.sessions.clear();
    }
  });
});
