import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DemoService } from '#demo';
import { PanelRouter, type PanelKind } from '#panel-kit';
import { TenantsService, UsersService } from '#tenancy';
import { databasePrints } from '../support/database-prints.js';
import { longRun } from '../support/long-run.js';
import { PanelClient, type PanelMethod } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
const clients = {} as Record<PanelKind, PanelClient>;

beforeAll(async () => {
  test = await startTestApp({ tenants: 'demo' });
  await test.app.get(DemoService).ensure();
  clients.tenant = await staffOf(test, (await test.app.get(TenantsService).bySlug('demo'))!);
  const { email, password } = await test.app.get(UsersService).create({ email: 'super@example.org', isSuperUser: true });
  clients.root = new PanelClient(test, 'localhost');
  expect((await clients.root.signIn(email, password)).status).toBe(303);
}, 120_000);
afterAll(() => test.close());

interface Address {
  readonly action: string;
  readonly path: string;
}

/** The kinds of the actions that AdminJS has itself. */
const ownKinds: Readonly<Record<string, string>> = {
  list: 'resource',
  search: 'resource',
  new: 'resource',
  show: 'record',
  edit: 'record',
  delete: 'record',
  bulkDelete: 'bulk',
};

/** The addresses of all registered actions, with existing records where possible; a long run also asks for actions of another kind. */
async function addresses(face: PanelKind): Promise<Address[]> {
  const { resources = [] } = test.app.get(PanelRouter).adminOptions(face);
  const found: Address[] = [];
  for (const registered of resources as { options: { id: string; actions: Record<string, { actionType?: string }> } }[]) {
    const { id, actions } = registered.options;
    const base = `/api/resources/${id}`;
    const { body } = await clients[face].call('get', `${base}/actions/list`);
    const record = (body as { records?: { id: string }[] }).records?.[0]?.id ?? randomUUID();
    for (const action of new Set([...Object.keys(ownKinds), ...Object.keys(actions)])) {
      const kind = ownKinds[action] ?? actions[action]?.actionType;
      const has = (other: string): boolean => longRun || kind === other;
      if (has('resource')) found.push({ action, path: `${base}/actions/${action}` });
      if (has('record')) found.push({ action, path: `${base}/records/${encodeURIComponent(record)}/${action}` });
      if (has('bulk')) found.push({ action, path: `${base}/bulk/${action}?recordIds=${encodeURIComponent(record)}` });
    }
  }
  return [...found, { action: 'dashboard', path: '/api/dashboard' }];
}

const refused: readonly PanelMethod[] = ['head', 'put', 'patch', 'delete', 'options'];

describe.each(['tenant', 'root'] as const)('the API of the %s panel', (face) => {
  it('accepts only GET and POST, reads with GET and changes data only with POST', async () => {
    const all = await addresses(face);
    expect(all.length).toBeGreaterThan(30);
    const before = await databasePrints(test);
    const wrong: string[] = [];
    for (const [index, { action, path }] of all.entries()) {
      // Each method meets a fifth of the addresses.
      const method = refused[index % refused.length] as PanelMethod;
      const { status: answered, headers } = await clients[face].call(method, path);
      if (answered !== 405 || headers['allow'] !== 'GET, POST') wrong.push(`${method} ${path}: ${answered}`);
      const { status } = await clients[face].call('get', path);
      const onlyChanges = ['new', 'delete', 'bulkDelete'].includes(action);
      // 404: the action does not exist with, or without, a record.
      if (onlyChanges ? status !== 405 && status !== 404 : status >= 500) wrong.push(`get ${path}: ${status}`);
    }
    expect(wrong).toEqual([]);
    expect(await databasePrints(test)).toEqual(before);
  }, 300_000);

  it('accepts a POST only from a page of this host', async () => {
    const before = await databasePrints(test);
    const wrong: string[] = [];
    for (const { path } of await addresses(face)) {
      const { status } = await clients[face].call('post', path).set('Sec-Fetch-Site', 'cross-site').send({});
      if (status !== 403) wrong.push(`post ${path}: ${status}`);
    }
    expect(wrong).toEqual([]);
    expect(await databasePrints(test)).toEqual(before);
  }, 120_000);
});
