import {
  currentPanelRequest,
  declareProperties,
  entityReader,
  PanelFieldError,
  PanelResource,
  textOf,
  type PanelEntry,
  type PanelRow,
  type PanelSort,
  type PanelSource,
  type ResourceProvider,
} from '#panel-kit';
import { Invitation, InvitationsService, isPreset, presetWords, runInTenant, TenantDb, TenantsService, User } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { texts } from '../locales/panel.texts.js';

/** The services of the resource `invitations`. */
@Injectable()
export class OpenInvitationServices {
  constructor(
    readonly db: TenantDb,
    readonly tenants: TenantsService,
    readonly invitations: InvitationsService,
  ) {}
}

/** A row with the role in words. */
function named(row: PanelRow): PanelRow {
  const role = textOf(row['role']);
  return { ...row, role: isPreset(role) ? presetWords[currentPanelRequest().language][role].label : role };
}

/** Rows of several database servers in the order of a list. */
function inOrderOf(rows: PanelRow[], { by, direction }: PanelSort): PanelRow[] {
  const sign = direction === 'asc' ? 1 : -1;
  return rows.toSorted((one, other) => sign * textOf(one[by]).localeCompare(textOf(other[by])));
}

/** The invitations of all tenants that nobody has accepted yet, also expired ones. */
@PanelResource({ panels: 'root', position: 42 })
export class OpenInvitationsResource implements ResourceProvider {
  constructor(private readonly services: OpenInvitationServices) {}

  entry(): PanelEntry {
    const { db, tenants, invitations } = this.services;
    const declared = declareProperties(
      {
        id: {},
        email: { type: 'email', isTitle: true, list: true, filter: true },
        tenantId: { reference: 'tenants', list: true, show: true, filter: true },
        role: {
          list: true,
          show: true,
          sort: false,
          filter: false,
          sql: `coalesce((select r.name from shared.venue_role r where r.id = invitation.role_id), invitation.role)`,
        },
        state: {
          availableValues: ['invited', 'expired'],
          tones: { invited: 'waiting', expired: 'quiet' },
          list: true,
          show: true,
          filter: true,
          sql: `case when invitation.expires_at <= now() then 'expired' else 'invited' end`,
        },
        inviter: { list: true, show: true, sort: false, filter: false, sql: 'inviter.name' },
        askedAt: { list: true, show: true },
        expiresAt: { show: true },
      },
      { entity: Invitation, alias: 'invitation' },
    );
    const newest: PanelSort = { by: 'askedAt', direction: 'desc' };
    const reader = entityReader({
      ...declared.reading,
      open: (work) => db.shared(work),
      joins: (query) => query.leftJoin(User, 'inviter', 'inviter.id = invitation.invitedBy'),
      where: 'invitation.closed_at is null',
      sort: newest,
    });
    const { search: _search, sumOf: _sum, ...reading } = reader;
    const everywhere = async <Result>(work: () => Promise<Result>): Promise<Result[]> => db.onEachNode(work);
    const source: PanelSource = {
      id: 'invitations',
      properties: declared.properties,
      ...reading,
      count: async (filter) => (await everywhere(() => reader.count(filter))).reduce((sum, count) => sum + count, 0),
      find: async ({ offset, limit, ...query }) => {
        const found = await everywhere(() => reader.find({ ...query, offset: 0, limit: offset + limit }));
        const rows = found.length === 1 ? found.flat() : inOrderOf(found.flat(), query.sort ?? newest);
        return rows.slice(offset, offset + limit).map(named);
      },
      findMany: async (ids) => (await everywhere(() => reader.findMany(ids))).flat().map(named),
      findOne: async (id) => {
        const row = (await everywhere(() => reader.findOne(id))).find((found) => found !== null);
        return row ? named(row) : null;
      },
      remove: async (id) => {
        const row = await source.findOne(id);
        const [tenant] = row ? await tenants.byIds([textOf(row['tenantId'])]) : [];
        const isDone = tenant && (await runInTenant(tenant, () => invitations.withdraw(id, undefined)));
        if (!isDone) throw new PanelFieldError({}, 'error404Record');
      },
    };
    return {
      source,
      group: 'server',
      icon: 'Mail',
      ...declared.places,
      sort: newest,
      words: texts.perLanguage('openInvitations', ({ words }) => words),
    };
  }
}
