import { Injectable } from '@nestjs/common';
import { retryOnDeadlock, UnavailableError } from '#kernel';
import { inside, queryTogether, TenantDb, type ReadingIn, type Tx } from '#tenancy';
import { eventsWithLapsed, giveBack, quantityOf, releaseLapsed, total, type Lines } from '../inventory/inventory.js';
import { RefusedBooking, type SaleFailure } from '../inventory/refused-booking.js';
import { leftOf, remainingOf } from '../inventory/remaining.js';
import { WaitingSignal } from '../inventory/waiting.js';
import type { Claim } from './claim.js';
import { takeStatements } from './claim-statement.js';

/** There are enough places once expired holds are released: release them and repeat the transaction. */
class PlacesLapsed extends Error {
  constructor(
    readonly eventIds: readonly string[],
    /** The refusal when repetition does not help. */
    readonly refusal: RefusedBooking,
  ) {
    super('Holds that are over keep places.');
  }
}

/** What the event sells has changed since the sale was planned: plan it anew. */
export class OfferChanged extends Error {
  constructor() {
    super('The offer of the event has changed.');
  }
}

/** Maximum repetitions of a booking whose released places other buyers took first; then it is refused as sold out. */
const maximumRounds = 25;

/** Allocates places and stock, and enforces the limits per person. */
@Injectable()
export class AvailabilityService {
  constructor(
    private readonly db: TenantDb,
    private readonly waiting: WaitingSignal,
  ) {}

  /**
   * Takes all seats and stock of a claim, or checks its person only when it holds them. The event stays locked until the transaction ends,
   * so call it last.
   * @throws RefusedBooking `sold_out`, `limit_per_user`, `membership_required`; nothing is taken then
   */
  async take(tx: Tx, claim: Claim): Promise<void> {
    const [failure] = await queryTogether<SaleFailure & Record<string, unknown>>(tx, takeStatements(claim));
    if (failure) throw await this.errorOf(inside(tx), claim, failure);
  }

  /**
   * Runs `work`, a whole transaction that takes places. Repeats it when the offer has changed, and when expired holds occupy the places,
   * which it releases before.
   * @param work gets the number of its round, from 1 on
   * @throws UnavailableError when the offer changes again and again
   */
  async retryAfterRelease<Result>(work: (round: number) => Promise<Result>): Promise<Result> {
    for (let round = 1; ; round += 1) {
      try {
        return await work(round);
      } catch (error) {
        const lapsed = error instanceof PlacesLapsed ? error : undefined;
        if (!lapsed && !(error instanceof OfferChanged)) throw error;
        if (round === maximumRounds)
          throw lapsed ? lapsed.refusal : new UnavailableError('The offer changes again and again.', { cause: error });
        if (lapsed) await this.release(lapsed.eventIds);
      }
    }
  }

  /**
   * The error for a sale that was not written: RefusedBooking, or one after which `retryAfterRelease` repeats the sale.
   * @param read what is left, when too little is
   */
  async errorOf(read: ReadingIn, claim: Claim, { kind, maximum, held }: SaleFailure): Promise<Error> {
    if (kind === 'offer') return new OfferChanged();
    if (kind === 'membership') return new RefusedBooking('membership_required', 'tickets');
    if (kind === 'code' || kind === 'code_person') return refusedCode(kind, maximum, held);
    if (maximum !== null && held !== null)
      return new RefusedBooking('limit_per_user', 'tickets', { maximum, held, mayBook: Math.max(0, maximum - held) });
    return read((tx) => this.refusal(tx, claim));
  }

  /** Returns places and stock of an event that the transaction has locked, and wakes its waiting list. */
  async giveBack(tx: Tx, eventId: string, lines: Lines): Promise<void> {
    await giveBack(tx, eventId, lines);
    if (lines.admission.size > 0) await this.waiting.freed(tx, eventId);
  }

  /** Releases the expired holds of these events. @returns the number of holds released */
  async release(eventIds: readonly string[]): Promise<number> {
    let released = 0;
    for (const id of eventIds) released += await retryOnDeadlock(() => this.db.transaction((tx) => this.releaseIn(tx, id)));
    return released;
  }

  /** Releases the expired holds that keep places of an event: its own, and those of the dates that share its places. */
  async releaseFor(eventId: string): Promise<void> {
    await this.release(await this.db.transaction((tx) => eventsWithLapsed(tx, eventId, [])));
  }

  private async releaseIn(tx: Tx, eventId: string): Promise<number> {
    const count = await releaseLapsed(tx, eventId);
    if (count > 0) await this.waiting.freed(tx, eventId);
    return count;
  }

  /**
   * The error for a claim that cannot be fulfilled: RefusedBooking when too few seats are left, PlacesLapsed when expired holds or a
   * concurrent transaction still occupy enough of them.
   */
  private async refusal(tx: Tx, { eventId, lines, passesList, ...claim }: Claim): Promise<Error> {
    const { reservationId, codeId, codedSeats = 0 } = claim;
    const code = codeId ? { id: codeId, reservationId } : undefined;
    const left = await leftOf(tx, eventId, [...lines.admission.keys(), ...lines.goods.keys()], passesList, code);
    // The tickets that do not use the code have none of the places that it keeps.
    const closed = Math.max(0, left.kept - codedSeats);
    const remaining = left.prices.map((price) => ({
      priceId: price.priceId,
      name: price.name,
      remaining: remainingOf(price, left.places),
    }));
    const seats = total(lines.admission);
    const isShared = seats > left.places - closed && seats <= left.ownPlaces - closed;
    const refusal = new RefusedBooking('sold_out', 'tickets', { remaining, ...(isShared && { isShared }) });
    const enough =
      seats <= left.places - closed && left.prices.every(({ priceId, stock }) => stock === null || quantityOf(lines, priceId) <= stock);
    return enough ? new PlacesLapsed(await eventsWithLapsed(tx, eventId, [...lines.goods.keys()]), refusal) : refusal;
  }
}

/** A code has too few uses left, or too little of its budget; or its person used it too often. */
function refusedCode(kind: 'code' | 'code_person', maximum: number | null, held: number | null): RefusedBooking {
  const left = maximum === null || held === null ? 0 : Math.max(0, maximum - held);
  return new RefusedBooking(kind === 'code' ? 'code_used_up' : 'code_limit', 'code', { mayBook: left });
}
