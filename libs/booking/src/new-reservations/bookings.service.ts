import { randomUUID } from 'node:crypto';
import { vatRateSql } from '#catalogue';
import { Inject, Injectable } from '@nestjs/common';
import { RefusedInput, SETTINGS, retryOnDeadlock, violatedConstraint, type Settings, actorColumns, sumOf, toCents } from '#kernel';
import { JobsService } from '#jobs';
import { demandModule, TenantDb, type Tx } from '#tenancy';
import { askedBy, keepAnswers, type NewAnswer } from '../answers/answer-rows.js';
import { answersOfReservation } from '../answers/answer-sheet.js';
import { emailKey } from '../email-key.js';
import { HolderLinks } from '../holder-links.js';
import { MailsService } from '../mails/mails.service.js';
import { CheckoutsService, PaymentsService } from '#payments';
import { SigningKeysService } from '../signing/signing-keys.service.js';
import type { TicketStatus } from '../entities/ticket-states.js';
import { BookingTurnsService } from './booking-turns.service.js';
import { amountToPay, checkSum } from './chosen-amounts.js';
import { chooseOptions } from './chosen-options.js';
import {
  checkNewReservation,
  emailOf,
  ticketsWanted,
  type NewReservation,
  type PricedReservation,
  type WantedTicket,
} from './new-reservation.js';
import { admits, checkEvent, checkPrice, eventSelling, loadOffer, noSuchEvent, type OfferedPrice } from '../inventory/offers.js';
import { expiryJob } from '../booking-jobs.js';
import { RefusedBooking } from '../inventory/refused-booking.js';
import { ReservationChangesService } from '../changes/reservation-changes.service.js';
import { ReservationPublisherService } from '../changes/reservation-publisher.service.js';
import { isHold, type ReservationStatus } from '../entities/reservation-states.js';
import { linesOf, type Lines } from '../inventory/inventory.js';
import { withPrices } from './volunteering-lines.js';
import { AvailabilityService } from '../inventory/availability.service.js';
import { loadReservations, type WholeReservation } from '../reservations/whole-reservation.js';
import { texts } from '../locales/booking.texts.js';

