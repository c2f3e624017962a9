import { MembershipsService, renewThemselves } from '#memberships';
import {
  ReservationChangesService,
  isSignedIn,
  type DraftContact,
  AvailabilityService,
  lockEventsOf,
  membershipOf,
  type WholeReservation,
} from '#tickets';
import { retryOnDeadlock, SETTINGS, toCents, type Settings } from '#kernel';
import { lockOrder, placeOrder, removeLines, type OrderPart } from '#orders';
import { GiftCardRedemptionService } from '#gift-cards';
import { CheckoutsService } from '#payments';
import { currentTenant, demandModule, inside, TenantDb, tenantUrl, type Tx } from '#tenancy';
import { Inject, Injectable } from '@nestjs/common';
import { DraftCompletionService } from '../drafts/draft-completion.service.js';
import { RefusedDraft, refuseOtherTickets } from '../sales/draft-refusals.js';
import { paymentWayOf } from '../drafts/payment-ways.js';
import { BookingTurnsService } from '../new-reservations/booking-turns.service.js';
import { partsWithTooFewEvents } from '../discounts/order-discounts.js';
import { forgetLostPlaces, lostPlaces } from '../donations/given-places.js';
import { CartDiscountsService } from './cart-discounts.service.js';
import { answersOf, formsOf, type CartAnswers } from './cart-answers.js';
import { refuseChangedPasses } from '../passes/cart-passes.js';
import { ofPart } from './cart-refusals.js';
import {
  cartAmount,
  cartTransferTimes,
  contentsOf,
  onlyOnline,
  orderedCart,
  shownIds,
  venueUntil,
  type CartContents,
  type OrderedCart,
} from './ordered-cart.js';

/** How a cart is bought, beside the contact. */
interface Buying {
  readonly network: string;
  /** Memberships that are renewed by themselves. */
  readonly renewed: ReadonlySet<string>;
  /** Until when memberships are kept for a transfer. */
  readonly holdUntil?: Date | undefined;
}

