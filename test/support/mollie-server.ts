import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { randomBytes } from 'node:crypto';
import type { TenantIdentity } from '#tenancy';
import type { TestApp } from './test-app.js';

interface Amount {
  readonly value: string;
  readonly currency: string;
}

type State = 'open' | 'pending' | 'canceled' | 'expired' | 'failed' | 'paid';

/** What the program sends to open a payment. */
interface Asked {
  readonly amount: Amount;
  readonly description: string;
  readonly redirectUrl?: string;
  readonly cancelUrl?: string;
  readonly webhookUrl?: string;
  readonly locale?: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly customerId?: string;
  readonly sequenceType?: string;
}

export interface StoredPayment extends Asked {
  readonly id: string;
  status: State;
}

export interface StoredRefund {
  readonly id: string;
  readonly paymentId: string;
  readonly amount: Amount;
  readonly metadata: Readonly<Record<string, string>>;
  status: 'pending' | 'refunded' | 'failed' | 'canceled';
}

type Answer = readonly [status: number, body: object];

/** Mollie on loopback: payments, refunds, customers and the ways to pay, as its interface of version 2 answers. */
export class MollieServer {
  readonly apiKey = `test_${randomBytes(16).toString('hex')}`;
  /** `down`: answers 503. `mute`: no answer arrives. `lost`: changes are made, and their answers do not arrive. */
  fault: 'down' | 'mute' | 'lost' | undefined;
  /** The ways to pay that are switched on. */
  methods = ['ideal', 'creditcard'];
  readonly payments = new Map<string, StoredPayment>();
  readonly refunds: StoredRefund[] = [];
  /** What was asked, in order: `GET payments/tr_…`. */
  readonly requests: string[] = [];
  private readonly byKey = new Map<string, Answer>();
  private readonly server = createServer((request, response) => {
    void this.answer(request).then(([status, body]) => {
      if (this.fault === 'mute' || (this.fault === 'lost' && request.method !== 'GET')) response.destroy();
      else response.writeHead(status, { 'Content-Type': 'application/hal+json' }).end(JSON.stringify(body));
    });
  });

  static async start(): Promise<MollieServer> {
    const mollie = new MollieServer();
    mollie.server.listen(0, '127.0.0.1');
    await once(mollie.server, 'listening');
    return mollie;
  }

  /** Value for the setting `MOLLIE_API_BASE`. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** What staff enter. */
  get account() {
    return { provider: 'mollie', apiKey: this.apiKey, delayedMethods: 'no' };
  }

  /** The payment that was opened last. */
  get last(): StoredPayment {
    return [...this.payments.values()].at(-1)!;
  }

  /** Something happens to the payment that was opened last. @returns its id */
  becomes(status: State, { id }: Pick<StoredPayment, 'id'> = this.last): string {
    this.payments.get(id)!.status = status;
    return id;
  }

  /** Sends the message that there is news about a payment. @returns the status of the answer */
  async deliver(test: TestApp, { host }: TenantIdentity, id: string): Promise<number> {
    const sent = test.on(host).post('/payments/mollie/').type('form');
    return (await sent.send({ id })).status;
  }

  /** The requests about a payment. */
  about(id: string): string[] {
    return this.requests.filter((request) => request.includes(id));
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  private async answer(request: IncomingMessage): Promise<Answer> {
    const { method = 'GET', headers } = request;
    const body = method === 'POST' ? ((await json(request)) as Asked) : undefined;
    const { pathname } = new URL(request.url ?? '/', this.url);
    this.requests.push(`${method} ${pathname.replace('/v2/', '')}`);
    if (this.fault === 'down') return [503, { status: 503 }];
    if (headers.authorization !== `Bearer ${this.apiKey}`) return [401, { status: 401, detail: 'Missing authentication' }];
    const key = headers['idempotency-key'];
    if (typeof key !== 'string') return this.act(method, pathname, body);
    if (key.length > 64) return refusal(400, 'The idempotency key is too long');
    const before = this.byKey.get(key) ?? this.act(method, pathname, body);
    this.byKey.set(key, before);
    return before;
  }

  private act(method: string, pathname: string, body: Asked | undefined): Answer {
    const [, , noun, id = '', inner] = pathname.split('/');
    if (noun === 'methods') {
      const ids = this.methods.map((id) => ({ resource: 'method', id }));
      return [200, { count: ids.length, _embedded: { methods: ids } }];
    }
    if (noun === 'customers') return this.customers(id, inner);
    if (noun !== 'payments') return refusal(404, 'No such address');
    if (id === '' && body) return this.open(body);
    const payment = this.payments.get(id);
    if (!payment) return refusal(404, 'No payment exists with this id');
    if (inner === 'refunds' && body) return this.refund(payment, body);
    if (method === 'DELETE' && payment.status !== 'open') return refusal(422, `The payment cannot be canceled, its key is ${this.apiKey}`);
    if (method === 'DELETE') payment.status = 'canceled';
    return [200, this.shown(payment)];
  }

  private customers(id: string, inner: string | undefined): Answer {
    if (inner !== 'payments') return [201, { resource: 'customer', id: `cst_${randomBytes(5).toString('hex')}` }];
    const payments = [...this.payments.values()].filter(({ customerId }) => customerId === id);
    return [200, { count: payments.length, _embedded: { payments: payments.map((payment) => this.shown(payment)) } }];
  }

  private open(asked: Asked): Answer {
    if (asked.webhookUrl?.includes('localhost')) return refusal(422, 'The webhook URL is invalid because it is unreachable');
    const payment = {
      ...asked,
      id: `tr_${randomBytes(5).toString('hex')}`,
      status: asked.sequenceType === 'recurring' ? 'paid' : 'open',
    } as const;
    this.payments.set(payment.id, payment);
    return [201, this.shown(payment)];
  }

  private refund({ id: paymentId, amount: whole, status }: StoredPayment, { amount, metadata }: Asked): Answer {
    // Some ways to pay allow to give back 25 euros more than was paid.
    if (status !== 'paid' || this.given(paymentId) + Number(amount.value) > Number(whole.value) + 25)
      return refusal(422, 'The specified amount cannot be refunded');
    const refund: StoredRefund = { id: `re_${randomBytes(5).toString('hex')}`, paymentId, amount, metadata, status: 'pending' };
    this.refunds.push(refund);
    return [201, refund];
  }

  private given(payment: string): number {
    return this.refunds
      .filter(({ paymentId, status }) => paymentId === payment && status !== 'failed' && status !== 'canceled')
      .reduce((sum, { amount }) => sum + Number(amount.value), 0);
  }

  private shown(payment: StoredPayment): object {
    const { id, status, amount } = payment;
    const refunds = this.refunds.filter(({ paymentId }) => paymentId === id);
    const of = (value: number): Amount => ({ value: value.toFixed(2), currency: amount.currency });
    return {
      resource: 'payment',
      ...payment,
      ...(status === 'paid' && { amountRefunded: of(this.given(id)), amountRemaining: of(Number(amount.value) + 25 - this.given(id)) }),
      _links: status === 'open' ? { checkout: { href: `${this.url}/checkout/${id}` } } : {},
      _embedded: { refunds },
    };
  }
}

const refusal = (status: number, detail: string): Answer => [status, { status, title: 'Refused', detail }];
