import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BookingsService } from '#selling';
import { PricesService } from '#catalogue';
import { AccountErasureService } from '#holders';
import { runAsJob, runInRequest, RefusedInput } from '#kernel';
import {
  ChangesService,
  DomainsService,
  RetentionService,
  TenantDb,
  type ChangeActor,
  type ChangeEntry,
  type TenantIdentity,
} from '#tenancy';
import { changeHashSql } from '../../libs/tenancy/src/migrations/shared-030-changes.js';
import { newDevice, newEvent, newTickets } from '../support/builders.js';
import type { PanelClient } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { tripsOfTransaction } from '../support/round-trips.js';
import { tenantWork } from '../support/tenant-work.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

interface Row {
  readonly position: string;
  readonly kind: string;
  readonly object: string;
  readonly record: string;
  readonly action: string;
  readonly fields: readonly string[];
  readonly actor: ChangeActor;
  readonly content: readonly ChangeEntry[] | null;
}

let test: TestApp;
let tenant: TenantIdentity;
let event: Awaited<ReturnType<typeof newEvent>>;

beforeAll(async () => {
  test = await startTestApp();
  tenant = await test.newTenant();
  event = await newEvent(test, tenant, { capacity: 500 });
});
afterAll(() => test.close());

const { sql } = tenantWork(() => ({ test, tenant }));

const verified = () => test.inside(tenant, () => test.app.get(ChangesService).verify());
const newest = async (limit = 1): Promise<Row[]> =>
  sql<Row & Record<string, unknown>>(`select * from change order by position desc limit ${limit}`);
const count = async (): Promise<number> => Number((await sql<{ count: string }>('select count(*) from change'))[0]?.count);
const priced = (amount: string) => test.inside(tenant, () => test.app.get(PricesService).update(event.priceId, { amount }));

/** Runs SQL outside of the program. */
const byHand = (statement: string) => test.database.query(`begin; set local search_path to "${tenant.schemaName}"; ${statement}; commit`);

describe('a change', () => {
  it('is one row with what was before and after', async () => {
    const before = await count();
    await priced('19.00');
    expect(await count()).toBe(before + 1);
    const [row] = await newest();
    expect(row).toMatchObject({ kind: 'money', object: 'price', record: event.priceId, action: 'changed', fields: ['amount'] });
    expect(row?.actor).toEqual({ kind: 'command' });
    expect(row?.content).toEqual([
      { object: 'price', id: event.priceId, action: 'changed', title: 'Full price', before: { amount: 12.5 }, after: { amount: 19 } },
    ]);
  });

  it('of one record in one transaction is one row, with what belongs to it', async () => {
    const before = await count();
    await sql(`with tagged as (insert into tag (name, key) values ('Jazz', 'jazz'), ('Rock', 'rock') returning id),
      options as (insert into event_option (event_id, kind, name, position) values ('${event.id}', 'checkbox', 'Balcony', 1)),
      links as (insert into event_tag (event_id, tag_id) select '${event.id}', id from tagged)
      update event set name = 'Two tags' where id = '${event.id}'`);
    const rows = (await newest((await count()) - before)).filter(({ object }) => object === 'event');
    expect(rows).toMatchObject([{ record: event.id, action: 'changed' }]);
    expect(rows[0]?.content?.map(({ object }) => object).toSorted()).toEqual(['event', 'event_option', 'event_tag', 'event_tag']);
  });

  it('that is rolled back, or changes nothing, leaves no row', async () => {
    const before = await count();
    const failing = test.inside(tenant, () =>
      test.app.get(TenantDb).transaction(async (tx) => {
        await tx.query('update price set amount = 1 where id = $1', [event.priceId]);
        throw new RefusedInput('amount', 'no' as never);
      }),
    );
    await expect(failing).rejects.toThrow();
    await sql('update price set name = name');
    expect(await count()).toBe(before);
  });

  it('takes no round trip more', async () => {
    const trips = await tripsOfTransaction('UPDATE "price"', () => priced('20.00'));
    expect(trips.flat().filter((text) => /change/.test(text))).toEqual([]);
  });

  it('of secrets says only that they changed', async () => {
    await sql(`insert into wallet_account (provider, identifier, sealed_credentials) values ('google', 'issuer', '\\xdeadbeef')`);
    const [row] = await newest();
    expect(row).toMatchObject({ object: 'wallet_account', record: 'google', action: 'created' });
    expect(row?.fields).toContain('sealed_credentials');
    expect(JSON.stringify(row?.content)).not.toMatch(/deadbeef|sealed/);
  });
});

