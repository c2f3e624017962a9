import type { ReservationFilter } from '#tickets';
import { JsonList, reply, toPage, type Reply } from '#http';
import { toBookingFilter, type ReservationsQuery } from './bookings-query.dto.js';

/** Reads reservations or memberships in parts, and counts them. */
interface Listing<Row> {
  each(
    query: ReservationFilter & { readonly limit?: number; readonly offset?: number },
    take: (some: readonly Row[]) => void,
  ): Promise<void>;
  count(filter: ReservationFilter): Promise<number>;
}

/** A list, or the requested page of it, rendered in parts. Without codes, because lists are not shown to holders. */
export async function listReply<Row, Answer extends object>(
  listing: Listing<Row>,
  query: ReservationsQuery,
  shown: (row: Row) => Answer,
): Promise<Reply<JsonList<Answer>>> {
  const [filter, page] = [toBookingFilter(query), toPage(query)];
  const part = page && { limit: page.take, offset: page.skip };
  const list = new JsonList<Answer>();
  await listing.each({ ...filter, ...part }, (some) => list.add(some.map(shown)));
  const total = page ? await listing.count(filter) : 0;
  return reply(list, { member: 'results', page: { page, total } });
}
