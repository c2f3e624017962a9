import { Event, eventCategories, type EventCategory } from '#catalogue';
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
import { anyOf, currentTenant, presetWords, RoleGrant, TenantAdministrator, User, VenueRole } from '#tenancy';
import { refusable } from '../forms/refusals.js';
import { factorProperty } from '../users/factor.property.js';
import { texts } from '../locales/panel.texts.js';
import { factorRolesPage } from './factor-roles.page.js';
import { addPersonPage, changedBy, peopleActions } from './people.actions.js';
import { PeopleServices } from './people.services.js';
import { peopleWords } from './people.words.js';

/** Names of events that a row shows. */
const mostNames = 3;

/** The people who may use the panel of the venue, with their rights. */
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
        endsAt: { type: 'datetime', list: true, show: true, sql: 'limited.ends_at' },
        state: {
          availableValues: ['active', 'suspended', 'over'],
          tones: { active: 'good', suspended: 'bad', over: 'quiet' },
          list: true,
          show: true,
          filter: true,
          sql: `case when limited.suspended_at is not null then 'suspended' when limited.ends_at <= now() then 'over' else 'active' end`,
        },
        lastSignInAt: { list: true, show: true },
        hasFactor: factorProperty,
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
    const { search: _search, sumOf: _sum, ...reading } = reader;
    const source: PanelSource = {
      id: 'people',
      properties: declared.properties,
      ...reading,
      find: async (query) => described(services, await reader.find(query)),
      findMany: async (ids) => described(services, await reader.findMany(ids)),
      findOne: async (id) => {
        const row = await reader.findOne(id);
        return row && ((await described(services, [row]))[0] ?? null);
      },
      remove: async (id) => {
        if (!(await refusable(() => grants.remove(id, changedBy())))) throw new PanelFieldError({}, 'error404Record');
      },
    };
    return {
      source,
      support: 'readOnly',
      group: 'settings',
      icon: 'Users',
      ...declared.places,
      sort: { by: 'name', direction: 'asc' },
      actions: peopleActions(services),
      pages: { add: addPersonPage(services), factorRoles: factorRolesPage(services) },
      words: texts.perLanguage('people.resource', ({ words }) => words),
    };
  }
}

/** Rows with role and scope in words. */
async function described({ db }: PeopleServices, rows: readonly PanelRow[]): Promise<PanelRow[]> {
  const { language } = currentPanelRequest();
  const words = peopleWords[language];
  const presets: Readonly<Record<string, { label: string } | undefined>> = presetWords[language];
  const listOf = ({ chosen }: PanelRow): string[] => (Array.isArray(chosen) ? chosen.map(textOf) : []);
  const ids = [...new Set(rows.filter(({ scope }) => scope === 'events').flatMap((row) => listOf(row).slice(0, mostNames)))];
  const events =
    ids.length === 0 ? [] : await db.transaction((tx) => tx.find(Event, { select: { id: true, name: true }, where: { id: anyOf(ids) } }));
  const names = new Map(events.map(({ id, name }) => [id, name]));
  const scopeOf = (row: PanelRow): string => {
    const list = listOf(row);
    if (row['scope'] === 'kinds') return list.map((kind) => eventCategories[kind as EventCategory]?.[language] ?? kind).join(', ');
    if (row['scope'] !== 'events') return words.scopes.all;
    const shown = list.slice(0, mostNames).flatMap((id) => names.get(id) ?? []);
    return [...shown, ...(list.length > shown.length ? [words.more(list.length - shown.length)] : [])].join(', ');
  };
  return rows.map(({ isPreset, chosen, ...row }) => {
    const role = textOf(row['role']);
    return { ...row, role: isPreset === true ? (presets[role]?.label ?? role) : role, scope: scopeOf({ ...row, chosen: chosen ?? null }) };
  });
}
