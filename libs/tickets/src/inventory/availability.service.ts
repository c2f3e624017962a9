import { Injectable } from '@nestjs/common';
import { retryOnDeadlock, UnavailableError } from '#kernel';
import { TenantDb, type Tx } from '#tenancy';
import type { OfferedPrice } from './offers.js';
import { RefusedBooking, type SaleFailure } from './refused-booking.js';
import { leftOf, remainingOf } from './remaining.js';
import { lockMembershipForSql } from '../people/valid-membership.js';
import { eventsWithLapsed, giveBack, lockEvent, quantityOf, releaseLapsed, takeLines, total } from './inventory.js';
import type { Lines, TakenEvent } from './inventory.js';
import { heldBy, limitsOf } from './limits.js';
import { anybodyWaits, isLeftByWaiting, WaitingSignal } from './waiting.js';

/** The places and stock that a reservation needs, and the person it counts for. */
export interface Claim {
  /** A reservation that does not count as held; undefined: all count. */
  readonly reservationId?: string;
  readonly eventId: string;
  readonly emailKey: string;
  /** What the person has otherwise is not looked at, because the buyer is not known yet: it is a draft, or only a typed address. */
  readonly isOnly?: boolean;
  /** Maximum number of tickets per person where the event has none; default: no limit. */
  readonly defaultMaximum?: number | null;
  readonly lines: Lines;
  readonly prices: readonly Pick<OfferedPrice, 'id' | 'maxPerUser' | 'requiredMembershipId'>[];
  /** What the same buyer held and gave back in this transaction: it is not offered to the waiting list in between. */
  readonly givenBack?: Lines;
  /** Staff sell before people who wait. */
  readonly passesList?: boolean | undefined;
}

