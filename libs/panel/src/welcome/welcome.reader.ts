import { Event, Product } from '#catalogue';
import { NetworkMember, Profile, type TenantWelcomeService } from '#places';
import { ScanningDevice } from '#scan';
import { hasModule, currentTenant, type TenantDb } from '#tenancy';
import { IsNull, Not } from 'typeorm';
import { newHref, recordHref, PANEL_PATH } from '#panel-kit';
export type WelcomeStepName = 'profile' | 'event' | 'scanner' | 'membership';

/** The form for a new event. */
const newEventHref = `${PANEL_PATH}/resources/events/actions/setUp`;

/** One of the first steps of a new tenant. */
export interface WelcomeStep {
  readonly name: WelcomeStepName;
  readonly isDone: boolean;
  readonly href: string;
}

/** Path of the page with the first steps. */
export const welcomePath = `${PANEL_PATH}/welcome`;

/** The first steps of the current tenant; undefined after somebody dismissed them. */
export interface Welcome {
  read(): Promise<readonly WelcomeStep[] | undefined>;
  dismiss(): Promise<void>;
}

/** Reads the first steps for the tenant's category from its data. */
export function welcomeOf(db: TenantDb, welcomes: TenantWelcomeService): Welcome {
  return {
    read: async () => ((await welcomes.isShown()) ? stepsOf(db) : undefined),
    dismiss: () => welcomes.dismiss(),
  };
}

async function stepsOf(db: TenantDb): Promise<WelcomeStep[]> {
  // A separate query, because network memberships are in the shared schema.
  const joins = await db.shared((tx) => tx.existsBy(NetworkMember, { tenantId: currentTenant().id }));
  return db.transaction(async (tx) => {
    const hasProfileTexts = await tx.existsBy(Profile, { longDescription: Not(IsNull()), imprint: Not(IsNull()) });
    const steps: WelcomeStep[] = [{ name: 'profile', isDone: hasProfileTexts, href: recordHref('profile', 'profile', 'edit') }];
    if (hasModule('events')) steps.push({ name: 'event', isDone: await tx.existsBy(Event, { published: true }), href: newEventHref });
    if (hasModule('scanning'))
      steps.push({
        name: 'scanner',
        isDone: await tx.existsBy(ScanningDevice, { claimedAt: Not(IsNull()) }),
        href: newHref('devices', {}),
      });
    else if (hasModule('membership'))
      steps.push({
        name: 'membership',
        isDone: joins || (await tx.existsBy(Product, { category: 'A' })),
        href: newHref('products', {}),
      });
    return steps;
  });
}
