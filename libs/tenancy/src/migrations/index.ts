import type { Migration } from './migration.js';
import { sharedFoundation } from './shared-001-foundation.js';
import { tenantFoundation } from './tenant-001-foundation.js';
import { tenantCatalogue } from './tenant-002-catalogue.js';
import { tenantBooking } from './tenant-003-booking.js';
import { tenantScanning } from './tenant-004-scanning.js';

export type { Migration } from './migration.js';

/** Steps of the shared schema, in order. */
export const sharedMigrations: readonly Migration[] = [sharedFoundation];

/** Steps of every tenant's schema, in order. */
export const tenantMigrations: readonly Migration[] = [
  tenantFoundation,
  tenantCatalogue,
  tenantBooking,
  tenantScanning,
];

export const latestShared = sharedMigrations.length;
export const latestTenant = tenantMigrations.length;
