import type { DemoTenant } from '../basics/demo-tenant.js';
import { demoFestival } from './demo-festival.js';
import { demoProducer } from './demo-producer.js';
import { demoVenue } from './demo-venue.js';

/** The tenants of the demo; the venue is the first one. */
export const demoTenants: readonly [venue: DemoTenant, ...others: DemoTenant[]] = [demoVenue, demoFestival, demoProducer];
