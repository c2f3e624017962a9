import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AuditService } from '#tickets';
import { Migrator, tenantMigrations, type TenantIdentity } from '#tenancy';
import { book } from '../support/booking.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;

const ids = {
  ticket: '10000000-0000-4000-8000-000000000001',
  shirt: '10000000-0000-4000-8000-000000000002',
  member: '10000000-0000-4000-8000-000000000003',
  ticketPrice: '20000000-0000-4000-8000-000000000001',
  shirtPrice: '20000000-0000-4000-8000-000000000002',
  memberPrice: '20000000-0000-4000-8000-000000000003',
  one: '30000000-0000-4000-8000-000000000001',
  two: '30000000-0000-4000-8000-000000000002',
  slot: '30000000-0000-4000-8000-000000000003',
  device: '40000000-0000-4000-8000-000000000001',
  scannedShirt: '50000000-0000-4000-8000-000000000001',
} as const;

/** The columns of version 14. */
const configuration = `id, short_description, long_description, street_address, postal_code, city, country, phone, email, website`;

/** Reservations of version 14: three tickets and two shirts each, one ticket cancelled, one hold released. */
const dataOfVersion14 = `
  insert into product (id, name, category, send_to_cashless) values
    ('${ids.ticket}', 'Ticket', 'B', true), ('${ids.shirt}', 'Shirt', 'T', false), ('${ids.member}', 'Member', 'A', false);
  insert into price (id, product_id, name, amount, stock) values
    ('${ids.ticketPrice}', '${ids.ticket}', 'Full price', 10, 12), ('${ids.shirtPrice}', '${ids.shirt}', 'Size M', 20, 30),
    ('${ids.memberPrice}', '${ids.member}', 'Yearly', 30, 5);
  insert into event (id, name, slug, starts_at, capacity) values
    ('${ids.one}', 'One', 'one', now() + interval '1 day', 100), ('${ids.two}', 'Two', 'two', now() + interval '2 days', 100);
  insert into event_product select event.id, product.id from event, product;
  insert into event (id, name, slug, starts_at, capacity, category, super_event_id)
    values ('${ids.slot}', 'Bar', 'bar', now() + interval '1 day', 2, 'ACT', '${ids.one}');
  insert into product (name, category) values ('Bénévolat', 'F');
  insert into scanning_device (id, name) values ('${ids.device}', 'Door 1');
  insert into reservation (id, event_id, email, email_key, status, expires_at, released_at)
    select md5(event.name || n)::uuid, event.id, n || '@example.org', n || '@example.org', case n when 3 then 'R' else 'V' end,
      case n when 3 then now() - interval '1 hour' end, case n when 3 then now() end
    from event, generate_series(1, 3) n where event.id <> '${ids.slot}';
  insert into ticket (reservation_id, event_id, price_id, amount, status, signing_key_id)
    select r.id, r.event_id, p.id, p.amount, case when r.status = 'R' then 'C' when n = 3 then 'R' else 'K' end, 1
    from reservation r, (values ('${ids.ticketPrice}'::uuid, 3), ('${ids.shirtPrice}', 2)) wanted (price_id, count)
    join price p on p.id = wanted.price_id, generate_series(1, wanted.count) n;
  insert into ticket (id, reservation_id, event_id, price_id, status, signing_key_id, scanned_at, scanned_by)
    select '${ids.scannedShirt}', id, event_id, '${ids.shirtPrice}', 'S', 1, now(), '${ids.device}' from reservation
    where event_id = '${ids.one}' and email = '1@example.org';
  insert into membership (product_id, price_id, email, email_key, signing_key_id, status)
    select '${ids.member}', '${ids.memberPrice}', n || '@example.org', n || '@example.org', 1,
      case n when 1 then 'cancelled' else 'active' end
    from generate_series(1, 3) n;
  insert into scan_log (action, outcome, device_id, ticket_id, scan_id, facts)
  values ('scan', 'accepted', '${ids.device}', '${ids.scannedShirt}', gen_random_uuid(),
    '{"outcome": "accepted", "ticket": {"uuid": "${ids.scannedShirt}", "firstName": "Zoe", "lastName": "Roy"}, "event": null}'),
    ('scan', 'forged', '${ids.device}', null, gen_random_uuid(), '{"outcome": "forged", "ticket": null}');
  update event set booked = (select count(*) from ticket t join reservation r on r.id = t.reservation_id
    where t.event_id = event.id and t.status <> 'R' and r.released_at is null);
  update price set sold = (select count(*) from ticket t join reservation r on r.id = t.reservation_id
    where t.price_id = price.id and t.status <> 'R' and r.released_at is null)
    + (select count(*) from membership m where m.price_id = price.id and m.status <> 'cancelled');`;

