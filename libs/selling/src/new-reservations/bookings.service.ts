import {
  emailKey,
  HolderLinks,
  SigningKeysService,
  deletedMeanwhile,
  demandSameOffer,
  eventSelling,
  loadOffer,
  nowSince,
  OfferChanged,
  type Offer,
  RefusedBooking,
  ReservationChangesService,
  ReservationPublisherService,
  atOnceOrChecked,
  total,
  type TakenEvent,
  dueKind,
  AvailabilityService,
  RecentOffers,
  mailAndJobsOf,
  type ShownReservation,
  loadReservations,
} from '#tickets';
import { Inject, Injectable } from '@nestjs/common';
import { RefusedInput, SETTINGS, retryOnDeadlock, type Settings } from '#kernel';
import { JobsService } from '#jobs';
import { demandModule, inOrder, TenantDb, type Tx } from '#tenancy';
import { CheckoutsService, PaymentsService } from '#payments';
import { canBookUnread, canCommitBehind, planBooking, type BookingPlan } from './booking-plan.js';
import { BookingTurnsService } from './booking-turns.service.js';
import { checkNewReservation, emailOf, hasPrices, priceIdsOf, type NewReservation, type PricedReservation } from './new-reservation.js';
import { withPrices } from './volunteering-lines.js';
import { insertReservation, type ReservationTimes } from './reservation-insert.js';
import { timesOf, writtenReservation, type UnwrittenReservation } from './unwritten-reservation.js';

