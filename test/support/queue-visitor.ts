import type { TenantIdentity } from '#tenancy';
import { setTimeout as delay } from 'node:timers/promises';
import type { Response } from 'supertest';
import type { TestApp } from './test-app.js';

let visitors = 0;

interface Chosen {
  readonly priceId: string;
  readonly eventId?: string;
}

/** A buyer with an address and cookies of its own, behind a trusted proxy. Loads pages again like a browser without scripts. */
export class QueueVisitor {
  private cookie = '';

  constructor(
    private readonly test: TestApp,
    private readonly tenant: TenantIdentity,
    private readonly address = `203.0.${Math.floor((visitors += 1) / 250)}.${visitors % 250}`,
  ) {}

  get(path: string, at = this.test): Promise<Response> {
    return Promise.resolve(at.on(this.tenant).get(path).set('X-Forwarded-For', this.address).set('Cookie', this.cookie).buffer(true));
  }

  /** @param event with `eventId` for goods, whose form names the event */
  async send(event: Chosen, quantity: string, path: string, at = this.test): Promise<Response> {
    const sent = await at
      .on(this.tenant)
      .post(path)
      .set('X-Forwarded-For', this.address)
      .set('Origin', `http://${this.tenant.host}`)
      .set('Cookie', this.cookie)
      .type('form')
      .buffer(true)
      .send(new URLSearchParams({ price: event.priceId, quantity, amount: '', ...(event.eventId && { event: event.eventId }) }).toString());
    const [cookie] = (sent.headers['set-cookie'] ?? []) as unknown as string[];
    if (cookie) this.cookie = cookie.split(';', 1)[0] as string;
    return sent;
  }

  /** Chooses tickets. @returns where the form leads */
  async choose(
    event: Chosen & { readonly slug: string },
    quantity = '1',
    at = this.test,
    path = `/event/${event.slug}/book`,
  ): Promise<string> {
    const { status, headers, text } = await this.send(event, quantity, path, at);
    if (status !== 303) throw new Error(`${status} ${text}`);
    return String(headers['location']);
  }

  /** Looks again until the page of the place leads on. @returns where it leads */
  async untilTurn(path: string, at = this.test): Promise<string> {
    const { status, headers } = await this.get(path, at);
    if (status === 303) return String(headers['location']);
    if (status !== 200) throw new Error(`The page of the place was answered with ${status}`);
    await delay(100);
    return this.untilTurn(path, at);
  }

  /** Looks again while the buyer waits, until the answer has this status. */
  async untilPage(path: string, status: number): Promise<string> {
    const answer = await this.get(path);
    if (answer.status === status) return answer.text;
    if (answer.status !== 200) throw new Error(`The page of the place was answered with ${answer.status}: ${answer.text}`);
    await delay(100);
    return this.untilPage(path, status);
  }
}
