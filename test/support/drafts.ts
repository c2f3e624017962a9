import { DraftCompletionService, DraftsService, type CompletedReservation, type DraftLine } from '#selling';
import type { DraftContact } from '#tickets';
import { TenantDb, type TenantIdentity } from '#tenancy';
import { randomUUID } from 'node:crypto';
import type { TestApp } from './test-app.js';

export interface Choosing {
  readonly quantity?: number;
  readonly lines?: readonly DraftLine[];
  readonly options?: readonly string[];
  readonly network?: string;
  readonly site?: string;
}

export type ChosenEvent = { readonly id: string; readonly priceId: string };

export const choice = (event: ChosenEvent, { quantity = 1, lines, options = [] }: Choosing) => ({
  eventId: event.id,
  lines: lines ?? [{ priceId: event.priceId, quantity }],
  options,
});

/** Holds tickets like a buyer on the page of an event. @returns the id of the draft */
export function hold(test: TestApp, tenant: TenantIdentity, event: ChosenEvent, how: Choosing = {}): Promise<string> {
  return test.inside(tenant, () =>
    test.app.get(DraftsService).hold(choice(event, how), { own: how.network ?? randomUUID(), site: how.site ?? null }),
  );
}

/** Chooses other tickets of a draft. */
export function changeHold(test: TestApp, tenant: TenantIdentity, id: string, event: ChosenEvent, how: Choosing): Promise<boolean> {
  return test.inside(tenant, () => test.app.get(DraftsService).change(id, choice(event, how)));
}

/** Sends the contact form of a draft as it is shown now. */
export function complete(
  test: TestApp,
  tenant: TenantIdentity,
  id: string,
  contact: Partial<DraftContact> = {},
): Promise<CompletedReservation | undefined> {
  return test.inside(tenant, async () => {
    const service = test.app.get(DraftCompletionService);
    const found = await service.find(id);
    return service.complete(id, {
      email: `${randomUUID()}@example.org`,
      firstName: 'Ada',
      lastName: 'Martin',
      language: 'en',
      ticketIds: found?.reservation.tickets.map((ticket) => ticket.id) ?? [],
      holders: [],
      answers: new Map(),
      ticketAnswers: [],
      acceptsTerms: undefined,
      ...contact,
    });
  });
}

/** Ends the hold of one draft or reservation. */
export async function endHold(test: TestApp, tenant: TenantIdentity, id: string, ago = '1 second'): Promise<void> {
  await test.inside(tenant, () =>
    test.app
      .get(TenantDb)
      .transaction((tx) => tx.query('update reservation set expires_at = now() - $2::interval where id = $1', [id, ago])),
  );
}
