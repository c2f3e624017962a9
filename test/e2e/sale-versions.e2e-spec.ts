import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventsService, ProductsService } from '#catalogue';
import { TenantDb, type TenantIdentity, type Tx } from '#tenancy';
import { newEvent } from '../support/builders.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { tenantWork } from '../support/tenant-work.js';

/** Columns whose change raises no version, and why. A new column belongs into a trigger (a new migration), or here. */
const exempt: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  event: {
    id: 'An event with reservations keeps it; the others are not found by the old one.',
    subtitle: 'Only pages and answers show it.',
    short_description: 'Only pages and answers show it.',
    doors_at: 'Mails, tickets and pages read it when they are made.',
    duration_minutes: 'Only pages and answers show it.',
    age_range: 'Only pages and answers show it.',
    access: 'Only pages and answers show it.',
    long_description: 'Only pages and answers show it.',
    url: 'Only pages and answers show it.',
    details: 'Only pages and answers show them.',
    image_id: 'Only pages and answers show it.',
    sticker_image_id: 'Only pages show it.',
    postal_address_id: 'Mails, tickets and pages read it when they are made.',
    custom_confirmation_message: 'The mail reads it when it is made.',
    merchant_return_days: 'A return reads it.',
    scan_opens_minutes_before: 'Scans read it.',
    scan_closes_minutes_after: 'Scans read it.',
    reentry: 'Scans read it.',
    cut_off_policy: 'Devices read it.',
    door_note: 'Devices read it.',
    minimum_age: 'Devices read it.',
    booked: 'Each booking changes it, and compares it under the lock of the event.',
    sequence: 'It counts the webhook events.',
    sale_version: 'It is the version.',
    series_id: 'A sale counts the places that dates share where it takes them.',
    created_at: 'A time of the row.',
    updated_at: 'A time of the row.',
  },
  product: {
    auto_renewal: 'Renewals read it.',
    id: 'A product with prices keeps it.',
    short_description: 'Only pages and answers show it.',
    long_description: 'Only pages and answers show it.',
    terms_and_conditions: 'Only pages show them.',
    send_to_cashless: 'Cards read it after the sale.',
    image_id: 'Only pages and answers show it.',
    sale_version: 'It is the version.',
    created_at: 'A time of the row.',
    updated_at: 'A time of the row.',
  },
  price: {
    suggested_amounts: 'Only pages show them.',
    usual_amount: 'Only pages show it.',
    pass_dates: 'Only pages and carts read it.',
    sold: 'Each sale of goods changes it, and compares it with the stock in the same statement.',
    created_at: 'A time of the row.',
    updated_at: 'A time of the row.',
  },
  question: {},
  event_option: {},
  event_product: {},
};

/** SQL of another value of a column, by its type. */
const otherValues: Readonly<Record<string, (column: string) => string>> = {
  text: (column) => `concat(${column}, 'x')`,
  uuid: () => 'gen_random_uuid()',
  boolean: (column) => `not coalesce(${column}, false)`,
  jsonb: (column) => `coalesce(${column}, '{}') || '{"other": 1}'`,
  ARRAY: (column) => `${column} || '{other}'`,
  'timestamp with time zone': (column) => `coalesce(${column}, now()) + interval '1 second'`,
  ...Object.fromEntries(['smallint', 'integer', 'bigint', 'numeric'].map((type) => [type, (column) => `coalesce(${column}, 0) + 1`])),
};

interface Sold {
  readonly event: string;
  readonly product: string;
}

let test: TestApp;
let tenant: TenantIdentity;
/** Linked to one another, each event with an option and each product with a price and a question. */
let one: Sold;
let other: Sold;
const { inside, sql } = tenantWork(() => ({ test, tenant }));

async function newSold(): Promise<Sold> {
  const { id: event, priceId } = await newEvent(test, tenant);
  const [row] = await sql<{ product: string }>('select product_id as product from price where id = $1', [priceId]);
  const { product } = row!;
  await sql(`insert into event_option (event_id, kind, name, position) values ($1::uuid, 'radio', $1::text, 0)`, [event]);
  await sql(`insert into question (product_id, name, label, kind) values ($1::uuid, $1::text, 'Size', 'text')`, [product]);
  return { event, product };
}

beforeAll(async () => {
  test = await startTestApp();
  tenant = await test.newTenant();
  [one, other] = [await newSold(), await newSold()];
});
afterAll(() => test.close());

class Undone extends Error {}

/** The rows of `one` and `other` whose versions a change raises, in alphabetical order. The change is undone. */
async function raisedBy(change: (tx: Tx) => Promise<unknown>): Promise<string[]> {
  const ids = { 'one event': one.event, 'one product': one.product, 'other event': other.event, 'other product': other.product };
  const versions = async (tx: Tx): Promise<Map<string, number>> => {
    const rows = await tx.query<{ id: string; version: number }[]>(
      'select id, sale_version as version from event union all select id, sale_version from product',
    );
    return new Map(rows.map(({ id, version }) => [id, version]));
  };
  let raised: string[] = [];
  const work = async (tx: Tx): Promise<void> => {
    const before = await versions(tx);
    await change(tx);
    const now = await versions(tx);
    raised = Object.entries(ids)
      .filter(([, id]) => now.has(id) && now.get(id)! > before.get(id)!)
      .map(([name]) => name);
    throw new Undone();
  };
  await inside(() => test.app.get(TenantDb).transaction(work)).catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error;
  });
  return raised;
}

const ownerOf = (table: string): keyof Sold => (table.startsWith('event') ? 'event' : 'product');
/** SQL condition of the rows of `one`. */
const ofOne = (table: string): string => `${table === ownerOf(table) ? 'id' : `${ownerOf(table)}_id`} = '${one[ownerOf(table)]}'`;

