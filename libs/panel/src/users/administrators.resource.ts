import { isUuid } from '#kernel';
import { Tenant, TenantAdministrator, User, TenantDb, UsersService } from '#tenancy';
import type { PanelEntry, PanelSource, ResourceProvider } from '#panel-kit';
import { PanelFieldError, entityReader, textOf, PanelResource, declareProperties } from '#panel-kit';
import { texts } from '../locales/panel.texts.js';

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
        id: { isId: true, sql: `concat(administrator.tenant_id, '.', administrator.user_id)` },
        title: { isTitle: true, sql: `concat(person.name, ' – ', tenant.name)` },
        userId: { reference: 'users', list: true, show: true, form: true, filter: true },
        tenantId: { reference: 'tenants', list: true, show: true, form: true, filter: true },
        grantedAt: { list: true, show: true },
      },
      { entity: TenantAdministrator, alias: 'administrator' },
    );

    const source: PanelSource = {
      id: 'administrators',
      properties: declared.properties,
      ...entityReader({
        ...declared.reading,
        open: (work) => db.shared(work),
        joins: (query) =>
          query
            .innerJoin(User, 'person', 'person.id = administrator.userId')
            .innerJoin(Tenant, 'tenant', 'tenant.id = administrator.tenantId'),
        sort: { by: 'title', direction: 'asc' },
      }),
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
