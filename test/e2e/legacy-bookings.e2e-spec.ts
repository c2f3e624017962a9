import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { recount, SigningKeysService } from '#tickets';
import { EventsService } from '#catalogue';
import { TenantDb, type TenantIdentity, type Tx } from '#tenancy';
import pg from 'pg';
import type supertest from 'supertest';
import { book, expectNoDrift } from '../support/booking.js';
import { newEvent, newTicket } from '../support/builders.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

type Body = Record<string, unknown> & { uuid: string };

const reservations = '/api/reservations/';
const tickets = '/api/ticket/';

let test: TestApp;
let tenant: TenantIdentity;
let authorization: string;
let event: Awaited<ReturnType<typeof newEvent>>;

beforeAll(async () => {
  test = await startTestApp({ tenants: 'some' });
});
beforeEach(async () => {
  tenant = await test.newTenant();
  authorization = await newKey(test, tenant, 'reservation:read', 'ticket:read');
  event = await newEvent(test, tenant);
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(() => test.close());

const read = (path: string, as = authorization): supertest.Test => test.on(tenant).get(path).set('Authorization', as);
const list = async (path: string): Promise<Body[]> => (await read(path).expect(200)).body as Body[];
const inside = <Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> =>
  test.inside(tenant, () => test.app.get(TenantDb).transaction(work));

async function unknown(path: string, code: string): Promise<void> {
  expect((await read(path)).body).toMatchObject({ status: 404, code });
}

describe('GET /api/reservations/', () => {
  it('answers the reservations in the format of the specification, newest first', async () => {
    await test.inside(tenant, () => test.app.get(EventsService).update(event.id, { checkboxOptions: ['Vegan', 'Balcony'] }));
    const options = await inside((tx) => tx.query<{ id: string }[]>('select id from event_option order by name'));
    const optionIds = options.map(({ id }) => id);
    const sold = await book(test, tenant, event, {
      email: 'Ada@example.org',
      quantity: 3,
      confirmed: true,
      options: optionIds,
    });
    const held = await book(test, tenant, event);
    const [second, first] = await list(reservations);
    expect(first).toEqual({
      uuid: sold.id,
      datetime: expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+0[12]:00$/),
      user_mail: 'Ada@example.org',
      event: event.id,
      status: 'V',
      options: optionIds,
      tickets: sold.tickets.map(({ id }) => id),
      paiements: sold.payments.map(({ id }) => id),
    });
    expect(Date.parse(String(first!['datetime']))).toBe(sold.createdAt.getTime());
    expect(second).toMatchObject({ uuid: held.id, status: 'R', options: [], tickets: [held.tickets[0]!.id], paiements: [] });
    for (const path of [`/api/reservations/${sold.id}`, `/api/reservations/${sold.id.toUpperCase()}/`])
      expect((await read(path).expect(200)).body).toEqual(first);
    expect(await list('/api/reservations')).toEqual([second, first]);
  });

  it('is paginated on request, links to its successor, and is not cacheable by proxies', async () => {
    const made = [];
    for (let index = 0; index < 3; index += 1) made.unshift((await book(test, tenant, event)).id);
    const { body, headers } = await read(`${reservations}?page=2&page_size=2`).expect(200);
    expect((body as Body[]).map(({ uuid }) => uuid)).toEqual([made[2]]);
    const successor = '</api/v2/reservations/>; rel="successor-version"';
    const page = (number: number, rel: string): string => `<${reservations}?page=${number}&page_size=2>; rel="${rel}"`;
    expect(headers['link']).toBe([successor, page(1, 'first'), page(1, 'prev'), page(2, 'last')].join(', '));
    expect(headers['deprecation']).toMatch(/^@\d+$/);
    expect(headers['cache-control']).toBe('private, no-cache');
    expect((await read(reservations)).headers['link']).toBe(successor);
    for (const query of ['page=0', 'page_size=501', 'page=x'])
      expect((await read(`${reservations}?${query}`)).body).toMatchObject({ status: 400, code: 'query.invalid' });
  });

  it('answers twenty thousand reservations with one statement for every hundred', async () => {
    await inside(async (tx) => {
      await tx.query(
        `with made as (insert into reservation (event_id, email, email_key, status, cancel_reason, created_at)
           select $1, 'n' || n || '@example.org', 'n' || n || '@example.org', 'V', null, now() - n * interval '1 second'
           from generate_series(1, 20000) n returning id)
         insert into ticket (reservation_id, event_id, price_id, status, signing_key_id) select id, $1, $2, 'K', $3 from made`,
        [event.id, event.priceId, await test.app.get(SigningKeysService).currentId(tx)],
      );
      await tx.query('update event set capacity = 20000 where id = $1', [event.id]);
      await recount(tx);
    });
    const seen = jest.spyOn(pg.Client.prototype, 'query');
    const all = await list(reservations);
    const asked = seen.mock.calls.filter((call) => /\breservation\b/.test(JSON.stringify(call[0])));
    seen.mockRestore();
    expect([all.length, asked.length]).toEqual([20_000, 201]);
    expect([all[0]!['user_mail'], all[19_999]!['user_mail']]).toEqual(['n1@example.org', 'n20000@example.org']);
    expect(new Set(all.flatMap(({ tickets: ids }) => ids as string[])).size).toBe(20_000);
  });

  it('answers 404 for malformed, unknown and foreign ids', async () => {
    const abroad = await test.newTenant();
    const foreign = await book(test, abroad, await newEvent(test, abroad));
    for (const id of ['x', '7', randomUUID(), foreign.id]) {
      await unknown(`${reservations}${id}`, 'reservation.unknown');
      await unknown(`${tickets}${id}/`, 'ticket.unknown');
    }
    await unknown(`${tickets}${foreign.tickets[0]!.id}`, 'ticket.unknown');
    expect(await list(reservations)).toEqual([]);
  });

  it('requires a key with the scope of the object', async () => {
    await test.on(tenant).get(reservations).expect(401);
    await test.on(tenant).get(tickets).expect(401);
    const [ofReservations, ofTickets] = [await newKey(test, tenant, 'reservation:read'), await newKey(test, tenant, 'ticket:read')];
    expect((await read(reservations, ofTickets)).body).toMatchObject({ status: 403, code: 'key.scope' });
    expect((await read(tickets, ofReservations)).body).toMatchObject({ status: 403, code: 'key.scope' });
    await read(reservations, ofReservations).expect(200);
    await read(tickets, ofTickets).expect(200);
  });
});

describe('GET /api/ticket/', () => {
  it('answers the tickets in the format of the specification, valid and scanned ones', async () => {
    await sql(`update event set starts_at = now(), ends_at = now() where id = $1`, [event.id]);
    await test.inside(tenant, () => test.app.get(EventsService).update(event.id, { radioOptions: ['Floor'] }));
    const [option] = await inside((tx) => tx.query<{ id: string }[]>('select id from event_option'));
    const created = await newTicket(test, tenant, { event, status: 'C', reservationStatus: 'R' });
    const cancelled = await newTicket(test, tenant, { event, status: 'R', reservationStatus: 'C' });
    const scanned = await newTicket(test, tenant, { event, status: 'S' });
    await sql(`insert into reservation_option (reservation_id, option_id, name) values ($1, $2, 'Floor')`, [
      scanned.reservationId,
      option!.id,
    ]);
    const valid = await newTicket(test, tenant, { event, status: 'K', firstName: 'Zoë' });
    const shown = [
      { uuid: valid.id, first_name: 'Zoë', last_name: 'Martin', status: 'K', seat: 'L', options: [] },
      { uuid: scanned.id, first_name: 'Ada', last_name: 'Martin', status: 'S', seat: 'L', options: ['Floor'] },
    ];
    expect(await list(tickets)).toEqual(shown);
    expect(await list('/api/ticket')).toEqual(shown);
    expect((await read(`${tickets}${scanned.id}`).expect(200)).body).toEqual(shown[1]);
    expect((await read(`${tickets}${created.id}/`).expect(200)).body).toMatchObject({ status: 'C' });
    expect((await read(`${tickets}${cancelled.id}`).expect(200)).body).toMatchObject({ status: 'R' });
    const { body, headers } = await read(`${tickets}?page_size=1`).expect(200);
    expect(body).toEqual([shown[0]]);
    expect(headers['link']).toContain(`<${tickets}?page=2&page_size=1>; rel="next"`);
  });

  it.each(['Europe/Paris', 'Pacific/Auckland', 'America/Los_Angeles'])(
    'takes the day from 04:00 to 04:00 on the clocks of %s',
    async (timeZone) => {
      tenant = await test.newTenant({ timeZone });
      authorization = await newKey(test, tenant, 'ticket:read');
      const names = new Map<string, string>();
      const day = `(date_trunc('day', (now() at time zone '${timeZone}') - interval '4 hours') + interval '4 hours')`;
      const at = (hours: string): string => `(${day} + interval '${hours}') at time zone '${timeZone}'`;
      for (const [name, starts, ends] of [
        ['at four', '0 hours', null],
        ['just before four', '-1 seconds', null],
        // An event without an end lasts six hours, and seven on the clocks when they are put forward.
        ['over before four', '-7 hours -1 seconds', null],
        ['late', '23 hours 59 minutes', null],
        ['at four tomorrow', '24 hours', null],
        ['ran into today', '-5 hours', '1 hours'],
        ['ended at four', '-5 hours', '0 hours'],
        ['of all week', '-72 hours', '72 hours'],
        ['into tomorrow', '20 hours', '30 hours'],
      ] as const) {
        const one = await newEvent(test, tenant);
        const ended = ends ? at(ends) : 'null';
        await sql(`update event set starts_at = ${at(starts)}, ends_at = ${ended} where id = $1`, [one.id]);
        names.set((await newTicket(test, tenant, { event: one })).id, name);
      }
      expect((await list(tickets)).map(({ uuid }) => names.get(uuid))).toEqual([
        'into tomorrow',
        'of all week',
        'ran into today',
        'late',
        'just before four',
        'at four',
      ]);
    },
  );
});

async function sql(text: string, values: unknown[]): Promise<void> {
  await inside((tx) => tx.query(text, values));
}
