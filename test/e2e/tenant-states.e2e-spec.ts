import { setTimeout as pass } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventsService } from '#catalogue';
import { ScanningDevicesService } from '#scan';
import { JobRunner, JobsService } from '#jobs';
import { latestTenant, liveTenantSql, Migrator, TenantDb, TenantLifeService, UsersService, type TenantIdentity } from '#tenancy';
import { WebhookWorker } from '#webhooks';
import { newDevice, newEvent } from '../support/builders.js';
import { PanelClient, recordFaults } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { loopbackAllowed, newKey, newReceiver } from '../support/webhooks.js';

/** Two processes on one database. */
let test: TestApp;
let other: TestApp;
let root: PanelClient;
let life: TenantLifeService;
let superUser: { email: string; password: string };
const jobsDone: string[] = [];

beforeAll(async () => {
  test = await startTestApp({ tenants: 'some', environment: loopbackAllowed });
  other = await startTestApp({ database: test.database });
  life = test.app.get(TenantLifeService);
  superUser = await test.app.get(UsersService).create({ email: 'super@example.org', isSuperUser: true });
  root = new PanelClient(test, 'localhost');
  await root.signIn(superUser.email, superUser.password);
  test.app.get(JobsService).handle('probe', (subject) => Promise.resolve(void jobsDone.push(subject)));
  test.app.get(JobRunner).start();
  test.app.get(WebhookWorker).start();
});
afterAll(async () => {
  await other.close();
  await test.close();
});

/** Processes cache hosts for a second. */
const aSecond = () => pass(1050);
const page = (app: TestApp, venue: TenantIdentity, path = '/') => app.on(venue).get(path).set('Accept', 'text/html');
const isLive = async ({ id }: TenantIdentity): Promise<boolean> =>
  (await test.database.query(`select 1 from shared.tenant t where id = $1 and ${liveTenantSql('t')}`, [id])).length > 0;
async function until(condition: () => boolean): Promise<void> {
  for (let waited = 0; !condition() && waited < 15_000; waited += 50) await pass(50);
  expect(condition()).toBe(true);
}

interface Place {
  readonly venue: TenantIdentity;
  readonly key: { Authorization: string };
  readonly door: { Authorization: string };
  readonly staff: PanelClient;
}

async function newPlace(): Promise<Place> {
  const venue = await test.newTenant();
  await test.database.query(`update shared.place set email = 'box@venue.example' where tenant_id = $1`, [venue.id]);
  await newEvent(test, venue);
  const key = { Authorization: await newKey(test, venue, 'event:read', 'event:write', 'product:read') };
  const door = { Authorization: (await newDevice(test, venue)).authorization };
  const staff = await staffOf(test, venue);
  return { venue, key, door, staff };
}

