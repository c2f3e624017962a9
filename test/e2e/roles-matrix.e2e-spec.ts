import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DemoService } from '#demo';
import { isHidden, mayNow, mayPerform, mayPerformOn, PanelRouter, type PanelEntry, type PanelRow } from '#panel-kit';
import {
  fullGrant,
  levelWords,
  grantAllows,
  nounWords,
  permissionNouns,
  permissions,
  presetNames,
  presets,
  presetWords,
  TenantsService,
  type Grant,
  type PermissionLevels,
  type TenantIdentity,
} from '#tenancy';
import type { PanelClient } from '../support/panel-client.js';
import { inLongRuns, longRun } from '../support/long-run.js';
import { giveRight, staffWith, type RoleStaff } from '../support/role-staff.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;
let entries: readonly PanelEntry[];
let own: string;
/** A record of each resource, of the own and of the other event where rows have one. */
const records = new Map<string, { own?: string; foreign?: string }>();
/** What directors see of each record, by its id. */
const rowsOf = new Map<string, PanelRow>();
/** What somebody with all rights gets. */
const directed = new Map<string, Answer>();
/** Somebody whose right changes. */
let person: RoleStaff;

beforeAll(async () => {
  test = await startTestApp({ tenants: 'demo', environment: { RATE_PANEL: '100000/min' } });
  await test.app.get(DemoService).ensure();
  tenant = (await test.app.get(TenantsService).bySlug('demo'))!;
  entries = test.app.get(PanelRouter).entries('tenant');
  const { client: director } = await staffWith(test, tenant, { role: 'direction' });
  const [first] = (await director.list('reservations')).records ?? [];
  own = String(first?.params['eventId']);
  for (const entry of entries) records.set(entry.source.id, await recordsOf(director, entry));
  await mark();
  for (const { path } of entries.flatMap(addressesOf)) directed.set(path, await ask(director, path));
  person = await staffWith(test, tenant, { role: 'direction' });
}, 300_000);
afterAll(() => test?.close());

async function recordsOf(director: PanelClient, { source, rights }: PanelEntry): Promise<{ own?: string; foreign?: string }> {
  const answer = await director.call('get', `/api/resources/${source.id}/actions/list?perPage=100`);
  const rows = (answer.body as { records?: { id: string; params: Record<string, unknown> }[] }).records ?? [];
  for (const { id, params } of rows) rowsOf.set(id, params as PanelRow);
  const column = rights?.event === 'all' ? undefined : rights?.event;
  if (column === undefined) return rows[0] ? { own: rows[0].id } : {};
  const mine = rows.find(({ params }) => params[column] === own);
  const other = rows.find(({ params }) => params[column] !== own);
  return { ...(mine && { own: mine.id }), ...(other && { foreign: other.id }) };
}

/** Gives addresses, amounts and the names of the other events values that occur nowhere else. */
async function mark(): Promise<void> {
  await test.database.query(`
    begin;
    set local search_path to "${schemaOf()}", public;
    update reservation set email = 'r' || substr(id::text, 1, 8) || '@secret.example';
    update reservation set first_name = '', last_name = '' where event_id = '${own}';
    update ticket set holder_email = 't@secret.example';
    update membership set email = 'm' || substr(id::text, 1, 8) || '@secret.example';
    update ticket set amount = 7341.29;
    update event set name = 'Elsewhere ' || substr(id::text, 1, 8) where id <> '${own}';
    commit`);
}

const schemaOf = (): string => `t_${tenant.id.replaceAll('-', '')}`;

interface Asked {
  readonly action: string;
  readonly path: string;
  /** Event of the record. */
  readonly of?: 'own' | 'foreign' | undefined;
  readonly id?: string;
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
  for (const whose of ['own', 'foreign'] as const) {
    const id = records.get(source.id)?.[whose];
    if (id === undefined) continue;
    const record = `${base}/records/${encodeURIComponent(id)}`;
    for (const action of ['show', ...(source.update ? ['edit'] : []), ...Object.keys(actions)]) {
      if (actions[action]?.file) found.push({ action, id, of: whose, path: `/files/${source.id}/${encodeURIComponent(id)}/${action}.pdf` });
      else found.push({ action, id, of: whose, path: `${record}/${action}` });
    }
  }
  return found;
}

interface Answer {
  /** AdminJS answers 200 with an error as its notice. */
  readonly refused: boolean;
  readonly text: string;
}

