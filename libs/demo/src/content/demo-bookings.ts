import { randomUUID } from 'node:crypto';
import { sumOf } from '#kernel';
import { emailKey, isHold } from '#tickets';
import type { Reservation, ReservationStatus, Ticket, TicketStatus } from '#tickets';
import { day, minute } from '../basics/demo-clock.js';
import type { Buyer, DemoPeople, Person } from '../basics/demo-people.js';
import type { DemoRandom } from '../basics/demo-random.js';
import type { DemoDemand } from '../basics/demo-tenant.js';

export interface OfferedPrice {
  readonly id: string;
  readonly amount: string;
  readonly share: number;
  readonly maxPerUser: number | null;
}

/** A stored event with the demo's plan for it. */
export interface StagedEvent {
  readonly id: string;
  readonly startsAt: Date;
  /** Earlier scans are too early; null: no scan is. */
  readonly scanOpensAt: Date | null;
  readonly sold: number;
  readonly maxPerUser: number | null;
  readonly demand: DemoDemand;
  readonly begins: readonly ReservationStatus[];
  /** People on its waiting list. */
  readonly waiting: number;
  readonly prices: readonly OfferedPrice[];
  /** The period in which people arrive. */
  readonly doors: readonly [from: Date, to: Date];
}

export type TicketRow = Omit<
  Ticket,
  'reservation' | 'event' | 'price' | 'signingKey' | 'admission' | 'fulfilledAt' | 'fulfilledBy' | 'fulfilledByName'
>;

/** A reservation with its tickets, ready to be inserted. */
export interface Booking {
  readonly reservation: Omit<Reservation, 'event' | 'tickets' | 'options'>;
  readonly tickets: readonly TicketRow[];
}

/** Data shared by all bookings and scans of a tenant. */
export interface House {
  readonly now: Date;
  readonly signingKeyId: number;
  readonly deviceIds: readonly string[];
  /** Reasons why staff undo scans. */
  readonly undoReasons: readonly string[];
}

type Shares = readonly (readonly [ReservationStatus, number])[];

const paid: Shares = [
  ['V', 70],
  ['PE', 4],
  ['PN', 4],
  ['P', 4],
  ['U', 7],
  ['R', 3],
  ['C', 8],
];
const free: Shares = [
  ['V', 55],
  ['FA', 10],
  ['PE', 3],
  ['PN', 3],
  ['F', 16],
  ['R', 4],
  ['C', 9],
];
const rush: Shares = [
  ['V', 86],
  ['PE', 3],
  ['PN', 3],
  ['P', 2],
  ['U', 2],
  ['C', 4],
];
/** Without holds, which end and leave places free. */
const full: Shares = [
  ['V', 94],
  ['C', 6],
];
const guests: Shares = [
  ['V', 88],
  ['PN', 4],
  ['C', 8],
];

/** States that last minutes: their bookings were made just now. */
const passing = new Set<ReservationStatus>(['P', 'FA', 'R', 'U', 'F']);

/** Transitional states: paid or verified bookings get their tickets immediately. */
const fleeting = new Set<ReservationStatus>(['P', 'FA']);

/** The ticket state that follows from the reservation's state, before any scan (docs/decisions.md, sections 5 and 7). */
const ticketStatusOf: Readonly<Record<ReservationStatus, TicketStatus>> = {
  C: 'R',
  R: 'C',
  U: 'N',
  F: 'N',
  FA: 'K',
  P: 'K',
  PE: 'K',
  PN: 'K',
  V: 'K',
};

/** Last moment of booking before the start, so that every ticket is older than its scan. */
const lastCall = 75 * minute;

/** Creates bookings until the event's planned number of tickets is reached; cancelled ones do not count. */
export function bookEvent(event: StagedEvent, house: House, people: DemoPeople, random: DemoRandom): Booking[] {
  const bookings: Booking[] = [];
  const regulars = event.sold > 40 ? people.someRegulars() : [];
  for (let left = event.sold; left > 0;) {
    const regular = regulars.pop();
    const buyer = regular ?? people.newcomer();
    const customer = { buyer, isRegular: regular !== undefined, index: bookings.length, left };
    const booking = book(event, house, customer, people, random);
    left -= booking.tickets.filter((ticket) => ticket.status !== 'R').length;
    bookings.push(booking);
  }
  return bookings;
}

interface Customer {
  readonly buyer: Buyer;
  readonly isRegular: boolean;
  /** Number of earlier bookings. */
  readonly index: number;
  /** Number of tickets still to create. */
  readonly left: number;
}

