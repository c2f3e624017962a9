import type { TenantIdentity } from '#tenancy';
import { expect } from '@jest/globals';
import type { PanelClient } from './panel-client.js';
import { staffOf } from './panel-staff.js';
import type { TestApp } from './test-app.js';
import type { WebhookReceiver } from './webhook-receiver.js';
import { newReceiver } from './webhooks.js';

export const endpoints = 'webhook-endpoints';
export const deliveries = 'webhook-deliveries';

/** A member of staff who is signed in to the panel of a place. */
export interface Staff extends PanelClient {
  readonly place: TenantIdentity;
}

/** The values that the page of a record shows. */
export async function params(staff: Staff, resource: string, id: string): Promise<Record<string, unknown>> {
  return (await staff.look(resource, id)).record!.params;
}

/** Sends a test through the panel. @returns the id of its delivery */
export async function ping(staff: Staff, endpointId: string): Promise<string> {
  const { redirectUrl, notice } = await staff.act(endpoints, endpointId, 'ping');
  expect(notice).toMatchObject({ type: 'success', message: 'pinged' });
  return /^\/admin\/resources\/webhook-deliveries\/records\/([\w-]{36})\/show$/.exec(redirectUrl!)![1]!;
}

/** Places with staff and receivers of webhooks. @param now the application at the time of the call */
export function webhookStaff(now: () => TestApp) {
  /** Receivers to stop after the test. */
  const receivers: WebhookReceiver[] = [];

  /** A new place, or this one, with an administrator who is signed in. */
  async function newStaff(place?: TenantIdentity): Promise<Staff> {
    const tenant = place ?? (await now().newTenant());
    return Object.assign(await staffOf(now(), tenant, 'Staff'), { place: tenant });
  }

  async function receiving(staff: Staff, types?: readonly string[]): ReturnType<typeof newReceiver> {
    const made = await newReceiver(now(), staff.place, types);
    receivers.push(made.receiver);
    return made;
  }

  async function stopReceivers(): Promise<void> {
    for (const receiver of receivers.splice(0)) await receiver.stop();
  }

  return { receivers, newStaff, receiving, stopReceivers };
}
