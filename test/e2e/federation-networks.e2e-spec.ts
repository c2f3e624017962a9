import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventsService } from '#catalogue';
import { FederatedEventsService, FederationAuditService, NetworksService } from '#places';
import { JobRunner } from '#jobs';
import { type TenantIdentity } from '#tenancy';
import { agendaDrifts, eventually, joinNetwork, listsWith, networkLists, publicEvent, readOn } from '../support/federation.js';
import type { PanelAnswer, PanelClient } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let network: TenantIdentity;
let venue: TenantIdentity;
let networkStaff: PanelClient;
let venueStaff: PanelClient;

beforeAll(async () => {
  test = await startTestApp({ tenants: 'some' });
  test.app.get(JobRunner).start();
  network = await test.newTenant({ category: 'M', name: 'Agenda of the coast' });
  venue = await test.newTenant({ name: 'Harbour hall' });
  [networkStaff, venueStaff] = [await staffOf(test, network), await staffOf(test, venue)];
});
afterAll(() => test.close());

const networks = (): NetworksService => test.app.get(NetworksService);
const faultOf = (answer: PanelAnswer): string => JSON.stringify([answer.errors, answer.record?.errors, answer.notice]);

async function memberRow(name: string): Promise<{ id: string; params: Record<string, unknown> }> {
  const { records = [] } = await networkStaff.list('members', { 'filters.name': name });
  expect(records).toHaveLength(1);
  return records[0] as { id: string; params: Record<string, unknown> };
}

const stateOf = async (): Promise<unknown> => (await venueStaff.look('networks', network.id)).record?.params['state'];