function book(event: StagedEvent, house: House, customer: Customer, people: DemoPeople, random: DemoRandom): Booking {
  const { buyer, left } = customer;
  const status = bookingStatus(event, customer.index, house.now, random);
  const createdAt = bookedAt(event, status, house.now, random);
  const size = Math.min(
    random.weighted([
      [1, 28],
      [2, 40],
      [3, 12],
      [4, 14],
      [5, 4],
      [6, 2],
    ]),
    left,
    event.maxPerUser ?? 6,
  );
  const prices = pricesFor(event, size, customer.isRegular, random);
  const reservation: Booking['reservation'] = {
    id: randomUUID(),
    eventId: event.id,
    email: buyer.email,
    emailKey: emailKey(buyer.email),
    firstName: buyer.firstName,
    lastName: buyer.lastName,
    status,
    language: random.chance(0.15) ? null : buyer.language,
    amount: sumOf(prices),
    origin: isHold(status) ? 'page' : 'panel',
    byUserId: null,
    byKeyId: null,
    ...marks(status, createdAt, house.now),
    isDraft: false,
    cartId: null,
    network: null,
    networkSite: null,
    termsAcceptedAt: null,
    payAtVenue: false,
    confirmation: 'link',
    payUntil: null,
    completedAt: isHold(status) ? createdAt : null,
    opensByMail: false,
    linkVersion: 0,
    sequence: 0,
    createdAt,
  };
  const party: Person[] = [buyer, ...Array.from({ length: size - 1 }, () => people.companionOf(buyer))];
  const tickets = party.map(({ firstName, lastName }, index): TicketRow => {
    const { id: priceId, amount } = prices[index] as OfferedPrice;
    return {
      id: randomUUID(),
      // A task writes the orders.
      lineId: null,
      reservationId: reservation.id,
      eventId: event.id,
      priceId,
      amount,
      vatRate: null,
      firstName,
      lastName,
      seat: 'L',
      status: ticketStatusOf[status],
      signingKeyId: house.signingKeyId,
      codeVersion: 0,
      holderEmail: null,
      holderKey: null,
      renames: 0,
      renamedSince: null,
      scannedAt: null,
      scannedBy: null,
      gateId: null,
      leftAt: null,
      cancelledAt: null,
      withdrawnAt: null,
      sequence: 0,
      position: index,
      createdAt: reservation.createdAt,
    };
  });
  giveOneBack(tickets, random, reservation.confirmedAt);
  enter(tickets, event, house, random);
  return { reservation, tickets };
}

type Marks = Pick<Reservation, 'expiresAt' | 'releasedAt' | 'confirmedAt' | 'cancelledAt' | 'cancelReason'>;

/** Times that follow from a reservation's state: end of the hold, confirmation or cancellation. */
function marks(status: ReservationStatus, createdAt: Date, now: Date): Marks {
  const none = { expiresAt: null, releasedAt: null, confirmedAt: null, cancelledAt: null, cancelReason: null };
  const soon = new Date(Math.min(now.getTime(), createdAt.getTime() + 2 * minute));
  // Paid at the desk, and cancelled a little later.
  const later = new Date(Math.min(now.getTime(), soon.getTime() + 90 * minute));
  if (status === 'C') return { ...none, confirmedAt: soon, cancelledAt: later, cancelReason: 'staff' };
  if (!isHold(status)) return { ...none, confirmedAt: soon };
  const expiresAt = new Date(createdAt.getTime() + 15 * minute);
  return { ...none, expiresAt, releasedAt: expiresAt < now ? expiresAt : null };
}

function bookingStatus(event: StagedEvent, index: number, now: Date, random: DemoRandom): ReservationStatus {
  const costsNothing = event.prices.every((price) => Number(price.amount) === 0);
  const shares = { usual: costsNothing ? free : paid, rush, guests, full }[event.demand];
  const status = event.begins[index] ?? random.weighted(shares);
  // Shortly before the start all tickets have been sent.
  return fleeting.has(status) && lastMoment(event, now) < now ? 'V' : status;
}

/** Most people book late. Some abandoned checkouts are recent, others are old. */
function bookedAt(event: StagedEvent, status: ReservationStatus, now: Date, random: DemoRandom): Date {
  const latest = lastMoment(event, now);
  const isPassing = passing.has(status) && (fleeting.has(status) || random.chance(0.5));
  const before = isPassing ? random.whole(20_000, 12 * minute) : Math.round(random.next() ** 1.8 * 30 * day) + minute;
  return new Date(latest.getTime() - before);
}

function lastMoment(event: StagedEvent, now: Date): Date {
  return new Date(Math.min(now.getTime(), event.startsAt.getTime() - lastCall));
}

/** A price for each ticket. Respects maximums per person, and skips prices with a maximum for people who come repeatedly. */
function pricesFor(event: StagedEvent, size: number, isRegular: boolean, random: DemoRandom): OfferedPrice[] {
  const chosen: OfferedPrice[] = [];
  while (chosen.length < size) {
    const open = event.prices.filter(
      ({ id, maxPerUser }) => maxPerUser === null || (!isRegular && chosen.filter((price) => price.id === id).length < maxPerUser),
    );
    const offered = open.length > 0 ? open : event.prices;
    chosen.push(random.weighted(offered.map((price) => [price, price.share])));
  }
  return chosen;
}

/** Sometimes cancels one ticket of a group. */
function giveOneBack(tickets: TicketRow[], random: DemoRandom, cancelledAt: Date | null): void {
  const last = tickets.at(-1) as TicketRow;
  if (random.chance(0.06) && tickets.length > 2 && last.status === 'K') Object.assign(last, { status: 'R', cancelledAt });
}

/** The group arrives together and is scanned at one entrance, a few seconds apart; sometimes a part of it, or nobody, comes. */
function enter(tickets: readonly TicketRow[], event: StagedEvent, { now, deviceIds }: House, random: DemoRandom): void {
  const [from, to] = event.doors;
  // The mean of two random numbers: most people arrive in the middle of the period.
  let arrival = from.getTime() + ((random.next() + random.next()) / 2) * (to.getTime() - from.getTime());
  const partyComes = random.chance(0.92);
  const deviceId = deviceIds.length > 0 ? random.pick(deviceIds) : null;
  for (const ticket of tickets) {
    arrival += random.whole(3000, 14_000);
    const comes = random.chance(0.97) && partyComes;
    if (!comes || ticket.status !== 'K' || deviceId === null || arrival > now.getTime()) continue;
    ticket.status = 'S';
    ticket.scannedAt = new Date(Math.round(arrival));
    ticket.scannedBy = deviceId;
  }
}