beforeAll(async () => {
  test = await startTestApp();
  tenant = await test.newTenant({ language: 'fr' });
  const [schema, kept] = [`"${tenant.schemaName}"`, `"${tenant.schemaName}_new"`];
  const steps = tenantMigrations.filter(({ version }) => version <= 14).map(({ sql }) => sql.replaceAll(' storage plain', ''));
  await test.database.query(`
    alter schema ${schema} rename to ${kept};
    create schema ${schema};
    begin; set local search_path to ${schema};
    ${steps.join('\n')}
    insert into signing_key select * from ${kept}.signing_key;
    insert into configuration (${configuration}) select ${configuration} from ${kept}.configuration;
    ${dataOfVersion14}
    commit;
    drop schema ${kept} cascade;
    update shared.tenant set schema_version = 14 where id = '${tenant.id}'`);
});
afterAll(() => test.close());

it('migrates counters, goods and marks of version 14', async () => {
  const sql = <Row extends object>(text: string): Promise<Row[]> =>
    test.database.query<Row & Record<string, unknown>>(text.replaceAll('{tenant}', `"${tenant.schemaName}"`));
  expect(await sql(`select name, booked from {tenant}.event where name <> 'Bar' order by name`)).toEqual([
    { name: 'One', booked: 9 },
    { name: 'Two', booked: 8 },
  ]);
  expect(await test.app.get(Migrator).run()).toMatchObject({ tenants: 1 });
  expect(await test.inside(tenant, () => test.app.get(AuditService).drifts())).toEqual([]);
  expect(await sql(`select name, booked from {tenant}.event where name <> 'Bar' order by name`)).toEqual([
    { name: 'One', booked: 4 },
    { name: 'Two', booked: 4 },
  ]);
  expect(await sql('select price_id, sold from {tenant}.event_price order by event_id')).toEqual([
    { price_id: ids.ticketPrice, sold: 4 },
    { price_id: ids.ticketPrice, sold: 4 },
  ]);
  expect(await sql('select name, sold from {tenant}.price order by name')).toEqual([
    { name: 'Bénévole', sold: 0 },
    { name: 'Full price', sold: 0 },
    { name: 'Size M', sold: 9 },
    { name: 'Yearly', sold: 2 },
  ]);
  expect(
    await sql(`select status, admission, fulfilled_at is not null as fulfilled, fulfilled_by, fulfilled_by_name
      from {tenant}.ticket where id = '${ids.scannedShirt}'`),
  ).toEqual([{ status: 'K', admission: false, fulfilled: true, fulfilled_by: ids.device, fulfilled_by_name: 'Door 1' }]);
  expect(await sql('select facts from {tenant}.scan_log order by id')).toEqual([
    { facts: { outcome: 'accepted', ticket: { uuid: ids.scannedShirt }, event: null } },
    { facts: { outcome: 'forged', ticket: null } },
  ]);
  expect(await sql('select name from {tenant}.product where send_to_cashless')).toEqual([]);
  expect(await sql(`select 1 from {tenant}.event_product where product_id = '${ids.member}'`)).toEqual([]);
});

it('sells with the migrated counters', async () => {
  const event = { id: ids.one, priceId: ids.ticketPrice };
  await book(test, tenant, event, { quantity: 8, confirmed: true });
  await expect(book(test, tenant, event)).rejects.toMatchObject({ facts: { remaining: [{ remaining: 0 }] } });
  await expect(book(test, tenant, { ...event, id: ids.two }, { quantity: 8 })).resolves.toMatchObject({ status: 'R' });
  expect(await test.inside(tenant, () => test.app.get(AuditService).drifts())).toEqual([]);
});

it('lets volunteers book existing slots, beside a product of staff with the same name', async () => {
  const slot = { id: ids.slot, priceId: '' };
  const { tickets } = await book(test, tenant, slot, { tickets: [{ quantity: 2 }], confirmed: true });
  expect(tickets.map(({ price }) => [price.product.name, price.name, price.amount])).toEqual(
    Array.from({ length: 2 }, () => ['Bénévolat', 'Bénévole', '0.00']),
  );
  await expect(book(test, tenant, slot, { tickets: [{ quantity: 1 }] })).rejects.toMatchObject({ reason: 'sold_out' });
  expect(await test.inside(tenant, () => test.app.get(AuditService).drifts())).toEqual([]);
});
