import type { ReservationFilter } from '#booking';
import { JsonList, reply, toPage, type Reply } from '#http';
import { toBookingFilter, type ReservationsQuery } from './bookings-query.dto.js';

/** Reservations or memberships: handed on some at a time, and counted. */
interface Listing<Row> {
  each(
    query: ReservationFilter & { readonly limit?: number; readonly offset?: number },
    take: (some: readonly Row[]) => void,
  ): Promise<void>;
  count(filter: ReservationFilter): Promise<number>;
}

/** A list, or the page of it that is asked for, put together in parts. Without codes: a list is not shown at the door. */
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
