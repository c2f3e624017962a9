import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { TenantIdentity } from '#tenancy';
import type { TestApp } from '../test-app.js';
import type { Bill } from './paper-pay.provider.js';

interface PaperRefund {
  readonly key: string;
  readonly bill: string;
  readonly euros: string;
}

/** Paper Pay on loopback: bills, refunds, and events with the mark of its shared secret. */
export class PaperPayServer {
  readonly shop = '123456';
  readonly secret = `pp_${randomBytes(12).toString('hex')}`;
  /** Answers are 503 while it is set. */
  isDown = false;
  readonly bills = new Map<string, Bill>();
  readonly refunds: PaperRefund[] = [];
  private readonly byKey = new Map<string, string>();
  private readonly server = createServer((request, response) => {
    void this.answer(request).then(([status, body]) => response.writeHead(status).end(JSON.stringify(body)));
  });

  static async start(): Promise<PaperPayServer> {
    const paper = new PaperPayServer();
    paper.server.listen(0, '127.0.0.1');
    await once(paper.server, 'listening');
    return paper;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** What staff enter. */
  get account() {
    return { provider: 'paper-pay', address: this.address, shop: this.shop, secret: this.secret };
  }

  /** The bill that was opened last. */
  get lastBill(): Bill {
    return [...this.bills.values()].at(-1)!;
  }

  /** The buyer pays. @returns the event */
  pay(number: string): string {
    const bill = this.bills.get(number)!;
    bill.state = 'paid';
    return this.event(bill);
  }

  event(bill: Bill): string {
    return JSON.stringify({ id: `note-${randomBytes(8).toString('hex')}`, bill });
  }

  mark(event: string, secret = this.secret): string {
    return createHmac('sha256', secret).update(event).digest('hex');
  }

  /** Sends an event to the address of a tenant. @returns the status of the answer */
  async deliver(test: TestApp, { host }: TenantIdentity, event: string, { mark = this.mark(event), path = '/payments/paper-pay/' } = {}) {
    const sent = test.on(host).post(path).set('Paper-Pay-Mark', mark).set('Content-Type', 'application/json');
    const { status, body } = await sent.send(event);
    return { status, body: body as Record<string, unknown> };
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  private async answer(request: IncomingMessage): Promise<[status: number, body: object]> {
    const body = request.method === 'POST' ? ((await json(request)) as Record<string, string>) : {};
    if (this.isDown) return [503, {}];
    const { shop, secret } = request.headers;
    if (shop !== this.shop || secret !== this.secret) return [401, {}];
    const [, noun, number = '', verb] = (request.url ?? '').split('/');
    if (noun === 'shop') return [200, {}];
    if (number === '') return [200, this.opened(body)];
    const bill = this.bills.get(number);
    if (!bill) return [404, { refusal: 'unknown' }];
    if (verb === 'refunds') return this.refunded(bill, body['key'] ?? '', body['euros'] ?? '');
    if (verb === 'void' && bill.state !== 'open') return [409, { refusal: 'over' }];
    if (verb === 'void') bill.state = 'void';
    return [200, bill];
  }

  private opened({ key = '', note = '', euros = '' }: Record<string, string>): object {
    const number = this.byKey.get(key) ?? `B${this.bills.size + 1}`;
    this.byKey.set(key, number);
    if (!this.bills.has(number)) this.bills.set(number, { number, note, euros, state: 'open' });
    return { ...this.bills.get(number), url: `${this.address}/pay/${number}` };
  }

  private refunded({ number, euros: whole }: Bill, key: string, euros: string): [status: number, body: object] {
    const reference = `R-${key}`;
    const given = this.refunds.filter(({ bill }) => bill === number);
    if (given.some((refund) => refund.key === key)) return [200, { reference }];
    const sum = given.reduce((total, refund) => total + Number(refund.euros), Number(euros));
    if (sum > Number(whole)) return [409, { refusal: 'already_refunded' }];
    this.refunds.push({ key, bill: number, euros });
    return [200, { reference }];
  }
}