describe('who changed something', () => {
  it('is a person in the panel, with the request', async () => {
    const staff = await staffOf(test, tenant, 'Ada');
    await staff.act('prices', event.priceId, 'edit', { name: 'Full', amount: '21.00' });
    const [row] = await newest();
    expect(row?.actor).toMatchObject({ kind: 'person', request: expect.any(String) });
    const [person] = await test.database.query<{ name: string }>('select name from shared.user_account where id = $1', [row?.actor.id]);
    expect(person?.name).toBe('Ada');
  });

  it('is a key of the API', async () => {
    const authorization = await newKey(test, tenant, 'event:write', 'event:read');
    const start = new Date(Date.now() + 86_400_000).toISOString();
    await test.on(tenant).post('/api/v2/events/').set('Authorization', authorization).send({ name: 'Gig', startDate: start }).expect(201);
    const [row] = await newest();
    expect(row).toMatchObject({ object: 'event', action: 'created', actor: { kind: 'key' } });
    expect(authorization).toContain(row?.actor.id);
  });

  it('is a device', async () => {
    const device = await newDevice(test, tenant);
    await runInRequest({ requestId: 'r1', actor: { kind: 'device', deviceId: device.id } }, () => priced('21.50'));
    expect((await newest())[0]?.actor).toEqual({ kind: 'device', id: device.id, request: 'r1' });
  });

  it('is an operator on a support visit', async () => {
    const visit = { kind: 'staff' as const, userId: randomUUID(), visitId: randomUUID() };
    await runInRequest({ requestId: 'r2', actor: visit }, () => priced('21.60'));
    expect((await newest())[0]?.actor).toEqual({ kind: 'person', id: visit.userId, visit: visit.visitId, request: 'r2' });
  });

  it('is a job, the command line, or SQL by hand', async () => {
    await test.inside(tenant, () =>
      runAsJob('prices of the season', () => test.app.get(PricesService).update(event.priceId, { amount: '22.00' })),
    );
    expect((await newest())[0]?.actor).toEqual({ kind: 'job', job: 'prices of the season' });
    await priced('23.00');
    expect((await newest())[0]?.actor).toEqual({ kind: 'command' });
    await byHand(`update price set amount = 24 where id = '${event.priceId}'`);
    expect((await newest())[0]?.actor).toEqual({ kind: 'database' });
  });
});

