import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { EventCopiesService, EventsService, type Event, type NewEvent } from '#catalogue';
import { FederationAuditService, NetworksService } from '#places';
import type { TenantIdentity } from '#tenancy';
import type { TestApp } from './test-app.js';

/** The lists of a network's agenda that can contain an event. */
export const networkLists = ['/', '/agenda.ics', '/agenda.rss', '/agenda.json', '/sitemap.xml'];

/** The tenant asks to join the network, and the network accepts. */
export async function joinNetwork(
  test: TestApp,
  network: TenantIdentity,
  tenant: TenantIdentity,
  sentTags: readonly string[] = [],
): Promise<void> {
  const networks = test.app.get(NetworksService);
  await test.inside(tenant, () => networks.ask(network.id, { sentTags }));
  expect(await test.inside(network, () => networks.accept(tenant.id))).toBe(true);
}

/** A published event; default: tomorrow. */
export function publicEvent(test: TestApp, tenant: TenantIdentity, input: Partial<NewEvent> = {}): Promise<Event> {
  const name = `Evening ${randomUUID().slice(0, 8)}`;
  return test.inside(tenant, () => test.app.get(EventsService).create({ name, startsAt: new Date(Date.now() + 86_400_000), ...input }));
}

/** An unpublished copy of an event, a week later. */
export async function copyOf(test: TestApp, tenant: TenantIdentity, { id }: Event): Promise<Event> {
  return (await test.inside(tenant, () => test.app.get(EventCopiesService).copy(id, { step: 'week' }))) as Event;
}

export async function readOn(test: TestApp, tenant: TenantIdentity, path: string, language = 'en'): Promise<string> {
  const { text } = await test.on(tenant).get(path).set('Accept-Language', language).buffer(true).expect(200);
  return text;
}

/** The lists of a network that contain an event. The sitemap contains only its slug. */
export async function listsWith(test: TestApp, network: TenantIdentity, { name, slug }: Pick<Event, 'name' | 'slug'>): Promise<string[]> {
  const texts = await Promise.all(networkLists.map(async (path) => [path, await readOn(test, network, path)] as const));
  return texts.filter(([, text]) => text.includes(name) || text.includes(slug)).map(([path]) => path);
}

/** Differences between the networks' agenda rows and the events of the tenant. */
export const agendaDrifts = async (test: TestApp, tenant: TenantIdentity): Promise<unknown[]> => [
  ...(await test.inside(tenant, () => test.app.get(FederationAuditService).drifts())),
];

/** Waits until a condition holds, for background work. */
export async function eventually(check: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) {
    if (await check()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('It did not come about.');
}
