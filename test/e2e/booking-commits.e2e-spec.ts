import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { BookingsService } from '#selling';
import type { ShownReservation } from '#tickets';
import { commitBehind, inOrder, queryPrepared, TenantDb, type TenantIdentity, type Tx } from '#tenancy';
import { ReservationPublisherService } from '../../libs/tickets/src/changes/reservation-publisher.service.js';
import { AvailabilityService } from '../../libs/tickets/src/inventory/availability.service.js';
import { expectNoDrift, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { roundTripsOf } from '../support/round-trips.js';
import { connectionsBack, outcome, tenantWork } from '../support/tenant-work.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;
let eventId: string;
let priceId: string;

beforeAll(async () => {
  // The jobs and events of the bookings stay, so that they can be counted.
  test = await startTestApp({ environment: { WORKER: 'separate' } });
});
beforeEach(async () => {
  tenant = await test.newTenant();
  ({ id: eventId } = await newEvent(test, tenant, { capacity: 500 }));
  priceId = await newPrice(test, tenant, eventId, { amount: '0', name: 'Free' });
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => test.close());

const { inside, sql, bookedOf } = tenantWork(() => ({ test, tenant }));

function book(): Promise<ShownReservation> {
  const tickets = [{ priceId, quantity: 2 }];
  return inside(() =>
    test.app.get(BookingsService).book({ eventId, email: `${randomUUID()}@example.org`, tickets, origin: 'api', confirmed: true }),
  );
}

/** Number of rows of the tenant of each kind that a booking writes, and of places taken. */
async function written(): Promise<Record<string, number>> {
  const counted = (sources: Readonly<Record<string, string>>): string =>
    `select ${Object.entries(sources)
      .map(([name, source]) => `(select count(*)::int from ${source}) as ${name}`)
      .join(', ')}`;
  const own = `where tenant_id = '${tenant.id}'`;
  const shared = { events: `shared.outbox ${own} and type = 'reservation.created'`, jobs: `shared.job ${own}` };
  const [rows] = await sql<Record<string, number>>(counted({ reservations: 'reservation', tickets: 'ticket', mails: 'mail' }));
  const [sharedRows] = await test.database.query<Record<string, number>>(counted(shared));
  return { ...rows, ...sharedRows, places: await bookedOf(eventId) };
}

const fault = new Error('a fault of the program');

/** A value that pg cannot turn into text. */
const unfit = { number: 1n } as unknown as string;

const otherText = { name: 'booking-insert', text: 'select 1' };

type Publisher = ReservationPublisherService;
const publisher = (): Publisher => test.app.get(ReservationPublisherService);
const availability = (): AvailabilityService => test.app.get(AvailabilityService);

/** Changes what the next booking publishes, or what it does before. */
function publishOnce(change: (tx: Tx, message: ReturnType<Publisher['prepare']>) => ReturnType<Publisher['prepare']>): void {
  const real = publisher().prepare.bind(publisher());
  jest.spyOn(publisher(), 'prepare').mockImplementationOnce((tx, type, reservation) => change(tx, real(tx, type, reservation)));
}

/** What fails in this process between the first statement of a booking and its COMMIT. */
const faults: readonly [name: string, message: RegExp, arrange: () => void][] = [
  [
    'the event',
    /a fault of the program/,
    () =>
      publishOnce(() => {
        throw fault;
      }),
  ],
  [
    'the taking of places',
    /a fault of the program/,
    () =>
      jest.spyOn(availability(), 'takeAndCommit').mockImplementationOnce((tx) => {
        commitBehind(tx);
        return Promise.reject(fault);
      }),
  ],
  [
    'the taking of places after a step without an answer',
    /a fault of the program/,
    () =>
      jest.spyOn(availability(), 'takeAndCommit').mockImplementationOnce(async (tx) => {
        commitBehind(tx);
        await Promise.resolve();
        throw fault;
      }),
  ],
  ['a value that cannot be serialised', /BigInt/, () => publishOnce((_tx, message) => ({ ...message, subjectId: unfit }))],
  [
    'a statement with the name of another one',
    /must be unique/,
    () =>
      publishOnce((tx, message) => {
        queryPrepared(tx, otherText, []).catch(() => undefined);
        return message;
      }),
  ],
];

describe('a booking whose COMMIT is sent behind its statements', () => {
  it.each(faults)('leaves nothing when %s fails, and its connection works on', async (_name, message, arrange) => {
    await book();
    const before = await written();
    const { open: opened } = test.app.get(TenantDb).poolState();
    arrange();
    expect(await outcome(book())).toMatchObject({ message: expect.stringMatching(message) as unknown });
    expect(await written()).toEqual(before);
    await connectionsBack(test);
    const { open } = test.app.get(TenantDb).poolState();
    expect(open).toBeGreaterThanOrEqual(opened);
    // All connections are used, also the one of the booking that failed.
    const more = await Promise.all(Array.from({ length: open }, book));
    const all = Object.entries(before).map(([name, rows]) => [name, rows * (1 + more.length)]);
    expect(await written()).toEqual(Object.fromEntries(all));
    await expectNoDrift(test, tenant);
  });

  it('keeps the rows of a function that takes a step before it sends its statement', async () => {
    const real = availability().takeAndCommit.bind(availability());
    jest.spyOn(availability(), 'takeAndCommit').mockImplementationOnce(async (...given) => {
      await Promise.resolve();
      await real(...given);
    });
    const trips = await roundTripsOf(book);
    expect(trips.find(({ texts }) => texts.some((text) => text.includes('insert into reservation')))?.texts.at(-1)).toBe('commit');
    expect(await written()).toEqual({ reservations: 1, tickets: 2, mails: 1, events: 1, jobs: 1, places: 2 });
  });
});

describe('a transaction whose COMMIT is sent at once', () => {
  const insert = { name: 'commit-spec-insert', text: 'insert into verified_email (email_key) values ($1)' };
  const add = (tx: Tx, key: string): Promise<unknown> => queryPrepared(tx, insert, [key]);
  const keys = async (): Promise<string[]> =>
    (await sql<{ key: string }>('select email_key as key from verified_email')).map(({ key }) => key);
  const atOnce = (work: (tx: Tx) => Promise<unknown>): Promise<unknown> =>
    outcome(inside(() => test.app.get(TenantDb).transactionAtOnce(work)));
  const failing = (): Promise<never> => Promise.reject(fault);

  const works: readonly [name: string, message: RegExp, work: (tx: Tx) => Promise<unknown>][] = [
    ['a later statement has an unfit value', /BigInt/, (tx) => inOrder(tx, [add(tx, 'a'), add(tx, unfit)])],
    ['an earlier statement has an unfit value', /BigInt/, (tx) => inOrder(tx, [add(tx, unfit), add(tx, 'a')])],
    [
      'an unfit value goes through TypeORM',
      /BigInt/,
      (tx) => inOrder(tx, [add(tx, 'a'), tx.query('insert into verified_email (email_key) values ($1)', [unfit])]),
    ],
    ['other work fails', /a fault of the program/, (tx) => inOrder(tx, [add(tx, 'a'), failing()])],
    [
      'the work fails behind a statement',
      /a fault of the program/,
      async (tx) => {
        void add(tx, 'a');
        await failing();
      },
    ],
    [
      'the work lets no error through',
      /BigInt/,
      async (tx) => {
        await Promise.allSettled([add(tx, 'a'), add(tx, unfit)]);
      },
    ],
  ];

  it.each(works)('leaves nothing when %s', async (_name, message, work) => {
    expect(await atOnce(work)).toMatchObject({ message: expect.stringMatching(message) as unknown });
    await connectionsBack(test);
    expect(await keys()).toEqual([]);
    for (let count = 0; count < 3; count += 1) await atOnce((tx) => add(tx, `later ${count}`));
    expect(await keys()).toEqual(['later 0', 'later 1', 'later 2']);
  });

  it('refuses a statement behind the COMMIT, and does not commit it by itself', async () => {
    const late: readonly ((tx: Tx) => Promise<unknown>)[] = [
      (tx) => add(tx, 'late'),
      (tx) => tx.query(`insert into verified_email (email_key) values ('late')`),
    ];
    for (const [index, send] of late.entries()) {
      const error = await atOnce(async (tx) => {
        await add(tx, `first ${index}`);
        await send(tx);
      });
      expect(error).toMatchObject({ message: expect.stringContaining('has ended') as unknown });
    }
    await connectionsBack(test);
    expect(await keys()).toEqual(['first 0', 'first 1']);
  });
});