/** Makes reservations and memberships of a cart at once, and opens their common checkout. */
@Injectable()
export class CartCompletionService {
  constructor(
    private readonly db: TenantDb,
    private readonly availability: AvailabilityService,
    private readonly drafts: DraftCompletionService,
    private readonly changes: ReservationChangesService,
    private readonly memberships: MembershipsService,
    private readonly checkouts: CheckoutsService,
    private readonly giftCards: GiftCardRedemptionService,
    private readonly turns: BookingTurnsService,
    private readonly discounts: CartDiscountsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** @returns a cart that contains nothing when there is none (any more) */
  async find(cartId: string): Promise<OrderedCart> {
    const canPayOnline = await this.checkouts.available();
    return this.db.transaction((tx) => orderedCart(tx, cartId, { canPayOnline, assumed: this.settings }));
  }

  /**
   * Completes all parts of a cart or none, like `DraftCompletionService.complete`. When something is paid online, the free parts wait for
   * that payment, too. Tickets may have the price of members when the cart contains the membership: it is valid with the same payment.
   * @param contact with the tickets of all parts in their order, as `shownIds` names them; positions in faults are those of `contact`
   * @param network of the buyer, as `siteOfClient` names it
   * @param renewed ids of the memberships that are to be renewed and charged by themselves, where the venue allows it
   * @returns the reservations and memberships; those of a cart that was completed before; none when there is no such cart (any more)
   * @throws like `DraftCompletionService.complete` and `MembershipsService.create`; RefusedCartPart instead of RefusedBooking and
   *   RefusedDraft of one part; RefusedAmount for the sum of everything
   */
  async complete(cartId: string, contact: DraftContact, network: string, renewed: ReadonlySet<string> = new Set()): Promise<CartContents> {
    demandModule('ticketing');
    const canPayOnline = await this.checkouts.available();
    const work = (tx: Tx): Promise<CartContents> => this.completeIn(tx, cartId, contact, { canPayOnline, network, renewed });
    try {
      return await this.availability.retryAfterRelease(() => this.turns.run(() => retryOnDeadlock(() => this.db.transaction(work))));
    } catch (error) {
      if (error instanceof LostPlaces) await this.db.transaction((tx) => forgetLostPlaces(tx, cartId));
      else if (error instanceof TooFewEvents) await this.discounts.takeBack(cartId);
      else throw error;
      throw new RefusedDraft('changed');
    }
  }

  /**
   * Pays with the gift cards of the order, and opens one checkout for everything else that is to be paid online; a repeated call continues
   * the same payment. A failure changes nothing else.
   * Opens none after a membership of the cart was cancelled.
   * @param path of the cart's page, to which the buyer returns
   * @param accountId as in the contact
   * @returns the cart after that
   * @throws PaymentProviderUnavailable, PaymentProviderRefused
   */
  async pay(cartId: string, cart: CartContents, path: string, accountId?: string): Promise<CartContents> {
    const { parts } = cart;
    // A transfer pays the rest of the order.
    const { memberships, own: sold } = cart.transferBy === undefined ? cart : { memberships: [], own: [] };
    const due = parts.filter(({ status, payAtVenue, payUntil }) => status === 'R' && !payAtVenue && payUntil === null);
    // Another request opened their checkout, which may also be that of the memberships: none is opened for these alone.
    const opened = parts.filter(({ status }) => status === 'U');
    const items = [
      ...memberships
        .filter(({ status }) => status === 'pending')
        .map(({ id, product, price }) => ({ subject: { membershipId: id }, description: `${product.name} · ${price.name}` })),
      ...due.map(itemOf),
    ];
    const [item, ...others] = items;
    const [first] = [...parts, ...memberships];
    if (!item || !first) return cart;
    // What the order sells itself is one subject.
    const [given] = sold;
    const own = given ? [{ subject: { orderId: cartId }, description: given.name }] : [];
    const subjectsOf = (some: readonly { readonly subject: OrderPart }[]): OrderPart[] => some.map(({ subject }) => subject);
    await this.giftCards.reserve(cartId, subjectsOf(items), subjectsOf(own));
    const ids = due.map(({ id }) => id);
    const returnUrl = tenantUrl(this.settings, currentTenant(), path);
    const { email, language } = first;
    const times = [...due, ...memberships].flatMap(({ expiresAt }) => expiresAt?.getTime() ?? []);
    const memberIds = memberships.map(({ id }) => id);
    const bill = {
      ...item,
      others: [...others, ...opened.map(itemOf), ...own],
      accountId,
      email,
      language,
      expiresAt: new Date(Math.min(...times)),
      returnUrl,
      keepsMeans: memberIds.length > 0 && (await this.db.transaction((tx) => renewThemselves(tx, memberIds))),
    };
    return this.checkouts.open(bill, {
      opened: async (tx) => {
        await lockEventsOf(tx, ids);
        for (const id of ids.toSorted()) await this.changes.openedCheckout(tx, id);
      },
      read: (tx) => contentsOf(tx, cartId),
    });
  }

  private async completeIn(
    tx: Tx,
    cartId: string,
    contact: DraftContact,
    { canPayOnline, network, renewed }: { readonly canPayOnline: boolean } & Buying,
  ): Promise<CartContents> {
    const isOpen = await lockOrder(tx, cartId);
    const cart = await contentsOf(tx, cartId);
    const { parts } = cart;
    if (!isOpen || parts.length + cart.chosen.length === 0) return cart;
    refuseOtherTickets(shownIds(cart), contact.ticketIds);
    // Before events and reservations, because questions are locked first.
    const answers = await answersOf(tx, cart, contact);
    const partIds = parts.map(({ id }) => id);
    await lockEventsOf(tx, partIds);
    await refuseChangedPasses(tx, cartId, this.settings);
    if ((await partsWithTooFewEvents(tx, cartId)).length > 0) throw new TooFewEvents();
    if ((await lostPlaces(tx, cart.own)).length > 0) throw new LostPlaces();
    const way = paymentWayOf(contact, canPayOnline);
    const isOnline = way === 'online' && canPayOnline;
    const transfer = way === 'transfer' ? await cartTransferTimes(tx, cart) : undefined;
    if (onlyOnline(cart).length > 0 && !isOnline && !transfer) throw new RefusedDraft('not_payable', 'payment');
    // A membership of an invented address must not be kept for days.
    if (transfer && cart.chosen.length > 0 && !isSignedIn(contact)) throw new RefusedDraft('sign_in_transfer', 'email');
    const isForMembers = parts.some((part) => requiresOtherMembership(part, cart.chosen));
    // The time to pay a membership is too short for a confirmation by mail before.
    if (isForMembers && cart.chosen.length > 0 && !isSignedIn(contact)) throw new RefusedDraft('sign_in', 'email');
    // Before the tickets, whose prices may require them.
    await this.createMemberships(tx, cartId, cart, { ...contact, network, renewed, holdUntil: transfer?.until }, answers);
    const forms = formsOf(parts, contact);
    const costs = toCents(cartAmount(cart)) > 0;
    const tooSmall = isOnline ? await this.checkouts.tooSmall(inside(tx), cartAmount(cart), 'tickets', contact.accountId) : undefined;
    if (tooSmall) throw (await venueUntil(tx, cart)) === undefined ? tooSmall : tooSmall.at('payment');
    await placeOrder(tx, cartId);
    const byEvent = parts
      .map((part, index) => ({ part, index }))
      .toSorted((one, other) => (one.part.eventId < other.part.eventId ? -1 : 1));
    for (const { part, index } of byEvent) {
      const how = {
        answers: answers.parts[index] ?? [],
        canPayOnline,
        isPaidWithOthers: costs && isOnline && toCents(part.amount) === 0,
        isForMembers,
      };
      const completed = await ofPart(part.id, this.drafts.completePart(tx, part, forms[index] as DraftContact, how));
      // Deleted since it was read.
      if (!completed) throw new RefusedDraft('changed');
    }
    return contentsOf(tx, cartId);
  }

  /** Makes memberships of those in the cart, in the order of their prices, which are locked. */
  private async createMemberships(
    tx: Tx,
    cartId: string,
    { chosen }: CartContents,
    { email, firstName, lastName, language, acceptsTerms, network, renewed, signedIn, holdUntil }: DraftContact & Buying,
    answers: CartAnswers,
  ): Promise<void> {
    if (chosen.length > 0) demandModule('membership');
    const inOrder = chosen
      .map((membership, index) => ({ ...membership, answers: answers.memberships[index] ?? new Map<string, unknown>() }))
      .toSorted((one, other) => (one.priceId < other.priceId ? -1 : 1));
    const isTyped = !isSignedIn({ email, signedIn });
    for (const { id, priceId, fullAmount: amount, code, answers: own } of inOrder) {
      const member = { email, firstName, lastName, language, acceptsTerms, network, answers: own };
      const wanted = { ...member, isTyped, holdUntil, id, cartId, priceId, amount, code: code ?? undefined, renewsItself: renewed.has(id) };
      await ofPart(id, this.memberships.createIn(tx, wanted, true));
    }
    const ids = chosen.map(({ id }) => id);
    if (ids.length > 0) await removeLines(tx, cartId, ids);
  }
}

/** Tickets of the cart are reduced for more events than it has. */
class TooFewEvents extends Error {
  constructor() {
    super('The cart has lost events.');
  }
}

/** The cart gives places that nobody could get any more. */
class LostPlaces extends Error {
  constructor() {
    super('The cart gives too many places.');
  }
}

/** A part of a cart as a line of a bill. */
const itemOf = ({ id, event }: WholeReservation) => ({ subject: { reservationId: id }, description: event.name });

/** Whether tickets have the price of members whose membership is not in the cart. */
function requiresOtherMembership({ tickets }: WholeReservation, chosen: CartContents['chosen']): boolean {
  return tickets.map(membershipOf).some((required) => required !== null && chosen.every(({ productId }) => productId !== required));
}
