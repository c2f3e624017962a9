import type { Text } from '#kernel';
import { texts } from '../../locales/tenancy.texts.js';

export type CategoryCode = 'S' | 'F' | 'A' | 'P' | 'M' | 'R';

/**
 * Features of a tenant.
 * - `events`: events, addresses, webhooks and the public agenda
 * - `membership`: products of category A, their prices, memberships and their payments
 * - `ticketing`: all other products and prices, sales and options of events, reservations
 * - `scanning`: scanning devices and everything below `/scan/`
 * - `federated-agenda`: the agenda of the server
 * - `server`: the Root panel
 */
export type TenantModule = 'events' | 'membership' | 'ticketing' | 'scanning' | 'federated-agenda' | 'server';

export interface Category {
  readonly label: Text;
  /** One sentence for users who choose a category. */
  readonly description: Text;
  /** Modules of the category. Panel, API, services and pages check them with `hasModule` or `demandModule`. */
  readonly modules: readonly TenantModule[];
}

const sells: readonly TenantModule[] = ['events', 'membership', 'ticketing', 'scanning'];
const gathers: readonly TenantModule[] = ['events', 'membership'];

/** The categories of tenants (specification, "Tenant / place"; decisions 8). */
export const categories: Readonly<Record<CategoryCode, Category>> = {
  S: {
    label: texts.localized('tenantCategories.s.label'),
    description: texts.localized('tenantCategories.s.description'),
    modules: sells,
  },
  F: {
    label: texts.localized('tenantCategories.f.label'),
    description: texts.localized('tenantCategories.f.description'),
    modules: sells,
  },
  A: {
    label: texts.localized('tenantCategories.a.label'),
    description: texts.localized('tenantCategories.a.description'),
    modules: gathers,
  },
  P: {
    label: texts.localized('tenantCategories.p.label'),
    description: texts.localized('tenantCategories.p.description'),
    modules: gathers,
  },
  M: {
    label: texts.localized('tenantCategories.m.label'),
    description: texts.localized('tenantCategories.m.description'),
    modules: ['federated-agenda'],
  },
  R: {
    label: texts.localized('tenantCategories.r.label'),
    description: texts.localized('tenantCategories.r.description'),
    modules: ['server'],
  },
};

/** Whether tenants of a category have one of these modules. */
export function categoryHas(category: CategoryCode, ...modules: readonly TenantModule[]): boolean {
  return modules.some((module) => categories[category].modules.includes(module));
}

export function isCategory(value: string): value is CategoryCode {
  return Object.hasOwn(categories, value);
}
