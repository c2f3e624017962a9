import { ApiKeysService, type Scope, type TenantIdentity } from '#tenancy';
import { WebhookEndpointsService } from '#webhooks';
import type { TestApp } from './test-app.js';
import { WebhookReceiver } from './webhook-receiver.js';

/** The setting that allows webhooks to receivers on loopback. */
export const loopbackAllowed = { OUTBOUND_ALLOW: '127.0.0.0/8' };

/** Scopes that a key needs besides `webhook` to get complete payloads. */
export const personalScopes = ['reservation:read', 'ticket:read', 'membership:read'] as const;

/** `Authorization` of an integration key with these scopes. */
export async function newKey(test: TestApp, tenant: TenantIdentity, ...scopes: Scope[]): Promise<string> {
  const { key } = await test.inside(tenant, () => test.app.get(ApiKeysService).createIntegrationKey({ name: 'Test', scopes }));
  return `Api-Key ${key}`;
}

/** A receiver with its endpoint. */
export async function newReceiver(
  test: TestApp,
  tenant: TenantIdentity,
  types: readonly string[] = ['*'],
): Promise<{ receiver: WebhookReceiver; endpointId: string; secret: string }> {
  const receiver = await WebhookReceiver.start();
  const { endpoint, secret } = await test.inside(tenant, () => test.app.get(WebhookEndpointsService).create({ url: receiver.url, types }));
  receiver.secret = secret;
  return { receiver, endpointId: endpoint.id, secret };
}

/**
 * Moves all times of a tenant's webhooks into the past, except those of the events, so that bodies stay the same.
 */
export async function letPass(test: TestApp, tenant: TenantIdentity, interval: string): Promise<void> {
  await test.database.query(
    `begin; set local search_path to "${tenant.schemaName}";
     update webhook_delivery set created_at = created_at - interval '${interval}',
     next_attempt_at = next_attempt_at - interval '${interval}',
       last_attempt_at = last_attempt_at - interval '${interval}';
     update webhook_endpoint set failing_since = failing_since - interval '${interval}',
     paused_until = paused_until - interval '${interval}',
       previous_secret_expires_at = previous_secret_expires_at - interval '${interval}',
       last_success_at = last_success_at - interval '${interval}';
     update shared.webhook_queue set due_at = due_at - interval '${interval}' where tenant_id = '${tenant.id}';
     commit`,
  );
}
