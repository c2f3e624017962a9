import {
  AvailabilityService,
  claimOf,
  claimOfStranger,
  enter,
  expiryJob,
  isSameMailbox,
  isSignedIn,
  linkMinutes,
  loadReservations,
  lockAddress,
  lockEventsOf,
  lockReservation,
  mostConfirmationMails,
  mostUnpaidOf,
  moveTickets,
  MailsService,
  ReservationChangesService,
  ReservationPublisherService,
  type LockedReservation,
  type WholeReservation,
} from '#tickets';
import { costsNothing, databaseNow, retryOnDeadlock, SETTINGS, type Settings } from '#kernel';
import { JobsService } from '#jobs';
import { donationAmong, type OwnKind, ownLinesOf, takeBackAll } from '#orders';
import { PaymentsService } from '#payments';
import { TenantDb, type Tx } from '#tenancy';
import { Inject, Injectable } from '@nestjs/common';
import { membershipsOfCart, type CartContents } from '../carts/ordered-cart.js';
import { buyerFacts, isForMembers, isNeverConfirmed, type BuyerFacts } from '../drafts/completed-state.js';
import { payAtVenueUntil } from '../drafts/payment-ways.js';
import { refuseUnconfirmed } from '../drafts/unconfirmed-orders.js';

/** Something of an order that cannot be paid at the venue, and why. */
export interface OnlineOnly {
  /** Of the event, the membership or what else it is. */
  readonly name: string;
  /** `event`: it begins too soon. */
  readonly what: 'event' | 'membership' | OwnKind;
}

/** An order as far as its way to pay is concerned. */
type Payable = Pick<CartContents, 'parts'> & Partial<Pick<CartContents, 'memberships' | 'own'>>;

/** Whether the buyer is known to own the address, is asked to confirm it, or cannot be asked. */
type Standing = 'trusted' | 'asked' | 'atOnce';

/** A reservation whose way to pay changes. */
interface Changing {
  readonly locked: LockedReservation;
  readonly whole: WholeReservation;
  readonly facts: BuyerFacts;
}

/**
 * Changes orders that are to be paid online into orders that are paid at the venue, where the venue allows it. What is free in them is
 * booked like a free order.
 */
