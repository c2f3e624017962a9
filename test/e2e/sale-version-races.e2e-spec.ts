import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { EventOptionsService, EventsService, PricesService, ProductsService, QuestionsService, type Price } from '#catalogue';
import { TenantDb, type TenantIdentity } from '#tenancy';
import { longRun } from '../support/long-run.js';
import { book, crowd, expectNoDrift, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { outcome, tenantWork } from '../support/tenant-work.js';

let test: TestApp;
let tenant: TenantIdentity;
const connections = 8;
const { inside, sql } = tenantWork(() => ({ test, tenant }));

beforeAll(async () => {
  test = await startTestApp({ environment: { DATABASE_POOL_SIZE: String(connections), DATABASE_WAIT_MS: '20000' } });
  tenant = await test.newTenant();
});
afterAll(() => test.close());

/** Deadlocks so far. Each connection of the pool is told to report, because they report late. */
async function deadlocks(): Promise<number> {
  const { pool } = test.app.get(TenantDb);
  const clients = await Promise.all(Array.from({ length: connections }, () => pool.connect()));
  await Promise.all(clients.map((client) => client.query('select pg_stat_force_next_flush()')));
  for (const client of clients) client.release();
  const [row] = await test.database.query<{ count: number }>(
    'select deadlocks::int as count from pg_stat_database where datname = current_database()',
  );
  return row!.count;
}

// Seen to fail when prices are locked before their product (without `lockProducts`).
it('simultaneous changes of products, prices, questions, events, links and options, and bookings, do not deadlock', async () => {
  const events = [await newEvent(test, tenant, { capacity: 1000, radioOptions: ['Floor'] }), await newEvent(test, tenant)] as const;
  const [one, another] = events;
  const goods = await newPrice(test, tenant, one.id, {}, 'T');
  const member = await inside(() => test.app.get(ProductsService).create({ name: 'Member', category: 'A' }));
  const moved = await newPrice(test, tenant, one.id);
  const idOf = async (priceId: string): Promise<string> =>
    (await sql<Price>(`select product_id as "productId" from price where id = $1`, [priceId]))[0]!.productId;
  const [product, second, drinks] = [await idOf(one.priceId), await idOf(moved), await idOf(goods)];
  await sql(`insert into event_product select $1::uuid, unnest($2::uuid[]) on conflict do nothing`, [another.id, [product, second]]);
  await inside(() => test.app.get(QuestionsService).define(product, [{ label: 'Size', kind: 'text' }]));
  const [option] = await inside(() => test.app.get(EventOptionsService).list(one.id));

  const products = test.app.get(ProductsService);
  const prices = test.app.get(PricesService);
  const options = test.app.get(EventOptionsService);
  const agenda = test.app.get(EventsService);
  const questions = (turn: number) => [
    { label: 'Size', kind: 'text' as const, help: `${turn}` },
    { label: `Other ${turn % 3}`, kind: 'text' as const },
  ];
  const eventIds = (turn: number): string[] => (turn % 2 ? [another.id, one.id] : [one.id, another.id]);
  const productIds = (turn: number): string[] => (turn % 2 ? [second, product] : [product, second]);
  const works: readonly ((turn: number) => Promise<unknown>)[] = [
    (turn) => products.update(product, { name: `Entry ${turn}`, eventIds: eventIds(turn) }),
    (turn) => products.update(second, { name: `Evening ${turn}`, eventIds: eventIds(turn), questions: questions(turn) }),
    (turn) => products.update(drinks, { category: turn % 2 ? 'M' : 'T', eventIds: eventIds(turn), questions: questions(turn) }),
    (turn) => test.app.get(QuestionsService).define(product, questions(turn)),
    (turn) => prices.update(one.priceId, { name: `Full ${turn}`, stock: 1000 + turn }),
    (turn) => prices.update(moved, { productId: turn % 2 ? product : second, requiredMembershipId: turn % 2 ? member.id : null }),
    (turn) => prices.update(goods, { stock: 1000 + turn }),
    async (turn) => {
      const { id } = await prices.create({ productId: product, name: `Price ${turn}`, amount: '5', requiredMembershipId: member.id });
      await prices.remove(product, id, () => undefined);
    },
    async (turn) => {
      const made = await products.create({ name: `Short ${turn}`, category: 'B', prices: [{ name: 'Full', amount: '5' }] });
      const change = (name: string) => prices.update(made.prices[0]!.id, { name });
      await Promise.all([change('One'), products.remove(made.id, () => undefined), change('Two'), change('Three')]);
    },
    (turn) => products.update(member.id, { name: `Member ${turn}` }),
    (turn) => agenda.update(one.id, { name: `Concert ${turn}`, capacity: 1000 + turn }),
    (turn) => agenda.sell(turn % 2 ? one.id : another.id, productIds(turn)),
    (turn) => options.update(one.id, option!.id, { published: turn % 2 === 0 }, () => undefined),
    async (turn) => {
      const { id } = await options.create(one.id, { kind: 'checkbox', name: `Option ${turn}` });
      const chosen = outcome(book(test, tenant, one, { options: [id] }));
      await outcome(options.remove(one.id, id, () => undefined));
      await chosen;
    },
    ...[one, another].map((event) => () => book(test, tenant, event)),
    () => book(test, tenant, { id: one.id, priceId: goods }, { confirmed: true }),
  ];
  const before = await deadlocks();
  const answers = await Promise.allSettled(
    crowd(works.length * (longRun ? 20 : 8), (index) => inside(() => works[index % works.length]!(Math.floor(index / works.length)))),
  );
  const failed = answers.flatMap((answer) => (answer.status === 'rejected' ? [String(answer.reason)] : []));
  expect(failed).toEqual([]);
  expect((await deadlocks()) - before).toBe(0);
  await expectNoDrift(test, tenant);
}, 120_000);