describe('the panels of a place and of a network', () => {
  it('let a place ask to join, be accepted, choose what it sends, and leave', async () => {
    const jazz = await publicEvent(test, venue, { keywords: ['Jazz'] });
    const folk = await publicEvent(test, venue, { keywords: ['Folk'] });
    const { records = [] } = await venueStaff.list('networks');
    expect(records.map(({ params }) => [params['name'], params['state']])).toContainEqual(['Agenda of the coast', 'none']);
    expect((await venueStaff.look('networks', network.id, 'ask')).view).toMatchObject({
      fields: [{ name: 'sentTags' }],
    });
    expect((await venueStaff.act('networks', network.id, 'ask', { sentTags: 'JAZZ, blues' })).notice).toMatchObject({ type: 'success' });
    expect(await stateOf()).toBe('asked');
    expect(await listsWith(test, network, jazz)).toEqual([]);
    const { id, params } = await memberRow('Harbour hall');
    expect(params).toMatchObject({ state: 'asked', sentTags: 'jazz, blues', category: 'S', host: venue.host });
    expect((await networkStaff.act('members', id, 'accept')).notice).toMatchObject({ type: 'success' });
    await eventually(async () => (await listsWith(test, network, jazz)).length === networkLists.length);
    expect(await listsWith(test, network, folk)).toEqual([]);
    expect((await memberRow('Harbour hall')).params).toMatchObject({ state: 'accepted', events: 1, decidedByName: 'Zoé Staff' });
    expect((await venueStaff.act('networks', network.id, 'send', { sentTags: 'folk' })).notice).toMatchObject({ type: 'success' });
    expect(await listsWith(test, network, jazz)).toEqual([]);
    await eventually(async () => (await listsWith(test, network, folk)).length === networkLists.length);
    // The tag is removed from the event.
    await test.inside(venue, () => test.app.get(EventsService).update(folk.id, { keywords: [] }));
    expect(await listsWith(test, network, folk)).toEqual([]);
    await venueStaff.act('networks', network.id, 'send', { sentTags: '' });
    await eventually(async () => (await listsWith(test, network, jazz)).length === networkLists.length);
    expect(await agendaDrifts(test, venue)).toEqual([]);
    expect((await venueStaff.act('networks', network.id, 'leave')).notice).toMatchObject({ type: 'success' });
    expect(await stateOf()).toBe('left');
    expect(await listsWith(test, network, jazz)).toEqual([]);
    expect(faultOf(await networkStaff.act('members', id, 'remove'))).toContain('forbiddenError');
    expect(await test.inside(network, () => networks().remove(venue.id))).toBe(false);
  });

  it('let the network refuse and remove places, which can ask again a day later', async () => {
    await venueStaff.act('networks', network.id, 'ask', {});
    const { id } = await memberRow('Harbour hall');
    await networkStaff.act('members', id, 'refuse');
    expect(await stateOf()).toBe('refused');
    expect(faultOf(await venueStaff.act('networks', network.id, 'ask', {}))).toContain('tomorrow');
    await networkStaff.act('members', id, 'accept');
    expect(faultOf(await venueStaff.act('networks', network.id, 'ask', {}))).toContain('forbiddenError');
    await expect(test.inside(venue, () => networks().ask(network.id, { sentTags: [] }))).rejects.toThrow('already');
    const event = await publicEvent(test, venue);
    expect(await listsWith(test, network, event)).toEqual(networkLists);
    await networkStaff.act('members', id, 'remove');
    expect([await stateOf(), await listsWith(test, network, event)]).toEqual(['removed', []]);
    await test.database.query(`update shared.network_member set decided_at = now() - interval '25 hours' where id = $1`, [id]);
    await venueStaff.act('networks', network.id, 'ask', {});
    expect(await stateOf()).toBe('asked');
    await venueStaff.act('networks', network.id, 'leave');
  });

  it('refuse tenants that are no network, long tags, and more than twenty networks', async () => {
    const other = await test.newTenant();
    for (const id of [other.id, venue.id, '00000000-0000-4000-8000-000000000000'])
      expect(faultOf(await venueStaff.act('networks', id, 'ask', {}))).toMatch(/no such network|error/i);
    expect(faultOf(await venueStaff.act('networks', network.id, 'ask', { sentTags: 'x'.repeat(101) }))).toContain('100 characters');
    expect(faultOf(await venueStaff.act('networks', network.id, 'ask', { sentTags: 'x,'.repeat(51) }))).toContain('50 entries');
    expect(await test.inside(venue, () => networks().send(network.id, ['x']))).toBe(false);
    const many = await test.database.query<{ id: string }>(
      `insert into shared.tenant (slug, name, category, schema_name) select 'meta-' || n, 'Meta ' || n, 'M', 't_' || md5('meta ' || n)
       from generate_series(1, 22) n returning id`,
    );
    await Promise.all(
      many.map(({ id }) =>
        test.inside(venue, () =>
          networks()
            .ask(id, { sentTags: [] })
            .catch(() => undefined),
        ),
      ),
    );
    const asked = await test.database.query(`select 1 from shared.network_member where tenant_id = $1 and state = 'asked'`, [venue.id]);
    expect(asked).toHaveLength(20);
    await test.database.query(`delete from shared.tenant where name like 'Meta %' and category = 'M'`);
  });

  it('show only the tenant’s own memberships: those of others seem not to exist', async () => {
    const twin = await test.newTenant({ category: 'M' });
    await joinNetwork(test, twin, venue);
    const [row] = await test.database.query<{ id: string }>('select id from shared.network_member where network_id = $1', [twin.id]);
    for (const action of ['show', 'accept', 'refuse', 'remove'])
      expect(JSON.stringify(await networkStaff.look('members', row!.id, action))).not.toContain('Harbour');
    await networkStaff.act('members', row!.id, 'remove');
    const [kept] = await test.database.query<{ state: string }>('select state from shared.network_member where id = $1', [row!.id]);
    expect(kept?.state).toBe('accepted');
    await venueStaff
      .call('get', '/api/resources/members/actions/list')
      .expect(({ body }) => expect((body as PanelAnswer).records ?? []).toEqual([]));
    await test.inside(venue, () => networks().leave(twin.id));
  });
});

describe('a place that is not a member', () => {
  it('is never on the agenda: not without a request, not during a request, not while suspended', async () => {
    const tenants = {
      stranger: await test.newTenant(),
      asking: await test.newTenant(),
      suspended: await test.newTenant(),
    };
    await test.inside(tenants.asking, () => networks().ask(network.id, { sentTags: [] }));
    await joinNetwork(test, network, tenants.suspended);
    for (const tenant of Object.values(tenants)) {
      const event = await publicEvent(test, tenant, { keywords: ['Twin'] });
      if (tenant === tenants.suspended) {
        expect(await listsWith(test, network, event)).toEqual(networkLists);
        await test.database.query(`update shared.tenant set state = 'suspended' where id = $1`, [tenant.id]);
      }
      expect(await listsWith(test, network, event)).toEqual([]);
      for (const path of [`/?place=${tenant.slug}`, '/?tag=twin', `/?q=${event.name.slice(8)}`, '/places'])
        expect(await readOn(test, network, path)).not.toContain(event.name);
      expect(await readOn(test, network, '/places')).not.toContain(tenant.name);
      await test.on(network).get(`/event/${event.slug}`).expect(404);
    }
  });
});

