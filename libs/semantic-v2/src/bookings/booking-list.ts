import type { ReservationFilter } from '#booking';
import { JsonList, showListValidators, showPages, toPage } from '#http';
import type { Request, Response } from 'express';
import { toBookingFilter, type ReservationsQuery } from './bookings-query.dto.js';

/** Reservations or memberships: handed on some at a time, and counted. */
interface Listing<Row> {
  each(
    query: ReservationFilter & { readonly limit?: number; readonly offset?: number },
    take: (some: readonly Row[]) => void,
  ): Promise<void>;
  count(filter: ReservationFilter): Promise<number>;
}

/** Answers a list, or the page of it that is asked for, put together in parts. Without codes: who lists thousands does not let them in. */
export async function answerList<Row>(
  listing: Listing<Row>,
  query: ReservationsQuery,
  shown: (row: Row) => object,
  request: Request,
  response: Response,
): Promise<string> {
  const [filter, page] = [toBookingFilter(query), toPage(query)];
  const part = page && { limit: page.take, offset: page.skip };
  const list = new JsonList();
  await listing.each({ ...filter, ...part }, (some) => list.add(some.map(shown)));
  if (page) showPages(request, response, page, await listing.count(filter));
  showListValidators(response, list);
  return list.answer(response, 'results');
}
