import { Inject, Injectable } from '@nestjs/common';
import { eventIsOverSql, saleStateSql, type Question } from '#catalogue';
import { RefusedInput, RefusedInputs, retryOnDeadlock, SETTINGS, toCents, type Settings } from '#kernel';
import { JobsService } from '#jobs';
import { CheckoutsService } from '#payments';
import { demandModule, TenantDb, type Tx } from '#tenancy';
import { askedBy, keepAnswers, type NewAnswer } from '../answers/answer-rows.js';
import { answersOfReservation } from '../answers/answer-sheet.js';
import { draftExpiryJob, expiryJob } from '../booking-jobs.js';
import { claimOf, eventMaximum } from '../changes/claims.js';
import { ReservationChangesService } from '../changes/reservation-changes.service.js';
import { ReservationPublisherService } from '../changes/reservation-publisher.service.js';
import { emailKey } from '../email-key.js';
import { HolderLinks } from '../holder-links.js';
import { AvailabilityService } from '../inventory/availability.service.js';
import { lockEvent } from '../inventory/inventory.js';
import { RefusedBooking } from '../inventory/refused-booking.js';
import { MailsService } from '../mails/mails.service.js';
import { maximumTickets } from '../new-reservations/new-reservation.js';
import { BookingTurnsService } from '../new-reservations/booking-turns.service.js';
import { loadReservations, type WholeReservation } from '../reservations/whole-reservation.js';
import { writeContact, type CompletedState } from './completed-rows.js';
import { contactFaults, type DraftContact } from './contact.js';
import { RefusedDraft, refuseOtherTickets } from './draft-refusals.js';
import { eventOfDraft, lockDraftRow, refuseTooMany, type LockedDraft } from './draft-rows.js';
import { payAtVenueUntil, paymentWayOf } from './payment-ways.js';
import { isVerified } from '../verified-emails.js';

/**
 * Maximum number of tickets that one person may hold for an event without a maximum of its own, when some of them are to be paid at the
 * venue: as many as one order may have.
 */
const mostUnpaidAtVenue = maximumTickets;

/** A reservation of the pages, or the draft of one, with the questions that its form asks. */
export interface OrderedTickets {
  readonly reservation: WholeReservation;
  /** The address that the draft is offered to, see `WaitingOffersService`; empty for every other one. */
  readonly offeredTo: string;
  /** Questions of the products, in order; empty when it is no draft any more. */
  readonly questions: readonly Question[];
  readonly canPayOnline: boolean;
  /** undefined: not possible. */
  readonly payAtVenueUntil: Date | undefined;
}

/** A draft whose contact form was sent. */
type AskedDraft = Pick<OrderedTickets, 'reservation' | 'questions'>;