describe('the panel', () => {
  const writtenBy = async (staff: PanelClient, language: string, query = {}): Promise<string[]> => {
    const answer = await staff.call('get', '/api/resources/changes/actions/list').query(query).set('Accept-Language', language).expect(200);
    return (answer.body as { records: { params: { sentence: string } }[] }).records.map(({ params }) =>
      params.sentence.replaceAll(/[\u00a0\u202f]/g, ' '),
    );
  };

  it('says in the languages of its readers who changed what', async () => {
    const staff = await staffOf(test, tenant, 'Ada');
    await staff.act('prices', event.priceId, 'edit', { name: 'Full', amount: '18.00' });
    await staff.act('prices', event.priceId, 'edit', { name: 'Full', amount: '19.00' });
    expect((await writtenBy(staff, 'en'))[0]).toBe('Ada changed the price “Full” from €18.00 to €19.00');
    expect((await writtenBy(staff, 'fr'))[0]).toBe('Ada a fait passer le tarif « Full » de 18,00 € à 19,00 €');
    expect((await writtenBy(staff, 'de'))[0]).toBe('Ada hat den Preis „Full“ von 18,00 € auf 19,00 € geändert');
    expect((await writtenBy(staff, 'es'))[0]).toBe('Ada ha cambiado el precio «Full» de 18,00 € a 19,00 €');
  });

  it('finds changes by person, record and kind, and exports them', async () => {
    const staff = await staffOf(test, tenant, 'Béatrice');
    await staff.act('prices', event.priceId, 'edit', { name: 'Full', amount: '20.00' });
    expect(await writtenBy(staff, 'en', { 'filters.staff': 'béatrice' })).toEqual([expect.stringContaining('Béatrice changed the price')]);
    expect(await writtenBy(staff, 'en', { 'filters.object': 'tag', 'filters.kind': 'money' })).toEqual([]);
    expect((await writtenBy(staff, 'en', { 'filters.kind': 'money' })).length).toBeGreaterThan(3);
    const file = await staff.file('/exports/changes.csv').expect(200);
    expect(String(file.body)).toContain('Béatrice changed the price');
  });

  it('shows the history of a record, and what undid an earlier change', async () => {
    const staff = await staffOf(test, tenant, 'Chloé');
    await staff.act('prices', event.priceId, 'edit', { name: 'Full', amount: '99.00' });
    await staff.act('prices', event.priceId, 'edit', { name: 'Full', amount: '20.00' });
    const { view } = await staff.look('prices', event.priceId, 'history');
    const { items } = view as unknown as { items: { sentence: string }[] };
    expect(items[0]?.sentence).toBe('Chloé changed the price “Full” from €99.00 to €20.00. This undid an earlier change.');
    expect(items.at(-1)?.sentence).toBe('The command line created and published the price “Full price”');
    for (const action of ['unpublish', 'publish']) await staff.act('events', event.id, action);
    const [published, unpublished] =
      JSON.stringify((await staff.look('events', event.id, 'history')).view).match(/Chloé \w+ the event/g) ?? [];
    expect([published, unpublished]).toEqual(['Chloé published the event', 'Chloé unpublished the event']);
  });
});

describe('what operators do to a venue, and its keys', () => {
  it('are in its record, too', async () => {
    const authorization = await newKey(test, tenant, 'event:read');
    const [made] = await newest();
    expect(made).toMatchObject({ object: 'api_key', action: 'created', actor: { kind: 'command' } });
    expect(JSON.stringify(made)).not.toContain(authorization.split('.')[1] ?? authorization);
    const before = await count();
    await test.on(tenant).get('/api/v2/events/').set('Authorization', authorization).expect(200);
    expect(await count()).toBe(before);
    await test.app.get(DomainsService).add(tenant.id, `changes-${randomUUID()}.example.org`);
    expect((await newest())[0]).toMatchObject({ object: 'tenant', record: tenant.id, action: 'domain_added', fields: ['host'] });
  });
});

describe('bookings and scans', () => {
  it('write what they wrote before', async () => {
    const before = await count();
    const tickets = [{ priceId: event.priceId, quantity: 2 }];
    const wanted = { eventId: event.id, email: `${randomUUID()}@example.org`, tickets, origin: 'api' as const, confirmed: true };
    await test.inside(tenant, () => test.app.get(BookingsService).book({ ...wanted, paymentMethod: 'card' }));
    expect(await count()).toBe(before);
  });
});

