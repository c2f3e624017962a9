import { isForCart, isForOwnForm, membershipOffers, type MembershipOffer } from '#memberships';
import { loadOffer, membershipOf, type Offer, type WholeReservation } from '#tickets';
import { fromCents, SETTINGS, sumOf, toCents, type Settings } from '#kernel';
import { lockOrder } from '#orders';
import { CheckoutsService } from '#payments';
import { hasModule, TenantDb, type Tx } from '#tenancy';
import { Inject, Injectable } from '@nestjs/common';
import { choiceOf } from '../drafts/draft-rows.js';
import { checkedChoice, offerOfChoice, type DraftLine } from '../drafts/wanted-draft.js';
import { DraftsService } from '../drafts/drafts.service.js';
import { CartDiscountsService } from '../carts/cart-discounts.service.js';
import { chooseMembership } from '../carts/cart-memberships.js';
import { ofPart } from '../carts/cart-refusals.js';
import { partsOf } from '../carts/cart-rows.js';
import { discountsAt } from '../discounts/missing-discounts.js';
import { reduced } from '../rules/code.js';
import { cheapestMemberships, type Cheapest, type MembershipCost } from './cheapest-memberships.js';
import { exchangeableTickets, type ExchangeableTickets, type OfferedMemberPrice } from './exchangeable-tickets.js';
import { memberPrices } from './member-prices.js';
import { cartAmount, contentsOf, type CartContents } from '../carts/ordered-cart.js';

/** A cheaper way to buy what a cart contains. */
export interface CartSaving {
  /** Memberships to buy in addition; none when the cart contains those that its tickets need. */
  readonly memberships: readonly MembershipOffer[];
  /** Whether the cart can be changed to it; false: the memberships are sold at the venue only. */
  readonly isPossible: boolean;
  /** Sums of the cart as it is, and after the change; decimal text. */
  readonly before: string;
  readonly after: string;
  readonly saving: string;
  /** The new price of tickets that are exchanged, by the id of the ticket. */
  readonly exchanges: ReadonlyMap<string, string>;
}

/** A membership that is not sold in carts, and with which a cart would cost less than in every way that is. */
export interface JoiningSaving extends Pick<CartSaving, 'before' | 'after' | 'saving'> {
  /** Its cheapest price; the sums count its minimum. */
  readonly membership: MembershipOffer;
}

/** What the page of a cart says about memberships. */
export interface CartSavings {
  readonly saving: CartSaving | undefined;
  readonly joining: JoiningSaving | undefined;
}

/** The changed cart would cost something else than its page said. */
class OtherSum extends Error {
  constructor() {
    super('The cart would have another sum.');
  }
}

