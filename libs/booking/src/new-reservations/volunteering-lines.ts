import { takesVolunteersSql } from '#catalogue';
import { RefusedInput, RefusedInputs } from '#kernel';
import type { Tx } from '#tenancy';
import type { NewReservation, PricedReservation } from './new-reservation.js';

/** A line names no price, and the event takes no volunteers without a product. */
export class MissingPrice extends RefusedInput {
  /** As for an identifier that is no UUID: a line of every other event needs one. */
  override readonly code = 'isUuid';

  constructor(line: number) {
    super(`tickets.${line}.priceId`, {
      en: 'Send the UUID of an offer. Only a volunteering slot for which no ticket is sold is booked without one.',
      fr: "Envoyez l'UUID d'une offre. Seul un créneau de bénévolat pour lequel aucun billet n'est vendu se réserve sans offre.",
    });
  }
}

/**
 * Gives each line that names no price that of the built-in product with which volunteers sign up.
 * @throws RefusedInputs of MissingPrice, one for each such line, when the event is no volunteering slot or none is named
 */
export async function withPrices(tx: Tx, wanted: NewReservation): Promise<PricedReservation> {
  const unpriced = [...wanted.tickets.keys()].filter((line) => wanted.tickets[line]?.priceId === undefined);
  if (unpriced.length === 0) return wanted as PricedReservation;
  const volunteering = wanted.eventId === undefined ? undefined : await volunteeringPrice(tx, wanted.eventId);
  if (volunteering === undefined) throw new RefusedInputs(unpriced.map((line) => new MissingPrice(line)));
  return { ...wanted, tickets: wanted.tickets.map((line) => ({ ...line, priceId: line.priceId ?? volunteering })) };
}

async function volunteeringPrice(tx: Tx, eventId: string): Promise<string | undefined> {
  const [price] = await tx.query<{ id: string }[]>(
    `select price.id from price join product on product.id = price.product_id
     where product.built_in = 'volunteering' and exists (select 1 from event where event.id = $1 and ${takesVolunteersSql('event')})`,
    [eventId],
  );
  return price?.id;
}
