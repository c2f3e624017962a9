import { Product } from '#catalogue';
import { runInTenant, type TenantDb, type TenantIdentity } from '#tenancy';

/**
 * Reads the name of a product in a tenant, most times after a transaction that fails.
 * @param kind selects the statement or the failure before the read
 */
export function readAfterFault(db: TenantDb, tenant: TenantIdentity, id: string, kind: number): Promise<string | undefined> {
  return runInTenant(tenant, async () => {
    switch (kind % 5) {
      case 0:
        return (await db.statement<{ name: string }>({ name: 'twin', text: 'select name from {tenant}.product where id = $1' }, [id]))[0]
          ?.name;
      case 1:
        await db.transaction((tx) => tx.query('select 1 / 0')).catch(() => undefined);
        break;
      case 2:
        // The error is caught inside, so the transaction is aborted although the work succeeds.
        await db.transaction((tx) => tx.query('select nonsense').catch(() => undefined)).catch(() => undefined);
        break;
      case 3:
        await db
          .transaction(async (tx) => {
            await tx.update(Product, { id }, { name: 'rolled back' });
            throw new Error('changed my mind');
          })
          .catch(() => undefined);
        break;
      default:
        break;
    }
    return (await db.transaction((tx) => tx.findOneBy(Product, { id })))?.name;
  });
}
