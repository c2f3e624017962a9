import { type WholeMembership, MembershipsService, checkNewMembership, type NewMembership } from '#memberships';
import { AvailabilityService, lockEvents, type ShownReservation } from '#tickets';
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { RefusedInput, RefusedInputs, retryOnDeadlock, sumOf, toCents } from '#kernel';
import { GiftCardRedemptionService } from '#gift-cards';
import { placeOrder } from '#orders';
import { demandModule, TenantDb, type Tx } from '#tenancy';
import { AccountOrdersService } from '#transfers';
import { BookingTurnsService } from '../new-reservations/booking-turns.service.js';
import { BookingsService } from '../new-reservations/bookings.service.js';
import { checkNewReservation, type NewReservation } from '../new-reservations/new-reservation.js';

/**
 * What staff sell to one person at once. All of it is paid at the venue, on account, or at a card reader, which `ReaderSalesService` asks
 * then.
 */
export interface CounterSale {
  /** One for each event. */
  readonly reservations: readonly (NewReservation & { readonly eventId: string })[];
  readonly memberships: readonly (NewMembership & Required<Pick<NewMembership, 'paymentMethod'>>)[];
  /** The customer who pays all of it later. */
  readonly customerId?: string | undefined;
}

type SalePart = Exclude<keyof CounterSale, 'customerId'>;

/** What is sold, in the order of the `CounterSale`. */
export interface CounterSold {
  readonly reservations: readonly ShownReservation[];
  readonly memberships: readonly WholeMembership[];
}

/** One part of a sale is refused, and nothing is sold. `cause` is what `BookingsService.book` or `MembershipsService.create` throws. */
export class RefusedSalePart extends Error {
  override readonly name = 'RefusedSalePart';

  constructor(
    readonly part: SalePart,
    readonly index: number,
    override readonly cause: unknown,
  ) {
    super(`${part}.${index}`, { cause });
  }
}

/** Sells tickets for several events, and memberships, at the box office. */
@Injectable()
export class CounterSalesService {
  constructor(
    private readonly db: TenantDb,
    private readonly availability: AvailabilityService,
    private readonly bookings: BookingsService,
    private readonly memberships: MembershipsService,
    private readonly giftCards: GiftCardRedemptionService,
    private readonly turns: BookingTurnsService,
    private readonly accounts: AccountOrdersService,
  ) {}

  /**
   * Sells everything or nothing. Tickets may have the price of members when the membership is part of the sale.
   * @throws RefusedSalePart; Problem 429 `tenant.busy`, 403 `tenant.module`
   */
  async sell(sale: CounterSale): Promise<CounterSold> {
    const { reservations, memberships, customerId } = sale;
    if (reservations.length > 0) demandModule('ticketing');
    if (memberships.length > 0) demandModule('membership');
    // Kept beside the error, because the services below repeat the transaction by the class of its error.
    const place: Place = {};
    try {
      for (const wanted of inTurn(place, 'reservations', reservations)) checkNewReservation(wanted);
      for (const wanted of inTurn(place, 'memberships', memberships)) checkNewMembership(wanted);
      const [only] = reservations;
      // Alone it takes fewer round trips.
      if (only && !only.awaitsReader && reservations.length + memberships.length === 1)
        return { reservations: [await this.bookings.book({ ...only, customerId })], memberships: [] };
      const work = (tx: Tx): Promise<CounterSold> => this.sellIn(tx, sale, place);
      const transaction = () => this.turns.run(() => retryOnDeadlock(() => this.db.transaction(work)));
      return await this.giftCards.sell(() => this.availability.retryAfterRelease(transaction));
    } catch (error) {
      const isRefused = error instanceof RefusedInput || error instanceof RefusedInputs;
      throw place.at && isRefused ? new RefusedSalePart(place.at.part, place.at.index, error) : error;
    }
  }

  /** Memberships come first, because tickets may require them; events are locked before, as for carts, because codes come last. */
  private async sellIn(tx: Tx, { reservations, memberships, customerId }: CounterSale, place: Place): Promise<CounterSold> {
    const orderId = randomUUID();
    const eventIds = [...new Set(reservations.map(({ eventId }) => eventId))];
    if (eventIds.length > 0) await lockEvents(tx, eventIds);
    const made = new Map<CounterSale['memberships'][number], WholeMembership>();
    for (const wanted of inTurn(place, 'memberships', memberships, ({ priceId }) => priceId))
      made.set(wanted, await this.memberships.createIn(tx, { ...wanted, orderId, paysLater: true }, false));
    // Gift cards are locked behind events.
    for (const [{ paymentMethod, giftCard, awaitsReader }, { id, amount }] of made) {
      const method = customerId === undefined ? paymentMethod : undefined;
      if (toCents(amount) > 0 && !awaitsReader) await this.giftCards.payAtVenue(tx, { membershipId: id }, { amount, method, giftCard });
    }
    const booked = new Map<NewReservation, ShownReservation>();
    for (const wanted of inTurn(place, 'reservations', reservations, ({ eventId }) => eventId))
      booked.set(wanted, await this.bookings.bookIn(tx, { ...wanted, orderId, customerId, buying: { eventIds } }));
    await placeOrder(tx, orderId);
    // Nobody owes what is free.
    if (customerId !== undefined && toCents(sumOf([...made.values(), ...booked.values()])) > 0) {
      place.at = undefined;
      await this.accounts.billTo(tx, orderId, customerId);
    }
    return {
      reservations: reservations.flatMap((wanted) => booked.get(wanted) ?? []),
      memberships: memberships.flatMap((wanted) => made.get(wanted) ?? []),
    };
  }
}

/** The part that is worked on. */
interface Place {
  at?: Pick<RefusedSalePart, 'part' | 'index'>;
}

/** The parts of one kind, in the order of what `idOf` returns; `place` follows. */
function* inTurn<Part>(place: Place, part: SalePart, parts: readonly Part[], idOf: (one: Part) => string = () => '') {
  const indexed = parts.map((each, index) => ({ each, index, id: idOf(each) }));
  for (const { each, index } of indexed.toSorted((one, other) => (one.id < other.id ? -1 : one.id > other.id ? 1 : 0))) {
    place.at = { part, index };
    yield each;
  }
}