/** Makes reservations of drafts, and opens their checkouts. */
@Injectable()
export class DraftCompletionService {
  constructor(
    private readonly db: TenantDb,
    private readonly availability: AvailabilityService,
    private readonly publisher: ReservationPublisherService,
    private readonly changes: ReservationChangesService,
    private readonly checkouts: CheckoutsService,
    private readonly turns: BookingTurnsService,
    private readonly mails: MailsService,
    private readonly jobs: JobsService,
    private readonly links: HolderLinks,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Whether a buyer who reserves for the event now can pay, online or at the venue. */
  async canPay(eventId: string): Promise<boolean> {
    if (await this.checkouts.available()) return true;
    return this.db.transaction(async (tx) => (await payAtVenueUntil(tx, eventId)) !== undefined);
  }

  /** @returns undefined when there is none (any more) */
  async find(id: string): Promise<OrderedTickets | undefined> {
    const canPayOnline = await this.checkouts.available();
    return this.db.transaction(async (tx) => {
      const [reservation] = await loadReservations(tx, [id]);
      if (!reservation) return undefined;
      const { isDraft, tickets, eventId } = reservation;
      const questions = isDraft ? await askedBy(tx, productsOf(tickets)) : [];
      const offeredTo = isDraft ? await offeredAddress(tx, id) : '';
      return { reservation, offeredTo, questions, canPayOnline, payAtVenueUntil: await payAtVenueUntil(tx, eventId) };
    });
  }

  /**
   * Completes a draft: free tickets await the confirmation of the address (or are valid at once for a verified one), others a payment. A
   * hold that has ended is renewed if places remain. Completing a reservation again changes nothing and returns it; so does a part of a
   * cart, which is completed with the others.
   * @param contact the contact, or what reads it from the form of this draft
   * @returns undefined when there is no such draft or reservation (any more)
   * @throws RefusedInput, RefusedInputs with every fault: those of `contactFaults`, on `payment`, and of RefusedAnswer on `answers.<name>`
   *   and `tickets.<i>.answers.<name>` with the position of the ticket
   * @throws RefusedBooking; RefusedDraft `changed` when the form showed other tickets, `not_payable`, `too_many_held`
   * @throws Problem 429 `tenant.busy`; Problem 403 `tenant.module`
   */
  async complete(id: string, contact: DraftContact | ((draft: AskedDraft) => DraftContact)): Promise<WholeReservation | undefined> {
    demandModule('ticketing');
    const canPayOnline = await this.checkouts.available();
    const contactOf = typeof contact === 'function' ? contact : () => contact;
    const work = (tx: Tx): Promise<WholeReservation | undefined> => this.completeIn(tx, id, contactOf, canPayOnline);
    return this.availability.retryAfterRelease(() => this.turns.run(() => retryOnDeadlock(() => this.db.transaction(work))));
  }

  /**
   * Opens the checkout of a reservation that is to be paid online; a repeated call continues the same payment. A failure changes
   * nothing: the hold stays, and the buyer may try again.
   * @returns the reservation after that
   * @throws PaymentProviderUnavailable, PaymentProviderRefused
   */
  async pay(reservation: WholeReservation): Promise<WholeReservation> {
    const { id, email, language, event, expiresAt, linkVersion } = reservation;
    const subject = { reservationId: id };
    const bill = {
      subject,
      description: event.name,
      email,
      language,
      expiresAt: expiresAt as Date,
      returnUrl: this.links.urlTo(subject, linkVersion),
    };
    return this.checkouts.open(bill, {
      opened: (tx) => this.changes.openedCheckout(tx, id),
      read: async (tx) => (await loadReservations(tx, [id]))[0] ?? reservation,
    });
  }

  private async completeIn(
    tx: Tx,
    id: string,
    contactOf: (draft: AskedDraft) => DraftContact,
    canPayOnline: boolean,
  ): Promise<WholeReservation | undefined> {
    const [shown] = await loadReservations(tx, [id]);
    if (!shown?.isDraft || shown.cartId !== null) return shown;
    // Before events and reservations, because questions are locked first.
    const questions = await askedBy(tx, productsOf(shown.tickets));
    const contact = contactOf({ reservation: shown, questions });
    const answers = answersTo(questions, shown, contact);
    const eventId = await eventOfDraft(tx, id);
    if (eventId !== undefined) await lockEvent(tx, eventId);
    return this.completeLocked(tx, id, contact, { answers, canPayOnline });
  }

  /**
   * Completes a draft inside a transaction that has read the answers and locked the event.
   * @param how.isPaidWithOthers other parts of the same order are paid online: what is free waits for that payment, too
   * @returns undefined when there is no such draft or reservation (any more)
   * @throws like `complete`, except for answers
   */
  async completeLocked(
    tx: Tx,
    id: string,
    contact: DraftContact,
    how: { readonly answers: readonly NewAnswer[]; readonly canPayOnline: boolean; readonly isPaidWithOthers?: boolean },
  ): Promise<WholeReservation | undefined> {
    const { answers, canPayOnline, isPaidWithOthers = false } = how;
    const draft = await lockDraftRow(tx, id);
    // Completed or deleted by another request meanwhile.
    if (!draft) return (await loadReservations(tx, [id]))[0];
    await refuseChanged(tx, id, contact.ticketIds);
    await this.refuseRenewal(tx, draft, contact.ticketIds.length);
    await this.refuseEvent(tx, draft.eventId);
    // Held tickets stay on sale for their buyer.
    if (draft.lapsed) await refuseEndedSale(tx, id);
    const state: CompletedState = isPaidWithOthers
      ? { status: 'R', tickets: 'C', minutes: this.settings.holdMinutes }
      : await this.stateOf(tx, draft, contact, canPayOnline);
    const claim = await claimOf(tx, { ...draft, emailKey: emailKey(contact.email) });
    await writeContact(tx, draft, contact, state);
    await keepAnswers(tx, { reservationId: id }, answers);
    const reservation = await this.publisher.publish(tx, 'reservation.created', id);
    await this.scheduleFollowUps(tx, reservation);
    if (draft.released) await this.availability.take(tx, claim);
    const maximum = await eventMaximum(tx, draft.eventId);
    await this.availability.checkPerson(tx, claim, maximum ?? (state.payUntil ? mostUnpaidAtVenue : null));
    return reservation;
  }

  /** A hold that has ended begins anew: it counts for its network again. @throws RefusedDraft `too_many_held` */
  private async refuseRenewal(tx: Tx, { id, network, lapsed }: LockedDraft, count: number): Promise<void> {
    const { heldTicketsPerNetwork: maximum, holdMinutes } = this.settings;
    if (lapsed && network !== null) await refuseTooMany(tx, id, count, { network, maximum, holdMinutes });
  }

  /** The state after the form: paid tickets await their payment, free ones the confirmation of the address. */
  private async stateOf(tx: Tx, draft: LockedDraft, contact: DraftContact, canPayOnline: boolean): Promise<CompletedState> {
    const minutes = this.settings.holdMinutes;
    const key = emailKey(contact.email);
    if (toCents(draft.amount) === 0)
      return (await isVerified(tx, key)) ? { status: 'FA', tickets: 'K' } : { status: 'F', tickets: 'N', minutes };
    if (paymentWayOf(contact, canPayOnline) === 'online') {
      if (canPayOnline) return { status: 'R', tickets: 'C', minutes };
      throw new RefusedDraft('not_payable', 'payment');
    }
    const payUntil = await payAtVenueUntil(tx, draft.eventId);
    if (!payUntil) throw new RefusedDraft('not_payable', 'payment');
    // An invented address must not hold places until the event.
    return { status: 'R', tickets: 'C', payUntil, ...(!(await isVerified(tx, key)) && { minutes }) };
  }

  /** @throws RefusedBooking when the event was unpublished, or is over */
  private async refuseEvent(tx: Tx, eventId: string): Promise<void> {
    const [event] = await tx.query<{ published: boolean; isOver: boolean }[]>(
      `select published, ${eventIsOverSql('event', this.settings)} as "isOver" from event where id = $1`,
      [eventId],
    );
    if (!event?.published) throw new RefusedBooking('event_not_published', 'tickets');
    if (event.isOver) throw new RefusedBooking('event_over', 'tickets');
  }

  private async scheduleFollowUps(tx: Tx, reservation: WholeReservation): Promise<void> {
    const { id, expiresAt } = reservation;
    await this.jobs.cancel(tx, draftExpiryJob, id);
    if (expiresAt) await this.jobs.add(tx, expiryJob, id, { dueAt: expiresAt });
    await this.mails.sendDue(tx, reservation);
  }
}

async function offeredAddress(tx: Tx, id: string): Promise<string> {
  const [row] = await tx.query<{ email: string }[]>('select email from waiting_entry where reservation_id = $1', [id]);
  return row?.email ?? '';
}

/** The products of tickets. */
export function productsOf(tickets: WholeReservation['tickets']): string[] {
  return [...new Set(tickets.map(({ price }) => price.productId))];
}

/**
 * Reads the answers, each ticket as a line of its own.
 * @param questions of the products of the tickets
 * @throws RefusedInputs with the faults of the whole form
 */
export function answersTo(questions: readonly Question[], { tickets }: WholeReservation, contact: DraftContact): NewAnswer[] {
  const faults = contactFaults(contact);
  const lines = tickets.map(({ id, price }, index) => ({
    productId: price.productId,
    ticketIds: [id],
    answers: contact.ticketAnswers[index],
  }));
  let answers: NewAnswer[] = [];
  try {
    answers = answersOfReservation(questions, contact.answers, lines);
  } catch (error) {
    if (!(error instanceof RefusedInput)) throw error;
    faults.push(...(error instanceof RefusedInputs ? error.faults : [error]));
  }
  if (faults.length > 0) throw new RefusedInputs(faults);
  return answers;
}

/** @throws RefusedBooking when the sale of a ticket's price has ended */
async function refuseEndedSale(tx: Tx, id: string): Promise<void> {
  const ended = await tx.query<unknown[]>(
    `select 1 from ticket join price on price.id = ticket.price_id
     where ticket.reservation_id = $1 and ${saleStateSql('price')} = 'ended' limit 1`,
    [id],
  );
  if (ended.length > 0) throw new RefusedBooking('sale_ended', 'tickets');
}

/** @throws RefusedDraft when the draft has other tickets than the form showed */
async function refuseChanged(tx: Tx, id: string, shown: readonly string[]): Promise<void> {
  const tickets = await tx.query<{ id: string }[]>('select id from ticket where reservation_id = $1 order by position, id', [id]);
  refuseOtherTickets(
    tickets.map((ticket) => ticket.id),
    shown,
  );
}
