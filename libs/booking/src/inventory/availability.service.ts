import { Injectable } from '@nestjs/common';
import { retryOnDeadlock } from '#kernel';
import { TenantDb, type Tx } from '#tenancy';
import type { OfferedEvent, OfferedPrice } from './offers.js';
import { RefusedBooking } from './refused-booking.js';
import { leftOf, remainingOf } from './remaining.js';
import { lockValidMembershipSql } from '../valid-membership.js';
import { eventsWithLapsed, heldBy, releaseLapsed, takeLines, total } from './inventory.js';
import type { Lines, TakenEvent } from './inventory.js';

/** What a reservation asks for. */
export interface Claim {
  readonly reservationId: string;
  readonly eventId: string;
  readonly emailKey: string;
  readonly lines: Lines;
  readonly prices: readonly Pick<OfferedPrice, 'id' | 'maxPerUser' | 'requiredMembershipId'>[];
}

/** There would be places if the holds that are over were given back: do that, and book again. */
class PlacesLapsed extends Error {
  constructor(
    readonly eventIds: readonly string[],
    /** What to say when it cannot be done after all. */
    readonly refusal: RefusedBooking,
  ) {
    super('Holds that are over keep places.');
  }
}

/** A buyer may find the places that were freed for them taken by the next one; after so many times in a row they are sold out. */
const maximumRounds = 25;

/** Decides who gets what is scarce. */
@Injectable()
export class AvailabilityService {
  constructor(private readonly db: TenantDb) {}

  /**
   * Refuses what cannot be had at this moment, before anything is written: in a rush that is what most are told. Decides nothing else.
   * @throws RefusedBooking `sold_out`
   */
  async look(tx: Tx, claim: Pick<Claim, 'eventId' | 'lines'>, { capacity, booked }: OfferedEvent): Promise<void> {
    const wanted = total(claim.lines.admission);
    if (wanted > 0 && booked + wanted > capacity) throw await this.refusal(tx, claim);
  }

  /**
   * Takes everything a reservation asks for; what it throws rolls all of it back. Called last in its transaction: from here to the commit
   * the event is locked.
   * @returns the event as it stands under its lock: what was read of it before may have changed
   * @throws RefusedBooking `sold_out`, `limit_per_user`, `membership_required`
   */
  async take(tx: Tx, claim: Claim): Promise<TakenEvent> {
    const { eventId, lines } = claim;
    const event = await takeLines(tx, eventId, lines);
    if (!event) throw await this.refusal(tx, claim);
    await this.checkLimits(tx, claim, event.maximum);
    if (event.taken.length < lines.admission.size + lines.goods.size) throw await this.refusal(tx, claim, event.taken);
    await checkMembership(tx, claim);
    return event;
  }

  /**
   * Of a hold that is over and still has its places: whether the person may keep them. Under the event's lock.
   * @param eventMaximum how many tickets of the event one person may have; null: any number
   */
  async checkLimits(tx: Tx, claim: Claim, eventMaximum: number | null): Promise<void> {
    const { eventId, lines, prices } = claim;
    const limited = prices.filter(({ maxPerUser }) => maxPerUser !== null);
    if (eventMaximum === null && limited.length === 0) return;
    const held = await heldBy(tx, eventId, claim.emailKey, claim.reservationId);
    if (eventMaximum !== null) refuseBeyond(eventMaximum, total(held.admission), total(lines.admission), 'tickets');
    for (const { id, maxPerUser } of limited) refuseBeyond(maxPerUser as number, quantityOf(held, id), quantityOf(lines, id), 'tickets');
  }

  /** Does work that takes places, a whole transaction; where holds that are over are in its way, again without them. */
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

  /** Gives back what holds of these events keep although they are over. */
  async release(eventIds: readonly string[]): Promise<number> {
    let released = 0;
    for (const id of eventIds) released += await retryOnDeadlock(() => this.db.transaction((tx) => releaseLapsed(tx, id)));
    return released;
  }

  /**
   * Why a claim cannot be had: places are gone, or holds that are over, or somebody just now, keep what would be enough.
   * @param taken prices that this transaction has taken, with the places of the event; they are left as soon as it is rolled back
   */
  private async refusal(tx: Tx, { eventId, lines }: Pick<Claim, 'eventId' | 'lines'>, taken?: readonly string[]): Promise<Error> {
    const left = await leftOf(tx, eventId, [...lines.admission.keys(), ...lines.goods.keys()]);
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

function quantityOf({ admission, goods }: Lines, priceId: string): number {
  return (admission.get(priceId) ?? 0) + (goods.get(priceId) ?? 0);
}

function refuseBeyond(maximum: number, held: number, wanted: number, field: string): void {
  if (wanted === 0 || held + wanted <= maximum) return;
  throw new RefusedBooking('limit_per_user', field, { mayBook: Math.max(0, maximum - held) });
}

/** The membership is locked until the end, so that it is not cancelled in between. @throws RefusedBooking */
async function checkMembership(tx: Tx, { prices, emailKey }: Claim): Promise<void> {
  const required = [...new Set(prices.flatMap(({ requiredMembershipId: id }) => id ?? []))].toSorted();
  for (const productId of required) {
    const rows = await tx.query<unknown[]>(lockValidMembershipSql, [productId, emailKey]);
    if (rows.length === 0) throw new RefusedBooking('membership_required', 'tickets');
  }
}
