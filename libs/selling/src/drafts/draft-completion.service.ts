import {
  askedByTicketsOf,
  type GivenAnswer,
  claimOf,
  claimOfStranger,
  mostUnpaidOf,
  ReservationChangesService,
  ReservationPublisherService,
  emailKey,
  HolderLinks,
  noteEnded,
  AvailabilityService,
  linesOfReservation,
  loadOffer,
  lockEvent,
  awaitsConfirmation,
  dueKind,
  mailAndJobsOf,
  loadReservations,
  type WholeReservation,
  type DraftContact,
  lockAddress,
  type UsedCode,
} from '#tickets';
import { Inject, Injectable } from '@nestjs/common';
import type { Question } from '#catalogue';
import { retryOnDeadlock, SETTINGS, type Settings } from '#kernel';
import { JobsService } from '#jobs';
import { GiftCardRedemptionService } from '#gift-cards';
import { CheckoutsService } from '#payments';
import { expectTransfer, transferTimes, transferTimesOf, type TransferTimes } from '#transfers';
import { demandModule, inOrder, inside, TenantDb, type Tx } from '#tenancy';
import { discountsAt, missingDiscounts, type MissingDiscount } from '../discounts/missing-discounts.js';
import { judgeHeld } from '../rules/index.js';
import { BookingTurnsService } from '../new-reservations/booking-turns.service.js';
import {
  completedReservation,
  writeCompletion,
  type CompletedDraft,
  type CompletedReservation,
  type Completion,
} from './completed-rows.js';
import { answersTo } from './given-answers.js';
import { buyerFacts, stateAfterForm, type AfterForm } from './completed-state.js';
import { RefusedDraft, refuseOtherTickets } from '../sales/draft-refusals.js';
import { lockDraftRow, orderFacts, type LockedDraft } from './draft-rows.js';
import { refuseTooMany } from './network-refusals.js';
import { offeredPlaces, type OfferedPlaces } from '../donations/given-places.js';
import { payAtVenueUntil, paymentWayOf } from './payment-ways.js';
import { refuseUnconfirmed } from './unconfirmed-orders.js';

/** A reservation of the pages, or the draft of one, with the questions that its form asks. */
export interface OrderedTickets {
  readonly reservation: WholeReservation;
  /** The address that the draft is offered to, see `WaitingProposalsService`; empty for every other one. */
  readonly offeredTo: string;
  /** Questions of the products, in order; empty when it is no draft any more. */
  readonly questions: readonly Question[];
  readonly canPayOnline: boolean;
  /** undefined: not possible. */
  readonly payAtVenueUntil: Date | undefined;
  /** undefined: it cannot be paid by transfer. */
  readonly transfer: TransferTimes | undefined;
  /** The code that it uses. */
  readonly code: UsedCode | undefined;
  /** What the buyer of a draft may add to save more. */
  readonly missingDiscounts: readonly MissingDiscount[];
  /** Places at its event that the buyer can give to others. */
  readonly offeredPlaces: readonly OfferedPlaces[];
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
    private readonly giftCards: GiftCardRedemptionService,
    private readonly turns: BookingTurnsService,
    private readonly jobs: JobsService,
    private readonly links: HolderLinks,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Whether a buyer who reserves for the event now can pay, in any way. */
  async canPay(eventId: string): Promise<boolean> {
    if (await this.checkouts.available()) return true;
    return this.db.transaction(
      async (tx) => (await payAtVenueUntil(tx, [eventId])) !== undefined || (await transferTimes(tx, [eventId])) !== undefined,
    );
  }

