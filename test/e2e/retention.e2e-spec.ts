import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MembershipsService } from '#memberships';
import { PricesService, ProductsService } from '#catalogue';
import { RetentionService, type TenantIdentity } from '#tenancy';
import { newDevice, newEvent, newTicket, type PairedDevice } from '../support/builders.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let venue: TenantIdentity;
let other: TenantIdentity;
let door: PairedDevice;
let event: Awaited<ReturnType<typeof newEvent>>;

beforeAll(async () => {
  test = await startTestApp({ environment: { SCAN_LOG_DAYS: '10', MAIL_DAYS: '20', WEBHOOK_DAYS: '0' } });
  [venue, other] = [await test.newTenant(), await test.newTenant()];
  door = await newDevice(test, venue);
  event = await newEvent(test, venue);
});
afterAll(() => test.close());

const sql = <Row extends Record<string, unknown>>(text: string, tenant = venue): Promise<Row[]> =>
  test.database.query<Row>(text.replaceAll('{tenant}', `"${tenant.schemaName}"`));
const send = (path: string, body: object) => test.on(venue).post(path).set('Authorization', door.authorization).send(body);
const logOf = async (scanId: string): Promise<string> =>
  JSON.stringify(await sql(`select * from {tenant}.scan_log where scan_id = '${scanId}'`));

describe('the scan log', () => {
  it.each(['scan/ticket/', 'scan/check_ticket/', 'scan/fulfil/'])('stores no names of %s and repeats them', async (path) => {
    const ticket = await newTicket(test, venue, { event, firstName: 'Zénobie' });
    const scan_id = randomUUID();
    const first = await send(`/${path}`, { qrcode_data: ticket.code, scan_id }).expect(200);
    expect(first.body.ticket).toMatchObject({ first_name: 'Zénobie', last_name: 'Martin' });
    expect(await logOf(scan_id)).toContain(ticket.id);
    expect(await logOf(scan_id)).not.toMatch(/Zénobie|Martin/);
    const again = await send(`/${path}`, { qrcode_data: ticket.code, scan_id }).expect(200);
    expect([again.text, again.headers['idempotency-replayed']]).toEqual([first.text, 'true']);
  });

  it('stores no names of membership cards, and repeats their answers', async () => {
    const code = await test.inside(venue, async () => {
      const { id } = await test.app.get(ProductsService).create({ name: 'Member', category: 'A' });
      const price = await test.app.get(PricesService).create({ productId: id, name: 'Year', amount: '0.00' });
      const memberships = test.app.get(MembershipsService);
      const made = await memberships.create({
        priceId: price.id,
        email: 'z@example.org',
        firstName: 'Zénobie',
        lastName: 'Roy',
      });
      return memberships.codeOf(made);
    });
    const scan_id = randomUUID();
    const first = await send('/scan/check_ticket/', { qrcode_data: code, scan_id }).expect(200);
    expect(first.text).toContain('Zénobie');
    expect(await logOf(scan_id)).not.toMatch(/Zénobie|Roy/);
    const again = await send('/scan/check_ticket/', { qrcode_data: code, scan_id }).expect(200);
    expect([again.text, again.headers['idempotency-replayed']]).toEqual([first.text, 'true']);
  });

  it('can only be changed by its retention', async () => {
    await expect(sql('delete from {tenant}.scan_log')).rejects.toThrow('append-only');
    await expect(sql(`update {tenant}.scan_log set reason = 'x'`)).rejects.toThrow('append-only');
    await expect(sql('truncate {tenant}.scan_log')).rejects.toThrow('append-only');
    await expect(
      sql(`do $$ begin perform set_config('guichet.retention', 'mail', true); delete from {tenant}.scan_log; end $$`),
    ).rejects.toThrow('append-only');
  });
});

describe('retention', () => {
  it('deletes old rows, only of its tenant, and counts them before', async () => {
    await newTicket(test, other, { event: await newEvent(test, other) });
    for (const tenant of [venue, other])
      await sql(
        `insert into {tenant}.scan_log (action, outcome, device_id, recorded_at)
           select 'scan', 'forged', gen_random_uuid(), now() - make_interval(days => n)
           from generate_series(9, 12) n, generate_series(1, 600);
         insert into {tenant}.mail (kind, reservation_id, recipient, status, created_at)
           select 'tickets', (select min(id::text)::uuid from {tenant}.reservation), 'a@example.org', status, now() - interval '21 days'
           from unnest(array['sent', 'refused', 'waiting']) status;
         insert into {tenant}.payment_event (provider, id, type, received_at)
           select 'stripe', days::text, 'x', now() - make_interval(days => days) from unnest(array[80, 100]) days;
         insert into {tenant}.webhook_event (id, type, subject_id, sequence, occurred_at, data)
           values (gen_random_uuid(), 'event.created', 'x', 1, now() - interval '900 days', '{}')`,
        tenant,
      );
    const old = [
      { name: 'webhook events', days: 0, rows: 0 },
      { name: 'mails', days: 20, rows: 2 },
      { name: 'payment events', days: 90, rows: 1 },
      { name: 'scan log', days: 10, rows: 1800 },
    ];
    const retention = test.app.get(RetentionService);
    const counted = await test.inside(venue, () => retention.count());
    expect(counted).toEqual(expect.arrayContaining(old));
    expect(await test.inside(venue, () => retention.prune())).toEqual(counted);
    expect(await test.inside(venue, () => retention.prune())).toEqual(counted.map((each) => ({ ...each, rows: 0 })));
    expect(await sql('select status from {tenant}.mail where reservation_id is not null')).toEqual([{ status: 'waiting' }]);
    expect(await sql('select id from {tenant}.payment_event')).toEqual([{ id: '80' }]);
    expect(await test.inside(other, () => retention.count())).toEqual(counted);
  });
});
