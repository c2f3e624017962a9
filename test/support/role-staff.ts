import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { GrantsService, runInTenant, UsersService, type NewGrant, type TenantIdentity } from '#tenancy';
import { PanelClient } from './panel-client.js';
import type { TestApp } from './test-app.js';

/** A person with a right in a tenant's panel, signed in. */
export interface RoleStaff {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly client: PanelClient;
}

/** Gives a new person a right and signs the person in. */
export async function staffWith(test: TestApp, tenant: TenantIdentity, grant: NewGrant): Promise<RoleStaff> {
  const { id, email, password } = await test.app.get(UsersService).create({ email: `${randomUUID()}@staff.example`, name: 'Role' });
  await giveRight(test, tenant, id, grant);
  const client = new PanelClient(test, tenant);
  expect((await client.signIn(email, password)).status).toBe(303);
  return { id, email, password, client };
}

export const giveRight = (test: TestApp, tenant: TenantIdentity, id: string, grant: NewGrant): Promise<void> =>
  runInTenant(tenant, () => test.app.get(GrantsService).set(id, grant));