  /** @returns undefined when there is none (any more) */
  async find(id: string): Promise<OrderedTickets | undefined> {
    const canPayOnline = await this.checkouts.available();
    return this.db.transaction(async (tx) => {
      const discounts = discountsAt(tx, '(select array_agg(event_id) from reservation where id = $1)', [id]);
      const times = transferTimesOf(tx, id);
      const sent = [loadReservations(tx, [id]), askedByTicketsOf(tx, id, false), orderFacts(tx, id), discounts, times] as const;
      const [[reservation], asked, facts, atEvent, transfer] = await inOrder(sent);
      if (!reservation) return undefined;
      const { isDraft } = reservation;
      const missing = isDraft ? missingDiscounts(atEvent, [reservation]) : [];
      const offered = canPayOnline && isDraft ? await offeredPlaces(tx, [reservation.eventId]) : [];
      const questions = isDraft ? asked : [];
      return { reservation, ...facts, canPayOnline, questions, transfer, missingDiscounts: missing, offeredPlaces: offered };
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
   * @throws RefusedBooking; RefusedDraft `changed` when the form showed other tickets, `not_payable`, `too_many_held`,
   *   `unconfirmed`
   * @throws RefusedAmount on `payment`, or on `tickets` when the sum can be paid in no other way
   * @throws Problem 429 `tenant.busy`; Problem 403 `tenant.module`
   */
  async complete(id: string, contact: DraftContact | ((draft: AskedDraft) => DraftContact)): Promise<CompletedReservation | undefined> {
    demandModule('ticketing');
    const canPayOnline = await this.checkouts.available();
    const contactOf = typeof contact === 'function' ? contact : () => contact;
    const work = (tx: Tx): Promise<CompletedReservation | undefined> => this.completeIn(tx, id, contactOf, canPayOnline);
    return this.availability.retryAfterRelease(() => this.turns.run(() => retryOnDeadlock(() => this.db.transaction(work))));
  }

  /**
   * Pays a reservation with the gift cards of its order, and opens the checkout for the rest, if there is one; a repeated call continues
   * the same payment. A failure changes nothing else: the hold stays, and the buyer may try again.
   * @param accountId as in the contact
   * @returns the reservation after that
   * @throws PaymentProviderUnavailable, PaymentProviderRefused; RefusedBooking when it is sold out meanwhile
   */
  async pay(reservation: CompletedReservation, accountId?: string): Promise<CompletedReservation> {
    const { id, email, language, event, expiresAt, linkVersion } = reservation;
    const subject = { reservationId: id };
    await this.giftCards.reserve(reservation.cartId ?? id, [subject]);
    const bill = {
      subject,
      accountId,
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
  ): Promise<CompletedReservation | undefined> {
    // Questions are locked before events and reservations.
    const [[draft], questions] = await inOrder([loadReservations(tx, [id]), askedByTicketsOf(tx, id)]);
    if (!draft?.isDraft || draft.cartId !== null) return draft;
    const contact = contactOf({ reservation: draft, questions });
    const how = { answers: answersTo(questions, draft, contact), canPayOnline };
    if (canPayOnline && paymentWayOf(contact, true) === 'online') await this.refuseTooSmall(tx, draft, contact);
    return this.completePart(tx, draft, contact, how);
  }

  /**
   * Completes a draft inside a transaction that has read the answers. Locks its event.
   * @param shown the draft as it was read before the event was locked
   * @param how.isPaidWithOthers other parts of the same order are paid online: what is free waits for that payment, too
   * @param how.isForMembers as for `stateAfterForm`
   * @returns undefined when there is no such draft or reservation (any more)
   * @throws like `complete`, except for answers
   */
  async completePart(
    tx: Tx,
    shown: WholeReservation,
    contact: DraftContact,
    how: {
      readonly answers: readonly GivenAnswer[];
      readonly canPayOnline: boolean;
      readonly isPaidWithOthers?: boolean;
      readonly isForMembers?: boolean;
    },
  ): Promise<CompletedReservation | undefined> {
    const { id } = shown;
    const key = emailKey(contact.email);
    const priceIds = shown.tickets.map(({ priceId }) => priceId);
    const [, draft, tickets, offer, known, claimed, transfer] = await inOrder([
      lockEvent(tx, shown.eventId),
      lockDraftRow(tx, id),
      tx.query<Identified[]>('select id from ticket where reservation_id = $1 order by position, id', [id]),
      loadOffer(tx, { eventId: shown.eventId, priceIds }, this.settings),
      buyerFacts(tx, shown, key),
      claimOf(tx, { id, eventId: shown.eventId, emailKey: key }),
      contact.payment === 'transfer' ? transferTimes(tx, [shown.eventId]) : Promise.resolve(undefined),
    ]);
    const facts = { ...known, transfer };
    // Completed or deleted by another request meanwhile.
    if (!draft) return (await loadReservations(tx, [id]))[0];
    // It became a cart with a donation, of which the form did not show the sum.
    if (draft.cartId !== shown.cartId) throw new RefusedDraft('changed');
    refuseOtherTickets(idsOf(tickets), contact.ticketIds);
    refuseOtherTickets(idsOf(shown.tickets), contact.ticketIds);
    await this.refuseRenewal(tx, draft, shown.tickets);
    judgeHeld({ offer, lapsed: draft.lapsed, answers: how.answers });
    // After the end of a hold, people who wait come first, whether or not a job has released its places.
    if (draft.lapsed) await noteEnded(tx, id);
    if (draft.lapsed && !draft.released) await this.availability.giveBack(tx, draft.eventId, await linesOfReservation(tx, id));
    const { holdMinutes, confirmsAddresses } = this.settings;
    const circumstances = { ...how, holdMinutes, confirmsAddresses };
    const { state, ...after } = stateAfterForm({ ...shown, amount: draft.amount }, contact, facts, circumstances);
    if (!state) throw new RefusedDraft('not_payable', 'payment');
    const isAtOnce = state.confirmation === 'none';
    if (awaitsConfirmation(state) || isAtOnce) await inOrder([lockAddress(tx, key), refuseUnconfirmed(tx, key, id)]);
    const completion = this.completionOf(tx, completedReservation(shown, contact, state, { ...how, ...after }), after);
    const claim = {
      // What is given at once counts for its person at once.
      ...(after.isTrusted || isAtOnce ? claimed : claimOfStranger(claimed)),
      defaultMaximum: mostUnpaidOf(completion.reservation),
      isHeld: !draft.lapsed && !draft.released,
    };
    // In one round trip: when something is not left, what was written rolls back.
    const isTransfer = transfer !== undefined && completion.reservation.payAtVenue;
    await inOrder([
      writeCompletion(tx, completion),
      this.availability.take(tx, claim),
      ...(isTransfer ? [expectTransfer(tx, shown.cartId ?? id, transfer.dueOn)] : []),
    ]);
    return completion.reservation;
  }

  /** @throws RefusedAmount */
  private async refuseTooSmall(tx: Tx, { amount, eventId }: WholeReservation, { accountId }: DraftContact): Promise<void> {
    const refusal = await this.checkouts.tooSmall(inside(tx), amount, 'tickets', accountId);
    if (refusal) throw (await payAtVenueUntil(tx, [eventId])) === undefined ? refusal : refusal.at('payment');
  }

  /** A hold that has ended begins anew: it counts for its networks again. @throws RefusedDraft `too_many_held`, `too_many_here` */
  private async refuseRenewal(tx: Tx, draft: LockedDraft, tickets: WholeReservation['tickets']): Promise<void> {
    if (draft.lapsed) await refuseTooMany(tx, draft, tickets, this.settings);
  }

  /** What belongs to a completed draft: its webhook event, its mail and its jobs, of which the workers are notified. */
  private completionOf(tx: Tx, reservation: CompletedDraft, { isMailed }: Pick<AfterForm, 'isMailed'>): Completion {
    const { id, expiresAt } = reservation;
    const isKnown = !awaitsConfirmation(reservation) && reservation.confirmation !== 'none';
    const kind = isMailed || isKnown ? dueKind(reservation) : undefined;
    const { mail, jobs } = mailAndJobsOf(id, kind, expiresAt);
    if (jobs.length > 0) this.jobs.notifyAfter(tx);
    return { reservation, mail, message: this.publisher.prepare(tx, 'reservation.created', reservation), jobs };
  }
}

interface Identified {
  readonly id: string;
}

const idsOf = (rows: readonly Identified[]): string[] => rows.map(({ id }) => id);