async function ask(client: PanelClient, path: string, method: 'get' | 'post' = 'get'): Promise<Answer> {
  const { status, body, text } = await client.call(method, path);
  expect(status).toBeLessThan(500);
  const notice = (body as { notice?: { type?: string } }).notice?.type;
  return { refused: status >= 400 || notice === 'error', text: `${status} ${text}${JSON.stringify(body)}` };
}

/** What is read beside the resources: documents, the start page and searches. */
async function otherBytes(client: PanelClient): Promise<[string, string][]> {
  const read: [string, string][] = [];
  for (const path of ['', '/api/dashboard', '/account', '/welcome', '/resources/reservations', '/resources/events'])
    read.push([path, (await ask(client, path)).text]);
  for (const text of ['secret', 'Elsewhere', 'a', own]) {
    const answer = await client.call('post', '/api/search').send({ text });
    read.push([`search ${text}`, JSON.stringify(answer.body)]);
  }
  return read;
}

/** The links of answers to resources and files, one for each action, as the addresses that their pages ask. */
function linksIn(read: readonly [string, string][]): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, text] of read)
    for (const [, kind, rest = ''] of text.matchAll(/"\/admin\/(resources|files)\/([^"?#]+)/g)) {
      const parts = rest.split('/');
      const path = kind === 'files' ? `/files/${rest}` : `/api/resources/${parts.length === 1 ? `${rest}/actions/list` : rest}`;
      found.set([parts[0], parts[1], parts.at(-1)].join(' '), path);
    }
  return found;
}

interface Drawn {
  readonly id: string;
  readonly resourceActions: readonly { readonly name: string; readonly custom?: { readonly rare?: boolean } }[];
}

/** The resources that the side bar of a document folds away. */
function foldedIn(document: string): string[] {
  const { resources } = JSON.parse(/window\.REDUX_STATE = (.*);/.exec(document)![1]!) as { resources: Drawn[] };
  return resources
    .filter(({ resourceActions }) => resourceActions.some(({ name, custom }) => name === 'list' && custom?.rare))
    .map(({ id }) => id);
}

const address = /secret\.example/;
const amount = /7[.,\s\u202f\u00a0’]?341[.,]29/;
const other = /Elsewhere/;

const allGrants: readonly { name: string; grant: () => Grant }[] = presetNames.flatMap((role) => {
  const levels = role === 'direction' ? fullGrant.levels : presets[role];
  const all = { name: role, grant: (): Grant => ({ role, levels, scope: { kind: 'all' } }) };
  const some = { name: `${role} of one event`, grant: (): Grant => ({ role, levels, scope: { kind: 'events', eventIds: [own] } }) };
  return role === 'coOrganiser' ? [some] : [all, some];
});
/** One with amounts and addresses for one event, one with neither, one with counts alone. */
const usual = new Set(['direction of one event', 'doorManager', 'coOrganiser of one event']);
const grants = inLongRuns(
  allGrants,
  allGrants.filter(({ name }) => usual.has(name)),
);

it('reads hidden values with all rights', async () => {
  const read = [...directed.values()].map(({ text }) => text);
  for (const marker of [address, amount, other]) expect(read.filter((text) => marker.test(text)).length).toBeGreaterThan(3);
});

it.each(grants)(
  'opens for $name what the table says, and no byte of a hidden value',
  async ({ grant: granted }) => {
    const grant = granted();
    const { client, id } = person;
    // In an open session.
    await giveRight(test, tenant, id, { role: grant.role, scope: grant.scope });
    const wrong: string[] = [];
    const read: [string, string][] = await otherBytes(client);
    let place = 0;
    for (const entry of entries) {
      for (const { action, path, of, id: record } of addressesOf(entry)) {
        place += 1;
        const isForeign = of === 'foreign' && grant.scope.kind === 'events' && entry.rights?.event !== 'all';
        const fits = record === undefined || mayPerformOn(entry, action, rowsOf.get(record) ?? {}, grant);
        const expected = !isForeign && fits && mayPerform(entry, action, grant);
        const { refused, text } = await ask(client, path);
        if (!path.endsWith('.pdf')) read.push([path, text]);
        // What no state of the record offers is refused to everybody.
        if (expected ? refused && !directed.get(path)!.refused : !refused)
          wrong.push(`${path}: ${expected ? `refused: ${text.slice(0, 200)}` : 'open'}`);
        const isSent = !expected && path.startsWith('/api/') && (longRun || place % 5 === 0);
        if (isSent && !(await ask(client, path, 'post')).refused) wrong.push(`${path}: can be sent`);
      }
    }
    for (const path of linksIn(read).values()) {
      // The form for a new record asks nothing before it is sent.
      const [, form] = /^\/api\/resources\/([^/]+)\/actions\/new$/.exec(path) ?? [];
      const entry = entries.find(({ source }) => source.id === form);
      const leads = entry ? mayPerform(entry, 'new', grant) : !(await ask(client, path)).refused;
      if (!leads) wrong.push(`${path}: a link leads there`);
    }
    expect(wrong).toEqual([]);
    // Verified to fail when the gate of the lists' files asks about it, too.
    const rare = entries.filter((entry) => entry.rare === true && mayPerform(entry, 'list', grant));
    expect(foldedIn(read[0]![1]).toSorted()).toEqual(rare.map(({ source }) => source.id).toSorted());
    const holding = (marker: RegExp): string[] => read.flatMap(([path, text]) => (marker.test(text) ? [path] : []));
    if (!grantAllows(grant, 'contact.see')) expect(holding(address)).toEqual([]);
    if (!grantAllows(grant, 'money.see')) expect(holding(amount)).toEqual([]);
    if (grant.scope.kind !== 'all') expect(holding(other)).toEqual([]);
  },
  300_000,
);

