import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ProductsService } from '#catalogue';
import { RefusedInput } from '#kernel';
import { TaskSchedulerService } from '#jobs';
import {
  CategoryRefused,
  runInTenant,
  TenantDb,
  TenantLifeService,
  TenantRemovalService,
  TenantsService,
  type TenantIdentity,
  type Tx,
} from '#tenancy';
import { newDevice, newEvent } from '../support/builders.js';
import { book } from '../support/booking.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey, newReceiver } from '../support/webhooks.js';

/** Two processes on one database. */
let test: TestApp;
let other: TestApp;
let life: TenantLifeService;

beforeAll(async () => {
  test = await startTestApp({ tenants: 'some', environment: { OUTBOUND_ALLOW: '127.0.0.0/8' } });
  other = await startTestApp({ database: test.database });
  life = test.app.get(TenantLifeService);
});
afterAll(async () => {
  await other.close();
  await test.close();
});

const one = async <Row>(sql: string, values: unknown[]): Promise<Row> => (await test.database.query<object>(sql, values))[0] as Row;
const stored = (id: string) =>
  one<{ category: string; state: string } | undefined>('select category, state from shared.tenant where id = $1', [id]);
/** Counts rows directly in the tenant's tables, independent of caches. */
const counted = async ({ schemaName }: TenantIdentity, from: string): Promise<number> =>
  (await one<{ count: number }>(`select count(*)::int as count from "${schemaName}".${from}`, [])).count;
/** Runs `work` in a transaction of the other process on the node of the tenant. */
const lockedBy = (tenant: TenantIdentity, work: (tx: Tx) => Promise<unknown>): Promise<unknown> =>
  other.inside(tenant, () => other.app.get(TenantDb).shared(work));
const unpublish = ({ schemaName }: TenantIdentity) => test.database.query(`update "${schemaName}".product set published = false`);

describe('editing a tenant', () => {
  it('changes name, language and time zone, also in the public record, and refuses all else', async () => {
    const { id, slug } = await test.newTenant();
    await life.edit(id, { name: ' La Lune ', language: 'fr', timeZone: 'Indian/Reunion' });
    expect(await other.app.get(TenantsService).bySlug(slug)).toMatchObject({
      name: 'La Lune',
      language: 'fr',
      timeZone: 'Indian/Reunion',
    });
    expect(await one('select name from shared.place where tenant_id = $1', [id])).toEqual({ name: 'La Lune' });
    const [field, category] = ['field', 'category'];
    await expect(life.edit(id, { name: ' ' })).rejects.toMatchObject({ [field]: 'name' });
    await expect(life.edit(id, { timeZone: 'Mars/Olympus' })).rejects.toMatchObject({ [field]: 'timeZone' });
    await expect(life.edit(id, { category: 'R' })).rejects.toMatchObject({ [field]: category });
    await expect(life.edit(id, { category: 'X' })).rejects.toMatchObject({ [field]: category });
    await expect(life.edit(randomUUID(), { name: 'x' })).rejects.toMatchObject({ [field]: 'tenant' });
    const { details } = await one<{ details: object }>(`select details from shared.tenant_change where tenant_id = $1`, [id]);
    expect(details).toMatchObject({ name: { to: 'La Lune' }, language: { from: 'en', to: 'fr' } });
  });

  it('changes the category as far as its data allows, and lists the obstacles with counts', async () => {
    const venue = await test.newTenant();
    const event = await newEvent(test, venue);
    const { id: reservationId } = await book(test, venue, event, { confirmed: true });
    await newDevice(test, venue);
    const { receiver } = await newReceiver(test, venue);
    await receiver.stop();
    await life.edit(venue.id, { category: 'F' });
    const inTheWay = async (category: string): Promise<Record<string, number>> => {
      const refused = await life.edit(venue.id, { category }).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(CategoryRefused);
      return Object.fromEntries((refused as CategoryRefused).obstacles.map(({ name, count }) => [name, count]));
    };
    const ticketing = {
      'published ticket products': 1,
      'reservations for events that are not over': 1,
      'scanning devices': 1,
    };
    expect(await inTheWay('A')).toEqual(ticketing);
    expect(await inTheWay('M')).toEqual({
      ...ticketing,
      'published events that are not over': 1,
      'webhook endpoints': 1,
    });
    const { schemaName } = venue;
    await unpublish(venue);
    await test.database.query(`update "${schemaName}".scanning_device set archived_at = now()`);
    expect(await inTheWay('A')).toEqual({ 'reservations for events that are not over': 1 });
    await test.database.query(`update "${schemaName}".reservation set status = 'C', cancel_reason = 'staff' where id = $1`, [
      reservationId,
    ]);
    await life.edit(venue.id, { category: 'A' });
    expect((await stored(venue.id))?.category).toBe('A');
    expect(await one('select category from shared.place where tenant_id = $1', [venue.id])).toEqual({ category: 'A' });
    // A process that still has the old category cached cannot use it.
    const sell = runInTenant({ ...venue, category: 'F' }, () => other.app.get(ProductsService).create({ name: 'Late', category: 'B' }));
    await expect(sell).rejects.toMatchObject({ code: 'tenant.changed' });
  });

  it('waits for running sales, and refuses later ones', async () => {
    const venue = await test.newTenant();
    const event = await newEvent(test, venue);
    const waiting = async (kind: string): Promise<boolean> =>
      (await test.database.query('select 1 from pg_locks where not granted and locktype = any($1)', [kind.split(' ')])).length > 0;
    const begun: Promise<unknown>[] = [];
    let change: Promise<unknown> = Promise.resolve();
    // The event is locked: running sales wait for it while the category changes.
    await lockedBy(venue, async (tx) => {
      await tx.query(`select 1 from "${venue.schemaName}".event where id = $1 for update`, [event.id]);
      for (const app of [test, other])
        begun.push(
          book(app, venue, event).then(
            () => 'sold',
            (error: unknown) => error,
          ),
        );
      while (!(await waiting('transactionid tuple'))) continue;
      const settled = new AbortController();
      change = life.edit(venue.id, { category: 'A' }).then(
        () => 'changed',
        (error: unknown) => error,
      );
      void change.finally(() => settled.abort());
      while (!settled.signal.aborted && !(await waiting('advisory'))) continue;
    });
    const sold = (await Promise.all(begun)).filter((result) => result === 'sold').length;
    expect(sold).toBeGreaterThan(0);
    const refusal = (await change) as CategoryRefused;
    expect(refusal).toBeInstanceOf(CategoryRefused);
    expect(refusal.obstacles.map(({ name }) => name)).toContain('reservations for events that are not over');
    expect((await stored(venue.id))?.category).toBe('S');
    expect(await counted(venue, `reservation where status <> 'C'`)).toBe(sold);
  }, 30_000);
});

