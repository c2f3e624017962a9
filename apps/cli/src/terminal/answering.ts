import { TenantDb, type TenantIdentity } from '#tenancy';
import { say } from './output.js';
import type { Session } from './session.js';

/** The tenants whose database servers answer. Names the others, and sets exit code 1 for them. */
export async function answering(session: Session, tenants: readonly TenantIdentity[]): Promise<TenantIdentity[]> {
  const db = session.service(TenantDb);
  await db.onEachNode(() => db.clock());
  for (const { slug } of tenants.filter((tenant) => !db.answers(tenant))) {
    say(`${slug} is skipped: its database server does not answer`);
    process.exitCode = 1;
  }
  return tenants.filter((tenant) => db.answers(tenant));
}