/** The matrix as Markdown: what each preset may do with each resource, from the table and the resources that exist. */
function matrix(): string {
  const shown = presetNames.map((role): Grant => ({ role, levels: presets[role], scope: { kind: 'all' } }));
  const mark = (allowed: boolean): string => (allowed ? '●' : '');
  const head = `| Resource | What | ${presetNames.map((name) => presetWords.en[name].label).join(' | ')} |`;
  const rows = entries.flatMap((entry) => {
    const { source, actions = {}, pages = {}, exports, prints } = entry;
    const acts = ['list', ...(source.create ? ['new'] : []), ...(source.update ? ['edit'] : []), ...(source.remove ? ['delete'] : [])];
    const files = [...(exports ? ['exports'] : []), ...(prints ? ['prints'] : []), ...(source.sum ? ['sums'] : [])];
    const more = Object.entries(entry.rights?.more ?? {}).map(([action, { above, needs }]) => ({
      what: `${action}, ${above} above 0`,
      cells: shown.map((grant) => mark(mayPerform(entry, action, grant) && mayNow(needs, grant))),
    }));
    const done = [...acts, ...files, ...Object.keys(actions), ...Object.keys(pages)].map((action) => ({
      what: action,
      cells: shown.map((grant) => mark(mayPerform(entry, action, grant))),
    }));
    const values = source.properties.flatMap(({ name }) => {
      const cells = shown.map((grant) => mark(mayPerform(entry, 'list', grant) && !isHidden(entry, name, grant)));
      return cells.join() === done[0]?.cells.join() ? [] : [{ what: `value ${name}`, cells }];
    });
    return [...done, ...more, ...values].map(({ what, cells }) => `| ${source.id} | ${what} | ${cells.join(' | ')} |`);
  });
  return [head, `|${' --- |'.repeat(presetNames.length + 2)}`, ...rows].join('\n');
}

/** The levels of each preset as Markdown. */
function levelTable(): string {
  const head = `| Noun | ${presetNames.map((name) => presetWords.en[name].label).join(' | ')} | Levels |`;
  const rows = permissionNouns.map((noun) => {
    const cells = presetNames.map((name) => levelWords.en[(presets[name] as PermissionLevels)[noun] ?? 'none']);
    const levels = permissions[noun].map((level) => levelWords.en[level]).join(', ');
    return `| ${nounWords.en[noun].label} | ${cells.map((cell) => (cell === levelWords.en.none ? '' : cell)).join(' | ')} | ${levels} |`;
  });
  return [head, `|${' --- |'.repeat(presetNames.length + 2)}`, ...rows].join('\n');
}

describe('docs/roles.md', () => {
  // UPDATE_DOCS=1 npm test -- roles-matrix writes it.
  it.each([
    ['levels', levelTable],
    ['matrix', matrix],
  ] as const)('has the %s', (name, table) => {
    const path = 'docs/roles.md';
    const text = readFileSync(path, 'utf8');
    const place = new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- end of ${name} -->)`);
    expect(text).toMatch(place);
    const wanted = text.replace(place, (_all, start: string, end: string) => `${start}\n${table()}\n\n${end}`);
    if (process.env['UPDATE_DOCS'] === '1') writeFileSync(path, wanted);
    else expect(text).toBe(wanted);
  });
});
