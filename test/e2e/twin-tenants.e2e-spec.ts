import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PanelRouter } from '#panel-kit';
import { allScopes, ControllerRoutes, runInTenant, VenueRolesService, type TenantIdentity } from '#tenancy';
import supertest from 'supertest';
import { newDevice, newEvent } from '../support/builders.js';
import { databasePrints } from '../support/database-prints.js';
import { longRun } from '../support/long-run.js';
import type { PanelClient } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { fullTenant, unknownIds, type TwinIds, type TwinKeys } from '../support/twin-places.js';
import { twinRows } from '../support/twin-rows.js';
import type { TwinRequest } from '../support/twin-requests.js';
import { newKey } from '../support/webhooks.js';

let test: TestApp;
let folder: string;
/** The tenant whose objects are requested … */
let theirs: { tenant: TenantIdentity; ids: TwinIds; keys: TwinKeys; staff: PanelClient };
/** … on the host of this tenant. */
let ours: { tenant: TenantIdentity; keys: TwinKeys; staff: PanelClient; event: string };
const nobodys = unknownIds();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guichet-twins-'));
  test = await startTestApp({ tenants: 'demo', environment: { MAIL_FOLDER: folder, RATE_PANEL: '100000/min' } });
  const full = await fullTenant(test);
  await runInTenant(full.tenant, () => test.app.get(VenueRolesService).create('Bar', { event: 'see' }));
  theirs = { ...full, staff: await staffOf(test, full.tenant) };
  const tenant = await test.newTenant();
  ours = {
    tenant,
    keys: {
      integration: await newKey(test, tenant, ...allScopes),
      device: (await newDevice(test, tenant)).authorization,
    },
    staff: await staffOf(test, tenant),
    event: (await newEvent(test, tenant)).id,
  };
}, 120_000);
afterAll(async () => {
  await test.close();
  await rm(folder, { recursive: true });
});

/** Fingerprints of the other tenant's tables, without deliveries, which continue meanwhile. */
async function prints(): Promise<Record<string, string>> {
  const all = Object.entries(await databasePrints(test));
  const own = /^shared\.(tenant|domain|place|tenant_administrator|role_grant|venue_role|user_account)$/;
  return Object.fromEntries(
    all.filter(([name]) => own.test(name) || (name.startsWith(theirs.tenant.schemaName) && !name.includes('webhook_'))),
  );
}

/** A response without parts that always differ: the request id, and the ids in the request. */
function comparable({ status, headers, text }: supertest.Response, ids: TwinIds): object {
  let body = text ?? '';
  for (const [name, id] of Object.entries(ids)) body = body.replaceAll(id, `<${name}>`);
  return {
    status,
    type: headers['content-type'] ?? null,
    location: headers['location'] ?? null,
    body: body.replace(/"instance":"[^"]*"/, ''),
  };
}

const filled = (text: string, ids: TwinIds): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    name === 'ours' ? ours.event : ((ids as unknown as Record<string, string>)[name] ?? whole),
  );

/** Sends a row's request to our host with these ids and this key. */
async function ask({ method, path, body, key }: TwinRequest, ids: TwinIds, keys: TwinKeys): Promise<supertest.Response> {
  const sent = test.on(ours.tenant).call(method, filled(path, ids));
  if (key) sent.set('Authorization', keys[key]);
  if (body !== undefined) sent.send(JSON.parse(filled(JSON.stringify(body), ids)) as object).type('json');
  return sent;
}