/** Creates reservations. API, box office and public pages all use this service. */
@Injectable()
export class BookingsService {
  constructor(
    private readonly db: TenantDb,
    private readonly availability: AvailabilityService,
    private readonly signingKeys: SigningKeysService,
    private readonly publisher: ReservationPublisherService,
    private readonly payments: PaymentsService,
    private readonly checkouts: CheckoutsService,
    private readonly changes: ReservationChangesService,
    private readonly jobs: JobsService,
    private readonly links: HolderLinks,
    private readonly turns: BookingTurnsService,
    private readonly recentOffers: RecentOffers,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Books all tickets or none. Free bookings await e-mail confirmation (unless the address is verified already); paid ones await payment,
   * online if the tenant accepts it; both for the duration of a hold. A confirmed booking is valid at once.
   * @throws RefusedInput on `eventId`, `email`, `tickets`, `tickets.<i>.priceId`, `.amount`, `.holders`, `options`; RefusedInputs of
   *   RefusedAnswer
   * @throws RefusedInputs of MissingPrice on `tickets.<i>.priceId` for lines without a price, except for volunteering slots
   * @throws RefusedBooking with the remaining quantities, or the number that this person may still book
   * @throws Problem 429 `tenant.busy` when too many bookings of this tenant wait, or the client left while its booking waited
   * @throws PaymentProviderUnavailable, PaymentProviderRefused when no checkout can be opened. Nothing is booked then, unless the request
   *   has an `Idempotency-Key` and the provider did not refuse: then the repeated request finds the hold and opens the checkout
   * @throws Problem 403 `tenant.module`
   */
  async book(wanted: NewReservation): Promise<ShownReservation> {
    demandModule('ticketing');
    checkNewReservation(wanted);
    // Checked before booking: after the commit, an error here would hide the booking from the caller.
    const canPayOnline = !wanted.confirmed && (await this.checkouts.available());
    const booked = await this.availability.retryAfterRelease(() => this.turns.run(() => this.transact(wanted)));
    if (booked.status !== 'R' || !canPayOnline) return booked;
    // A repeated request whose hold has expired books anew.
    if (this.db.repetition() === 'replay' && (await this.changes.giveUpCheckout(booked.id, { lapsedOnly: true }))) return this.book(wanted);
    return this.sendToCheckout(booked);
  }

  /** Books with as few round trips as possible; in a second transaction when the first one finds that more checks are needed. */
  private async transact(wanted: NewReservation): Promise<ShownReservation> {
    const attempt = async (atOnce: boolean): Promise<ShownReservation> =>
      (atOnce ? await this.bookRecent(wanted) : undefined) ??
      retryOnDeadlock(() => this.db.transactionOnce((tx) => this.bookIn(tx, wanted, atOnce)));
    // The result of a request that may be repeated is stored before the commit.
    return atOnceOrChecked(attempt, this.db.repetition() === undefined);
  }

  /**
   * Books in one round trip, without reading, what this process booked some seconds ago.
   * @returns undefined when it did not
   * @throws ChecksNeeded when the offer has changed, or the booking needs more checks
   */
  private async bookRecent(wanted: NewReservation): Promise<ShownReservation | undefined> {
    const { eventId } = wanted;
    if (eventId === undefined || !hasPrices(wanted) || (wanted.options ?? []).length > 0) return undefined;
    const key = { eventId, priceIds: priceIdsOf(wanted) };
    const offer = this.recentOffers.find(key);
    const plan = offer && this.planIfAllowed(wanted, offer);
    if (!plan || !canBookUnread(plan, offer)) return undefined;
    try {
      return await retryOnDeadlock(() => this.db.transactionAtOnce((tx) => this.bookUnread(tx, plan, offer)));
    } catch (error) {
      if (error instanceof OfferChanged) this.recentOffers.forget(key);
      throw error;
    }
  }

  /** @returns undefined when the offer does not allow it: the offer of now may */
  private planIfAllowed(wanted: PricedReservation, offer: Offer): BookingPlan | undefined {
    try {
      return planBooking(wanted, offer, this.signingKeys);
    } catch (error) {
      if (error instanceof RefusedInput) return undefined;
      throw error;
    }
  }

  /** Opens a checkout. On failure, frees the places at once, unless the request may be repeated. */
  private async sendToCheckout(reservation: ShownReservation): Promise<ShownReservation> {
    const { id, email, language, event, expiresAt } = reservation;
    const subject = { reservationId: id };
    const returnUrl = this.links.urlTo(subject);
    const bill = { subject, description: event.name, email, language, expiresAt: expiresAt as Date, returnUrl };
    try {
      return await this.checkouts.open(bill, {
        opened: (tx) => this.changes.openedCheckout(tx, id),
        read: async (tx) => (await loadReservations(tx, [id]))[0] ?? reservation,
      });
    } catch (error) {
      // If the cancellation fails too, the hold expires later.
      if (!this.checkouts.mayBeRepeated(error)) await this.changes.giveUpCheckout(id).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Like `book`, in a running transaction, and without opening a checkout.
   * @param atOnce commits in the round trip that takes the places, when that needs no further checks
   */
  async bookIn(tx: Tx, given: NewReservation, atOnce = false): Promise<ShownReservation> {
    const wanted = await withPrices(tx, given);
    const priceIds = priceIdsOf(wanted);
    const eventId = wanted.eventId ?? (await eventSelling(tx, priceIds, this.settings));
    const buyer = { options: wanted.options, emailKey: emailKey(emailOf(wanted)) };
    const offer = await loadOffer(tx, eventId, priceIds, this.settings, buyer);
    const plan = planBooking(wanted, offer, this.signingKeys);
    const { reservation, claim, event } = plan;
    await this.availability.look(tx, claim, event);

    // Rows are inserted first and places taken last, so that the event is locked only briefly. All is sent together.
    const writing = this.write(tx, reservation, timesOf(reservation.status, offer.now, this.settings.holdMinutes));
    const isAtOnce = atOnce && canCommitBehind(plan);
    const taking = isAtOnce ? this.availability.takeAndCommit(tx, claim, event) : this.availability.take(tx, claim).then(refuseUnpublished);
    const [written] = await inOrder(tx, [writing, taking]);
    if (isAtOnce && canBookUnread(plan, offer)) this.recentOffers.keep({ eventId, priceIds }, offer);
    return written;
  }

  /** Writes a plan in a transaction that commits at once, unless its offer has changed. @throws ChecksNeeded */
  private async bookUnread(tx: Tx, { reservation, claim, event }: BookingPlan, offer: Offer): Promise<ShownReservation> {
    const times = timesOf(reservation.status, nowSince(offer), this.settings.holdMinutes);
    const [, written] = await inOrder(tx, [
      demandSameOffer(tx, offer, total(claim.lines.admission), times.createdAt, this.settings),
      this.write(tx, reservation, times),
      this.availability.takeAndCommit(tx, claim, event),
    ]);
    return written;
  }

  /** Writes a reservation with its payment at the venue, its webhook event, its mail and its jobs. */
  private async write(tx: Tx, reservation: UnwrittenReservation, times: ReservationTimes): Promise<ShownReservation> {
    const { id, amount, venueMethod } = reservation;
    const kind = reservation.email === '' ? undefined : dueKind({ status: reservation.status, payAtVenue: false, payUntil: null });
    const { mail, jobs } = mailAndJobsOf(id, kind, times.expiresAt);
    const written = writtenReservation(reservation, times);
    const message = this.publisher.prepare(tx, 'reservation.created', written);
    if (jobs.length > 0) this.jobs.notifyAfter(tx);
    const inserted = insertReservation(tx, { ...reservation, mail, message, jobs }, times).catch((error: unknown) => {
      throw deletedMeanwhile(error) ?? error;
    });
    const paid = venueMethod ? this.payments.recordAtVenue(tx, { reservationId: id }, amount, venueMethod) : Promise.resolve();
    await inOrder(tx, [inserted, paid]);
    return written;
  }
}

function refuseUnpublished({ published }: TakenEvent): void {
  if (!published) throw new RefusedBooking('event_not_published', 'eventId');
}