describe('the own agenda of a place', () => {
  it('shows events of other members on request, by tags, with their place and a link', async () => {
    const project = await test.newTenant({ category: 'A', name: 'Coast project' });
    const staff = await staffOf(test, project);
    const sender = await test.newTenant({ name: 'Lighthouse', timeZone: 'Indian/Reunion' });
    for (const tenant of [project, sender]) await joinNetwork(test, network, tenant);
    const startsAt = new Date('2033-06-01T16:00:00Z');
    const dance = await publicEvent(test, sender, { startsAt, keywords: ['Dance'] });
    const talk = await publicEvent(test, sender, { startsAt, keywords: ['Talk'] });
    const own = await publicEvent(test, project, { startsAt: new Date('2033-06-01T17:00:00Z') });
    expect(await readOn(test, project, '/')).not.toContain(dance.name);
    await staff.act('networks', network.id, 'gather', { showsOthers: 'yes', shownTags: 'DANCE' });
    const page = await readOn(test, project, '/');
    expect(page.indexOf(dance.name)).toBeGreaterThan(0);
    expect(page.indexOf(own.name)).toBeGreaterThan(0);
    // On the poster and in the list.
    expect(page.split(own.name)).toHaveLength(3);
    expect(page).not.toContain(talk.name);
    expect(page).toMatch(new RegExp(`//${sender.host}(:\\d+)?/event/${dance.slug}"`));
    expect(page).toContain('Lighthouse');
    // In the time zone of the place of the event.
    expect(page).toContain('2033-06-01T20:00:00+04:00');
    for (const path of ['/agenda.ics', '/agenda.rss', '/?from=2033-06-01']) expect(await readOn(test, project, path)).toContain(dance.name);
    await staff.act('networks', network.id, 'gather', { showsOthers: 'yes', shownTags: '' });
    expect(await readOn(test, project, '/')).toContain(talk.name);
    await test.inside(sender, () => test.app.get(EventsService).update(talk.id, { isPrivate: true }));
    expect(await readOn(test, project, '/')).not.toContain(talk.name);
    await test.inside(project, () => networks().leave(network.id));
    expect(await readOn(test, project, '/')).not.toContain(dance.name);
    expect(await readOn(test, project, '/')).toContain(own.name);
  });
});

describe('the audit of the agendas', () => {
  it('finds missing, outdated and superfluous rows, and rewrites them', async () => {
    const tenant = await test.newTenant();
    await joinNetwork(test, network, tenant);
    const [one, two] = [await publicEvent(test, tenant, { keywords: ['a'] }), await publicEvent(test, tenant)];
    expect(await agendaDrifts(test, tenant)).toEqual([]);
    await test.database.query('delete from shared.federated_event where event_id = $1', [one.id]);
    await test.database.query(`update shared.federated_event set locality = 'Elsewhere' where event_id = $1`, [two.id]);
    await test.database.query(
      `insert into shared.federated_event (network_id, tenant_id, event_id, name, slug, category, starts_at, over_at, search_text,
       created_at, updated_at)
       values ($1, $2, gen_random_uuid(), 'Ghost', 'ghost', 'LIV', now(), now(), '', now(), now())`,
      [network.id, tenant.id],
    );
    const kinds = (drifts: unknown[]): string[] => drifts.map((drift) => (drift as { kind: string }).kind).toSorted();
    expect(kinds(await agendaDrifts(test, tenant))).toEqual(['extra', 'missing', 'stale']);
    const audit = test.app.get(FederationAuditService);
    expect(kinds([...(await test.inside(tenant, () => audit.repair()))])).toEqual(['extra', 'missing', 'stale']);
    expect(await agendaDrifts(test, tenant)).toEqual([]);
    expect(await listsWith(test, network, one)).toEqual(networkLists);
    await test.inside(tenant, () => test.app.get(FederatedEventsService).copyAll());
    await test.inside(tenant, () => networks().leave(network.id));
    expect(await test.inside(tenant, () => audit.repair())).toEqual([]);
    expect(await test.database.query('select 1 from shared.federated_event where tenant_id = $1', [tenant.id])).toEqual([]);
  });
});
