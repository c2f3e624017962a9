import {
  AvailabilityService,
  loadOffer,
  OffersService,
  SaleWriter,
  total,
  type Offer,
  type PlannedSale,
  type SaleFailure,
  type WantedOffer,
} from '#tickets';
import { databaseNow, RefusedInput, RefusedInputs, retryOnDeadlock, SETTINGS, type Settings } from '#kernel';
import { inside, TenantDb, type ReadingIn, type Tx } from '#tenancy';
import { Inject, Injectable } from '@nestjs/common';
import { RefusedDraft, tooManyHeld } from './draft-refusals.js';

/** A plan that contains what is to be written. */
export interface Planned {
  readonly sale: PlannedSale;
}

/**
 * Plans a sale by an offer, or refuses it.
 * @param now time of the sale on the database's clock
 * @param read what the plan needs beside the offer
 */
export type Planning<Plan extends Planned> = (offer: Offer, now: Date, read: ReadingIn) => Promise<Plan>;

/**
 * The way of every new sale: it is planned by the offer of its event, then written with a condition that the database checks under the lock
 * of the event. `AvailabilityService.retryAfterRelease` repeats a sale whose offer has changed in between.
 */
@Injectable()
export class SalesService {
  /** Reads in a transaction of its own. */
  private readonly apart: ReadingIn = (work) => this.db.transaction(work);

  constructor(
    private readonly db: TenantDb,
    private readonly offers: OffersService,
    private readonly writer: SaleWriter,
    private readonly availability: AvailabilityService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Plans a sale before its transaction.
   * @param recent an offer that was read some seconds ago may do, if it allows the sale
   * @throws RefusedInput on `eventId` when the event does not exist; RefusedBooking `sold_out`; what `planning` throws
   */
  async plan<Plan extends Planned>(wanted: WantedOffer, recent: boolean, planning: Planning<Plan>): Promise<Plan> {
    const plan = recent ? await this.planRecent(wanted, planning) : undefined;
    if (plan) return plan;
    return this.planNow(await this.offers.read(wanted), this.apart, planning);
  }

  /** Like `plan`, in the transaction of the sale. */
  async planIn<Plan extends Planned>(tx: Tx, wanted: WantedOffer, planning: Planning<Plan>): Promise<Plan> {
    return this.planNow(await loadOffer(tx, wanted, this.settings), inside(tx), planning);
  }

  /**
   * Writes a sale in a transaction of its own.
   * @throws RefusedBooking, RefusedDraft, or what `retryAfterRelease` expects; nothing is written then
   */
  async write(sale: PlannedSale): Promise<void> {
    const [failure] = await retryOnDeadlock(() => this.writer.write(sale));
    if (failure) throw await this.errorOf(this.apart, sale, failure);
  }

  /** Like `write`, in a running transaction, which must roll back when it throws. */
  async writeIn(tx: Tx, sale: PlannedSale): Promise<void> {
    const [failure] = await this.writer.writeIn(tx, sale);
    if (failure) throw await this.errorOf(inside(tx), sale, failure);
  }

  /** In a rush for a sold-out event most requests end here, without a lock. */
  private async planNow<Plan extends Planned>(offer: Offer, read: ReadingIn, planning: Planning<Plan>): Promise<Plan> {
    const planned = await planning(offer, offer.now, read);
    if (isFull(planned, offer)) throw await this.errorOf(read, planned.sale, full);
    return planned;
  }

  /** @returns undefined when no offer was read a moment ago, or it does not allow the sale: the offer of now may */
  private async planRecent<Plan extends Planned>(wanted: WantedOffer, planning: Planning<Plan>): Promise<Plan | undefined> {
    const offer = this.offers.recent(wanted);
    if (!offer) return undefined;
    try {
      const plan = await planning(offer, databaseNow(), this.apart);
      return isFull(plan, offer) ? undefined : plan;
    } catch (error) {
      if (error instanceof RefusedInput || error instanceof RefusedInputs) return undefined;
      throw error;
    }
  }

  private async errorOf(read: ReadingIn, { claim, hold }: PlannedSale, failure: SaleFailure): Promise<Error> {
    if (failure.kind === 'queue') return new RefusedDraft(hold?.isRenewed ? 'queue_lapsed' : 'queue_ahead');
    if (failure.kind === 'network') return tooManyHeld(failure.maximum);
    return this.availability.errorOf(read, claim, failure);
  }
}

const full: SaleFailure = { kind: 'places', maximum: null, held: null };

/** Whether the event had too few places when the offer was read. */
function isFull({ sale: { claim } }: Planned, { event: { places }, code }: Offer): boolean {
  const seats = total(claim.lines.admission);
  // The tickets that do not use the code have none of the places that it keeps.
  return seats > 0 && seats > places - Math.max(0, (code?.kept ?? 0) - (claim.codedSeats ?? 0));
}
