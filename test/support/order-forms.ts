import type { TenantIdentity } from '#tenancy';
import type { Response } from 'supertest';
import type { TestApp } from './test-app.js';

/** A browser without scripts at one host. */
export class OrderForms {
  constructor(
    private readonly test: TestApp,
    private readonly tenant: TenantIdentity,
  ) {}

  get(path: string): Promise<Response> {
    return Promise.resolve(this.test.on(this.tenant).get(path).buffer(true));
  }

  post(path: string, fields: readonly (readonly [string, string])[], cookie = ''): Promise<Response> {
    return Promise.resolve(
      this.test
        .on(this.tenant)
        .post(path)
        .set('Origin', `http://${this.tenant.host}`)
        .set('Cookie', cookie)
        .type('form')
        .buffer(true)
        .send(new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])).toString()),
    );
  }

  /** Chooses tickets of one price on the page of an event. */
  choose(slug: string, priceId: string, quantity: string, { amount = '', cookie = '' } = {}): Promise<Response> {
    const fields = [['price', priceId] as const, ['quantity', quantity] as const, ['amount', amount] as const];
    return this.post(`/event/${slug}/book`, fields, cookie);
  }

  /** Chooses tickets. @returns the path of the order */
  async begin(slug: string, priceId: string, quantity: string, how: { amount?: string; cookie?: string } = {}): Promise<string> {
    const { status, headers, text } = await this.choose(slug, priceId, quantity, how);
    if (status !== 303) throw new Error(`${status} ${text}`);
    return String(headers['location']);
  }

  /** Sends the contact form of an order with the tickets that its page shows. */
  async complete(path: string, fields: Readonly<Record<string, string>> = {}, cookie = ''): Promise<Response> {
    const page = await this.get(path);
    return this.post(path, [...ticketsIn(page.text), ...Object.entries({ email: 'ada@example.org', ...fields })], cookie);
  }
}

/** The tickets that an order's page shows, as its form sends them. */
export function ticketsIn(html: string): [string, string][] {
  return [...html.matchAll(/name="ticket" value="([^"]+)"/g)].map(([, id]) => ['ticket', id as string]);
}