describe('the chain', () => {
  it('is unbroken after fifty changes at once', async () => {
    const before = await count();
    const tags = Array.from({ length: 50 }, (_, index) => sql(`insert into tag (name, key) values ('Tag ${index}', 'tag-${index}')`));
    await Promise.all(tags);
    expect(await count()).toBe(before + 50);
    const rows = await sql<{ position: string }>('select position from change order by position');
    expect(rows.map(({ position }) => Number(position))).toEqual(rows.map((_, index) => index + 1));
    expect(await verified()).toMatchObject({ rows: rows.length, broken: [], head: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  it('is append-only', async () => {
    for (const statement of ['delete from change', `update change set actor = '{}'`, 'truncate change', `update change set content = '[]'`])
      await expect(byHand(statement)).rejects.toThrow('append-only');
  });

  it.each([
    [
      'altered',
      'altered',
      `update change set actor = '{"kind":"person"}' where position = 2`,
      `update change set actor = old.actor from old where change.position = 2`,
    ],
    [
      'values',
      'values',
      `update change set content = '[]' where position = 2`,
      `update change set content = old.content from old where change.position = 2`,
    ],
    ['missing', 'missing', `delete from change where position = 2`, `insert into change select * from old`],
  ])('shows what was %s', async (_name, fault, tampering, repair) => {
    const unguarded = (statement: string): string =>
      `alter table change disable trigger user; ${statement}; alter table change enable trigger user`;
    await byHand(`create table old as select * from change where position = 2; ${unguarded(tampering)}`);
    expect((await verified()).broken).toMatchObject([{ fault, position: fault === 'missing' ? '3' : '2' }]);
    await byHand(`${unguarded(repair)}; drop table old`);
    expect((await verified()).broken).toEqual([]);
  });
});

describe('an erasure', () => {
  it('forgets what the record knew of the person, and leaves the chain whole', async () => {
    const [ticket] = await newTickets(test, tenant, { event, status: 'R', reservationStatus: 'C' });
    await sql(`update reservation set email = 'lovelace@example.org' where id = $1`, [ticket?.reservationId]);
    await sql(`update ticket set first_name = 'Augusta' where id = $1`, [ticket?.id]);
    await sql(`update reservation set email_key = 'lovelace@example.org' where id = $1`, [ticket?.reservationId]);
    const text = async (): Promise<string> => JSON.stringify(await sql('select * from change'));
    expect(await text()).toMatch(/lovelace.*Augusta/);
    const person = { email: 'lovelace@example.org', emailKey: 'lovelace@example.org' };
    await test.inside(tenant, () => test.app.get(AccountErasureService).erase(person));
    expect(await text()).not.toMatch(/lovelace|Augusta/);
    expect((await newest(3)).map(({ object, action }) => `${object} ${action}`)).toContain('reservation erased');
    expect((await verified()).broken).toEqual([]);
  });
});

describe('old changes', () => {
  it('lose their values, then go, and what remains is a chain', async () => {
    // The hash covers the time.
    await byHand(`alter table change disable trigger user;
      update change set at = at - case when position <= 5 then interval '4000 days' else interval '2000 days' end where position <= 10;
      do $do$ declare c record; previous bytea; begin
        for c in select * from change order by position loop
          update change set hash = ${changeHashSql('c', 'previous')} where position = c.position returning hash into previous;
        end loop;
      end $do$;
      alter table change enable trigger user`);
    expect((await verified()).broken).toEqual([]);
    await test.inside(tenant, () => test.app.get(RetentionService).prune());
    const rows = await sql<Row & Record<string, unknown>>('select * from change order by position limit 6');
    expect(rows[0]?.position).toBe('6');
    expect(rows.filter(({ position }) => Number(position) <= 10).map(({ kind, content }) => kind === 'money' || content === null)).toEqual(
      Array.from({ length: 5 }, () => true),
    );
    expect((await newest())[0]).toMatchObject({ object: 'change', action: 'pruned', record: '5' });
    expect((await verified()).broken).toEqual([]);
    await byHand(`alter table change disable trigger user; delete from change where position = 6; alter table change enable trigger user`);
    expect((await verified()).broken).toMatchObject([{ position: '7', fault: 'missing' }]);
  });
});
