import {
  AvailabilityService,
  RefusedBooking,
  awaitsConfirmation,
  awaitsConfirmationSql,
  ReservationChangesService,
  lockEventsOf,
  lockReservation,
  type LockedReservation,
} from '#tickets';
import { retryOnDeadlock } from '#kernel';
import { TenantDb, type Tx } from '#tenancy';
import { Injectable } from '@nestjs/common';

/** A reservation of a cart, by its event. */
export interface PartOfCart {
  readonly id: string;
  readonly event: string;
}

/** Why a link confirmed nothing of a cart. */
export interface RefusedCart {
  /** What cannot be confirmed any more, and why. */
  readonly gone: readonly (PartOfCart & { readonly refusal: RefusedBooking })[];
  /** What can be confirmed without it. */
  readonly left: readonly PartOfCart[];
}

/** Rolls back the transaction of a cart of which parts cannot be confirmed. */
class PartsGone extends Error {
  constructor(
    /** The refusals by the id of the part. */
    readonly refusals: ReadonlyMap<string, RefusedBooking>,
  ) {
    super('Parts of the cart cannot be confirmed any more.');
  }
}

/** Confirms reservations by the link in their mail, and what else belongs to their carts. */
@Injectable()
export class CartVerificationService {
  constructor(
    private readonly db: TenantDb,
    private readonly availability: AvailabilityService,
    private readonly changes: ReservationChangesService,
  ) {}

  /**
   * Like `ReservationChangesService.verify`. The link came from the mailbox of the buyer, so it confirms the other reservations of the same
   * cart and address that await it, too: all or none. When the hold of all of them expired and all are sold, it cancels them. A link that
   * confirmed its own reservation confirms what is left.
   * @param linkVersion version in the link
   * @param without parts of the cart that the buyer gives up, because they cannot be confirmed: they are cancelled, unless they can be now
   * @returns why nothing was confirmed; undefined when everything was, or nothing awaits it
   */
  async verify(id: string, linkVersion: number, without: readonly string[] = []): Promise<RefusedCart | undefined> {
    const parts = await this.db.transaction((tx) => partsOfLink(tx, id, linkVersion));
    const [part] = parts;
    if (!part) return undefined;
    if (parts.length === 1) return this.verifyOnly(part, part.id === id ? linkVersion : undefined);
    const refusals = await this.attempt(id, linkVersion, new Set(without));
    if (!refusals) return undefined;
    const left = parts.filter((one) => !refusals.has(one.id) && !without.includes(one.id));
    const gone = parts.flatMap((one) => {
      const refusal = refusals.get(one.id);
      return refusal === undefined ? [] : [{ ...one, refusal }];
    });
    if (left.length > 0 || gone.some(({ refusal }) => refusal.isPersonal)) return { gone, left };
    await this.attempt(id, linkVersion, new Set(parts.map((one) => one.id)));
    return undefined;
  }

  private async verifyOnly(part: PartOfCart, linkVersion: number | undefined): Promise<RefusedCart | undefined> {
    try {
      await this.changes.verify(part.id, linkVersion);
      return undefined;
    } catch (error) {
      if (error instanceof RefusedBooking && error.isPersonal) return { gone: [{ ...part, refusal: error }], left: [] };
      throw error;
    }
  }

  /** @returns the refusals of those that cannot be confirmed, when nothing was changed */
  private async attempt(
    id: string,
    linkVersion: number,
    without: ReadonlySet<string>,
  ): Promise<ReadonlyMap<string, RefusedBooking> | undefined> {
    const work = (tx: Tx): Promise<void> => this.verifyIn(tx, id, linkVersion, without);
    try {
      await this.availability.retryAfterRelease(() => retryOnDeadlock(() => this.db.transaction(work)));
      return undefined;
    } catch (error) {
      if (error instanceof PartsGone) return error.refusals;
      // Others took the released places again and again.
      if (error instanceof RefusedBooking) return new Map();
      throw error;
    }
  }

  private async verifyIn(tx: Tx, id: string, linkVersion: number, without: ReadonlySet<string>): Promise<void> {
    const refusals = new Map<string, RefusedBooking>();
    for (const reservation of await lockParts(tx, id, linkVersion)) {
      const isGivenUp = without.has(reservation.id);
      if (isGivenUp && reservation.lapsed) await this.changes.cancelIn(tx, reservation, { reason: 'too_late' });
      else {
        // Goes on after a refusal, so that all of them are named: the rollback undoes what was taken.
        await this.changes.verifyIn(tx, reservation).catch(async (error: unknown) => {
          if (!(error instanceof RefusedBooking)) throw error;
          if (isGivenUp && error.isPersonal) await this.changes.cancelIn(tx, reservation, { reason: 'holder' });
          else refusals.set(reservation.id, error);
        });
      }
    }
    if (refusals.size > 0) throw new PartsGone(refusals);
  }
}

/**
 * The reservations that a link confirms: its own, and those of the same cart and address. Its own may be confirmed already when its link
 * was mailed only.
 */
function partsOfLink(tx: Tx, id: string, linkVersion: number): Promise<PartOfCart[]> {
  return tx.query<PartOfCart[]>(
    `select part.id, event.name as event from reservation own
     cross join lateral (
       select own.id union select other.id from reservation other where other.cart_id = own.cart_id and other.email_key = own.email_key
     ) as mine
     join reservation part on part.id = mine.id join event on event.id = part.event_id
     where own.id = $1 and own.link_version = $2 and not own.is_draft and not part.is_draft and ${awaitsConfirmationSql('part')}
       and (${awaitsConfirmationSql('own')} or own.status not in ('R', 'U', 'C') and own.opens_by_mail)
     order by part.id`,
    [id, linkVersion],
  );
}

/** Locks what a link confirms: all events, then the reservations, in the order of all changes. */
async function lockParts(tx: Tx, id: string, linkVersion: number): Promise<LockedReservation[]> {
  const known = await partsOfLink(tx, id, linkVersion);
  const ids = known.map((part) => part.id);
  await lockEventsOf(tx, ids);
  // Again under the locks: an address may have been corrected meanwhile.
  const now = new Set((await partsOfLink(tx, id, linkVersion)).map((part) => part.id));
  const locked: LockedReservation[] = [];
  for (const partId of ids) {
    const reservation = now.has(partId) ? await lockReservation(tx, partId) : undefined;
    if (reservation && awaitsConfirmation(reservation)) locked.push(reservation);
  }
  return locked;
}
