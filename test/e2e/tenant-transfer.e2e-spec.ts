import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PaymentAccountsService } from '#payments';
import { AuditService, LedgerAuditService } from '#tickets';
import { PlaceRecordsService } from '#places';
import {
  ChangesService,
  ArchiveReader,
  TenantExportService,
  TenantHistoryService,
  TenantImportService,
  TenantLifeService,
  TenantsService,
  UsersService,
  verifyExport,
  type ExportReport,
  type ImportReport,
  type TenantIdentity,
} from '#tenancy';
import { WebhookEndpointsService, WebhookWorker } from '#webhooks';
import { newEvent, newTicket } from '../support/builders.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { fillEmptyTables, tenantPrints, tenantShape } from '../support/transfer.js';
import { fullTenant, type TwinIds, type TwinKeys } from '../support/twin-places.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { loopbackAllowed } from '../support/webhooks.js';

const passphrase = 'a passphrase of the tests';
const stripeFields = { secretKey: 'sk_test_51transferOfTheTests', webhookSecret: 'whsec_transferOfTheTests', delayedMethods: 'no' };

/** Two servers with separate databases and secrets. */
let old: TestApp;
let target: TestApp;
let folder: string;
let file: string;
let tenant: TenantIdentity;
let ids: TwinIds;
let keys: TwinKeys;
let code: string;
let receiver: WebhookReceiver;
let prints: Record<string, string>;
let exported: ExportReport;
let imported: ImportReport;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guichet-transfer-'));
  file = join(folder, 'demo.guichet');
  old = await startTestApp({ tenants: 'demo', environment: loopbackAllowed });
  target = await startTestApp({
    environment: loopbackAllowed,
    serverSecret: 'the secret of another server, long enough',
  });
  ({ tenant, ids, keys } = await fullTenant(old));
  ({ code } = await newTicket(old, tenant, { event: await newEvent(old, tenant) }));
  receiver = await WebhookReceiver.start();
  target.app.get(WebhookWorker).start();
  await old.inside(tenant, async () => {
    await old.app.get(PaymentAccountsService).save('stripe', stripeFields);
    const { secret } = await old.app.get(WebhookEndpointsService).create({ url: receiver.url, types: ['ticket.scanned'] });
    receiver.secret = secret;
  });
  await old.app.get(TenantLifeService).suspend(tenant.id, 'It moves to another server.');
  await fillEmptyTables(old, tenant.id);
  for (const host of ['tin-heron.example', 'taken.example', 'old.localhost'])
    await old.database.query('insert into shared.domain (host, tenant_id) values ($1, $2)', [host, tenant.id]);
  const other = await target.newTenant({ host: 'taken.example' });
  await target.app.get(UsersService).create({ email: 'ana@example.org', name: 'Ana here', password: 'her password here' });
  const users = old.app.get(UsersService);
  const ana = await users.create({ email: 'ana@example.org', name: 'Ana there', password: 'her password there' });
  await users.grant(ana.id, { tenantId: tenant.id });
  expect(other.host).toBe('taken.example');

  prints = await tenantPrints(old, tenant.id);
  exported = await old.app.get(TenantExportService).export(tenant.id, file, { passphrase, workFactor: 10, partBytes: 64 * 1024 });
  imported = await target.app.get(TenantImportService).import(file, { passphrase });
}, 120_000);
afterAll(async () => {
  await receiver?.stop();
  await target?.close();
  await old?.close();
  await rm(folder, { recursive: true, force: true });
});

const row = async (test: TestApp, sql: string): Promise<Record<string, unknown> | undefined> =>
  (await test.database.query<Record<string, unknown>>(sql.replaceAll('{tenant}', `t_${tenant.id.replaceAll('-', '')}`)))[0];

describe('the file of a tenant', () => {
  it('contains every table, and lists them', async () => {
    expect(Object.entries(prints).filter(([, print]) => print === 'empty')).toEqual([]);
    const { header, manifest } = await verifyExport(await ArchiveReader.open(file), passphrase);
    expect([header, manifest]).toEqual([exported.header, exported.manifest]);
    expect(manifest.streams.filter(({ rows }) => rows === 0)).toEqual([]);
    expect(header).toMatchObject({ tenant: { slug: 'demo', state: 'suspended' }, baseDomain: 'localhost' });
    // The file contains no password hashes.
    const [{ hash }] = (await old.database.query('select password_hash as hash from shared.user_account')) as [{ hash: string }];
    const reader = await ArchiveReader.open(file);
    for await (const { name, body } of reader.entries(passphrase)) {
      expect(body.length).toBeLessThan(512 * 1024);
      expect([name, body.includes('$argon2'), body.includes(hash)]).toEqual([name, false, false]);
    }
  });
});

