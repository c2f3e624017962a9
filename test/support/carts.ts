import { CartCompletionService, CartsService, type DraftContact, type WholeReservation } from '#booking';
import type { TenantIdentity } from '#tenancy';
import { randomUUID } from 'node:crypto';
import { choice, type ChosenEvent, type Choosing } from './drafts.js';
import type { TestApp } from './test-app.js';

/** Adds tickets to a cart like a buyer on the page of an event. */
export function addToCart(test: TestApp, tenant: TenantIdentity, cart: string, event: ChosenEvent, how: Choosing = {}): Promise<boolean> {
  return test.inside(tenant, () => test.app.get(CartsService).add(cart, choice(event, how), how.network ?? randomUUID()));
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
  const parts = await partsOfCart(test, tenant, cart);
  return {
    email: `${randomUUID()}@example.org`,
    firstName: 'Ada',
    lastName: 'Martin',
    language: 'en',
    ticketIds: parts.flatMap(({ tickets }) => tickets.map(({ id }) => id)),
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
): Promise<readonly WholeReservation[]> {
  const sent = await contactOf(test, tenant, cart, contact);
  return test.inside(tenant, () => test.app.get(CartCompletionService).complete(cart, sent));
}

/** The parts of a cart as they are now. */
export function partsOfCart(test: TestApp, tenant: TenantIdentity, cart: string): Promise<readonly WholeReservation[]> {
  return test.inside(tenant, async () => (await test.app.get(CartCompletionService).find(cart)).parts);
}

/** Completes a cart and opens its checkout. @returns its parts */
export async function payCart(test: TestApp, tenant: TenantIdentity, cart: string): Promise<readonly WholeReservation[]> {
  const parts = await completeCart(test, tenant, cart);
  return test.inside(tenant, () => test.app.get(CartCompletionService).pay(parts, `/cart/${cart}/mark`));
}

/** The id of the checkout session of a cart. */
export function sessionOfCart(parts: readonly WholeReservation[]): string {
  const references = parts.flatMap(({ payments }) => payments.flatMap(({ reference }) => reference ?? []));
  return references.at(-1) as string;
}
