import { forEachLanguage, RefusedInput, RefusedInputs, retryOnDeadlock, SETTINGS, sumOf, toCents, type Settings } from '#kernel';
import { CheckoutsService } from '#payments';
import { currentTenant, demandModule, TenantDb, tenantUrl, type Tx } from '#tenancy';
import { Inject, Injectable } from '@nestjs/common';
import type { Question } from '#catalogue';
import { askedBy, type NewAnswer } from '../answers/answer-rows.js';
import { ReservationChangesService } from '../changes/reservation-changes.service.js';
import type { DraftContact } from '../drafts/contact.js';
import { answersTo, DraftCompletionService, productsOf } from '../drafts/draft-completion.service.js';
import { RefusedDraft, refuseOtherTickets } from '../drafts/draft-refusals.js';
import { payAtVenueUntil, paymentWayOf } from '../drafts/payment-ways.js';
import { AvailabilityService } from '../inventory/availability.service.js';
import { RefusedBooking } from '../inventory/refused-booking.js';
import { BookingTurnsService } from '../new-reservations/booking-turns.service.js';
import { lockEventsOf } from '../reservations/reservation-rows.js';
import { loadReservations, type WholeReservation } from '../reservations/whole-reservation.js';
import { lockCart, partsOf } from './cart-rows.js';

/** A cart with its parts, drafts or reservations, and the questions that its form asks. */
export interface OrderedCart {
  /** In the order in which they were added. */
  readonly parts: readonly WholeReservation[];
  /** Whether the contact form was not sent yet. */
  readonly isOpen: boolean;
  /** Questions of all products, each once; empty when it is not open. */
  readonly questions: readonly Question[];
  readonly canPayOnline: boolean;
  /** The earliest time of the parts that cost something; undefined: not possible for all of them. */
  readonly payAtVenueUntil: Date | undefined;
}

/** A refusal of one part of a cart. */
export class RefusedCartPart extends RefusedInput {
  constructor(
    /** Id of the draft. */
    readonly partId: string,
    override readonly cause: RefusedBooking | RefusedDraft,
  ) {
    super(
      cause.field,
      forEachLanguage(() => cause.message),
    );
  }
}

