import { randomUUID } from 'node:crypto';
import { EventsService, type Event, type NewEvent } from '#catalogue';
import type { TenantIdentity } from '#tenancy';
import type { TestApp } from './test-app.js';

/** A volunteering slot of an event, without a product. */
export function newSlot(test: TestApp, tenant: TenantIdentity, parent: Event, input: Partial<NewEvent> = {}): Promise<Event> {
  const slot = { name: `Bar ${randomUUID().slice(0, 8)}`, startsAt: new Date(Date.now() + 3_600_000), ...input };
  return test.inside(tenant, () => test.app.get(EventsService).create({ category: 'ACT', superEventId: parent.id, ...slot }));
}

/** Ids of the built-in product, which is in no list, and of its price. */
export async function builtIn(test: TestApp, tenant: TenantIdentity): Promise<{ product: string; price: string }> {
  const schema = `"${tenant.schemaName}"`;
  const [found] = await test.database.query<{ product: string; price: string }>(
    `select product.id as product, price.id as price from ${schema}.product join ${schema}.price on product_id = product.id
     where built_in is not null`,
  );
  return found!;
}
