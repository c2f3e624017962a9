import { runInTenant, SupportVisitsService, UsersService, type TenantIdentity } from '#tenancy';
import { randomUUID } from 'node:crypto';
import type { TestApp } from './test-app.js';

/** A support visit by an operator, for the list of visits. */
export async function visit(test: TestApp, tenant: TenantIdentity): Promise<void> {
  const { id, email } = await test.app.get(UsersService).create({ email: `${randomUUID()}@example.org`, isSuperUser: true });
  const visits = test.app.get(SupportVisitsService);
  const user = { id, email, name: email, isSuperUser: true, sessionVersion: 0 };
  const address = new URL(await visits.begin(tenant.id, user, 'To look after it'));
  await runInTenant(tenant, () => visits.enter(address.searchParams.get('token') ?? ''));
}