/** Finds the memberships with which a cart costs least, and changes the cart to them. */
@Injectable()
export class CartSavingsService {
  constructor(
    private readonly db: TenantDb,
    private readonly drafts: DraftsService,
    private readonly checkouts: CheckoutsService,
    private readonly discounts: CartDiscountsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * @param held products of the memberships that the buyer has
   * @returns what is cheaper than the cart as it is
   */
  async find(cart: CartContents, held: ReadonlySet<string> = new Set()): Promise<CartSavings> {
    if (cart.parts.length === 0 || !hasModule('membership')) return nothingCheaper;
    const canPayOnline = await this.checkouts.available();
    return this.db.transaction((tx) => this.savingsOf(tx, cart, held, canPayOnline));
  }

  /**
   * Adds the memberships and exchanges the tickets, all or nothing.
   * @param priceIds of the memberships that the page named
   * @param after the sum that the page named, decimal text; with another result now, nothing is changed
   * @param held as for `find`
   * @returns whether the cart was changed
   * @throws what `DraftsService.change` throws; RefusedCartPart instead of RefusedBooking
   */
  async apply(cartId: string, priceIds: readonly string[], after: string, held: ReadonlySet<string> = new Set()): Promise<boolean> {
    const canPayOnline = await this.checkouts.available();
    const applying = this.drafts.taking(async (tx) => {
      const isOpen = await lockOrder(tx, cartId);
      const cart = await contentsOf(tx, cartId);
      const { saving } = hasModule('membership') && isOpen ? await this.savingsOf(tx, cart, held, canPayOnline) : nothingCheaper;
      if (!saving?.isPossible || saving.after !== after || !isSame(saving, priceIds)) return false;
      for (const { priceId } of saving.memberships) await chooseMembership(tx, cartId, priceId);
      // Events are locked in the order of their ids.
      const changed = cart.parts.filter(({ tickets }) => tickets.some(({ id }) => saving.exchanges.has(id)));
      for (const part of changed.toSorted((one, other) => (one.eventId < other.eventId ? -1 : 1))) {
        const before = await choiceOf(tx, part);
        const choice = { ...before, lines: exchanged(before.lines, part, saving.exchanges), allDates: true };
        await ofPart(part.id, this.drafts.changeIn(tx, part.id, choice));
      }
      await this.discounts.reprice(tx, await partsOf(tx, cartId));
      if (cartAmount(await contentsOf(tx, cartId)) !== after) throw new OtherSum();
      return true;
    });
    return applying.catch((error: unknown) => {
      if (error instanceof OtherSum) return false;
      throw error;
    });
  }

  private async savingsOf(tx: Tx, cart: CartContents, held: ReadonlySet<string>, canPayOnline: boolean): Promise<CartSavings> {
    const { parts, chosen } = cart;
    const eventIds = parts.map(({ eventId }) => eventId);
    const prices = await this.withCodes(tx, parts, await memberPrices(tx, eventIds));
    if (prices.length === 0) return nothingCheaper;
    const groups = exchangeableTickets(parts, prices);
    const open = (await membershipOffers(tx)).filter(({ required }) => required === null);
    const offers = cheapestOfEach(open.filter(isForCart));
    const owned = [...held, ...chosen.filter(isForCart).map(({ productId }) => productId)];
    const costs = costsOf(offers);
    // Memberships in carts are paid online. Without that, those of the venue are named when nothing cheaper is possible here.
    const found = cheapestMemberships(groups, owned, canPayOnline ? costs : []) ?? cheapestMemberships(groups, owned, costs);
    const before = cartAmount(cart);
    const saving = found && (await this.withDiscounts(tx, cart, savingOf(found, groups, { offers, before, canPayOnline })));
    // What discounts save after such a change is not known.
    if (parts.some(({ tickets }) => tickets.some(({ discount }) => discount))) return { saving, joining: undefined };
    const joinable = cheapestOfEach(open.filter((offer) => isForOwnForm(offer, canPayOnline)));
    return { saving, joining: joiningOf(groups, owned, { joinable, before, least: found?.saving ?? 0 }) };
  }

  /** The same with the discounts that the changed cart has. @returns undefined when it saves nothing then */
  private async withDiscounts(tx: Tx, { parts, chosen }: CartContents, saving: CartSaving): Promise<CartSaving | undefined> {
    const eventIds = parts.map(({ eventId }) => eventId);
    const memberships = [...chosen, ...saving.memberships].map(({ productId }) => productId);
    if ((await discountsAt(tx, '$1::uuid[]', [eventIds])).length === 0) return saving;
    let change = 0;
    for (const part of parts) {
      const before = await choiceOf(tx, part);
      const choice = { ...before, lines: exchanged(before.lines, part, saving.exchanges), allDates: true };
      const offer = await loadOffer(tx, offerOfChoice(choice), this.settings);
      const held = part.tickets.flatMap((ticket) => membershipOf(ticket) ?? []);
      const { tickets } = checkedChoice({ ...choice, buying: { eventIds, memberships: [...memberships, ...held] } }, offer, {
        decides: true,
      });
      change += toCents(sumOf(tickets)) - toCents(part.amount);
    }
    const less = -change - saving.memberships.reduce((sum, { amount }) => sum + toCents(amount), 0);
    return less > 0 ? { ...saving, after: fromCents(toCents(saving.before) - less), saving: fromCents(less) } : undefined;
  }

  /** What the prices cost with the codes that the parts use: an exchange keeps them. */
  private async withCodes(tx: Tx, parts: CartContents['parts'], prices: readonly OfferedMemberPrice[]): Promise<OfferedMemberPrice[]> {
    const codes = prices.length === 0 ? [] : await codesOfParts(tx, parts);
    if (codes.length === 0) return [...prices];
    const offers = new Map<string, Offer>();
    for (const { eventId, code } of codes) {
      const priceIds = prices.filter((price) => price.eventId === eventId).map(({ priceId }) => priceId);
      offers.set(eventId, await loadOffer(tx, { eventId, priceIds, code }, this.settings));
    }
    const priced = prices.map((one) => {
      const offer = offers.get(one.eventId);
      const price = offer?.prices.get(one.priceId);
      return offer && price ? { ...one, amount: reduced({ offer }, price, one.amount).amount } : one;
    });
    return priced.toSorted((one, other) => toCents(one.amount) - toCents(other.amount));
  }
}

const nothingCheaper: CartSavings = { saving: undefined, joining: undefined };

/** The change of a cart to what was found. */
function savingOf(
  found: Cheapest,
  groups: readonly ExchangeableTickets[],
  {
    offers,
    before,
    canPayOnline,
  }: { readonly offers: readonly MembershipOffer[]; readonly before: string; readonly canPayOnline: boolean },
): CartSaving {
  const exchanges = new Map<string, string>();
  for (const [index, { tickets }] of groups.entries())
    for (const [place, price] of (found.exchanges[index] ?? []).entries()) {
      const ticket = tickets[place];
      if (price && ticket) exchanges.set(ticket.id, price.priceId);
    }
  return {
    memberships: offers.filter(({ productId }) => found.memberships.includes(productId)),
    isPossible: canPayOnline || found.memberships.length === 0,
    before,
    after: fromCents(toCents(before) - found.saving),
    saving: fromCents(found.saving),
    exchanges,
  };
}

/** The best of the memberships that people join in a form of their own. @param how.least in cents, what is saved without them */
function joiningOf(
  groups: readonly ExchangeableTickets[],
  owned: readonly string[],
  { joinable, before, least }: { readonly joinable: readonly MembershipOffer[]; readonly before: string; readonly least: number },
): JoiningSaving | undefined {
  let best: { readonly membership: MembershipOffer; readonly saving: number } | undefined;
  for (const membership of joinable) {
    const found = cheapestMemberships(groups, owned, costsOf([membership]));
    if (found && found.memberships.length > 0 && found.saving > (best?.saving ?? least)) best = { membership, saving: found.saving };
  }
  if (!best) return undefined;
  const { membership, saving } = best;
  return { membership, before, after: fromCents(toCents(before) - saving), saving: fromCents(saving) };
}

const costsOf = (offers: readonly MembershipOffer[]): MembershipCost[] =>
  offers.map(({ productId, amount }) => ({ productId, amount: toCents(amount) }));

/** The cheapest price of each membership. */
function cheapestOfEach(offers: readonly MembershipOffer[]): MembershipOffer[] {
  const byAmount = offers.toSorted((one, other) => toCents(one.amount) - toCents(other.amount));
  return byAmount.filter(({ productId }, index) => byAmount.findIndex((one) => one.productId === productId) === index);
}

function isSame({ memberships }: CartSaving, priceIds: readonly string[]): boolean {
  return memberships.length === priceIds.length && memberships.every(({ priceId }) => priceIds.includes(priceId));
}

/** The lines of a part after the exchange. */
function exchanged(lines: readonly DraftLine[], { tickets }: WholeReservation, exchanges: CartSaving['exchanges']): DraftLine[] {
  const after: { -readonly [name in keyof DraftLine]: DraftLine[name] }[] = lines.map((line) => ({ ...line }));
  for (const { id, priceId: old } of tickets) {
    const priceId = exchanges.get(id);
    const [from, to] = [old, priceId].map((one) => after.find((line) => line.priceId === one));
    if (priceId === undefined || !from) continue;
    from.quantity -= 1;
    if (to) to.quantity += 1;
    else after.push({ priceId, quantity: 1 });
  }
  return after.filter(({ quantity }) => quantity > 0);
}

/** The codes that parts use, with their events. */
function codesOfParts(tx: Tx, parts: CartContents['parts']): Promise<{ readonly eventId: string; readonly code: string }[]> {
  return tx.query(
    `select distinct order_line.event_id as "eventId", code.code from code_use join order_line on order_line.id = line_id
     join code on code.id = code_id where code_use.reservation_id = any($1)`,
    [parts.map(({ id }) => id)],
  );
}
