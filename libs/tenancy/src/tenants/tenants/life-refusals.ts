import { RefusedInput, type Text } from '#kernel';
import { categories, type CategoryCode } from '../../database/context/tenant-categories.js';
import type { CountedHolding } from './tenant-holdings.js';
import type { TenantState } from '../../database/context/tenant-states.js';
import { texts } from '../../locales/tenancy.texts.js';

/** Displayed names of states. */
export const stateNames: Readonly<Record<TenantState, Text>> = {
  active: texts.localized('lifeRefusals.stateNames.active'),
  suspended: texts.localized('lifeRefusals.stateNames.suspended'),
  archived: texts.localized('lifeRefusals.stateNames.archived'),
  deleting: texts.localized('lifeRefusals.stateNames.deleting'),
};

/** The tenant has data that its new category does not allow. */
export class CategoryRefused extends RefusedInput {
  constructor(
    readonly obstacles: readonly CountedHolding[],
    from: CategoryCode,
    to: CategoryCode,
  ) {
    const list = obstacles.map(({ name, count }) => `${name}: ${count}`).join(', ');
    super('category', texts.localized('lifeRefusals.category', { from, to, list, label: categories[to].label }));
  }
}

export const lifeRefusals = {
  noTenant: () => new RefusedInput('tenant', texts.localized('lifeRefusals.unknownTenant')),
  installation: () => new RefusedInput('tenant', texts.localized('lifeRefusals.partOfInstallation')),
  state: (state: TenantState) => new RefusedInput('state', texts.localized('lifeRefusals.state', { state: stateNames[state] })),
  busy: () => new RefusedInput('state', texts.localized('lifeRefusals.busy')),
  noReason: () => new RefusedInput('reason', texts.localized('lifeRefusals.reasonMissing')),
  wrongSlug: (slug: string) => new RefusedInput('confirmation', texts.localized('lifeRefusals.confirmationMissing', { slug })),
  onlyRoot: () => new RefusedInput('category', texts.localized('lifeRefusals.rootExists')),
  unknownCategory: () => new RefusedInput('category', texts.localized('lifeRefusals.categoryInvalid')),
  migrating: () => new RefusedInput('category', texts.localized('lifeRefusals.migrating')),
} as const;
