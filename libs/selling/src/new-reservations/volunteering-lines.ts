import { takesVolunteersSql } from '#catalogue';
import { RefusedInput, RefusedInputs } from '#kernel';
import type { Tx } from '#tenancy';
import { hasPrices, type NewReservation, type PricedReservation } from './new-reservation.js';
import { texts } from '../locales/selling.texts.js';

/** A line without a price for an event that is not a volunteering slot bookable without a product. */
export class MissingPrice extends RefusedInput {
  /** The code of a value that is not a UUID, because lines of all other events require one. */
  override readonly code = 'isUuid';

  constructor(line: number) {
    super(`tickets.${line}.priceId`, texts.localized('volunteeringLines.offerRequired'));
  }
}

/**
 * Sets the price of the built-in volunteering product on each line without a price.
 * @throws RefusedInputs of MissingPrice, one per such line, when `eventId` is absent or not a volunteering slot
 */
export async function withPrices(tx: Tx, wanted: NewReservation): Promise<PricedReservation> {
  if (hasPrices(wanted)) return wanted;
  const unpriced = [...wanted.tickets.keys()].filter((line) => wanted.tickets[line]?.priceId === undefined);
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
