import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { EventsService } from '#catalogue';
import type { TenantIdentity } from '#tenancy';
import { WebhookEndpointsService } from '#webhooks';
import type { TestApp } from './test-app.js';
import { until } from './until.js';
import type { WebhookReceiver } from './webhook-receiver.js';
import { newReceiver } from './webhooks.js';

export interface Delivery {
  readonly status: string;
  readonly attempts: number;
  readonly failures: number;
  readonly last_status: number | null;
  readonly last_failure: string | null;
  /** Seconds from the last attempt to the next. */
  readonly pause: number | null;
}

/** A receiver's behaviour: it answers with this status. */
export const status =
  (code: number, headers: Record<string, string> = {}) =>
  (_request: unknown, response: ServerResponse): void => {
    response.writeHead(code, headers).end('no');
  };

/** Receivers of a tenant's webhooks and the deliveries to them. @param now the tenant at the time of the call */
export function webhookAttempts(now: () => { readonly test: TestApp; readonly tenant: TenantIdentity }) {
  /** Receivers to stop after the test. */
  const receivers: WebhookReceiver[] = [];

  async function receiving(): ReturnType<typeof newReceiver> {
    const made = await newReceiver(now().test, now().tenant);
    receivers.push(made.receiver);
    return made;
  }

  async function stopReceivers(): Promise<void> {
    for (const receiver of receivers.splice(0)) await receiver.stop();
  }

  /** Creates an object, which publishes a webhook event. */
  function happen(): Promise<{ id: string }> {
    const { test, tenant } = now();
    const startsAt = new Date(Date.now() + 3_600_000);
    return test.inside(tenant, () => test.app.get(EventsService).create({ name: `Concert ${randomUUID()}`, startsAt }));
  }

  function deliveries(): Promise<Delivery[]> {
    const { test, tenant } = now();
    return test.database.query<Delivery & Record<string, unknown>>(
      `select d.status, d.attempts, d.failures, d.last_status, d.last_failure,
       extract(epoch from d.next_attempt_at - d.last_attempt_at)::float8 as pause
       from "${tenant.schemaName}".webhook_delivery d join "${tenant.schemaName}".webhook_event v on v.id = d.event_id order by v.position`,
    );
  }

  /** Waits until the only delivery has had this number of attempts. */
  async function attempted(times: number): Promise<Delivery> {
    const [delivery] = await until(deliveries, ([first]) => first?.attempts === times);
    return delivery as Delivery;
  }

  async function endpointState(id: string): Promise<Record<string, unknown>> {
    const { test, tenant } = now();
    const endpoint = await test.inside(tenant, () => test.app.get(WebhookEndpointsService).get(id));
    return { ...endpoint };
  }

  return { receivers, receiving, stopReceivers, happen, deliveries, attempted, endpointState };
}
