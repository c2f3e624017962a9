import { isUuid } from '#kernel';
import { isPreset, presetWords, Tenant, User, TenantDb, UsersService } from '#tenancy';
import type { PanelEntry, PanelRow, PanelSource, ResourceProvider } from '#panel-kit';
import { currentPanelRequest, PanelFieldError, entityReader, textOf, PanelResource, declareProperties } from '#panel-kit';
import { texts } from '../locales/panel.texts.js';

/** The rights without limits and those with. */
const rightsSql = `(
  select a.tenant_id, a.user_id, 'direction' as role, a.granted_at, null::timestamptz as ends_at, null::timestamptz as suspended_at
    from shared.tenant_administrator a
  union all
  select g.tenant_id, g.user_id, coalesce(r.name, g.role), g.granted_at, g.ends_at, g.suspended_at
    from shared.role_grant g left join shared.venue_role r on r.id = g.role_id)`;

/** A row with the role in words. */
function named(row: PanelRow): PanelRow {
  const role = textOf(row['role']);
  return { ...row, role: isPreset(role) ? presetWords[currentPanelRequest().language][role].label : role };
}

/** Permissions of users to sign in to a tenant's panel; a record's id is `<tenant>.<user>`. */
@PanelResource({ panels: 'root', position: 40 })
export class AdministratorsResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly users: UsersService,
  ) {}

  entry(): PanelEntry {
    const { db, users } = this;
    const declared = declareProperties(
      {
        id: { isId: true, type: 'string', sql: `concat(held.tenant_id, '.', held.user_id)` },
        title: { isTitle: true, sql: `concat(person.name, ' – ', tenant.name)` },
        userId: { reference: 'users', required: true, list: true, show: true, form: true, filter: true, sql: 'held.user_id' },
        tenantId: { reference: 'tenants', required: true, list: true, show: true, form: true, filter: true, sql: 'held.tenant_id' },
        role: { list: true, show: true, filter: false, sql: 'held.role' },
        endsAt: { type: 'datetime', show: true, filter: false, sql: 'held.ends_at' },
        suspendedAt: { type: 'datetime', show: true, filter: false, sql: 'held.suspended_at' },
        grantedAt: { type: 'datetime', list: true, show: true, sql: 'held.granted_at' },
      },
      { entity: User, alias: 'person' },
    );
    const reader = entityReader({
      ...declared.reading,
      open: (work) => db.shared(work),
      joins: (query) =>
        query.innerJoin(rightsSql, 'held', 'held.user_id = person.id').innerJoin(Tenant, 'tenant', 'tenant.id = held.tenant_id'),
      sort: { by: 'title', direction: 'asc' },
    });
    const { search: _search, sumOf: _sum, ...reading } = reader;

    const source: PanelSource = {
      id: 'administrators',
      properties: declared.properties,
      ...reading,
      find: async (query) => (await reader.find(query)).map(named),
      findMany: async (ids) => (await reader.findMany(ids)).map(named),
      findOne: async (id) => {
        const row = await reader.findOne(id);
        return row && named(row);
      },
      create: async ({ userId, tenantId }) => {
        const [user, tenant] = await db.shared(async (tx) => [
          await tx.existsBy(User, { id: textOf(userId) }),
          await tx.existsBy(Tenant, { id: textOf(tenantId) }),
        ]);
        if (!user) throw new PanelFieldError({ userId: { message: 'fieldReference' } });
        if (!tenant) throw new PanelFieldError({ tenantId: { message: 'fieldReference' } });
        await users.grant(textOf(userId), { tenantId: textOf(tenantId) });
        return { id: `${textOf(tenantId)}.${textOf(userId)}` };
      },
      remove: async (id) => {
        const [tenantId, userId] = id.split('.');
        if (isUuid(tenantId) && isUuid(userId)) await users.revoke(userId, tenantId);
      },
    };
    return {
      source,
      group: 'server',
      icon: 'UserCheck',
      ...declared.places,
      sort: { by: 'title', direction: 'asc' },
      words: texts.perLanguage('administrators.words', ({ words }) => words),
    };
  }
}