@Injectable()
export class VenueInsteadService {
  constructor(
    private readonly db: TenantDb,
    private readonly availability: AvailabilityService,
    private readonly changes: ReservationChangesService,
    private readonly publisher: ReservationPublisherService,
    private readonly payments: PaymentsService,
    private readonly mails: MailsService,
    private readonly jobs: JobsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * What keeps an order from being paid at the venue instead, as of now.
   * @returns empty: it can be; undefined: nothing of it is paid at the venue at all
   */
  async onlineOnly({ parts, memberships = [], own = [] }: Payable): Promise<readonly OnlineOnly[] | undefined> {
    const open = parts.filter(({ status }) => status !== 'C');
    if (open.length === 0 || !open.every(canChange)) return undefined;
    const costly = open.filter(isCostly);
    const tooSoon = await this.db.transaction(async (tx) => {
      const found: WholeReservation[] = [];
      for (const part of costly) if ((await payAtVenueUntil(tx, [part.eventId])) === undefined) found.push(part);
      return found;
    });
    const isAsked = costly.length > 0 ? tooSoon.length < costly.length : donationAmong(own) !== undefined && memberships.length === 0;
    if (!isAsked) return undefined;
    return [
      ...tooSoon.map(({ event: { name } }) => ({ name, what: 'event' }) as const),
      ...memberships.map(({ product: { name } }) => ({ name, what: 'membership' }) as const),
      // The donation, which can be given up, is named last.
      ...own
        .toSorted((one, other) => Number(one.kind === 'donation') - Number(other.kind === 'donation'))
        .map(({ name, kind }) => ({ name, what: kind })),
    ];
  }

  /**
   * Lets all reservations of an order be paid at the venue instead of online, or none. Ends their checkout: a payment that arrives all the
   * same pays them. Who is not known to be the owner of the address confirms it by mail; links to the holder's page that are known from the
   * checkout end then. Where nobody can confirm, they stay, and the order is reserved at once.
   * @param ids of the reservations, which are all of one order; those that are cancelled count nothing
   * @param signedIn address of who is signed in
   * @param givesUp id of the donation that the buyer does not give then
   * @returns false when it is not possible (any more): one is paid, its hold has ended, or a bank processes the payment; or the order has
   *   what is paid online only
   * @throws RefusedBooking `limit_per_user`, `membership_required`; RefusedDraft `unconfirmed`
   */
  change(ids: readonly string[], signedIn: string | undefined, givesUp?: string): Promise<boolean> {
    const work = (tx: Tx): Promise<boolean> => this.changeIn(tx, ids, { signedIn, givesUp });
    return this.availability.retryAfterRelease(() => retryOnDeadlock(() => this.db.transaction(work)));
  }

  private async changeIn(
    tx: Tx,
    ids: readonly string[],
    { signedIn, givesUp }: { readonly signedIn: string | undefined; readonly givesUp: string | undefined },
  ): Promise<boolean> {
    await lockEventsOf(tx, ids);
    const all: Changing[] = [];
    for (const id of ids.toSorted()) {
      const locked = await lockReservation(tx, id);
      if (!locked || locked.status === 'C') continue;
      const [whole] = await loadReservations(tx, [id]);
      const facts = await buyerFacts(tx, locked, locked.emailKey);
      if (!whole || locked.lapsed || locked.released || !canChange(whole)) return false;
      if (isCostly(whole) && facts.payAtVenueUntil === undefined) return false;
      all.push({ locked, whole, facts });
    }
    const [first] = all;
    if (!first || !(await this.freeOfOnlineOnly(tx, first.whole, givesUp))) return false;
    const awaitsMember = all.some(({ whole }) => isForMembers(whole));
    const isAtOnce = isNeverConfirmed({ confirmsAddresses: this.settings.confirmsAddresses, awaitsMember });
    for (const one of all) await this.changeOne(tx, one, { signedIn, isAtOnce });
    return true;
  }

  /** Takes the donation back that the buyer gives up. @returns whether nothing is left in the order that is paid online only */
  private async freeOfOnlineOnly(tx: Tx, { cartId }: WholeReservation, givesUp: string | undefined): Promise<boolean> {
    if (cartId === null) return true;
    const [donation, ...others] = await ownLinesOf(tx, cartId);
    if ((await membershipsOfCart(tx, cartId)).length + others.length > 0) return false;
    if (!donation) return true;
    if (donation.kind !== 'donation' || donation.id !== givesUp || donation.isPaid) return false;
    await this.payments.giveUpPending(tx, { orderId: cartId });
    await takeBackAll(tx, { orderId: cartId });
    return true;
  }

  private async changeOne(
    tx: Tx,
    { locked, whole, facts }: Changing,
    { signedIn, isAtOnce }: { readonly signedIn: string | undefined; readonly isAtOnce: boolean },
  ): Promise<void> {
    const { id, email, emailKey } = locked;
    // The address of an order that is to be paid online may be typed by anybody, unless its link came by mail.
    const isTrusted = whole.opensByMail || isSignedIn({ email, signedIn }) || isSameMailbox(email, facts.offeredTo);
    await this.payments.giveUpPending(tx, { reservationId: id });
    if (locked.status === 'U') await enter(tx, locked, 'R');
    const standing = isTrusted ? 'trusted' : isAtOnce ? 'atOnce' : 'asked';
    const changed = isCostly(whole) ? await this.toVenue(tx, locked, facts, standing) : await this.toFree(tx, locked, facts, standing);
    if (!isTrusted) {
      await lockAddress(tx, emailKey);
      await refuseUnconfirmed(tx, emailKey, id);
    }
    if (standing !== 'asked') {
      await this.changes.verifyIn(tx, changed, isTrusted);
      if (changed.payAtVenue) await this.mails.sendDue(tx, { ...changed, payUntil: null });
      return;
    }
    const claim = claimOfStranger(await claimOf(tx, locked));
    await this.availability.take(tx, { ...claim, defaultMaximum: mostUnpaidOf(changed), isHeld: true });
    if (facts.unconfirmed < mostConfirmationMails) await this.mails.sendDue(tx, changed);
    await this.publisher.publish(tx, 'reservation.updated', id);
  }

  /** What costs something is paid at the venue, once its address is confirmed. */
  private async toVenue(tx: Tx, locked: LockedReservation, facts: BuyerFacts, standing: Standing): Promise<LockedReservation> {
    const payUntil = facts.payAtVenueUntil as Date;
    await this.holdToConfirm(tx, locked.id, { minutes: this.settings.holdMinutes, payUntil, standing });
    return { ...locked, status: 'R', payAtVenue: true, payUntil };
  }

  /** What is free does not wait for a payment any more, but for the confirmation of its address. */
  private async toFree(tx: Tx, locked: LockedReservation, { isPlentiful }: BuyerFacts, standing: Standing): Promise<LockedReservation> {
    const minutes = Math.max(this.settings.holdMinutes, isPlentiful ? linkMinutes : 0);
    await enter(tx, { ...locked, status: 'R' }, 'F');
    await moveTickets(tx, locked.id, 'N');
    await this.holdToConfirm(tx, locked.id, { minutes, payUntil: null, standing });
    return { ...locked, status: 'F' };
  }

  /** Those who confirm the address have as much time for it as after the form. */
  private async holdToConfirm(
    tx: Tx,
    id: string,
    { minutes, payUntil, standing }: { readonly minutes: number; readonly payUntil: Date | null; readonly standing: Standing },
  ): Promise<void> {
    const expiresAt = new Date(databaseNow().getTime() + minutes * 60_000);
    await tx.query(
      `update reservation set pay_at_venue = $2::timestamptz is not null, pay_until = $2, opens_by_mail = not $5::boolean,
         sequence = sequence + 1, expires_at = greatest(expires_at, $3), link_version = link_version + $4,
         confirmation = case when $5::boolean then 'none' else confirmation end
       where id = $1`,
      [id, payUntil, expiresAt, standing === 'asked' ? 1 : 0, standing === 'atOnce'],
    );
    await this.jobs.cancel(tx, expiryJob, id);
    await this.jobs.add(tx, expiryJob, id, { dueAt: expiresAt });
  }
}

/** Whether a reservation is one of the pages that is to be paid online, alone or with others, and no bank processes its payment. */
function canChange({ origin, status, payAtVenue, payUntil, payments }: WholeReservation): boolean {
  const isDue = (status === 'R' || status === 'U') && !payAtVenue && payUntil === null;
  return isDue && origin === 'page' && payments.every((payment) => payment.status !== 'processing');
}

const isCostly = ({ amount }: Pick<WholeReservation, 'amount'>): boolean => !costsNothing(amount);