describe('a suspended tenant', () => {
  it('answers 503 with the reason on every route, can be read by its staff, and works again when it is resumed', async () => {
    const { venue, key, door, staff } = await newPlace();
    for (const app of [test, other]) await app.on(venue).get('/api/v2/events/').set(key).expect(200);
    expect(recordFaults(await root.act('tenants', venue.id, 'suspend', { reason: ' ' }))).toEqual({ reason: 'Give a reason.' });
    expect((await root.act('tenants', venue.id, 'suspend', { reason: 'Unpaid <b>invoice</b>' })).notice?.type).toBe('success');
    // A process that has the tenant cached as active is refused at once.
    await expect(newEvent(other, venue)).rejects.toMatchObject({ code: 'tenant.changed' });
    expect(await isLive(venue)).toBe(false);
    await aSecond();
    for (const app of [test, other]) {
      const shown = await page(app, venue).expect(503);
      expect(shown.headers['retry-after']).toBe('3600');
      expect(shown.text).toContain('Unpaid &lt;b>invoice&lt;/b>');
      expect(shown.text).toContain('href="mailto:box@venue.example"');
      const { body, headers } = await app.on(venue).get('/api/v2/events/').set(key).expect(503);
      expect(body).toMatchObject({ code: 'tenant.suspended', reason: 'Unpaid <b>invoice</b>', contact: 'box@venue.example' });
      expect(headers['retry-after']).toBe('3600');
      const scan = await app.on(venue).post('/scan/ticket/').set(door).send({ qrcode_data: 'x' }).expect(503);
      expect(scan.body).toMatchObject({ code: 'tenant.suspended', success: false });
      await app.on(venue).post('/payments/stripe').send({}).expect(503);
      await app.on('localhost').get(`/tls/ask?domain=${venue.host}`).expect(200);
    }
    const { records } = await staff.list('events');
    const [event] = records!;
    expect((await staff.call('get', '/').expect(200)).text).toContain('nothing can be changed');
    await staff.call('post', `/api/resources/events/records/${event!.id}/edit`).send({ name: 'Changed' }).expect(403);
    await staff.call('post', '/api/resources/events/actions/new').send({ name: 'New' }).expect(403);
    const operator = new PanelClient(test, venue);
    expect((await operator.signIn(superUser.email, superUser.password)).status).toBe(303);
    expect((await operator.act('events', event!.id, 'edit', { name: 'Changed' })).notice?.type).toBe('success');
    await root.act('tenants', venue.id, 'resume', { reason: 'Paid' });
    await aSecond();
    for (const app of [test, other]) {
      await page(app, venue).expect(200);
      await app.on(venue).get('/scan/test_api/').set(door).expect(200);
    }
    expect((await staff.act('events', event!.id, 'edit', { name: 'Again' })).notice?.type).toBe('success');
    expect(JSON.stringify((await root.look('tenants', venue.id)).record!.params)).toContain('super@example.org · Paid');
  });

  it('sends nothing and runs no job until it is resumed; nor does a deleted one', async () => {
    const { venue } = await newPlace();
    const { receiver } = await newReceiver(test, venue, ['event.created']);
    const told = () => receiver.received.length;
    /** Creates an event while the tenant is active, and changes its state before a worker delivers it. */
    const happenAndThen = async (act: () => Promise<void>): Promise<void> => {
      const { app } = test;
      await test.inside(venue, () =>
        app.get(TenantDb).transaction((tx) => app.get(JobsService).add(tx, 'probe', venue.id, { afterSeconds: 1 })),
      );
      await test.inside(venue, () => test.app.get(EventsService).create({ name: `E ${told()}`, startsAt: new Date(Date.now() + 9e6) }));
      await act();
    };
    let rounds = 0;
    try {
      for (const [act, back] of [
        [() => life.suspend(venue.id, 'Check'), () => life.resume(venue.id)],
        [() => life.delete(venue.id, venue.slug), () => life.restore(venue.id)],
      ] as const) {
        jobsDone.length = 0;
        await happenAndThen(act);
        // Only deliveries that a worker had claimed before may still arrive.
        await pass(2500);
        expect(jobsDone).toEqual([]);
        await back();
        rounds += 1;
        await until(() => jobsDone.length === 1 && told() >= rounds);
      }
      expect(told()).toBe(2);
    } finally {
      await receiver.stop();
    }
  }, 40_000);

  it('is migrated like all others', async () => {
    const { venue } = await newPlace();
    await life.suspend(venue.id, 'Check');
    await test.database.query('update shared.tenant set schema_version = $2 where id = $1', [venue.id, latestTenant - 1]);
    await test.app.get(Migrator).run();
    const rows = await test.database.query('select schema_version from shared.tenant where id = $1', [venue.id]);
    expect(rows).toEqual([{ schema_version: latestTenant }]);
  });
});

