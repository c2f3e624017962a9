import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { isObject } from '#kernel';

type Answer = readonly [status: number, body?: object];

interface Money {
  readonly value: number;
  readonly currency: string;
  readonly minor_unit: number;
}

interface Checkout {
  readonly checkout_id: string;
  readonly client_transaction_id: string;
  readonly foreignId: string;
  readonly total_amount: Money;
  status: 'pending' | 'successful' | 'failed' | 'cancelled';
  payment_failure_reason: string | null;
}

interface Transaction {
  readonly id: string;
  readonly client_transaction_id: string;
  readonly foreign_transaction_id: string;
  readonly amount: number;
  readonly currency: string;
  status: 'SUCCESSFUL' | 'FAILED' | 'REFUNDED';
  readonly transaction_events: { event_type: 'REFUND'; status: 'REFUNDED'; amount: number }[];
}

interface Reader {
  readonly id: string;
  readonly name: string;
  isOnline: boolean;
  /** What it asks for; undefined: it is idle. */
  asks: Checkout | undefined;
  /** It was told to stop, which it does a moment later. */
  isStopping: boolean;
}

const problem = (status: number, type: string, detail: string): Answer => [status, { type: `https://x.test/${type}`, status, detail }];
const notFound = problem(404, 'not-found', "The requested resource doesn't exist or does not belong to you.");

/** The part of SumUp's API that card readers need, on loopback. https://developer.sumup.com/api/readers */
export class SumUpServer {
  readonly apiKey = `sup_sk_${randomBytes(12).toString('hex')}`;
  readonly affiliateKey = `sup_afk_${randomBytes(8).toString('hex')}`;
  readonly merchantCode = 'MH4H92C7';
  readonly readers = new Map<string, Reader>();
  readonly transactions: Transaction[] = [];
  /** The answers of `POST` requests of this path are lost, although they are carried out. */
  losesAnswerOf: string | undefined;
  /** Requests of this path do not arrive. */
  missesAll: string | undefined;
  /** No request arrives. */
  isCut = false;
  /** The card is in the reader: it cannot stop now. */
  isReading = false;
  /** Transactions are not listed yet. */
  isListingLate = false;
  private readonly checkouts = new Map<string, Checkout>();
  private readonly server = createServer((request, response) => {
    void this.take(request, response);
  });

  static async start(): Promise<SumUpServer> {
    const sumUp = new SumUpServer();
    sumUp.server.listen(0, '127.0.0.1');
    await once(sumUp.server, 'listening');
    return sumUp;
  }

