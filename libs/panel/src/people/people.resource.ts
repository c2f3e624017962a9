import { foldedColumnSql } from '#kernel';
import {
  currentPanelRequest,
  declareProperties,
  entityReader,
  PanelFieldError,
  PanelResource,
  searchProperty,
  textOf,
  type PanelEntry,
  type PanelRow,
  type PanelSource,
  type ResourceProvider,
} from '#panel-kit';
import { currentTenant, openFactorResetSql, RoleGrant, TenantAdministrator, User, VenueRole } from '#tenancy';
import { refusable } from '../forms/refusals.js';
import { factorProperty } from '../users/factor.property.js';
import { texts } from '../locales/panel.texts.js';
import { resetsIn } from './factor-reset.actions.js';
import { factorRolesPage } from './factor-roles.page.js';
import { InvitedPeople, invitedStates, isInvited } from './invited-people.js';
import { changedBy, invitePage, isOther, peopleActions } from './people.actions.js';
import { PeopleServices } from './people.services.js';

// The list has no room for it.
const { list: _list, ...factorOfRecord } = factorProperty;

/** The people who may use the panel of the venue, with their rights, and those who are invited to it. */
@PanelResource({ panels: 'tenant', position: 162 })
export class PeopleResource implements ResourceProvider {
  constructor(private readonly services: PeopleServices) {}

  entry(): PanelEntry {
    const { services } = this;
    const { db, grants } = services;
    const declared = declareProperties(
      {
        id: {},
        search: { ...searchProperty, filter: true },
        name: { isTitle: true, list: true, filter: true },
        email: { type: 'email', list: true, show: true, filter: true },
        role: {
          list: true,
          show: true,
          sort: false,
          filter: false,
          sql: `case when director.user_id is not null then 'direction' else coalesce(made.name, limited.role) end`,
        },
        scope: {
          list: true,
          show: true,
          sort: false,
          filter: false,
          sql: `case when director.user_id is not null then 'all' else limited.scope end`,
        },
        endsAt: { type: 'datetime', show: true, sql: 'limited.ends_at' },
        state: {
          availableValues: ['active', 'suspended', 'over', ...invitedStates],
          tones: { active: 'good', suspended: 'bad', over: 'quiet', invited: 'waiting', expired: 'quiet' },
          list: true,
          show: true,
          filter: true,
          sql: `case when limited.suspended_at is not null then 'suspended' when limited.ends_at <= now() then 'over' else 'active' end`,
        },
        // Who invited, and when; of people who have not accepted yet.
        invited: { show: true, sort: false, filter: false, sql: 'null::text' },
        inviteNote: { show: true, sort: false, filter: false, sql: 'null::text' },
        lastSignInAt: { list: true, show: true },
        hasFactor: factorOfRecord,
        // What another director asked for; a sentence.
        factorReset: { show: true, sort: false, filter: false, sql: resetSql('askedBy') },
        resetAt: { hidden: true, sql: resetSql('askedAt') },
        resetState: { hidden: true, sql: 'null::text' },
        grantedAt: { type: 'datetime', show: true, sql: 'coalesce(director.granted_at, limited.granted_at)' },
        isPreset: { hidden: true, sql: 'made.id is null' },
        chosen: { hidden: true, sql: `case limited.scope when 'kinds' then limited.kinds else limited.event_ids::text[] end` },
      },
      { entity: User, alias: 'person' },
    );
    const reader = entityReader({
      ...declared.reading,
      open: (work) => db.shared(work),
      joins: (query) =>
        query
          .leftJoin(TenantAdministrator, 'director', 'director.userId = person.id and director.tenantId = :tenantId')
          .leftJoin(RoleGrant, 'limited', 'limited.userId = person.id and limited.tenantId = :tenantId')
          .leftJoin(VenueRole, 'made', 'made.id = limited.roleId'),
      where: '(director.user_id is not null or limited.user_id is not null)',
      parameters: () => ({ tenantId: currentTenant().id }),
      searched: { own: ['person.name', 'person.email'].map(foldedColumnSql), ids: ['person.id'] },
      sort: { by: 'name', direction: 'asc' },
    });
    const invited = new InvitedPeople(services);
    const { search: _search, sumOf: _sum, ...reading } = reader;
    const source: PanelSource = {
      id: 'people',
      properties: declared.properties,
      ...reading,
      count: async (filter) => (await reader.count(filter)) + (await invited.matching(filter)).length,
      find: async (query) => {
        const { rows, total } = await invited.page(query);
        const [offset, limit] = [Math.max(0, query.offset - total), query.limit - rows.length];
        return [...rows, ...(limit > 0 ? await described(services, await reader.find({ ...query, offset, limit })) : [])];
      },
      findMany: async (ids) => [...(await invited.rows(ids)), ...(await described(services, await reader.findMany(ids)))],
      findOne: async (id) => {
        const row = await reader.findOne(id);
        return (row ? (await described(services, [row]))[0] : (await invited.rows([id]))[0]) ?? null;
      },
      remove: async (id) => {
        const by = changedBy();
        if (!(await refusable(() => grants.remove(id, by)))) throw new PanelFieldError({}, 'error404Record');
      },
    };
    return {
      source,
      support: 'readOnly',
      group: 'settings',
      icon: 'Users',
      ...declared.places,
      sort: { by: 'name', direction: 'asc' },
      // An invitation is taken back, and nobody removes the own right.
      removable: (row) => isOther(row) && !isInvited(row),
      actions: peopleActions(services),
      pages: { invite: invitePage(services), factorRoles: factorRolesPage(services) },
      words: texts.perLanguage('people.resource', ({ words }) => words),
    };
  }
}

/** SQL: what somebody asked for the person. */
const resetSql = (column: 'askedBy' | 'askedAt'): string =>
  `(select reset."${column}" from (${openFactorResetSql('person.id', 'cast(:tenantId as uuid)')}) reset)`;

/** Rows with role and scope in words. */
async function described({ db, rights }: PeopleServices, rows: readonly PanelRow[]): Promise<PanelRow[]> {
  const resets = await resetsIn(db, rows);
  const named = await rights.of(
    rows.map(({ role, isPreset, scope, chosen }) => {
      const list = Array.isArray(chosen) ? chosen.map(textOf) : [];
      return {
        role: textOf(role),
        roleName: isPreset === true ? null : textOf(role),
        scope:
          scope === 'kinds'
            ? { kind: scope, kinds: list }
            : scope === 'events'
              ? { kind: scope, eventIds: list }
              : { kind: 'all' as const },
      };
    }),
    currentPanelRequest().language,
  );
  return rows.map(({ isPreset: _isPreset, chosen: _chosen, ...row }, index) => ({ ...row, ...named[index], ...resets[index] }));
}