/** Makes reservations of all drafts of a cart at once, and opens their common checkout. */
@Injectable()
export class CartCompletionService {
  constructor(
    private readonly db: TenantDb,
    private readonly availability: AvailabilityService,
    private readonly drafts: DraftCompletionService,
    private readonly changes: ReservationChangesService,
    private readonly checkouts: CheckoutsService,
    private readonly turns: BookingTurnsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** @returns a cart without parts when there is none (any more) */
  async find(cartId: string): Promise<OrderedCart> {
    const canPayOnline = await this.checkouts.available();
    return this.db.transaction(async (tx) => {
      const parts = await partsIn(tx, cartId);
      const isOpen = isOpenCart(parts);
      const questions = isOpen ? await askedBy(tx, productsOf(parts.flatMap(({ tickets }) => tickets))) : [];
      return { parts, isOpen, questions, canPayOnline, payAtVenueUntil: isOpen ? await venueUntil(tx, parts) : undefined };
    });
  }

  /**
   * Completes all parts of a cart or none, like `DraftCompletionService.complete`. When something is paid online, the free parts wait for
   * that payment, too.
   * @param contact with the tickets of all parts in their order; positions in faults are those of `contact`
   * @returns the reservations; those of a cart that was completed before; none when there is no such cart (any more)
   * @throws like `DraftCompletionService.complete`; RefusedCartPart instead of RefusedBooking and RefusedDraft of one part
   */
  async complete(cartId: string, contact: DraftContact): Promise<readonly WholeReservation[]> {
    demandModule('ticketing');
    const canPayOnline = await this.checkouts.available();
    const work = (tx: Tx): Promise<readonly WholeReservation[]> => this.completeIn(tx, cartId, contact, canPayOnline);
    return this.availability.retryAfterRelease(() => this.turns.run(() => retryOnDeadlock(() => this.db.transaction(work))));
  }

  /**
   * Opens one checkout for all parts that are to be paid online; a repeated call continues the same payment. A failure changes nothing.
   * @param path of the cart's page, to which the buyer returns
   * @returns the reservations after that
   * @throws PaymentProviderUnavailable, PaymentProviderRefused
   */
  async pay(parts: readonly WholeReservation[], path: string): Promise<readonly WholeReservation[]> {
    const due = parts.filter(({ status, payAtVenue }) => status === 'R' && !payAtVenue);
    const [first] = due;
    if (!first) return parts;
    const ids = due.map(({ id }) => id);
    const [item, ...others] = due.map(({ id, event }) => ({ subject: { reservationId: id }, description: event.name }));
    const returnUrl = tenantUrl(this.settings, currentTenant(), path);
    const { email, language } = first;
    const expiresAt = new Date(Math.min(...due.map((part) => (part.expiresAt as Date).getTime())));
    const bill = { ...(item as NonNullable<typeof item>), others, email, language, expiresAt, returnUrl, paidUrl: `${returnUrl}?paid=1` };
    return this.checkouts.open(bill, {
      opened: async (tx) => {
        await lockEventsOf(tx, ids);
        for (const id of ids.toSorted()) await this.changes.openedCheckout(tx, id);
      },
      read: (tx) =>
        loadReservations(
          tx,
          parts.map(({ id }) => id),
        ),
    });
  }

  private async completeIn(tx: Tx, cartId: string, contact: DraftContact, canPayOnline: boolean): Promise<readonly WholeReservation[]> {
    await lockCart(tx, cartId);
    const parts = await partsIn(tx, cartId);
    if (!isOpenCart(parts)) return parts;
    refuseOtherTickets(
      parts.flatMap(({ tickets }) => tickets.map(({ id }) => id)),
      contact.ticketIds,
    );
    const forms = formsOf(parts, contact);
    // Before events and reservations, because questions are locked first.
    const answers = await answersOf(tx, parts, forms);
    await lockEventsOf(
      tx,
      parts.map(({ id }) => id),
    );
    const costs = toCents(sumOf(parts)) > 0;
    const isOnline = costs && canPayOnline && paymentWayOf(contact, canPayOnline) === 'online';
    const byEvent = parts
      .map((part, index) => ({ part, index }))
      .toSorted((one, other) => (one.part.eventId < other.part.eventId ? -1 : 1));
    for (const { part, index } of byEvent) {
      const how = {
        answers: answers[index] ?? [],
        canPayOnline,
        isPaidWithOthers: isOnline && toCents(part.amount) === 0,
      };
      const completed = await ofPart(part.id, this.drafts.completeLocked(tx, part.id, forms[index] as DraftContact, how));
      // Deleted since it was read.
      if (!completed) throw new RefusedDraft('changed');
    }
    return partsIn(tx, cartId);
  }
}

async function partsIn(tx: Tx, cartId: string): Promise<WholeReservation[]> {
  const parts = await partsOf(tx, cartId);
  return loadReservations(
    tx,
    parts.map(({ id }) => id),
  );
}

function isOpenCart(parts: readonly WholeReservation[]): boolean {
  return parts.length > 0 && parts.every(({ isDraft }) => isDraft);
}

/** Until when all parts that cost something can be paid at the venue; undefined: not all of them can. */
async function venueUntil(tx: Tx, parts: readonly WholeReservation[]): Promise<Date | undefined> {
  const times: Date[] = [];
  for (const { amount, eventId } of parts) {
    if (toCents(amount) === 0) continue;
    const until = await payAtVenueUntil(tx, eventId);
    if (!until) return undefined;
    times.push(until);
  }
  return times.toSorted((one, other) => one.getTime() - other.getTime())[0];
}

/** The form of a cart as a form of each part. */
function formsOf(parts: readonly WholeReservation[], contact: DraftContact): DraftContact[] {
  return parts.map(({ tickets }, index) => {
    const first = firstTicket(parts, index);
    const end = first + tickets.length;
    return {
      ...contact,
      ticketIds: contact.ticketIds.slice(first, end),
      holders: contact.holders.slice(first, end),
      ticketAnswers: contact.ticketAnswers.slice(first, end),
    };
  });
}

/** Position of the first ticket of a part among all tickets. */
function firstTicket(parts: readonly WholeReservation[], index: number): number {
  return parts.slice(0, index).reduce((sum, { tickets }) => sum + tickets.length, 0);
}

/** The answers of each part. @throws RefusedInputs with the faults of the whole form */
async function answersOf(tx: Tx, parts: readonly WholeReservation[], forms: readonly DraftContact[]): Promise<NewAnswer[][]> {
  const answers: NewAnswer[][] = [];
  const faults = new Map<string, RefusedInput>();
  for (const [index, part] of parts.entries()) {
    const form = forms[index] as DraftContact;
    const questions = await askedBy(tx, productsOf(part.tickets));
    const asked = new Set(questions.flatMap(({ id, name }) => [id, name]));
    const own = new Map([...form.answers].filter(([question]) => asked.has(question)));
    try {
      answers.push(answersTo(questions, part, { ...form, answers: own }));
    } catch (error) {
      if (!(error instanceof RefusedInput)) throw error;
      for (const fault of error instanceof RefusedInputs ? error.faults : [error]) {
        const field = inCart(fault.field, firstTicket(parts, index));
        if (!faults.has(field)) faults.set(field, fault.at(field));
      }
    }
  }
  if (faults.size > 0) throw new RefusedInputs([...faults.values()]);
  return answers;
}

/** `tickets.0.answers.x` of a part, with the position among all tickets of the cart. */
function inCart(field: string, first: number): string {
  return field.replace(/^(tickets|holders)\.(\d+)/, (_, list: string, index: string) => `${list}.${Number(index) + first}`);
}

/** Names the part that a refusal is about. */
async function ofPart<Result>(id: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof RefusedBooking || (error instanceof RefusedDraft && error.reason !== 'not_payable')
      ? new RefusedCartPart(id, error)
      : error;
  }
}