describe('objects of one tenant on the host of another', () => {
  it('have a row in this test for every route', () => {
    const routes = test.app.get(ControllerRoutes).all();
    expect(routes.map(({ name }) => name).toSorted()).toEqual(Object.keys(twinRows).toSorted());
  });

  it('are answered like unknown ids, and stay unchanged', async () => {
    const before = await prints();
    const wrong: object[] = [];
    for (const [name, requests] of Object.entries(twinRows)) {
      for (const request of requests) {
        const [foreign, unknown] = [await ask(request, theirs.ids, ours.keys), await ask(request, nobodys, ours.keys)];
        const [one, other] = [comparable(foreign, theirs.ids), comparable(unknown, nobodys)];
        if (JSON.stringify(one) !== JSON.stringify(other) || foreign.status >= 500) wrong.push({ name, one, other });
        // The response contains no id of the other tenant that was not in the request.
        const told = Object.values(theirs.ids).filter((id) => id.length > 8 && foreign.text?.includes(id));
        const named = filled(request.path + JSON.stringify(request.body ?? ''), theirs.ids);
        const leaked = told.filter((id) => !named.includes(id));
        if (leaked.length > 0) wrong.push({ name, leaked });
      }
    }
    expect(wrong).toEqual([]);
    expect(await prints()).toEqual(before);
  }, 120_000);

  it('are found on their own host: the rows of this test name existing objects', async () => {
    const blind: string[] = [];
    for (const [name, requests] of Object.entries(twinRows)) {
      for (const request of requests.filter(({ method, path }) => method === 'get' && /\{\w+\}/.test(path) && !path.includes('{ours}'))) {
        const sent = test.on(theirs.tenant).get(filled(request.path, theirs.ids));
        if (request.key) sent.set('Authorization', theirs.keys[request.key]);
        const { status } = await sent;
        // The page of an event redirects from the id to the slug, a pass to Google; tickets of a date cannot be withdrawn
        // from; what is paid has no transfer.
        const special = { '/google-wallet': 303, '/withdraw': 409, '/transfer.pdf': 404 };
        const isSpecial = Object.entries(special).some(([end, expected]) => request.path.endsWith(end) && status === expected);
        const isFound = status === 200 || status === 301 || isSpecial;
        if (!isFound && !elsewhere.test(request.path)) blind.push(`${name}: ${status}`);
      }
    }
    expect(blind).toEqual([]);
  });

  it('are answered like unknown ids with unknown keys', async () => {
    const never: TwinKeys = {
      integration: theirs.keys.integration.replace(/_[0-9A-Za-z]{12}_/, '_000000000000_'),
      device: theirs.keys.device.replace(/_[0-9A-Za-z]{12}_/, '_000000000000_'),
    };
    const wrong: object[] = [];
    for (const [name, requests] of Object.entries(twinRows)) {
      for (const request of requests.filter(({ key }) => key !== undefined)) {
        const [foreign, unknown] = [await ask(request, nobodys, theirs.keys), await ask(request, nobodys, never)];
        const [one, other] = [comparable(foreign, nobodys), comparable(unknown, nobodys)];
        const refused = foreign.status === 401 || elsewhere.test(request.path);
        if (!refused || JSON.stringify({ ...one, body: '' }) !== JSON.stringify({ ...other, body: '' })) wrong.push({ name, one, other });
      }
    }
    expect(wrong).toEqual([]);
  });
});

/** A number is an id only between quotes or in an address: the panel's pages contain other numbers. */
function withoutId(text: string, id: string): string {
  if (/^\d+$/.test(id)) return text.replace(new RegExp(`(?<=["/=])${id}(?=\\\\?["/&?]|$)`, 'g'), '<id>');
  return text.replaceAll(encodeURIComponent(id), '<id>').replaceAll(id, '<id>');
}

