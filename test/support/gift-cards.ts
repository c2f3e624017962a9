import { GiftCardPaymentsService } from '#payments';
import { runInTenant, TenantDb, type TenantIdentity } from '#tenancy';
import type { TestApp } from './test-app.js';

/** Reserves a part of a card for a reservation, as a checkout does. */
export const reserveCard = (test: TestApp, tenant: TenantIdentity, reservationId: string, card: string, amount: string): Promise<void> =>
  runInTenant(tenant, () =>
    test.app
      .get(TenantDb)
      .transaction((tx) => test.app.get(GiftCardPaymentsService).record(tx, { subject: { reservationId }, amount }, card, 'pending')),
  );