describe('an archived tenant', () => {
  it('is read-only; its pages say that it is closed', async () => {
    const { venue, key, door, staff } = await newPlace();
    const pairingPath = `/scan/${'A'.repeat(43)}/pair`;
    await root.act('tenants', venue.id, 'archive', { reason: 'The curtain fell' });
    await aSecond();
    for (const app of [test, other]) {
      const closed = await page(app, venue).expect(410);
      expect(closed.text).toContain('The curtain fell');
      expect((await app.on(venue).get('/api/v2/events/').set(key).expect(200)).body.results).toHaveLength(1);
      const refused = await app.on(venue).post('/api/v2/events/').set(key).send({ name: 'x' }).expect(403);
      expect(refused.body.code).toBe('tenant.archived');
      await app.on(venue).get(pairingPath).expect(403);
      await app.on(venue).get('/scan/test_api/').set(door).expect(200);
      expect((await app.on(venue).get('/agenda.rss').expect(410)).body.code).toBe('tenant.closed');
    }
    const operator = new PanelClient(test, venue);
    await operator.signIn(superUser.email, superUser.password);
    for (const client of [staff, operator]) {
      expect((await client.list('events')).records).toHaveLength(1);
      await client.call('post', '/api/resources/events/actions/new').send({ name: 'New' }).expect(403);
    }
    await expect(test.inside(venue, () => test.app.get(ScanningDevicesService).create('Door 2'))).rejects.toMatchObject({
      code: 'tenant.changed',
    });
    await root.act('tenants', venue.id, 'restore');
    await aSecond();
    await page(test, venue).expect(200);
  });
});

describe('a tenant that is being deleted', () => {
  it('answers 410 after its slug was confirmed, and is restored completely', async () => {
    const { venue, key, door, staff } = await newPlace();
    expect(recordFaults(await root.act('tenants', venue.id, 'remove', { confirmation: 'no' }))).toEqual({
      confirmation: expect.stringContaining(venue.slug),
    });
    expect((await root.act('tenants', venue.id, 'remove', { confirmation: venue.slug, reason: 'Merged' })).notice?.type).toBe('success');
    const { record } = await root.look('tenants', venue.id);
    const days = (Date.parse(String(record!.params['deleteAfter'])) - Date.now()) / 86_400_000;
    expect([record!.params['state'], Math.round(days)]).toEqual(['deleting', 30]);
    await aSecond();
    for (const app of [test, other]) {
      expect((await page(app, venue).expect(410)).text).toContain('no longer on this server');
      for (const path of ['/api/v2/events/', '/admin/login', '/images/x', '/payments/stripe'])
        expect((await app.on(venue).get(path).set(key).expect(410)).body.code).toBe('tenant.deleted');
      await app.on(venue).post('/scan/ticket/').set(door).send({}).expect(410);
      await app.on('localhost').get(`/tls/ask?domain=${venue.host}`).expect(404);
    }
    await root.act('tenants', venue.id, 'restore', { reason: 'A mistake' });
    await aSecond();
    await test.on(venue).get('/api/v2/events/').set(key).expect(200);
    await test.on(venue).get('/scan/test_api/').set(door).expect(200);
    expect((await staff.list('events')).records).toHaveLength(1);
  });
});

describe('changes of state', () => {
  it('follow the table of states, and exclude Root and the first Meta', async () => {
    const { id, slug } = await test.newTenant();
    await expect(life.resume(id)).rejects.toMatchObject({ field: 'state' });
    await expect(life.restore(id)).rejects.toMatchObject({ field: 'state' });
    await life.archive(id);
    await expect(life.suspend(id, 'x')).rejects.toMatchObject({ field: 'state' });
    await life.delete(id, slug);
    await expect(life.archive(id)).rejects.toMatchObject({ field: 'state' });
    await expect(life.delete(id, slug)).rejects.toMatchObject({ field: 'state' });
    await expect(life.suspend(id, 'x'.repeat(501))).rejects.toMatchObject({ field: 'reason' });
    const own = await test.database.query<{ id: string; slug: string }>(
      `select id, slug from shared.tenant where slug in ('root', 'meta')`,
    );
    for (const tenant of own) {
      await expect(life.suspend(tenant.id, 'x')).rejects.toMatchObject({ field: 'tenant' });
      await expect(life.archive(tenant.id)).rejects.toMatchObject({ field: 'tenant' });
      await expect(life.delete(tenant.id, tenant.slug)).rejects.toMatchObject({ field: 'tenant' });
      await expect(life.edit(tenant.id, { category: 'S' })).rejects.toMatchObject({ field: 'tenant' });
    }
    const second = await test.newTenant({ category: 'M' });
    await life.suspend(second.id, 'x');
    await expect(test.database.query(`update shared.tenant_change set actor = 'nobody'`)).rejects.toThrow('append-only');
  });
});