  /** Value for the setting `SUMUP_API_BASE`. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** What staff enter. */
  get fields(): Record<string, string> {
    const { apiKey, merchantCode, affiliateKey } = this;
    return { apiKey, merchantCode, affiliateKey };
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  /** What a reader asks for. @throws Error when it asks for nothing */
  asks(id: string): Checkout {
    const asks = this.readers.get(id)?.asks;
    if (!asks) throw new Error('The reader asks for nothing.');
    return asks;
  }

  /** A card is held to the reader, and charged. */
  tap(id: string): void {
    const checkout = this.end(id, 'successful');
    this.listed(checkout, 'SUCCESSFUL');
  }

  /** What the reader asks for ends without money. There is a transaction only where a card was charged in vain. */
  fail(id: string, why: 'declined' | 'cancelled' | 'timeout'): void {
    const checkout = this.end(id, why === 'cancelled' ? 'cancelled' : 'failed');
    if (why === 'declined') this.listed(checkout, 'FAILED');
    if (why === 'timeout') checkout.payment_failure_reason = 'TIMEOUT';
  }

  private end(id: string, status: Checkout['status']): Checkout {
    const checkout = this.asks(id);
    checkout.status = status;
    Object.assign(this.readers.get(id) as Reader, { asks: undefined, isStopping: false });
    return checkout;
  }

  private listed(checkout: Checkout, status: Transaction['status']): void {
    const { client_transaction_id, foreignId, total_amount: total } = checkout;
    if (this.transactions.some((one) => one.foreign_transaction_id === foreignId)) throw new Error('It was charged twice.');
    const ids = { id: randomUUID(), client_transaction_id, foreign_transaction_id: foreignId };
    this.transactions.push({ ...ids, amount: total.value / 100, currency: total.currency, status, transaction_events: [] });
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request;
    const asked = new URL(url, 'http://x.test');
    const isOf = (path: string | undefined): boolean => path !== undefined && method === 'POST' && asked.pathname.endsWith(path);
    const isMissed = this.isCut || isOf(this.missesAll);
    const [status, body] = isMissed ? [0] : await this.answer(request, method, asked);
    if (isMissed || isOf(this.losesAnswerOf)) response.destroy();
    else response.writeHead(status, { 'Content-Type': 'application/json' }).end(body && JSON.stringify(body));
  }

  private async answer(request: IncomingMessage, method: string, { pathname, searchParams }: URL): Promise<Answer> {
    const sent: unknown = Number(request.headers['content-length'] ?? 0) > 0 ? await json(request) : {};
    const body = isObject(sent) ? sent : {};
    if (request.headers.authorization !== `Bearer ${this.apiKey}`) return problem(401, 'unauthorized', 'Unauthorized.');
    const [, , , merchant, kind, id, verb, more] = pathname.split('/');
    if (merchant !== this.merchantCode) return notFound;
    if (kind === 'transactions') return this.transaction(searchParams);
    if (kind === 'payments') return this.refund(id ?? '', Number(body['amount']));
    if (kind !== 'readers') return notFound;
    if (id === undefined) return method === 'POST' ? this.pair(body) : [200, { items: [...this.readers.values()] }];
    const reader = this.readers.get(id);
    if (!reader) return notFound;
    if (method === 'DELETE') return this.readers.delete(id) ? [200] : notFound;
    if (verb === 'status') return [200, { data: { status: reader.isOnline ? 'ONLINE' : 'OFFLINE', state: this.stateOf(reader) } }];
    if (verb === 'terminate') return this.terminate(reader);
    if (verb !== 'checkout') return notFound;
    return more === undefined ? this.checkout(reader, body) : this.checkoutOf(reader, more);
  }

  private pair({ pairing_code: code, name }: Record<string, unknown>): Answer {
    if (typeof code !== 'string' || !/^\w{8,9}$/.test(code)) return problem(400, 'bad-request', 'Request validation failed.');
    if (!code.startsWith('SOLO')) return notFound;
    const reader = { id: `rdr_${randomBytes(13).toString('hex').toUpperCase()}`, name: String(name) };
    this.readers.set(reader.id, { ...reader, isOnline: true, asks: undefined, isStopping: false });
    return [201, { ...reader, status: 'processing', device: { identifier: 'U1DT3NA00-CN', model: 'solo' } }];
  }

  private checkout(reader: Reader, body: Record<string, unknown>): Answer {
    const total = body['total_amount'] as Money | undefined;
    const affiliate = body['affiliate'] as Record<string, string> | undefined;
    if (!reader.isOnline) return [422, { errors: { type: 'READER_OFFLINE', detail: 'The device is offline.' } }];
    if (reader.asks) return [422, { errors: { detail: 'Unprocessable Entity' } }];
    const isFit = Number.isInteger(total?.value) && total?.minor_unit === 2 && total.currency === 'EUR';
    if (!isFit || affiliate?.['key'] !== this.affiliateKey) return problem(422, 'validation-error', 'Validation failed');
    const ids = { checkout_id: randomUUID(), client_transaction_id: randomUUID() };
    const foreignId = affiliate['foreign_transaction_id'] ?? '';
    reader.asks = { ...ids, foreignId, total_amount: total, status: 'pending', payment_failure_reason: null };
    this.checkouts.set(ids.checkout_id, reader.asks);
    return [201, { data: ids }];
  }

  private checkoutOf(reader: Reader, id: string): Answer {
    const checkout = this.checkouts.get(id);
    if (!checkout) return notFound;
    const data = structuredClone(checkout);
    this.stopsNow(reader);
    return [200, { data }];
  }

  /** The first question after it was told to stop still finds it asking. */
  private stopsNow(reader: Reader): void {
    if (reader.isStopping && reader.asks) this.end(reader.id, 'cancelled');
  }

  private stateOf(reader: Reader): string {
    const state = reader.asks ? 'WAITING_FOR_CARD' : 'IDLE';
    this.stopsNow(reader);
    return state;
  }

  private terminate(reader: Reader): Answer {
    if (!reader.isOnline) return problem(422, 'reader-offline', 'The device is offline.');
    if (this.isReading) return [422, { errors: { detail: 'Unprocessable Entity' } }];
    reader.isStopping = true;
    return [202];
  }

  private transaction(wanted: URLSearchParams): Answer {
    const found = this.transactions.find(
      (one) =>
        one.foreign_transaction_id === wanted.get('foreign_transaction_id') ||
        one.client_transaction_id === wanted.get('client_transaction_id'),
    );
    return found && !this.isListingLate ? [200, found] : [404, { error_code: 'NOT_FOUND', message: 'Resource not found' }];
  }

  private refund(id: string, amount: number): Answer {
    const found = this.transactions.find((one) => one.id === id);
    if (!found) return notFound;
    const given = found.transaction_events.reduce((sum, event) => sum + event.amount, 0);
    if (!(amount > 0) || given + amount > found.amount) return problem(409, 'conflict', 'The transaction is not refundable.');
    found.transaction_events.push({ event_type: 'REFUND', status: 'REFUNDED', amount });
    found.status = 'REFUNDED';
    return [201, {}];
  }
}
