import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DemoService } from '#demo';
import { mayPerform, PanelRouter, type PanelEntry } from '#panel-kit';
import { currentTenant, fullGrant, presetNames, presets, runInTenant, TenantsService, type Grant, type TenantIdentity } from '#tenancy';
import type { PanelClient } from '../support/panel-client.js';
import { staffWith } from '../support/role-staff.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;
let entries: readonly PanelEntry[];
let own: string;
let foreign: string;
/** A record of each resource, of the own and of the other event where rows have one. */
const records = new Map<string, { own?: string; foreign?: string }>();

beforeAll(async () => {
  test = await startTestApp();
  await test.app.get(DemoService).ensure();
  tenant = (await test.app.get(TenantsService).bySlug('demo'))!;
  entries = test.app.get(PanelRouter).entries('tenant');
  const director = (await staffWith(test, tenant, { role: 'direction' })).client;
  const [first] = (await director.list('reservations')).records ?? [];
  own = String(first?.params['eventId']);
  const events = (await director.list('events', { perPage: '100' })).records ?? [];
  foreign = events.find(({ id }) => id !== own)!.id;
  for (const entry of entries) records.set(entry.source.id, await recordsOf(director, entry));
}, 120_000);
afterAll(() => test.close());

async function recordsOf(director: PanelClient, { source, rights }: PanelEntry): Promise<{ own?: string; foreign?: string }> {
  const answer = await director.call('get', `/api/resources/${source.id}/actions/list?perPage=100`);
  const rows = (answer.body as { records?: { id: string; params: Record<string, unknown> }[] }).records ?? [];
  const column = rights?.event === 'all' ? undefined : rights?.event;
  if (column === undefined) return rows[0] ? { own: rows[0].id } : {};
  const mine = rows.find(({ params }) => params[column] === own);
  const other = rows.find(({ params }) => params[column] !== own);
  return { ...(mine && { own: mine.id }), ...(other && { foreign: other.id }) };
}

interface Asked {
  readonly action: string;
  readonly path: string;
  /** Event of the record. */
  readonly of?: 'own' | 'foreign' | undefined;
}

/** Every address of a resource that is read with GET; actions that change something are asked as well, and answer their form. */
function addressesOf({ source, actions = {}, pages = {}, exports, prints }: PanelEntry): Asked[] {
  const base = `/api/resources/${source.id}`;
  const found: Asked[] = [
    { action: 'list', path: `${base}/actions/list` },
    ...Object.keys(pages).map((action) => ({ action, path: `${base}/actions/${action}` })),
    ...(exports ? [{ action: 'exports', path: `/exports/${source.id}.csv` }] : []),
    ...(source.sum ? [{ action: 'sums', path: `/sums/${source.id}` }] : []),
    ...(prints ? [{ action: 'prints', path: `/files/${source.id}.pdf` }] : []),
  ];
  for (const of of ['own', 'foreign'] as const) {
    const id = records.get(source.id)?.[of];
    if (id === undefined) continue;
    const record = `${base}/records/${encodeURIComponent(id)}`;
    for (const action of ['show', ...(source.update ? ['edit'] : []), ...Object.keys(actions)]) {
      if (actions[action]?.file) found.push({ action, of, path: `/files/${source.id}/${encodeURIComponent(id)}/${action}.pdf` });
      else found.push({ action, of, path: `${record}/${action}` });
    }
  }
  return found;
}

/** Whether an answer refuses: AdminJS answers 200 with an error as its notice. */
async function isRefused(client: PanelClient, path: string): Promise<boolean> {
  const { status, body } = await client.call('get', path);
  expect(status).toBeLessThan(500);
  const notice = (body as { notice?: { type?: string } }).notice?.type;
  return status >= 400 || notice === 'error';
}

const grants: readonly { name: string; grant: () => Grant }[] = presetNames.flatMap((role) => {
  const levels = role === 'direction' ? fullGrant.levels : presets[role];
  const all = { name: role, grant: (): Grant => ({ role, levels, scope: { kind: 'all' } }) };
  const some = { name: `${role} of one event`, grant: (): Grant => ({ role, levels, scope: { kind: 'events', eventIds: [own] } }) };
  return role === 'coOrganiser' ? [some] : [all, some];
});

describe.each(grants)('$name', ({ grant: granted }) => {
  it('opens what the table says, and nothing else', async () => {
    const grant = granted();
    const { client } = await staffWith(test, tenant, { role: grant.role, scope: grant.scope });
    const director = (await staffWith(test, tenant, { role: 'direction' })).client;
    const wrong: string[] = [];
    for (const entry of entries) {
      for (const { action, path, of } of addressesOf(entry)) {
        const column = entry.rights?.event;
        const isForeign = of === 'foreign' && grant.scope.kind === 'events' && column !== 'all';
        const isHere = runInTenant(tenant, () => currentTenant() && (entry.allows?.(action, null) ?? true));
        const expected = isHere && !isForeign && mayPerform(entry, action, grant);
        const refused = await isRefused(client, path);
        if (refused === !expected) continue;
        // An action that no state of the record offers is refused to everybody.
        if (expected && (await isRefused(director, path))) continue;
        wrong.push(`${path}: ${expected ? 'refused' : 'open'}`);
      }
    }
    expect(wrong).toEqual([]);
  }, 120_000);
});