/** Runs work that reads, in a transaction that has begun or in one of its own. */
export type ReadingIn = <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;

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
   * Takes all places and stock of a claim; on an error the transaction must roll back. Call it last in the transaction, because it locks
   * the event until the commit.
   * @returns the event as read under its lock, because earlier reads may be outdated
   * @throws RefusedBooking `sold_out`, `limit_per_user`, `membership_required`
   */
  async take(tx: Tx, claim: Claim): Promise<TakenEvent> {
    const { eventId, lines, passesList } = claim;
    const event = (await takeLines(tx, eventId, lines, passesList)) ?? (await this.takePastList(tx, claim));
    if (!event) throw await this.refusal(tx, claim);
    await this.checkLimits(tx, claim, event.maximum);
    if (event.taken.length < lines.admission.size + lines.goods.size) throw await this.refusal(tx, claim, event.taken);
    await checkMembership(tx, claim);
    return event;
  }

  /**
   * Checks the limits per person; the event must be locked.
   * @param eventMaximum maximum tickets per person of the event; null: no limit
   * @throws RefusedBooking `limit_per_user`
   */
  async checkLimits(tx: Tx, claim: Claim, eventMaximum: number | null): Promise<void> {
    const maximum = eventMaximum ?? claim.defaultMaximum ?? null;
    if (limitsOf(claim, maximum).length === 0) return;
    const { eventId, emailKey, reservationId, isOnly = false } = claim;
    refuseBeyondLimits(claim, maximum, isOnly ? nothing : await heldBy(tx, eventId, emailKey, reservationId));
  }

  /**
   * Checks the limits per person and locks the memberships that the prices require; the event must be locked.
   * @throws RefusedBooking `limit_per_user`, `membership_required`
   */
  async checkPerson(tx: Tx, claim: Claim, eventMaximum: number | null): Promise<void> {
    await this.checkLimits(tx, claim, eventMaximum);
    await checkMembership(tx, claim);
  }

  /**
   * Takes the places of a claim that a waiting list does not take precedence over.
   * @returns undefined when nobody waits, or the list has precedence
   */
  private async takePastList(tx: Tx, { eventId, lines, givenBack }: Claim): Promise<TakenEvent | undefined> {
    // Without a list, a refusal of a sold-out event must not wait for bookings that hold its lock.
    if (!(await anybodyWaits(tx, eventId))) return undefined;
    await lockEvent(tx, eventId);
    const more = [...lines.admission].flatMap(([id, count]) => (count > (givenBack?.admission.get(id) ?? 0) ? [id] : []));
    const isLeft = await isLeftByWaiting(tx, eventId, more);
    return isLeft ? takeLines(tx, eventId, lines, true) : undefined;
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
    if (maximum !== null && held !== null) return beyondLimit(maximum, held);
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

  private async releaseIn(tx: Tx, eventId: string): Promise<number> {
    const count = await releaseLapsed(tx, eventId);
    if (count > 0) await this.waiting.freed(tx, eventId);
    return count;
  }

  /**
   * The error for a claim that cannot be fulfilled: RefusedBooking when too few places are left, PlacesLapsed when expired holds or a
   * concurrent transaction still occupy enough of them.
   * @param taken prices that this transaction has taken, together with the event's places; the rollback frees them
   */
  private async refusal(
    tx: Tx,
    { eventId, lines, passesList }: Pick<Claim, 'eventId' | 'lines' | 'passesList'>,
    taken?: readonly string[],
  ): Promise<Error> {
    const left = await leftOf(tx, eventId, [...lines.admission.keys(), ...lines.goods.keys()], passesList);
    const places = left.places + (taken ? total(lines.admission) : 0);
    const prices = left.prices.map(({ stock, ...price }) => {
      const wanted = quantityOf(lines, price.priceId);
      const free = stock !== null && taken?.includes(price.priceId) ? stock + wanted : stock;
      return { ...price, stock: free, wanted };
    });
    const remaining = prices.map((price) => ({
      priceId: price.priceId,
      name: price.name,
      remaining: remainingOf(price, places),
    }));
    const refusal = new RefusedBooking('sold_out', 'tickets', { remaining });
    const enough = total(lines.admission) <= places && prices.every(({ stock, wanted }) => stock === null || wanted <= stock);
    return enough ? new PlacesLapsed(await eventsWithLapsed(tx, eventId, [...lines.goods.keys()]), refusal) : refusal;
  }
}

const nothing: Lines = { admission: new Map(), goods: new Map() };

/**
 * Refuses a claim that alone is more than one person may have.
 * @param eventMaximum tickets per person of the event; null: no limit
 * @throws RefusedBooking `limit_per_user`
 */
export function refuseOwnBeyond(claim: Claim, eventMaximum: number | null): void {
  refuseBeyondLimits(claim, eventMaximum ?? claim.defaultMaximum ?? null, nothing);
}

/** @param held what the person already has. @throws RefusedBooking `limit_per_user` */
function refuseBeyondLimits(claim: Claim, eventMaximum: number | null, held: Lines): void {
  for (const { priceId, count, maximum } of limitsOf(claim, eventMaximum)) {
    const has = priceId === null ? total(held.admission) : quantityOf(held, priceId);
    if (has + count > maximum) throw beyondLimit(maximum, has);
  }
}

const beyondLimit = (maximum: number, held: number): RefusedBooking =>
  new RefusedBooking('limit_per_user', 'tickets', { maximum, held, mayBook: Math.max(0, maximum - held) });

/** Locks the required memberships until the transaction ends, so that they cannot be cancelled meanwhile. @throws RefusedBooking */
async function checkMembership(tx: Tx, { prices, emailKey, reservationId }: Claim): Promise<void> {
  const required = [...new Set(prices.flatMap(({ requiredMembershipId: id }) => id ?? []))].toSorted();
  for (const productId of required) {
    const rows = await tx.query<unknown[]>(lockMembershipForSql, [productId, emailKey, reservationId ?? null]);
    if (rows.length === 0) throw new RefusedBooking('membership_required', 'tickets');
  }
}