/** Changes every row of `one` in a table, without foreign keys and checks, which only some values pass. */
const changing =
  (table: string, column: string, value: string) =>
  async (tx: Tx): Promise<void> => {
    await tx.query(
      `do $$ declare kept record; begin
         for kept in select conrelid::regclass as relation, conname from pg_constraint
           where contype in ('f', 'c') and connamespace = '"${tenant.schemaName}"'::regnamespace and conparentid = 0
           and (conrelid = '${table}'::regclass or confrelid = '${table}'::regclass)
         loop execute format('alter table %s drop constraint %I', kept.relation, kept.conname); end loop;
       end $$`,
    );
    const [, count] = await tx.query<[unknown[], number]>(`update ${table} set ${column} = ${value} where ${ofOne(table)}`);
    expect([table, column, count]).toEqual([table, column, 1]);
  };

/** The tables with the columns of the database, so that a new one is not forgotten. */
async function columnsOf(table: string): Promise<{ name: string; type: string }[]> {
  return test.database.query(
    `select column_name::text as name, data_type::text as type from information_schema.columns
     where table_schema = $1 and table_name = $2 order by ordinal_position`,
    [tenant.schemaName, table],
  );
}

describe('each change of what is sold raises the version of its event or product', () => {
  // Seen to fail without a trigger, and with a column less in its list.
  it.each(Object.keys(exempt))('the columns of %s', async (table) => {
    const owner = ownerOf(table);
    const silent: string[] = [];
    for (const { name, type } of await columnsOf(table)) {
      const moves = name === `${owner}_id`;
      // The version itself keeps its value: another one would look like a raised one.
      const value = name === 'sale_version' ? name : moves ? `'${other[owner]}'` : otherValues[type]?.(name);
      if (value === undefined) throw new Error(`No other value of the type ${type} is known: ${table}.${name}`);
      const raised = await raisedBy(changing(table, name, value));
      if (raised.length === 0) silent.push(name);
      else expect([name, raised]).toEqual([name, moves ? [`one ${owner}`, `other ${owner}`] : [`one ${owner}`]]);
    }
    expect(silent.toSorted()).toEqual(Object.keys(exempt[table] as object).toSorted());
  });

  it.each([
    ['event_option', 'event', `(event_id, kind, name, position) values ($1, 'radio', 'Balcony', 1)`],
    ['event_product', 'event', `(event_id, product_id) select $1, id from product where built_in is not null`],
    ['price', 'product', `(product_id, name, amount) values ($1, 'Reduced', 5)`],
    ['question', 'product', `(product_id, name, label, kind) values ($1, 'diet', 'Diet', 'text')`],
  ] as const)('inserted and deleted rows of %s', async (table, owner, values) => {
    expect(await raisedBy((tx) => tx.query(`insert into ${table} ${values}`, [one[owner]]))).toEqual([`one ${owner}`]);
    expect(await raisedBy((tx) => tx.query(`delete from ${table} where ${ofOne(table)}`))).toEqual([`one ${owner}`]);
  });

  it('also for who has another search path', async () => {
    const elsewhere = async (tx: Tx): Promise<void> => {
      await tx.query('set local search_path to public');
      await tx.query(`delete from "${tenant.schemaName}".event_option where ${ofOne('event_option')}`);
      await tx.query(`update "${tenant.schemaName}".price set amount = 1 where ${ofOne('price')}`);
      await tx.query(`set local search_path to "${tenant.schemaName}"`);
    };
    expect(await raisedBy(elsewhere)).toEqual(['one event', 'one product']);
  });

  it('of a volunteering event, when the category of a linked product changes', async () => {
    const change = async (tx: Tx, category: string): Promise<void> => {
      await tx.query('update event set category = $2, super_event_id = $3 where id = $1', [one.event, category, other.event]);
      await tx.query('update event set sale_version = 1');
      await tx.query(`update product set category = 'T' where id = $1`, [one.product]);
    };
    await sql('update event set sale_version = 1');
    expect(await raisedBy((tx) => change(tx, 'ACT'))).toEqual(['one event', 'one product']);
    expect(await raisedBy((tx) => change(tx, 'CHT'))).toEqual(['one product']);
  });

  it('when a product or an event is deleted with all that belongs to it', async () => {
    expect(await raisedBy((tx) => tx.query('delete from product where id = $1', [one.product]))).toEqual(['one event']);
    expect(await raisedBy((tx) => tx.query('delete from event where id = $1', [one.event]))).toEqual([]);
  });
});

describe('no version is raised', () => {
  it('by the counters of a booking', async () => {
    expect(await raisedBy((tx) => tx.query('update event set booked = booked + 1'))).toEqual([]);
    expect(await raisedBy((tx) => tx.query('update price set sold = sold + 1'))).toEqual([]);
  });

  it('by a column of an event or a product that keeps its value', async () => {
    expect(await raisedBy((tx) => tx.query('update event set name = name, capacity = capacity, ends_at = ends_at'))).toEqual([]);
    expect(await raisedBy((tx) => tx.query('update product set name = name, built_in = built_in'))).toEqual([]);
  });
});

it('the services read no version, so that no answer, webhook or copy has one', async () => {
  const shown = await inside(async () => [
    await test.app.get(EventsService).find(one.event),
    await test.app.get(ProductsService).find(one.product),
  ]);
  expect(JSON.stringify(shown)).toContain(one.event);
  expect(JSON.stringify(shown)).not.toMatch(/sale_?version/i);
});