describe('the deletion of a tenant', () => {
  const removeDue = async (app = test): Promise<string[]> =>
    (await app.app.get(TenantDb).onEachNode(() => app.app.get(TenantRemovalService).removeDue())).flat();
  const letGraceEnd = (id: string) =>
    test.database.query(`update shared.tenant set delete_after = now() - interval '1 s' where id = $1`, [id]);
  const hasSchema = async ({ schemaName }: TenantIdentity): Promise<boolean> =>
    (await test.database.query('select 1 from pg_namespace where nspname = $1', [schemaName])).length > 0;
  /** Tables of the shared schema that still have rows of the tenant. */
  async function tracesOf(id: string): Promise<string[]> {
    const tables = await test.database.query<{ name: string }>(
      `select table_name as name from information_schema.columns where table_schema = 'shared' and column_name = 'tenant_id'`,
    );
    const counts = await Promise.all(
      tables.map(({ name }) => test.database.query(`select 1 from shared."${name}" where tenant_id = $1 limit 1`, [id])),
    );
    return tables.flatMap(({ name }, index) => (counts[index]!.length > 0 ? [name] : []));
  }

  it('happens once after the grace period, and leaves only the record of changes', async () => {
    const [venue, neighbour] = [await test.newTenant(), await test.newTenant()];
    const event = await newEvent(test, venue);
    await book(test, venue, event);
    await newDevice(test, venue);
    await newKey(test, venue, 'event:read');
    const { receiver } = await newReceiver(test, venue);
    await receiver.stop();
    await life.delete(venue.id, venue.slug, 'Merged');
    expect(await removeDue()).toEqual([]);
    expect(await hasSchema(venue)).toBe(true);
    await letGraceEnd(venue.id);
    await test.app.get(TaskSchedulerService).run('drop deleted tenants');
    expect([await hasSchema(venue), await stored(venue.id), await tracesOf(venue.id)]).toEqual([false, undefined, ['tenant_change']]);
    // What an older program leaves, which relied on foreign keys.
    await test.database.query('insert into shared.tenant_welcome (tenant_id) values ($1)', [venue.id]);
    expect(await removeDue()).toEqual([]);
    expect(await tracesOf(venue.id)).toEqual(['tenant_change']);
    const last = await one('select slug, actor, action, reason from shared.tenant_change where tenant_id = $1 order by at desc', [
      venue.id,
    ]);
    expect(last).toEqual({ slug: venue.slug, actor: 'background work', action: 'dropped', reason: 'Merged' });
    expect(await hasSchema(neighbour)).toBe(true);
    await expect(test.inside(venue, () => test.app.get(TenantDb).transaction((tx) => tx.query('select 1')))).rejects.toMatchObject({
      code: 'tenant.deleted',
    });
    await test.newTenant({ slug: venue.slug });
  });

  it('leaves the tenant complete when its process dies, and is completed by the next run', async () => {
    const venue = await test.newTenant();
    await newEvent(test, venue);
    await life.delete(venue.id, venue.slug);
    await letGraceEnd(venue.id);
    let removing: Promise<string[]> | undefined;
    // While a table is locked, the drop waits for it and is killed there.
    await lockedBy(venue, async (tx) => {
      await tx.query(`lock table "${venue.schemaName}".event in access share mode`);
      removing = removeDue();
      const end = `select pg_terminate_backend(pid) from pg_locks
        where not granted and relation = to_regclass('"${venue.schemaName}".event')`;
      while ((await test.database.query(end)).length === 0) continue;
      expect(await removing).toEqual([]);
    });
    expect([await hasSchema(venue), (await stored(venue.id))?.state]).toEqual([true, 'deleting']);
    await Promise.all([removeDue(), removeDue(other)]);
    expect([await hasSchema(venue), await stored(venue.id), await tracesOf(venue.id)]).toEqual([false, undefined, ['tenant_change']]);
  });

  it('and a simultaneous restoration leave a complete tenant or none', async () => {
    const venues = await Promise.all(Array.from({ length: 6 }, () => test.newTenant()));
    for (const { id, slug } of venues) {
      await life.delete(id, slug);
      await letGraceEnd(id);
    }
    const restores = venues.map(({ id }) =>
      other.app
        .get(TenantLifeService)
        .restore(id)
        .then(
          () => true,
          (error: unknown) => error,
        ),
    );
    await Promise.all([removeDue(), removeDue(other), ...restores]);
    for (const [index, venue] of venues.entries()) {
      const restored = await restores[index]!;
      const state = await stored(venue.id);
      expect([state?.state, await hasSchema(venue)]).toEqual(restored === true ? ['active', true] : [undefined, false]);
      if (restored !== true) expect(restored).toBeInstanceOf(RefusedInput);
    }
  });
});
