import { once } from 'node:events';
import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pass } from 'node:timers/promises';
import Stripe from 'stripe';
import { fails, type StripeFault } from './stripe-faults.js';
import { StripeIntents } from './stripe-intents.js';
import { methodConfigurations, invalid, nested, newId, newSession, now, refuse, Refusal } from './stripe-objects.js';
import type { Answer, Charge, Delivered, Refund, Session, StripeEvent, StripeRequest } from './stripe-objects.js';

export type { Delivered, StripeEvent, StripeRequest } from './stripe-objects.js';

/**
 * The part of Stripe's API that Guichet uses, on loopback: sessions, refunds, idempotency keys, errors in its format, and events signed by
 * its own library.
 */
export class StripeServer {
  /** Valid secret keys. */
  readonly keys = new Set(['sk_test_51GuichetTestsOnly0001']);
  webhookSecret = 'whsec_guichetTestsOnly0000000000001';
  fault: StripeFault | undefined;
  /** Origin of the checkout pages; default: this server, which shows none. */
  pages: string | undefined;
  /** Requests wait for this before they are answered. */
  gate: Promise<void> = Promise.resolve();
  readonly requests: StripeRequest[] = [];
  readonly sessions = new Map<string, Session>();
  readonly charges = new Map<string, Charge>();
  readonly refunds = new Map<string, Refund>();
  readonly intents = new StripeIntents();
  /** Milliseconds for which a request with an idempotency key runs; others with the same key are refused meanwhile. */
  slowMs = 0;
  private readonly running = new Set<string>();
  private readonly answered = new Map<string, { asked: string; answer: Answer }>();
  private readonly server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('error', () => undefined);
    request.on('end', () => void this.gate.then(() => this.take(request, response, Buffer.concat(parts).toString())));
  });

  static async start(): Promise<StripeServer> {
    const stripe = new StripeServer();
    stripe.server.listen(0, '127.0.0.1');
    await once(stripe.server, 'listening');
    return stripe;
  }

  /** Value for the setting `STRIPE_API_BASE`. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get secretKey(): string {
    return [...this.keys][0] as string;
  }

  /** The buyer pays. @returns checkout.session.completed */
  pay(sessionId: string): StripeEvent {
    const session = this.complete(sessionId);
    session.payment_status = 'paid';
    this.charge(session);
    return this.event('checkout.session.completed', session);
  }

  /** The buyer chooses a payment method that takes days. @returns checkout.session.completed, unpaid */
  payLater(sessionId: string): StripeEvent {
    return this.event('checkout.session.completed', this.complete(sessionId));
  }

  /** The outcome of such a payment. @returns checkout.session.async_payment_succeeded or …_failed */
  settle(sessionId: string, outcome: 'succeeded' | 'failed'): StripeEvent {
    const session = this.session(sessionId);
    if (outcome === 'succeeded') {
      session.payment_status = 'paid';
      this.charge(session);
    }
    return this.event(`checkout.session.async_payment_${outcome}`, session);
  }

  /** The session expires. @returns checkout.session.expired */
  runOut(sessionId: string): StripeEvent {
    const session = this.session(sessionId);
    session.status = 'expired';
    return this.event('checkout.session.expired', session);
  }

  /** @returns charge.refunded, as after a refund over the API or on Stripe's own pages */
  refunded(paymentIntent: string): StripeEvent {
    return this.event('charge.refunded', this.charges.get(paymentIntent) as Charge);
  }

  /** Staff make a refund on Stripe's own pages. @returns charge.refunded */
  refundOnPages(paymentIntent: string, amount: number): StripeEvent {
    this.refund({ payment_intent: paymentIntent, amount: String(amount) });
    return this.refunded(paymentIntent);
  }

  /** The buyer's bank returns a refund. @returns refund.failed */
  sendBack(refundId: string): StripeEvent {
    const refund = this.refunds.get(refundId) as Refund;
    Object.assign(refund, { status: 'failed', failure_reason: 'lost_or_stolen_card' });
    return this.event('refund.failed', refund);
  }

  event(type: string, object: object): StripeEvent {
    const id = newId('evt');
    const event = { id, object: 'event', api_version: '2026-10-28.endive', created: now(), livemode: false, type };
    // Stripe formats events with spaces, so that parsing and serialising an event breaks its signature.
    return { id, type, payload: JSON.stringify({ ...event, data: { object } }, null, 2) };
  }

  /** The header `Stripe-Signature`. */
  signature({ payload }: StripeEvent, { secret = this.webhookSecret, timestamp = now() } = {}): string {
    return Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
  }

  /** Sends an event as Stripe does. */
  async deliver(event: StripeEvent, url: string, host: string, signature = this.signature(event)): Promise<Delivered> {
    const sent = send(url, {
      method: 'POST',
      headers: { Host: host, 'Content-Type': 'application/json; charset=utf-8', 'Stripe-Signature': signature },
    });
    sent.end(event.payload);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    let body = '';
    for await (const part of response.setEncoding('utf8')) body += String(part);
    return { status: response.statusCode ?? 0, body };
  }

  /** As after a day: repeated requests are carried out again. */
  forgetKeys(): void {
    this.answered.clear();
  }

  /** Number of open connections. */
  connections(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
    });
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private session(id: string): Session {
    const session = this.sessions.get(id);
    if (!session) throw new Refusal(404, { ...invalid, code: 'resource_missing', message: `No such session: '${id}'` });
    return session;
  }

  private complete(id: string): Session {
    const session = this.session(id);
    if (session.status !== 'open') throw new Error(`Nobody can pay a session that is ${session.status}`);
    session.status = 'complete';
    session.payment_intent = newId('pi');
    return session;
  }

  private charge({ payment_intent, amount_total: amount, currency, metadata, keeps_means }: Session): void {
    const payment = payment_intent as string;
    const kept = keeps_means === true && { customer: newId('cus'), payment_method: newId('pm') };
    this.intents.add({ id: payment, amount_received: amount, currency, metadata, ...kept });
    this.chargeOf(payment, { amount, currency, metadata });
  }

  private chargeOf(payment: string, { amount, currency, metadata }: Pick<Charge, 'amount' | 'currency' | 'metadata'>): void {
    const money = { amount, amount_refunded: 0, currency, refunded: false };
    this.charges.set(payment, { id: newId('ch'), object: 'charge', payment_intent: payment, metadata, ...money });
  }

  private async take(request: IncomingMessage, response: ServerResponse, body: string): Promise<void> {
    const { method = '', url = '', headers } = request;
    const key = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
    const idempotencyKey = headers['idempotency-key'] as string | undefined;
    const parameters = Object.fromEntries(new URLSearchParams(body));
    const asked = { method, path: url, key, idempotencyKey, parameters };
    this.requests.push(asked);
    // Like Stripe: after a server error, the same idempotency key returns the same error for a day.
    if (this.fault === 'kept error' && idempotencyKey)
      this.answered.set(`${key} ${idempotencyKey}`, {
        asked: JSON.stringify([url, parameters]),
        answer: { status: 500, body: { error: { type: 'api_error', message: 'Something went wrong on our end.' } } },
      });
    if (this.fault && this.fault !== 'kept error' && fails(this.fault, response)) return;
    if (this.intents.misses(asked)) return void response.destroy();
    const { status, body: answer } = await this.inTurn(asked);
    if (this.fault === 'cut after' || this.intents.loses(asked)) response.destroy();
    else response.writeHead(status, { 'Content-Type': 'application/json', 'Request-Id': newId('req') }).end(JSON.stringify(answer));
  }

  /** Like Stripe: refuses a request while another one with its idempotency key is running. */
  private async inTurn(asked: StripeRequest): Promise<Answer> {
    const { idempotencyKey } = asked;
    if (this.slowMs === 0 || idempotencyKey === undefined) return this.answer(asked);
    if (this.running.has(idempotencyKey)) {
      const message = 'There is currently another in-progress request using this Stripe-Idempotency key.';
      return { status: 409, body: { error: { type: 'invalid_request_error', code: 'idempotency_key_in_use', message } } };
    }
    this.running.add(idempotencyKey);
    await pass(this.slowMs);
    this.running.delete(idempotencyKey);
    return this.answer(asked);
  }

  private answer(asked: StripeRequest): Answer {
    const { key, idempotencyKey } = asked;
    try {
      if (!this.keys.has(key))
        throw new Refusal(401, {
          ...invalid,
          message: `Invalid API Key provided: ${key.slice(0, 8)}****${key.slice(-4)}`,
        });
      if (asked.method !== 'POST' || idempotencyKey === undefined) return { status: 200, body: this.work(asked) };
      const same = JSON.stringify([asked.path, asked.parameters]);
      const before = this.answered.get(`${key} ${idempotencyKey}`);
      if (before && before.asked !== same) {
        const message = 'Keys for idempotent requests can only be used with the same parameters they were first used with.';
        throw new Refusal(400, { type: 'idempotency_error', message });
      }
      if (before) return before.answer;
      // A refusal of the parameters is not stored: the client may correct them under the same key.
      const answer = { status: 200, body: structuredClone(this.work(asked)) };
      this.answered.set(`${key} ${idempotencyKey}`, { asked: same, answer });
      return answer;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const answer = { status: error.status, body: { error: error.error } };
      // What the bank says is stored, in contrast to refused parameters.
      if (error.status === 402 && idempotencyKey !== undefined)
        this.answered.set(`${key} ${idempotencyKey}`, { asked: JSON.stringify([asked.path, asked.parameters]), answer });
      return answer;
    }
  }

  private work(asked: StripeRequest): object {
    const { method, path, parameters } = asked;
    const intent = this.intents.work(asked, ({ id, amount_received: amount, ...rest }) => this.chargeOf(id, { ...rest, amount }));
    if (intent) return intent;
    if (method === 'GET' && path.startsWith('/v1/refunds?')) {
      const wanted = new URLSearchParams(path.split('?')[1]).get('payment_intent');
      const data = [...this.refunds.values()].filter(({ payment_intent }) => payment_intent === wanted);
      return { object: 'list', url: '/v1/refunds', has_more: false, data };
    }
    const [, id = '', verb] = /^\/v1\/checkout\/sessions\/(\w+)(?:\/(\w+))?$/.exec(path) ?? [];
    if (method === 'POST' && path === '/v1/checkout/sessions') return this.openSession(parameters);
    if (method === 'GET' && id !== '' && verb === undefined) return this.session(id);
    if (method === 'POST' && verb === 'expire') return this.expireSession(id);
    if (method === 'POST' && path === '/v1/refunds') return this.refund(parameters);
    if (method === 'GET' && path.startsWith('/v1/payment_method_configurations?')) return methodConfigurations();
    if (method === 'GET' && path === '/v1/account') return { id: 'acct_1Guichet', object: 'account' };
    throw new Refusal(404, { ...invalid, message: `Unrecognized request URL (${method}: ${path}).` });
  }

  private openSession(parameters: StripeRequest['parameters']): object {
    const session = newSession(parameters, this.pages ?? this.url);
    this.sessions.set(session.id, session);
    return session;
  }

  private expireSession(id: string): object {
    const session = this.session(id);
    if (session.status !== 'open')
      refuse('', 'session', `Only Checkout Sessions with a status in ["open"] can be expired. It is ${session.status}.`);
    session.status = 'expired';
    return session;
  }

  private refund(parameters: StripeRequest['parameters']): object {
    const payment = parameters['payment_intent'] ?? '';
    const charge = this.charges.get(payment);
    if (!charge) return refuse('resource_missing', 'payment_intent', `No such payment_intent: '${payment}'`);
    const left = charge.amount - charge.amount_refunded;
    const amount = Number(parameters['amount'] ?? left);
    if (left === 0) refuse('charge_already_refunded', 'charge', `Charge ${charge.id} has already been refunded.`);
    if (!Number.isInteger(amount) || amount < 1 || amount > left)
      refuse('parameter_invalid', 'amount', `Refund amount (${amount}) is greater than unrefunded amount (${left}).`);
    charge.amount_refunded += amount;
    charge.refunded = charge.amount_refunded === charge.amount;
    const metadata = nested(parameters, 'metadata');
    const made: Refund = {
      id: newId('re'),
      object: 'refund',
      amount,
      metadata,
      payment_intent: payment,
      status: 'succeeded',
    };
    this.refunds.set(made.id, made);
    return made;
  }
}
