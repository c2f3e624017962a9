import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { TenantDb, type TenantIdentity, type Tx } from '#tenancy';
import { newPrice } from '../support/booking.js';
import { newDevice, newEvent, newTickets } from '../support/builders.js';
import { complete, hold } from '../support/drafts.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

let test: TestApp;
const connections = 4;
beforeAll(async () => {
  test = await startTestApp({ environment: { DATABASE_POOL_SIZE: String(connections) } });
});
afterAll(() => test.close());

interface Plans {
  readonly name: string;
  readonly generic: number;
  readonly custom: number;
}

/** How often each connection of the pool used a plan for all parameters, and made one for the parameters of the execution. */
async function plans(): Promise<Plans[]> {
  const { pool } = test.app.get(TenantDb);
  const clients = await Promise.all(Array.from({ length: connections }, () => pool.connect()));
  try {
    const text = 'select name, generic_plans::int as generic, custom_plans::int as custom from pg_prepared_statements';
    return (await Promise.all(clients.map((client) => client.query<Plans>(text)))).flatMap(({ rows }) => rows);
  } finally {
    for (const client of clients) client.release();
  }
}

it('PostgreSQL plans the statements of holds, bookings, orders and scans once, not at each execution', async () => {
  const tenant = await test.newTenant({ node: 0 });
  const event = await newEvent(test, tenant, { capacity: 500 });
  const free = await newPrice(test, tenant, event.id, { amount: '0', name: 'Free', maxPerUser: 4 });
  const tickets = await newTickets(test, tenant, { event, count: 80 });
  const device = await newDevice(test, tenant);
  const key = await newKey(test, tenant, 'reservation:write');
  const book = (identifier: string, more: object) =>
    test
      .on(tenant)
      .post('/api/v2/reservations/')
      .set('Authorization', key)
      .send({
        reservationFor: event.id,
        underName: { email: `${randomUUID()}@example.org` },
        reservedTicket: [{ identifier, ticketQuantity: 2 }],
        ...more,
      })
      .expect(201);
  for (const { code } of tickets) {
    await Promise.all([
      book(event.priceId, {}),
      book(free, { confirmed: true }),
      hold(test, tenant, { id: event.id, priceId: free }).then((id) => complete(test, tenant, id)),
      test.on(tenant).post('/scan/ticket/').set('Authorization', device.authorization).send({ qrcode_data: code }).expect(200),
    ]);
  }
  const all = await plans();
  // PostgreSQL makes five plans for single executions before it decides.
  const often = all.filter(({ generic, custom }) => generic + custom > 7);
  expect(often.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'tenant-enter',
      'sale-lock-event',
      'sale-lock-prices',
      expect.stringMatching(/^sale-write-/),
      'buyer-facts',
      'claim',
      'draft-completion',
      'reservation-whole',
      expect.stringMatching(/^attempt:/),
    ]),
  );
  expect(often.filter(({ generic }) => generic === 0)).toEqual([]);
}, 60_000);

interface PlanNode {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

const nodesOf = ({ Plans: below = [] }: PlanNode): number => below.reduce((count, node) => count + nodesOf(node), 1);

/** Runs a statement that a page has prepared. @returns the pages of tables and indexes that it reads, and the nodes of its plan */
async function costOf(name: string, values: string): Promise<{ readonly reads: number; readonly nodes: number }> {
  const { pool } = test.app.get(TenantDb);
  const clients = await Promise.all(Array.from({ length: connections }, () => pool.connect()));
  try {
    for (const client of clients) {
      const { rows } = await client.query<{ name: string }>(`select name from pg_prepared_statements where name like $1`, [`${name}:%`]);
      if (!rows[0]) continue;
      await client.query(`begin; set local plan_cache_mode = force_generic_plan`);
      const explained = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `explain (analyze, buffers, timing off, format json) execute "${rows[0].name}"(${values})`,
      );
      await client.query('rollback');
      const plan = explained.rows[0]!['QUERY PLAN'][0].Plan;
      return { reads: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], nodes: nodesOf(plan) };
    }
  } finally {
    for (const client of clients) client.release();
  }
  throw new Error(`${name} was not prepared`);
}

/** A season: an evening each 14 hours with two prices; each tenth is a date of a series, whose dates share places. */
function newSeason(tenant: TenantIdentity, evenings: number): Promise<readonly { readonly id: string; readonly slug: string }[]> {
  const rows = `with
    series as (insert into event_series (name, slug, capacity, booked) values ('Evenings', 'evenings', 500, 20) returning id),
    evening as (insert into event (name, slug, starts_at, capacity, booked, published, series_id)
      select 'Evening ' || i, 'evening-' || i, now() + i * interval '14 hours', 100, i % 80, true, case when i % 10 = 0 then series.id end
      from generate_series(1, ${evenings}) i, series returning id, name),
    entry as (insert into product (name, category, published) select name, 'B', true from evening returning id, name),
    sold as (insert into event_product (event_id, product_id) select evening.id, entry.id from evening join entry using (name))
    insert into price (product_id, name, amount, stock, published)
      select entry.id, 'Price ' || i, i * 10, case when i = 2 then 40 end, true from entry, generate_series(1, 2) i`;
  const write = async (tx: Tx): Promise<{ id: string; slug: string }[]> => {
    await tx.query(rows);
    await tx.query('analyze event, event_series, event_product, product, price');
    return tx.query('select id, slug from event');
  };
  return test.inside(tenant, () => test.app.get(TenantDb).transaction(write));
}

it('the statements of agenda and event page read little for each event, and are not larger than they must be', async () => {
  const tenant = await test.newTenant({ node: 0 });
  const ids = new Map((await newSeason(tenant, 300)).map(({ id, slug }) => [slug, id]));
  for (const path of ['/', '/event/evening-1', '/event/evening-10']) await test.on(tenant).get(path).expect(200);
  const agenda = await costOf('pages-coming-shown-state', '51, now(), null, now()');
  // About 1250 pages for 51 events; three times as many when the planner copies the events to each place that reads them.
  expect(agenda.reads).toBeLessThan(2000);
  expect(agenda.nodes).toBeLessThan(290);
  const alone = await costOf('pages-prices', `'${ids.get('evening-1')}', now(), '{}'`);
  expect(alone.reads).toBeLessThan(210);
  // A node costs time at each execution, also when no row comes to it.
  expect(alone.nodes).toBeLessThan(420);
  const ofSeries = await costOf('pages-prices-of-series', `'${ids.get('evening-10')}', now(), '{}'`);
  expect(ofSeries.reads).toBeLessThan(1750);
  expect(ofSeries.nodes).toBeLessThan(770);
}, 60_000);