describe('an imported tenant', () => {
  it('has every row and the schema of the source', async () => {
    expect(await tenantPrints(target, tenant.id)).toEqual({ ...prints, change: expect.any(String) });
    // The last row says that it was exported, or imported.
    const record = `select count(*)::int as rows, md5(string_agg(c::text, ';' order by position)) as print from {tenant}.change c
      where position < (select max(position) from {tenant}.change)`;
    expect(await row(target, record)).toEqual(await row(old, record));
    const arrived = (await target.app.get(TenantsService).bySlug('demo'))!;
    const verified = await target.inside(arrived, () => target.app.get(ChangesService).verify());
    expect(verified.broken).toEqual([]);
    expect(await tenantShape(target, tenant.id)).toEqual(await tenantShape(old, tenant.id));
    expect(imported.manifest).toEqual(exported.manifest);
  });

  it('is suspended and sends nothing until an operator resumes it', async () => {
    expect((await target.on(tenant).get('/')).status).toBe(503);
    const scan = await target.on(tenant).post('/scan/check_ticket/').set('Authorization', keys.device).send({ qrcode_data: code });
    expect([scan.status, scan.body.code]).toEqual([503, 'tenant.suspended']);
    const waiting = `select (select count(*)::int from shared.job where tenant_id = '${tenant.id}') as jobs,
      (select count(*)::int from shared.outbox where tenant_id = '${tenant.id}') as outbox,
      (select count(*)::int from shared.webhook_queue where tenant_id = '${tenant.id}') as endpoints`;
    expect(await row(target, waiting)).toEqual(await row(old, waiting));
    expect(receiver.received).toEqual([]);
    await target.app.get(TenantLifeService).resume(tenant.id, 'It has arrived');
    target.app.get(TenantsService).forget();
    expect((await target.on(tenant).get('/')).status).toBe(200);
  });

  it('accepts an old QR code from a device with its old key, and signs webhooks with the old secret', async () => {
    const scan = await target.on(tenant).post('/scan/ticket/').set('Authorization', keys.device).send({ qrcode_data: code });
    expect([scan.status, scan.body.success]).toEqual([200, true]);
    await receiver.until((received) => received.some(({ type }) => type === 'ticket.scanned'));
    expect(receiver.refused).toEqual([]);
    const again = await target.on(tenant).post('/scan/ticket/').set('Authorization', keys.device).send({ qrcode_data: code });
    expect(again.body.reason).toBe('already_scanned');
  });

  it('accepts the old integration key, shows its pictures, and keeps the secrets of its payment account', async () => {
    const events = await target.on(tenant).get('/api/v2/events/').set('Authorization', keys.integration).expect(200);
    expect(events.body.results.length ?? events.body.length).toBeGreaterThan(3);
    const picture = await target.on(tenant).get(`/images/${ids.image}/med.webp`).expect(200);
    expect(picture.headers['content-type']).toBe('image/webp');
    const [account] = await target.inside({ ...tenant, node: 0 }, () => target.app.get(PaymentAccountsService).all());
    expect(account).toMatchObject({ provider: { name: 'stripe' }, account: { fields: stripeFields } });
  });

  it('continues its numbers, and its audit is clean', async () => {
    const address = { streetAddress: '2 quai', addressLocality: 'Lyon', postalCode: '69001', addressCountry: 'FR' };
    const made = await target.on(tenant).post('/api/v2/postal-addresses/').set('Authorization', keys.integration).send(address).expect(201);
    expect(Number(made.body.identifier)).toBeGreaterThan(43_210);
    expect(await target.inside({ ...tenant, node: 0 }, () => target.app.get(AuditService).drifts())).toEqual([]);
    expect(await target.inside({ ...tenant, node: 0 }, () => target.app.get(LedgerAuditService).drifts())).toEqual([]);
    expect(await target.app.get(PlaceRecordsService).drifts()).toEqual([]);
    const log = `select max(id)::int as id from "{tenant}".scan_log`;
    expect(Number((await row(target, log))?.['id'])).toBeGreaterThan(Number((await row(old, log))?.['id']));
  });

  it('links users by their address, and transfers neither passwords nor rights on the server', async () => {
    expect(imported.users).toEqual([
      { email: 'ana@example.org', created: false },
      { email: 'demo@guichet.example', created: true },
    ]);
    const people = `select u.email, u.name, u.is_super_user as "super", u.may_create_tenants as creates from shared.user_account u
      join shared.tenant_administrator a on a.user_id = u.id where a.tenant_id = '${tenant.id}' order by u.email`;
    expect(await target.database.query(people)).toEqual([
      { email: 'ana@example.org', name: 'Ana here', super: false, creates: false },
      { email: 'demo@guichet.example', name: expect.any(String), super: false, creates: false },
    ]);
    const scopes = `select id from shared.api_key where tenant_id = '${tenant.id}' and scopes && array['place:read', 'place:write']`;
    expect([await row(old, scopes), await row(target, scopes)]).toEqual([expect.anything(), undefined]);
  });

  it('takes over its own domains that are free, and is recorded on both servers', async () => {
    const hosts = await target.database.query(`select host, is_primary from shared.domain where tenant_id = '${tenant.id}' order by host`);
    expect(hosts).toEqual([
      { host: 'demo.localhost', is_primary: true },
      { host: 'tin-heron.example', is_primary: false },
    ]);
    expect(imported.domainsLeft).toEqual(['taken.example']);
    const actions = async (test: TestApp) => (await test.app.get(TenantHistoryService).list(tenant.id)).map(({ action }) => action);
    expect((await actions(old))[0]).toBe('exported');
    expect((await actions(target)).at(-1)).toBe('imported');
  });

  it('is imported once', async () => {
    await expect(target.app.get(TenantImportService).import(file, { passphrase, slug: 'again' })).rejects.toThrow(
      'This tenant is on this server already, as demo.',
    );
  });
});
