import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { UsersService, type TenantIdentity } from '#tenancy';
import { PanelClient } from './panel-client.js';
import type { TestApp } from './test-app.js';

/** A member of staff of a tenant, signed in to its panel. */
export async function staffOf(test: TestApp, tenant: TenantIdentity, name = 'Zoé Staff'): Promise<PanelClient> {
  const users = test.app.get(UsersService);
  const { id, email, password } = await users.create({ email: `${randomUUID()}@example.org`, name });
  await users.grant(id, { tenantId: tenant.id });
  const client = new PanelClient(test, tenant);
  expect((await client.signIn(email, password)).status).toBe(303);
  return client;
}
