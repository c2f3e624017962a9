import { TicketOffersService } from '#holders';
import { TenantDb } from '#tenancy';
import type { TestApp } from './test-app.js';

type Offered = Parameters<TicketOffersService['offer']>;

/** The id of the pending offer of a ticket of the current tenant. */
export async function pendingOfferOf(app: TestApp['app'], ticketId: string): Promise<string | undefined> {
  const [offer] = await app
    .get(TenantDb)
    .transaction((tx) =>
      tx.query<{ id: string }[]>(`select id from ticket_transfer where ticket_id = $1 and state = 'pending'`, [ticketId]),
    );
  return offer?.id;
}

/** Gives a ticket of the current tenant to somebody, who accepts it at once. @returns whether it moved */
export async function giveTicket(app: TestApp['app'], ticket: Offered[0], to: Offered[1]): Promise<boolean> {
  const offers = app.get(TicketOffersService);
  if (!(await offers.offer(ticket, to))) return false;
  const offer = await pendingOfferOf(app, ticket.id);
  return offer !== undefined && offers.accept(offer);
}
