import {
  AvailabilityService,
  claimOf,
  claimOfStranger,
  enter,
  expiryJob,
  isSameMailbox,
  isSignedIn,
  loadReservations,
  lockAddress,
  lockEventsOf,
  lockReservation,
  mostConfirmationMails,
  mostUnpaidOf,
  MailsService,
  ReservationChangesService,
  ReservationPublisherService,
  type LockedReservation,
  type WholeReservation,
} from '#tickets';
import { databaseNow, retryOnDeadlock, SETTINGS, toCents, type Settings } from '#kernel';
import { JobsService } from '#jobs';
import { PaymentsService } from '#payments';
import { TenantDb, type Tx } from '#tenancy';
import { Inject, Injectable } from '@nestjs/common';
import { buyerFacts, type BuyerFacts } from '../drafts/completed-state.js';
import { payAtVenueUntil } from '../drafts/payment-ways.js';
import { refuseUnconfirmed } from '../drafts/unconfirmed-orders.js';

/** A reservation whose way to pay changes. */
interface Changing {
  readonly locked: LockedReservation;
  readonly whole: WholeReservation;
  readonly facts: BuyerFacts & { readonly payAtVenueUntil: Date };
}

/** Changes orders that are to be paid online into orders that are paid at the venue, where the venue allows it. */
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

  /** Whether all reservations of an order can be paid at the venue instead, as of now. */
  async isPossible(parts: readonly WholeReservation[]): Promise<boolean> {
    const open = parts.filter(({ status }) => status !== 'C');
    if (open.length === 0 || !open.every(canChange)) return false;
    return this.db.transaction(async (tx) => {
      for (const { eventId } of open) if ((await payAtVenueUntil(tx, eventId)) === undefined) return false;
      return true;
    });
  }

  /**
   * Lets all reservations of an order be paid at the venue instead of online, or none. Ends their checkout: a payment that arrives all the
   * same pays them. Who is not known to be the owner of the address confirms it by mail; links to the holder's page that are known from the
   * checkout end then.
   * @param ids of the reservations; those that are cancelled count nothing
   * @param signedIn address of who is signed in
   * @returns false when it is not possible (any more): one is paid, its hold has ended, or a bank processes the payment
   * @throws RefusedBooking `limit_per_user`, `membership_required`; RefusedDraft `unconfirmed`
   */
  change(ids: readonly string[], signedIn: string | undefined): Promise<boolean> {
    const work = (tx: Tx): Promise<boolean> => this.changeIn(tx, ids, signedIn);
    return this.availability.retryAfterRelease(() => retryOnDeadlock(() => this.db.transaction(work)));
  }

  private async changeIn(tx: Tx, ids: readonly string[], signedIn: string | undefined): Promise<boolean> {
    await lockEventsOf(tx, ids);
    const all: Changing[] = [];
    for (const id of ids.toSorted()) {
      const locked = await lockReservation(tx, id);
      if (!locked || locked.status === 'C') continue;
      const [whole] = await loadReservations(tx, [id]);
      const facts = await buyerFacts(tx, locked, locked.emailKey);
      const { payAtVenueUntil: until } = facts;
      if (!whole || until === undefined || locked.lapsed || locked.released || !canChange(whole)) return false;
      all.push({ locked, whole, facts: { ...facts, payAtVenueUntil: until } });
    }
    for (const one of all) await this.changeOne(tx, one, signedIn);
    return all.length > 0;
  }

  private async changeOne(tx: Tx, { locked, whole, facts }: Changing, signedIn: string | undefined): Promise<void> {
    const { id, email, emailKey } = locked;
    const { payAtVenueUntil: payUntil } = facts;
    // The address of an order that is to be paid online may be typed by anybody, unless its link came by mail.
    const isTrusted = whole.opensByMail || isSignedIn({ email, signedIn }) || isSameMailbox(email, facts.offeredTo);
    await this.payments.giveUpPending(tx, { reservationId: id });
    if (locked.status === 'U') await enter(tx, locked, 'R');
    // Those who confirm the address have as much time for it as after the form.
    const expiresAt = new Date(databaseNow().getTime() + this.settings.holdMinutes * 60_000);
    await tx.query(
      `update reservation set pay_at_venue = true, pay_until = $2, opens_by_mail = true, sequence = sequence + 1,
         expires_at = greatest(expires_at, $3), link_version = link_version + $4
       where id = $1`,
      [id, payUntil, expiresAt, isTrusted ? 0 : 1],
    );
    const changed = { ...locked, status: 'R', payAtVenue: true, payUntil } as const;
    if (isTrusted) {
      await this.changes.verifyIn(tx, changed);
      await this.mails.sendDue(tx, { ...changed, payUntil: null });
      return;
    }
    await lockAddress(tx, emailKey);
    await refuseUnconfirmed(tx, emailKey, id);
    const claim = claimOfStranger(await claimOf(tx, locked));
    await this.availability.take(tx, { ...claim, defaultMaximum: mostUnpaidOf(changed), isHeld: true });
    await this.jobs.cancel(tx, expiryJob, id);
    await this.jobs.add(tx, expiryJob, id, { dueAt: expiresAt });
    if (facts.unconfirmed < mostConfirmationMails) await this.mails.sendDue(tx, changed);
    await this.publisher.publish(tx, 'reservation.updated', id);
  }
}

/** Whether a reservation is one of the pages that is to be paid online, and no bank processes its payment. */
function canChange({ origin, status, payAtVenue, payUntil, amount, payments }: WholeReservation): boolean {
  const isDue = (status === 'R' || status === 'U') && !payAtVenue && payUntil === null && toCents(amount) > 0;
  return isDue && origin === 'page' && payments.every((payment) => payment.status !== 'processing');
}
