import { CartCompletionService, CartsService, shownIds, type CartContents, type OrderedCart } from '#selling';
import type { DraftContact, WholeReservation } from '#tickets';
import type { TenantIdentity } from '#tenancy';
import { randomUUID } from 'node:crypto';
import { choice, type ChosenEvent, type Choosing } from './drafts.js';
import type { TestApp } from './test-app.js';

/** Adds tickets to a cart like a buyer on the page of an event. */
export function addToCart(test: TestApp, tenant: TenantIdentity, cart: string, event: ChosenEvent, how: Choosing = {}): Promise<boolean> {
  return test.inside(tenant, () =>
    test.app.get(CartsService).add(cart, choice(event, how), { own: how.network ?? randomUUID(), site: null }),
  );
}

/** A new cart with one ticket for each event. @returns its id */
export async function newCart(test: TestApp, tenant: TenantIdentity, events: readonly ChosenEvent[]): Promise<string> {
  const cart = randomUUID();
  for (const event of events) await addToCart(test, tenant, cart, event);
  return cart;
}

/** The contact form of a cart as it is shown now. */
export async function contactOf(
  test: TestApp,
  tenant: TenantIdentity,
  cart: string,
  contact: Partial<DraftContact> = {},
): Promise<DraftContact> {
  const found = await cartOf(test, tenant, cart);
  return {
    email: `${randomUUID()}@example.org`,
    firstName: 'Ada',
    lastName: 'Martin',
    language: 'en',
    ticketIds: shownIds(found),
    holders: [],
    answers: new Map(),
    ticketAnswers: [],
    acceptsTerms: undefined,
    ...contact,
  };
}

/** Sends the contact form of a cart as it is shown now. */
export async function completeCart(
  test: TestApp,
  tenant: TenantIdentity,
  cart: string,
  contact: Partial<DraftContact> = {},
): Promise<CartContents> {
  const sent = await contactOf(test, tenant, cart, contact);
  return test.inside(tenant, () => test.app.get(CartCompletionService).complete(cart, sent, randomUUID()));
}

/** A cart as it is now. */
export function cartOf(test: TestApp, tenant: TenantIdentity, cart: string): Promise<OrderedCart> {
  return test.inside(tenant, () => test.app.get(CartCompletionService).find(cart));
}

/** The parts of a cart as they are now. */
export async function partsOfCart(test: TestApp, tenant: TenantIdentity, cart: string): Promise<readonly WholeReservation[]> {
  return (await cartOf(test, tenant, cart)).parts;
}

/** Completes a cart and opens its checkout. @returns the cart after that */
export async function payCart(
  test: TestApp,
  tenant: TenantIdentity,
  cart: string,
  contact: Partial<DraftContact> = {},
): Promise<CartContents> {
  const completed = await completeCart(test, tenant, cart, contact);
  return test.inside(tenant, () => test.app.get(CartCompletionService).pay(cart, completed, `/cart/${cart}/mark`));
}

/** The id of the checkout session of a cart. */
export function sessionOfCart({ parts, memberships }: Pick<CartContents, 'parts' | 'memberships'>): string {
  const references = [...parts, ...memberships].flatMap(({ payments }) => payments.flatMap(({ reference }) => reference ?? []));
  return references.at(-1) as string;
}
