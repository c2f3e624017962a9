import type { NewEvent } from '#catalogue';
import type { TenantIdentity } from '#tenancy';
import type { Response } from 'supertest';
import { newPrice } from './booking.js';
import { newEvent } from './builders.js';
import { OrderForms, ticketsIn } from './order-forms.js';
import type { TestApp } from './test-app.js';

/** An event with a price that can be added to a cart. */
export interface CartEvent {
  readonly id: string;
  readonly slug: string;
  readonly priceId: string;
}

/** A browser without scripts that fills a cart. */
export class CartForms extends OrderForms {
  /** Sends the form of an event's page with the button that adds to the cart. */
  add({ slug, priceId }: CartEvent, quantity: string, cookie = ''): Promise<Response> {
    const fields = [['price', priceId] as const, ['quantity', quantity] as const, ['amount', ''] as const];
    return this.post(`/cart/event/${slug}`, fields, cookie);
  }

  /** A cart with one ticket for each event. @returns its path and its cookie */
  async collect(events: readonly CartEvent[]): Promise<{ path: string; cookie: string }> {
    let [path, cookie] = ['', ''];
    for (const event of events) {
      const { status, headers, text } = await this.add(event, '1', cookie);
      if (status !== 303) throw new Error(`${status} ${text}`);
      [path, cookie] = [String(headers['location']), cookieOf(headers)];
    }
    return { path, cookie };
  }

  /** The fields of a cart's contact form. */
  async contact(path: string, email = 'ada@example.org'): Promise<(readonly [string, string])[]> {
    return [...ticketsIn((await this.get(`${path}/contact`)).text), ['email', email]];
  }
}

/** The cookie that an answer sets, as browsers send it. */
export const cookieOf = (headers: Readonly<Record<string, unknown>>): string => String(headers['set-cookie']).split(';')[0] as string;

/** An event whose tickets cost nothing. */
export async function freeEvent(test: TestApp, tenant: TenantIdentity, capacity = 50, more: Partial<NewEvent> = {}): Promise<CartEvent> {
  const { id, slug } = await newEvent(test, tenant, { capacity, ...more });
  return { id, slug, priceId: await newPrice(test, tenant, id, { name: 'Entry', amount: '0.00' }) };
}