/** The ticket state for each initial state of a reservation. */
const initialTicketStates: Partial<Record<ReservationStatus, TicketStatus>> = { R: 'C', F: 'N', FA: 'K', V: 'K' };

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
    private readonly mails: MailsService,
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
  async book(wanted: NewReservation): Promise<WholeReservation> {
    demandModule('ticketing');
    checkNewReservation(wanted);
    // Checked before booking: after the commit, an error here would hide the booking from the caller.
    const canPayOnline = !wanted.confirmed && (await this.checkouts.available());
    const booked = await this.availability.retryAfterRelease(() =>
      this.turns.run(() => retryOnDeadlock(() => this.db.transactionOnce((tx) => this.bookIn(tx, wanted)))),
    );
    if (booked.status !== 'R' || !canPayOnline) return booked;
    // A repeated request whose hold has expired books anew.
    if (this.db.repetition() === 'replay' && (await this.changes.giveUpCheckout(booked.id, { lapsedOnly: true }))) return this.book(wanted);
    return this.sendToCheckout(booked);
  }

  /** Opens a checkout. On failure, frees the places at once, unless the request may be repeated. */
  private async sendToCheckout(reservation: WholeReservation): Promise<WholeReservation> {
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

  private async bookIn(tx: Tx, given: NewReservation): Promise<WholeReservation> {
    const wanted = await withPrices(tx, given);
    const priceIds = [...new Set(wanted.tickets.map(({ priceId }) => priceId))];
    const eventId = wanted.eventId ?? (await eventSelling(tx, priceIds, this.settings));
    const { event, prices } = await loadOffer(tx, eventId, priceIds, this.settings);
    checkEvent(event);
    const amounts = wanted.tickets.map(({ priceId, amount }, index) => {
      const price = prices.get(priceId);
      checkPrice(price, index);
      return amountToPay(price, amount, `tickets.${index}.amount`);
    });
    refuseUnknownMember(wanted, prices);
    const tickets = ticketsWanted(wanted, amounts);
    checkSum(tickets.map(({ amount }) => amount));
    const answers = await answersTo(tx, wanted, tickets, prices);
    const lines = linesWanted(wanted, prices);
    await this.availability.look(tx, { eventId, lines }, event);

    // Rows are inserted first and places taken last, so that the event is locked only briefly.
    const id = await this.insert(tx, wanted, eventId, tickets, lines).catch((error: unknown) => {
      throw deletedMeanwhile(error) ?? error;
    });
    await keepAnswers(tx, { reservationId: id }, answers);
    const reservation = await this.publisher.publish(tx, 'reservation.created', id);
    await this.scheduleFollowUps(tx, reservation);
    const { published } = await this.availability.take(tx, {
      reservationId: id,
      eventId,
      emailKey: reservation.emailKey,
      lines,
      prices: [...prices.values()],
    });
    if (!published) throw new RefusedBooking('event_not_published', 'eventId');
    return reservation;
  }

  private async insert(
    tx: Tx,
    wanted: NewReservation,
    eventId: string,
    tickets: readonly WantedTicket[],
    { admission }: Lines,
  ): Promise<string> {
    const id = randomUUID();
    const amount = sumOf(tickets);
    const email = emailOf(wanted);
    // A buyer without an address gets a unique key, so that limits per person apply to this sale only.
    const key = email === '' ? id : emailKey(email);
    const status = await this.initialStatus(tx, wanted, amount, key);
    await tx.query(
      `with made as (
         insert into reservation (id, event_id, email, email_key, first_name, last_name, language, status, amount, origin, sequence, expires_at, confirmed_at,
           by_user_id, by_key_id)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 1, case when $11 then (select now() + make_interval(mins => $12)) end, case when not $11 then (select now()) end,
           $20, $21))
       insert into ticket
         (id, reservation_id, event_id, price_id, amount, first_name, last_name, admission, status, signing_key_id, position, sequence, vat_rate)
       select t.id, $1::uuid, $2::uuid, t.price_id, t.amount, t.first_name, t.last_name, t.admission, $13, $14::smallint, t.position - 1, 1,
         (select ${vatRateSql('price.vat')} from price where price.id = t.price_id)
       from unnest($15::uuid[], $16::uuid[], $17::numeric[], $18::text[], $19::text[], $22::boolean[])
         with ordinality as t (id, price_id, amount, first_name, last_name, admission, position)`,
      [
        id,
        eventId,
        email,
        key,
        wanted.firstName?.trim() ?? '',
        wanted.lastName?.trim() ?? '',
        wanted.language ?? null,
        status,
        amount,
        wanted.origin,
        isHold(status),
        this.settings.holdMinutes,
        initialTicketStates[status],
        await this.signingKeys.currentId(tx),
        tickets.map((ticket) => ticket.id),
        tickets.map(({ priceId }) => priceId),
        tickets.map((ticket) => ticket.amount),
        tickets.map(({ holder }) => holder.firstName.trim()),
        tickets.map(({ holder }) => holder.lastName.trim()),
        ...actorColumns(),
        tickets.map(({ priceId }) => admission.has(priceId)),
      ],
    );
    await chooseOptions(tx, id, eventId, wanted.options ?? []);
    if (status === 'V' && toCents(amount) > 0)
      await this.payments.recordAtVenue(tx, { reservationId: id }, amount, wanted.paymentMethod ?? 'cash');
    return id;
  }

  private async initialStatus(tx: Tx, wanted: NewReservation, amount: string, key: string): Promise<ReservationStatus> {
    if (wanted.confirmed) return 'V';
    if (toCents(amount) > 0) return 'R';
    const known = await tx.query<unknown[]>('select 1 from verified_email where email_key = $1', [key]);
    return known.length > 0 ? 'FA' : 'F';
  }

  /** Adds the expiry job and the mail that the initial state requires. */
  private async scheduleFollowUps(tx: Tx, { id, status, expiresAt, email }: WholeReservation): Promise<void> {
    if (expiresAt) await this.jobs.add(tx, expiryJob, id, { dueAt: expiresAt });
    if (status === 'F') await this.mails.add(tx, 'confirm-email', { reservationId: id, recipient: email });
    if (status === 'FA' || status === 'V') await this.mails.add(tx, 'tickets', { reservationId: id, recipient: email });
  }
}

/** Maps a foreign key violation to the input that was deleted after it was checked. */
function deletedMeanwhile(error: unknown): RefusedInput | undefined {
  switch (violatedConstraint(error)) {
    case 'reservation_event_id_fkey':
    case 'ticket_event_id_fkey':
      return noSuchEvent();
    case 'ticket_price_id_fkey':
      return new RefusedInput('tickets', texts.localized('bookings.priceNotThereAnyMore'));
    default:
      return undefined;
  }
}

/** Validates the answers to the questions of the booked products. @throws RefusedInputs of RefusedAnswer */
async function answersTo(
  tx: Tx,
  wanted: PricedReservation,
  tickets: readonly WantedTicket[],
  prices: ReadonlyMap<string, OfferedPrice>,
): Promise<NewAnswer[]> {
  const asking = [...prices.values()].filter(({ asks }) => asks).map(({ productId }) => productId);
  const lines = wanted.tickets.map(({ priceId, answers }, index) => ({
    productId: (prices.get(priceId) as OfferedPrice).productId,
    ticketIds: tickets.filter(({ line }) => line === index).map(({ id }) => id),
    answers,
  }));
  const questions = await askedBy(tx, [...new Set(asking)]);
  return answersOfReservation(questions, wanted.answers, lines, { allOptional: wanted.answersOptional });
}

/** Refuses a price for members without an e-mail address. @throws RefusedInput on `email` */
function refuseUnknownMember(wanted: NewReservation, prices: ReadonlyMap<string, OfferedPrice>): void {
  if (emailOf(wanted) !== '' || [...prices.values()].every((price) => price.requiredMembershipId === null)) return;
  throw new RefusedInput('email', texts.localized('bookings.priceMembersWriteEMail'));
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
