import { Injectable } from '@nestjs/common';
import { retryOnDeadlock } from '#kernel';
import { commitBehind, inOrder, TenantDb, type Tx } from '#tenancy';
import type { OfferedEvent, OfferedPrice } from './offers.js';
import { RefusedBooking } from './refused-booking.js';
import { leftOf, remainingOf } from './remaining.js';
import { lockMembershipForSql } from '../people/valid-membership.js';
import { eventsWithLapsed, giveBack, lockEvent, quantityOf, releaseLapsed, takeAll, takeLines, total } from './inventory.js';
import type { Lines, TakenEvent } from './inventory.js';
import { demandWithinLimits, heldBy } from './limits.js';
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
   * Refuses a booking early, without locks or writes, when its event is sold out: in a rush most requests end here. `take` decides.
   * @throws RefusedBooking `sold_out`
   */
  async look(tx: Tx, claim: Pick<Claim, 'eventId' | 'lines' | 'passesList'>, { capacity, booked }: OfferedEvent): Promise<void> {
    const wanted = total(claim.lines.admission);
    if (wanted > 0 && booked + wanted > capacity) throw await this.refusal(tx, claim);
  }

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
   * Takes all places of a claim for which `canTakeAtOnce` holds, checks the limits per person, and commits the transaction behind it. Call
   * it last in the transaction; `checkLimits` comes before for a claim that is the only one of its person, whose limits need no reading.
   * @param event as it was read before; a change since then is noticed
   * @param demand sends further statements that fail in the database, behind the lock of the event
   * @throws ChecksNeeded: repeat the transaction with `take`
   */
  async takeAndCommit(tx: Tx, claim: Claim, { maxPerUser }: Pick<OfferedEvent, 'maxPerUser'>, demand?: () => Promise<void>): Promise<void> {
    const taken = takeAll(tx, claim.eventId, claim.lines.admission, maxPerUser);
    const limited = !claim.isOnly && isLimited(claim, maxPerUser) ? demandWithinLimits(tx, claim, maxPerUser) : undefined;
    const demanded = demand?.();
    commitBehind(tx);
    await inOrder(tx, [taken, limited, demanded]);
  }

  /**
   * Checks the limits per person; the event must be locked.
   * @param eventMaximum maximum tickets per person of the event; null: no limit
   * @throws RefusedBooking `limit_per_user`
   */
  async checkLimits(tx: Tx, claim: Claim, eventMaximum: number | null): Promise<void> {
    const maximum = eventMaximum ?? claim.defaultMaximum ?? null;
    if (!isLimited(claim, maximum)) return;
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

  /** Runs `work`, a whole transaction that takes places; when expired holds occupy the places, releases them and repeats it. */
  async retryAfterRelease<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let round = 1; ; round += 1) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof PlacesLapsed)) throw error;
        if (round === maximumRounds) throw error.refusal;
        await this.release(error.eventIds);
      }
    }
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

const isLimited = ({ prices }: Claim, eventMaximum: number | null): boolean =>
  eventMaximum !== null || prices.some(({ maxPerUser }) => maxPerUser !== null);

/** Whether `takeAndCommit` can take the places of a claim. */
export function canTakeAtOnce({ lines, prices }: Pick<Claim, 'lines' | 'prices'>): boolean {
  return lines.goods.size === 0 && prices.every(({ requiredMembershipId }) => requiredMembershipId === null);
}

/** @param held what the person already has. @throws RefusedBooking `limit_per_user` */
function refuseBeyondLimits({ lines, prices }: Claim, eventMaximum: number | null, held: Lines): void {
  if (eventMaximum !== null) refuseBeyond(eventMaximum, total(held.admission), total(lines.admission), 'tickets');
  for (const { id, maxPerUser } of prices)
    if (maxPerUser !== null) refuseBeyond(maxPerUser, quantityOf(held, id), quantityOf(lines, id), 'tickets');
}

function refuseBeyond(maximum: number, held: number, wanted: number, field: string): void {
  if (wanted === 0 || held + wanted <= maximum) return;
  throw new RefusedBooking('limit_per_user', field, { maximum, held, mayBook: Math.max(0, maximum - held) });
}

/** Locks the required memberships until the transaction ends, so that they cannot be cancelled meanwhile. @throws RefusedBooking */
async function checkMembership(tx: Tx, { prices, emailKey, reservationId }: Claim): Promise<void> {
  const required = [...new Set(prices.flatMap(({ requiredMembershipId: id }) => id ?? []))].toSorted();
  for (const productId of required) {
    const rows = await tx.query<unknown[]>(lockMembershipForSql, [productId, emailKey, reservationId ?? null]);
    if (rows.length === 0) throw new RefusedBooking('membership_required', 'tickets');
  }
}
