import type { Settings } from '#kernel';
import { categories, Domain, Tenant, User } from '#tenancy';
import type { CategoryCode, Migrator, TenantDb } from '#tenancy';
import { currentPanelRequest, PANEL_PATH, recordHref } from '#panel-kit';
import type { ServerView } from '../start-page/start-page.js';
import { mailsKept } from '../mails/mail-trouble.reader.js';
const NEWEST = 10;

/** Data of the server's start page: number of tenants per category, newest tenants, state of migrations. */
export async function serverFigures(db: TenantDb, migrator: Migrator, settings: Settings): Promise<ServerView> {
  const { language } = currentPanelRequest();
  const { tenants: migrations, shared } = await migrator.status();
  return db.shared(async (tx) => {
    const counted = await tx
      .createQueryBuilder()
      .select('tenant.category', 'category')
      .addSelect('count(*)::int', 'count')
      .from(Tenant, 'tenant')
      .groupBy('tenant.category')
      .getRawMany<{ category: CategoryCode; count: number }>();
    const newest = await tx
      .createQueryBuilder()
      .select('tenant.id', 'id')
      .addSelect('tenant.name', 'name')
      .addSelect('tenant.createdAt', 'createdAt')
      .addSelect(`coalesce(domain.host, '')`, 'host')
      .from(Tenant, 'tenant')
      .leftJoin(Domain, 'domain', 'domain.tenantId = tenant.id and domain.isPrimary')
      .orderBy('tenant.createdAt', 'DESC')
      .limit(NEWEST)
      .getRawMany<{ id: string; name: string; host: string; createdAt: Date }>();
    const list = (resource: string): string => `${PANEL_PATH}/resources/${resource}`;
    return {
      kind: 'server',
      figures: [
        { resource: 'tenants', count: counted.reduce((sum, { count }) => sum + count, 0), href: list('tenants') },
        { resource: 'users', count: await tx.count(User), href: list('users') },
      ],
      categories: Object.entries(categories).map(([code, { label }]) => ({
        label: label[language],
        count: counted.find(({ category }) => category === code)?.count ?? 0,
        href: `${list('tenants')}?filters.category=${code}`,
      })),
      migrations: {
        version: shared.current,
        latest: shared.latest,
        tenants: migrations.total,
        behind: migrations.behind,
      },
      mailFolder: mailsKept(settings)?.folder ?? null,
      newest: newest.map(({ createdAt, ...row }) => ({
        ...row,
        createdAt: createdAt.toISOString(),
        href: recordHref('tenants', row.id),
      })),
    };
  });
}