describe('records of one tenant in the panel of another', () => {
  it('are answered like unknown records in every action, and stay unchanged', async () => {
    const { resources = [] } = test.app.get(PanelRouter).adminOptions('tenant');
    const paths: { resource: string; record: string; of: (id: string) => string; only?: 'get' }[] = [];
    const empty: string[] = [];
    // A long run asks for the file of every action, also of those that have none.
    const files = new Set(
      test.app
        .get(PanelRouter)
        .entries('tenant')
        .flatMap(({ source, actions = {} }) =>
          Object.keys(actions).flatMap((name) => (actions[name]?.file ? [`${source.id} ${name}`] : [])),
        ),
    );
    expect(files.size).toBeGreaterThan(2);
    for (const registered of resources as { options: { id: string; actions: Record<string, { actionType?: string }> } }[]) {
      const { id: resource, actions } = registered.options;
      if (sameForAll.has(resource)) continue;
      const { records = [] } = await theirs.staff.list(resource);
      const record = records[0]?.id;
      if (record === undefined) empty.push(resource);
      // The single record of a setting has the same id for every tenant.
      if (record === undefined || !/\d/.test(record)) continue;
      const base = `/api/resources/${resource}`;
      const ofRecords = Object.keys(actions).filter((action) => actions[action]?.actionType === 'record');
      for (const action of new Set(['show', 'edit', 'delete', ...ofRecords])) {
        paths.push({ resource, record, of: (id) => `${base}/records/${id}/${action}` });
        if (ofRecords.includes(action) && (longRun || files.has(`${resource} ${action}`)))
          paths.push({ resource, record, of: (id) => `/files/${resource}/${id}/${action}.pdf`, only: 'get' });
      }
      paths.push({ resource, record, of: (id) => `${base}/bulk/bulkDelete?recordIds=${id}` });
      paths.push({ resource, record, of: (id) => `/resources/${resource}/records/${id}/show`, only: 'get' });
    }
    expect(paths.length).toBeGreaterThan(100);
    expect(empty).toEqual(resourcesWithoutDemoRecords);
    const before = await prints();
    const wrong: object[] = [];
    for (const { resource, record, of, only } of paths) {
      const never = unknownRecord(record);
      for (const method of only ? [only] : (['get', 'post'] as const)) {
        const answers: string[] = [];
        for (const id of [record, never]) {
          const sent = ours.staff.call(method, of(encodeURIComponent(id)));
          if (method === 'post') sent.send({});
          const { status, text } = await sent;
          const told = withoutId(text ?? '', id);
          answers.push(`${status} ${told.replace(/nonce(__)?( =|=) ?"[^"]*"/g, '')}`);
        }
        if (answers[0] !== answers[1] || answers[0]?.startsWith('5')) wrong.push({ resource, path: of('<id>'), method, answers });
      }
    }
    expect(wrong).toEqual([]);
    expect(await prints()).toEqual(before);
  }, 300_000);

  it('are in no list, search or file of the other tenant', async () => {
    const { resources = [] } = test.app.get(PanelRouter).adminOptions('tenant');
    for (const registered of resources as { options: { id: string } }[]) {
      const { id } = registered.options;
      if (sameForAll.has(id)) continue;
      const their = (await theirs.staff.list(id)).records ?? [];
      const our = (await ours.staff.list(id)).records ?? [];
      const shared = our.filter((mine) => their.some((other) => other.id === mine.id && /[0-9a-f]{8}/.test(other.id)));
      expect({ id, shared }).toEqual({ id, shared: [] });
    }
    const hits = await ours.staff.call('post', '/api/search').send({ text: theirs.ids.slug });
    expect(JSON.stringify(hits.body)).not.toContain(theirs.ids.event);
  });

  it('cannot be opened with a session of the other tenant', async () => {
    const { cookie } = theirs.staff;
    const asked = async (sent: string): Promise<object> => {
      const { status, headers } = await supertest(`http://127.0.0.1:${test.port}`)
        .get('/admin/resources/events')
        .set({ Host: ours.tenant.host, Cookie: sent });
      return { status, location: headers['location'] };
    };
    const nobody = await asked(cookie.replace(/guichet=[^;]*/, 'guichet=s%3Anobody.xyz'));
    expect(nobody).toEqual({ status: 302, location: expect.stringContaining('/admin/login') });
    expect(await asked(cookie)).toEqual(nobody);
  });

  it('cannot be shown as pictures by their path', async () => {
    const of = (tenant: TenantIdentity) => test.on(tenant).get(`/images/${theirs.ids.image}/med.webp`);
    expect((await of(theirs.tenant)).status).toBe(200);
    expect((await of(ours.tenant)).status).toBe(404);
  });
});

/** Answered on other hosts or only before their use: places on the first Meta, pairing tokens, places in a queue. */
const elsewhere = /pair|place|queue/;

/** Resources of which the demo venue has no record: only networks have members, and it has no account at a payment provider. */
const resourcesWithoutDemoRecords: readonly string[] = ['members', 'payment-account', 'card-readers'];

/** The networks of the server are the same for every tenant; where each stands with them is in federation-networks. */
const sameForAll: ReadonlySet<string> = new Set(['networks']);

/** An id of the same kind that does not exist. */
function unknownRecord(record: string): string {
  if (/^\d+$/.test(record)) return '987654';
  return record.replace(/[0-9a-f]/g, (digit) => ((Number.parseInt(digit, 16) + 5) % 16).toString(16));
}
