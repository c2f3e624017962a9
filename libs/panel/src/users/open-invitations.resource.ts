import {
  currentPanelRequest,
  declareProperties,
  entityReader,
  PanelFieldError,
  PanelResource,
  readerOfEachNode,
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
    const all = readerOfEachNode(
      reader,
      newest,
      (work) => db.onEachNode(work),
      (work) => db.shared(work),
    );
    const source: PanelSource = {
      id: 'invitations',
      properties: declared.properties,
      count: (filter) => all.count(filter),
      find: async (query) => (await all.find(query)).map(named),
      findMany: async (ids) => (await all.findMany(ids)).map(named),
      findOne: async (id) => {
        const row = await all.findOne(id);
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
