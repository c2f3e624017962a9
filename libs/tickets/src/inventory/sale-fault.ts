import type { OfferedPrice } from './offers.js';
import { RefusedBooking } from './refused-booking.js';

/**
 * Why a price is not sold at this time: its sale has not begun, or has ended; undefined: it is sold.
 * @param field that the refusal names
 */
export function saleFault({ sale, salesFrom }: Pick<OfferedPrice, 'sale' | 'salesFrom'>, field: string): RefusedBooking | undefined {
  if (sale === 'ended') return new RefusedBooking('sale_ended', field);
  if (sale === 'upcoming') return new RefusedBooking('sale_not_open', field, { ...(salesFrom && { opensAt: salesFrom }) });
  return undefined;
}
