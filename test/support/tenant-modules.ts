import { categories, DeviceKeysService, TenantsService, type CategoryCode, type TenantIdentity, type TenantModule } from '#tenancy';
import type { TestApp } from './test-app.js';

export const codes = Object.keys(categories) as CategoryCode[];

/** Whether a category has one of the modules. */
export const may = (code: CategoryCode, ...modules: readonly TenantModule[]): boolean =>
  modules.some((module) => categories[code].modules.includes(module));

/** Sections of the panel, and the modules that open them. */
export const sections: Readonly<Record<string, readonly TenantModule[]>> = {
  events: ['events'],
  addresses: ['events'],
  'webhook-endpoints': ['events'],
  'webhook-deliveries': ['events'],
  products: ['membership', 'ticketing'],
  prices: ['membership', 'ticketing'],
  memberships: ['membership'],
  payments: ['membership', 'ticketing'],
  refunds: ['membership', 'ticketing'],
  'card-readers': ['membership', 'ticketing'],
  mails: ['membership', 'ticketing'],
  followers: ['events'],
  reservations: ['ticketing'],
  'bank-entries': ['ticketing'],
  'bank-transfers': ['ticketing'],
  customers: ['ticketing'],
  'refund-orders': ['ticketing'],
  tickets: ['ticketing'],
  campaigns: ['ticketing'],
  'tax-receipts': ['ticketing'],
  'waiting-list': ['ticketing'],
  wallets: ['ticketing'],
  devices: ['scanning'],
  'team-codes': ['scanning'],
  'scan-log': ['scanning'],
  'double-entries': ['scanning'],
  gates: ['scanning'],
  'gate-rules': ['scanning'],
};

/** The key of a device that was paired while the tenant had another category. */
export async function formerDevice(test: TestApp, tenant: TenantIdentity): Promise<string> {
  const { schemaName } = tenant;
  const [device] = await test.database.query<{ id: string }>(
    `insert into "${schemaName}".scanning_device (name) values ('Door') returning id`,
  );
  const { id, key, secretHash } = test.app.get(DeviceKeysService).mint();
  await test.database.query(
    `insert into shared.api_key (id, tenant_id, kind, name, secret_hash, device_id) values ($1, $2, 'gdev', 'Door', $3, $4)`,
    [id, tenant.id, secretHash, device!.id],
  );
  return `Api-Key ${key}`;
}

/** Processes cache hosts for a second. */
export async function untilCategory(test: TestApp, tenant: TenantIdentity): Promise<void> {
  for (let round = 0; round < 100; round += 1) {
    if ((await test.app.get(TenantsService).ofHost(tenant.host))?.category === tenant.category) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('The category is still remembered.');
}
