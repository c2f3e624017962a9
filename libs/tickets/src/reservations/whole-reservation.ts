import { Event, Price, Product, Question } from '#catalogue';
import { fromCents, grouped, inOrderOf, toCents } from '#kernel';
import { RowsTogether, type Tx } from '#tenancy';
import { answersBy, type WholeAnswer } from '../answers/answer-rows.js';
import { Payment } from '#payments';
import { Answer } from '../entities/answer.entity.js';
import { CodeUse } from '../entities/code-use.entity.js';
import { Code } from '../entities/code.entity.js';
import { DiscountUse } from '../entities/discount-use.entity.js';
import { Ticket } from '../entities/ticket.entity.js';
import { ReservationOption } from '../entities/reservation-option.entity.js';
import { Reservation } from '../entities/reservation.entity.js';

/** A code that an order uses, and what it saves in all, decimal text. */
export interface UsedCode {
  readonly code: string;
  readonly saved: string;
}

/** A ticket with the discount that reduced it. */
export type ReducedTicket = Ticket & { readonly discount?: DiscountUse | undefined };

/** A discount that an order has, and what it saves in all, decimal text. */
export type UsedDiscount = Pick<DiscountUse, 'name' | 'saved'>;

/** A reservation with its event, tickets, options, payments and answers. */
export type WholeReservation = Reservation & {
  readonly event: Event;
  /** With price and product; in the order in which they were booked. */
  readonly tickets: readonly ReducedTicket[];
  readonly options: readonly ReservationOption[];
  /** The oldest first. */
  readonly payments: readonly Payment[];
  /** Of the reservation and of its tickets, in the order of the questions. */
  readonly answers: readonly WholeAnswer[];
  /** null: it uses none. */
  readonly usedCode: UsedCode | null;
};

/**
 * Events, prices and questions are read once each, because many reservations share them.
 * @param matches SQL: compares an id with the parameter
 */
function tablesOf(matches: string) {
  const ofReservations = `reservation_id ${matches}`;
  const priceIds = `select price_id from ticket where ${ofReservations}`;
  return {
    reservations: { entity: Reservation, where: `id ${matches}` },
    tickets: { entity: Ticket, where: ofReservations, order: 'position, id' },
    options: { entity: ReservationOption, where: ofReservations, order: 'name' },
    payments: { entity: Payment, where: ofReservations, order: 'created_at' },
    answers: { entity: Answer, where: ofReservations },
    questions: { entity: Question, where: `id in (select question_id from answer where ${ofReservations})` },
    events: { entity: Event, where: `id in (select event_id from reservation where reservation.id ${matches})` },
    prices: { entity: Price, where: `id in (${priceIds})` },
    products: { entity: Product, where: `id in (select product_id from price where price.id in (${priceIds}))` },
    ...codeTables(ofReservations),
  };
}

/** The rows that `usedCodeOf` and `withDiscounts` read. @param tickets SQL condition: the tickets of the reservations */
export function codeTables(tickets: string) {
  const uses = `line_id in (select line_id from ticket where ${tickets})`;
  return {
    uses: { entity: CodeUse, where: uses },
    codes: { entity: Code, where: `id in (select code_id from code_use where ${uses})` },
    discounts: { entity: DiscountUse, where: uses },
  };
}

const many = new RowsTogether('reservations-whole', tablesOf('= any($1)'));
// PostgreSQL, which expects ten ids, would find a plan for all executions too expensive and make one for each.
const single = new RowsTogether('reservation-whole', tablesOf('= $1'));

/** Loads reservations with one statement. @returns the existing ones, in the order of `ids` */
export async function loadReservations(tx: Tx, ids: readonly string[]): Promise<WholeReservation[]> {
  if (ids.length === 0) return [];
  const found = await (ids.length === 1 ? single.read(tx, ids) : many.read(tx, [ids]));
  const { reservations, tickets, options, payments, answers, ...shared } = found;
  const events = byId(shared.events);
  const answersOf = answersBy('reservationId', answers, byId(shared.questions));
  withDiscounts(withPrices(tickets, shared.prices, shared.products), shared.discounts);
  const reservationOf = ({ reservationId }: { readonly reservationId: string | null }): string | null => reservationId;
  const ticketsOf = grouped(tickets, reservationOf);
  const optionsOf = grouped(options, reservationOf);
  const paymentsOf = grouped(payments, reservationOf);
  return inOrderOf(ids, reservations).map((reservation) => {
    const { id, eventId } = reservation;
    return Object.assign(reservation, {
      event: events.get(eventId) as Event,
      tickets: ticketsOf.get(id) ?? [],
      options: optionsOf.get(id) ?? [],
      payments: paymentsOf.get(id) ?? [],
      answers: answersOf.get(id) ?? [],
      usedCode: usedCodeOf(ticketsOf.get(id) ?? [], shared),
    });
  });
}

/** What the tickets that are not cancelled use. An order for one event uses one code. @returns null when they use none */
export function usedCodeOf(
  tickets: readonly Pick<Ticket, 'lineId' | 'status'>[],
  { uses, codes }: { readonly uses: readonly CodeUse[]; readonly codes: readonly Code[] },
): UsedCode | null {
  const useOf = new Map(uses.map((use) => [use.lineId, use]));
  const used = tickets.flatMap(({ lineId, status }) => (status === 'R' ? [] : (useOf.get(lineId ?? '') ?? [])));
  const code = codes.find(({ id }) => id === used[0]?.codeId);
  return code ? { code: code.code, saved: fromCents(used.reduce((sum, { saved }) => sum + toCents(saved), 0)) } : null;
}

/** Sets the price of each ticket, and the product of the price. @returns the tickets */
export function withPrices(tickets: readonly Ticket[], prices: readonly Price[], products: readonly Product[]): readonly Ticket[] {
  const [priceOf, productOf] = [byId(prices), byId(products)];
  for (const price of prices) price.product = productOf.get(price.productId) as Product;
  for (const ticket of tickets) ticket.price = priceOf.get(ticket.priceId) as Price;
  return tickets;
}

/** Sets the discount of each ticket that has one. @returns the tickets */
export function withDiscounts(tickets: readonly Ticket[], uses: readonly DiscountUse[]): readonly ReducedTicket[] {
  if (uses.length === 0) return tickets;
  const useOf = new Map(uses.map((use) => [use.lineId, use]));
  return tickets.map((ticket) => Object.assign(ticket, { discount: useOf.get(ticket.lineId ?? '') }));
}

/** The discounts of tickets that are not cancelled, each once. */
export function usedDiscountsOf(tickets: readonly Pick<ReducedTicket, 'status' | 'discount'>[]): UsedDiscount[] {
  const used = tickets.flatMap(({ status, discount }) => (status === 'R' || !discount ? [] : [discount]));
  return [...grouped(used, ({ name }) => name)].map(([name, same]) => ({
    name,
    saved: fromCents(same.reduce((sum, { saved }) => sum + toCents(saved), 0)),
  }));
}

/** Product of the membership that the buyer of a ticket must have, for its price or for its discount; null: none. */
export const membershipOf = ({
  price,
  discount,
}: Pick<ReducedTicket, 'discount'> & { readonly price: Pick<Price, 'requiredMembershipId'> }) =>
  price.requiredMembershipId ?? discount?.membershipId ?? null;

const byId = <Row extends { readonly id: string }>(rows: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [row.id, row]));
