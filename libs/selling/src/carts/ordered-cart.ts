import { loadMemberships, type WholeMembership } from '#memberships';
import { askedBy, loadReservations, membershipOf, type WholeReservation, type UsedCode } from '#tickets';
import type { AssumedDuration, Question } from '#catalogue';
import { sumOf, toCents } from '#kernel';
import { ownLinesOf, type OwnLine } from '#orders';
import type { Tx } from '#tenancy';
import { transferDayOf, transferTimes, type TransferTimes } from '#transfers';
import { productsOf } from '../drafts/given-answers.js';
import { codesOfOrder } from '../codes/used-codes.js';
import { payAtVenueUntil } from '../drafts/payment-ways.js';
import { discountsAt, missingDiscounts, type MissingDiscount } from '../discounts/missing-discounts.js';
import { offeredPlaces, type OfferedPlaces } from '../donations/given-places.js';
import { chosenPassesIn, type ChosenPass } from '../passes/cart-passes.js';
import { membershipsIn, type ChosenMembership } from './cart-memberships.js';
import { partsOf } from './cart-rows.js';

/** What a cart contains. */
export interface CartContents {
  /** Tickets by event, drafts or reservations, in the order in which they were added. */
  readonly parts: readonly WholeReservation[];
  /** Memberships of an open cart. */
  readonly chosen: readonly ChosenMembership[];
  /** Memberships of a completed cart. */
  readonly memberships: readonly WholeMembership[];
  /** What the order itself sells, such as a donation. */
  readonly own: readonly OwnLine[];
  /** The last day for the transfer that pays it, as ISO date; undefined: it is paid in another way. */
  readonly transferBy: string | undefined;
}

/** A cart with the questions that its form asks. */
export interface OrderedCart extends CartContents {
  /** Whether it contains something and the contact form was not sent yet. */
  readonly isOpen: boolean;
  /** Questions of all products, each once; empty when it is not open. */
  readonly questions: readonly Question[];
  /** Names of the memberships that tickets of the open cart require and the cart does not contain, by the id of their product. */
  readonly missing: ReadonlyMap<string, string>;
  readonly canPayOnline: boolean;
  /** The events of the cart for which places can be given. */
  readonly offeredPlaces: readonly OfferedPlaces[];
  /** Its passes whose dates the buyer chooses. */
  readonly passes: readonly ChosenPass[];
  /** The codes that its tickets use. */
  readonly codes: readonly UsedCode[];
  /** What the buyer of an open cart may add to save more. */
  readonly missingDiscounts: readonly MissingDiscount[];
  /** The earliest time of the parts that cost something; undefined: not possible for all of them. */
  readonly payAtVenueUntil: Date | undefined;
  /** The same for a bank transfer, with the earliest deadline. */
  readonly transfer: TransferTimes | undefined;
}

/** Loads the contents of a cart; all lists are empty when there is none (any more). */
export async function contentsOf(tx: Tx, cartId: string): Promise<CartContents> {
  const ids = (await partsOf(tx, cartId)).map(({ id }) => id);
  const memberships = await membershipsOfCart(tx, cartId);
  const parts = await loadReservations(tx, ids);
  const transferBy = parts.some(({ payAtVenue }) => payAtVenue) ? await transferDayOf(tx, cartId) : undefined;
  return {
    parts,
    chosen: await membershipsIn(tx, cartId),
    memberships,
    own: await ownLinesOf(tx, cartId),
    transferBy,
  };
}

/** The memberships of a completed cart. */
export async function membershipsOfCart(tx: Tx, cartId: string): Promise<readonly WholeMembership[]> {
  const rows = await tx.query<{ id: string }[]>('select id from membership where cart_id = $1 order by created_at, id', [cartId]);
  if (rows.length === 0) return [];
  return loadMemberships(
    tx,
    rows.map(({ id }) => id),
  );
}

