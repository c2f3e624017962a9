import { Inject, Injectable } from '@nestjs/common';
import { RefusedInput, SETTINGS, retryOnDeadlock, type Settings } from '#kernel';
import { JobsService } from '#jobs';
import { demandModule, inOrder, TenantDb, type Tx } from '#tenancy';
import type { GivenAnswer } from '../answers/answer-rows.js';
import { answersOfReservation } from '../answers/answer-sheet.js';
import { emailKey } from '../email-key.js';
import { HolderLinks } from '../holder-links.js';
import { CheckoutsService, PaymentsService } from '#payments';
import { SigningKeysService } from '../signing/signing-keys.service.js';
import { BookingTurnsService } from './booking-turns.service.js';
import { amountToPay, checkSum } from './chosen-amounts.js';
import {
  checkNewReservation,
  emailOf,
  ticketsWanted,
  type NewReservation,
  type PricedReservation,
  type WantedTicket,
} from './new-reservation.js';
import {
  admits,
  checkEvent,
  checkPrice,
  checkSale,
  eventSelling,
  loadOffer,
  deletedMeanwhile,
  type Offer,
  type OfferedPrice,
} from '../inventory/offers.js';
import { RefusedBooking } from '../inventory/refused-booking.js';
import { ReservationChangesService } from '../changes/reservation-changes.service.js';
import { ReservationPublisherService } from '../changes/reservation-publisher.service.js';
import { atOnceOrChecked, linesOf, type Lines, type TakenEvent } from '../inventory/inventory.js';
import { dueKind } from '../mails/mails.service.js';
import { withPrices } from './volunteering-lines.js';
import { AvailabilityService, canTakeAtOnce } from '../inventory/availability.service.js';
import { mailAndJobsOf } from '../reservations/reservation-follow-ups.js';
import type { ShownReservation } from '../reservations/shown-reservation.js';
import { loadReservations } from '../reservations/whole-reservation.js';
import { insertReservation, type ReservationTimes } from './reservation-insert.js';
import { timesOf, unwrittenReservation, writtenReservation, type UnwrittenReservation } from './unwritten-reservation.js';
import { texts } from '../locales/booking.texts.js';

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
    const attempt = (atOnce: boolean): Promise<ShownReservation> =>
      retryOnDeadlock(() => this.db.transactionOnce((tx) => this.bookIn(tx, wanted, atOnce)));
    // The result of a request that may be repeated is stored before the commit.
    return atOnceOrChecked(attempt, this.db.repetition() === undefined);
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

  /** @param atOnce commits in the round trip that takes the places, when that needs no further checks */
  private async bookIn(tx: Tx, given: NewReservation, atOnce: boolean): Promise<ShownReservation> {
    const wanted = await withPrices(tx, given);
    const priceIds = [...new Set(wanted.tickets.map(({ priceId }) => priceId))];
    const eventId = wanted.eventId ?? (await eventSelling(tx, priceIds, this.settings));
    const email = emailOf(wanted);
    const offer = await loadOffer(tx, eventId, priceIds, this.settings, { options: wanted.options, emailKey: emailKey(email) });
    const { event, prices } = offer;
    checkEvent(event);
    const amounts = wanted.tickets.map(({ priceId, amount }, index) => {
      const price = prices.get(priceId);
      checkPrice(price, index);
      // Staff, and callers who confirm the sale themselves, decide on their own.
      if (!wanted.confirmed && wanted.origin !== 'panel') checkSale(price, `tickets.${index}.priceId`);
      return amountToPay(price, amount, `tickets.${index}.amount`);
    });
    refuseUnknownMember(wanted, prices);
    const tickets = ticketsWanted(wanted, amounts);
    checkSum(tickets.map(({ amount }) => amount));
    const answers = answersTo(wanted, tickets, offer);
    const lines = linesWanted(wanted, prices);
    await this.availability.look(tx, { eventId, lines }, event);
    const signingKeyId = this.signingKeys.accept(offer.signingKey);
    const reservation = unwrittenReservation(wanted, tickets, answers, offer, signingKeyId);

    // Rows are inserted first and places taken last, so that the event is locked only briefly. All is sent together.
    const times = timesOf(reservation.status, offer.now, this.settings.holdMinutes);
    const claim = { reservationId: reservation.id, eventId, emailKey: reservation.emailKey, lines, prices: [...prices.values()] };
    const writing = this.write(tx, reservation, times);
    const taking =
      atOnce && !reservation.venueMethod && canTakeAtOnce(claim, event.maxPerUser)
        ? this.availability.takeAndCommit(tx, claim, event)
        : this.availability.take(tx, claim).then(refuseUnpublished);
    const [written] = await inOrder(tx, [writing, taking]);
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

/** Validates the answers to the questions of the booked products. @throws RefusedInputs of RefusedAnswer */
function answersTo(wanted: PricedReservation, tickets: readonly WantedTicket[], { prices, questions }: Offer): GivenAnswer[] {
  const lines = wanted.tickets.map(({ priceId, answers }, index) => ({
    productId: (prices.get(priceId) as OfferedPrice).productId,
    ticketIds: tickets.filter(({ line }) => line === index).map(({ id }) => id),
    answers,
  }));
  return answersOfReservation(questions, wanted.answers, lines, { allOptional: wanted.answersOptional });
}

/** Refuses a price for members without an e-mail address. @throws RefusedInput on `email` */
function refuseUnknownMember(wanted: NewReservation, prices: ReadonlyMap<string, OfferedPrice>): void {
  if (emailOf(wanted) !== '' || [...prices.values()].every((price) => price.requiredMembershipId === null)) return;
  throw new RefusedInput('email', texts.localized('bookings.emailRequiredForMembers'));
}

function linesWanted({ tickets }: PricedReservation, prices: ReadonlyMap<string, OfferedPrice>): Lines {
  return linesOf(
    tickets.map(({ priceId: id, quantity: count }) => ({
      id,
      count,
      admission: admits(prices.get(id) as OfferedPrice),
    })),
  );
}