/** Loads a cart for its pages. */
export async function orderedCart(
  tx: Tx,
  cartId: string,
  { canPayOnline, assumed }: { readonly canPayOnline: boolean; readonly assumed: AssumedDuration },
): Promise<OrderedCart> {
  const contents = await contentsOf(tx, cartId);
  const isOpen = isOpenCart(contents);
  const questions = isOpen ? await askedByCart(tx, contents) : [];
  const missing = isOpen ? await missingMemberships(tx, contents) : new Map<string, string>();
  const until = isOpen ? await venueUntil(tx, contents) : undefined;
  const transfer = isOpen ? await cartTransferTimes(tx, contents) : undefined;
  const codes = isOpen ? await codesOfOrder(tx, cartId) : [];
  const eventIds = contents.parts.map(({ eventId }) => eventId);
  const discounts = isOpen ? await discountsAt(tx, '$1::uuid[]', [eventIds]) : [];
  const inCart = contents.chosen.map(({ productId }) => productId);
  const missingHere = missingDiscounts(discounts, contents.parts, inCart);
  const offered = isOpen && canPayOnline && eventIds.length > 0 ? await offeredPlaces(tx, eventIds) : [];
  const hasPass = contents.parts.some(({ tickets }) => tickets.some(({ price }) => price.wholeSeries));
  const passes = isOpen && hasPass ? await chosenPassesIn(tx, cartId, assumed) : [];
  const toPay = { canPayOnline, codes, payAtVenueUntil: until, transfer, missingDiscounts: missingHere, offeredPlaces: offered };
  return { ...contents, isOpen, questions, missing, passes, ...toPay };
}

/** Whether a cart contains something, and was not completed. */
export function isOpenCart({ parts, chosen, memberships }: CartContents): boolean {
  return parts.length + chosen.length > 0 && memberships.length === 0 && parts.every(({ isDraft }) => isDraft);
}

/** What of a cart is not paid at the venue. */
type Online = Pick<CartContents, 'chosen' | 'own'>;

/** The sum of an open cart. @returns decimal text */
export function cartAmount({ parts, ...online }: Pick<CartContents, 'parts'> & Online): string {
  return sumOf([...parts, ...onlyOnline(online)]);
}

/** The memberships of an open cart, and what the order itself sells. */
export function onlyOnline({ chosen, own }: Online): readonly (ChosenMembership | OwnLine)[] {
  return [...chosen, ...own];
}

/**
 * What a contact form shows, in its order: another tab may have changed it since. A membership is named with its amount, because its price
 * may change until the form is sent.
 */
export function shownIds({ parts, ...online }: Pick<CartContents, 'parts'> & Online): string[] {
  return [...parts.flatMap(({ tickets }) => tickets.map(({ id }) => id)), ...onlyOnline(online).map(({ id, amount }) => `${id} ${amount}`)];
}

/** Questions of a membership, which are asked once. */
export async function askedByMembership(tx: Tx, productId: string): Promise<Question[]> {
  return (await askedBy(tx, [productId])).map((question) => ({ ...question, scope: 'reservation' as const }));
}

async function askedByCart(tx: Tx, { parts, chosen }: CartContents): Promise<Question[]> {
  const questions = await askedBy(tx, productsOf(parts.flatMap(({ tickets }) => tickets)));
  for (const { productId } of chosen) questions.push(...(await askedByMembership(tx, productId)));
  return questions;
}

async function missingMemberships(tx: Tx, { parts, chosen }: CartContents): Promise<ReadonlyMap<string, string>> {
  const required = parts.flatMap(({ tickets }) => tickets.flatMap((ticket) => membershipOf(ticket) ?? []));
  const ids = [...new Set(required)].filter((id) => !chosen.some(({ productId }) => productId === id));
  if (ids.length === 0) return new Map();
  const rows = await tx.query<{ id: string; name: string }[]>('select id, name from product where id = any($1) order by name, id', [ids]);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Until when everything that costs something can be paid at the venue; undefined: not all of it can. */
export const venueUntil = (tx: Tx, cart: Pick<CartContents, 'parts'> & Online): Promise<Date | undefined> =>
  payAtVenueUntil(tx, onlyOnline(cart).length > 0 ? [] : eventsToPay(cart));

/**
 * When everything that costs something can be paid by transfer; undefined: not all of it can, or only memberships and donations cost
 * something. Places for others are not kept for so long.
 */
export const cartTransferTimes = (tx: Tx, cart: Pick<CartContents, 'parts'> & Online): Promise<TransferTimes | undefined> =>
  transferTimes(tx, cart.own.some(({ kind }) => kind === 'place') ? [] : eventsToPay(cart));

/** The events of the tickets that cost something. */
const eventsToPay = ({ parts }: Pick<CartContents, 'parts'>): string[] =>
  parts.filter(({ amount }) => toCents(amount) > 0).map(({ eventId }) => eventId);
