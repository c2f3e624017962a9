import { randomUUID } from 'node:crypto';
import { setTimeout as pass } from 'node:timers/promises';
import { call, kindOf, type Answer } from './calls.js';
import type { Venue } from './venue.js';

/** An acknowledged booking. */
export interface Booked {
  readonly id: string;
  readonly email: string;
}

/** An acknowledged entry. */
export interface Entered {
  readonly ticketId: string;
  readonly deviceId: string;
  readonly scanId: string;
}

/** The results of a period. */
export interface Window {
  readonly requests: number;
  readonly bookings: number;
  readonly entries: number;
  /** Missing responses and temporary errors, by kind. */
  readonly errors: Readonly<Record<string, number>>;
  /** Longest time without a successful booking or scan, in seconds. */
  readonly withoutService: number;
}

const ticketsPerBooking = 2;
const bookingEveryMs = 250;
const scanEveryMs = 250;
/** Maximum concurrent requests, so that a fault does not cause a flood. */
const mostUnderWay = 40;
/** Number of unscanned codes kept in reserve, so that devices can scan while bookings fail. */
const stock = 60;
/** Retries of a request end after this. The idempotency key of a killed process is locked for a minute. */
const patienceMs = 110_000;

/**
 * About 18 requests per second: bookings with an `Idempotency-Key`, and each ticket scanned by two devices at once. Requests without a
 * response or with a temporary error are repeated unchanged, as clients should.
 */
export class Load {
  readonly booked: Booked[] = [];
  readonly entered: Entered[] = [];
  /** Responses that no fault explains, and requests that never got a response. */
  readonly unexpected: string[] = [];
  private readonly codes: string[] = [];
  private readonly successes: number[] = [];
  private errors: Record<string, number> = {};
  private requests = 0;
  private underWay = 0;
  private people = 0;
  private timers: NodeJS.Timeout[] = [];
  private window = { at: 0, bookings: 0, entries: 0, requests: 0 };

  constructor(
    private readonly port: number,
    private readonly venue: Venue,
    /** Begins the addresses of its guests. */
    private readonly guests = 'guest',
  ) {}

  /** Starts the load and a new period. */
  start(): void {
    this.errors = {};
    this.successes.length = 0;
    this.window = {
      at: performance.now(),
      bookings: this.booked.length,
      entries: this.entered.length,
      requests: this.requests,
    };
    const every = (milliseconds: number, work: () => Promise<void>): NodeJS.Timeout =>
      setInterval(() => {
        if (this.underWay < mostUnderWay) void this.count(work);
      }, milliseconds);
    this.timers = [every(bookingEveryMs, () => this.book()), every(scanEveryMs, () => this.scan())];
  }

  /** Stops the load, waits for the last responses and ends the period; later retries are not counted as service. */
  async stop(): Promise<Window> {
    for (const timer of this.timers) clearInterval(timer);
    const end = performance.now();
    while (this.underWay > 0) await pass(100);
    const moments = [this.window.at, ...this.successes.filter((moment) => moment <= end), end];
    const gaps = moments.slice(1).map((moment, index) => moment - (moments[index] as number));
    return {
      requests: this.requests - this.window.requests,
      bookings: this.booked.length - this.window.bookings,
      entries: this.entered.length - this.window.entries,
      errors: this.errors,
      withoutService: Math.max(...gaps) / 1000,
    };
  }

  /** Successful responses in this period. */
  get served(): number {
    return this.successes.length;
  }

  private async count(work: () => Promise<void>): Promise<void> {
    this.underWay += 1;
    try {
      await work();
    } catch (error) {
      this.unexpected.push(String(error));
    } finally {
      this.underWay -= 1;
    }
  }

  private async book(): Promise<void> {
    const email = `${this.guests}-${(this.people += 1)}@example.org`;
    const made = await this.ask(
      '/api/v2/reservations/',
      this.venue.authorization,
      { 'idempotency-key': randomUUID() },
      {
        reservationFor: { identifier: this.venue.eventId },
        underName: { email, givenName: 'Ada', familyName: 'Martin' },
        reservedTicket: [{ identifier: this.venue.offerId, ticketQuantity: ticketsPerBooking }],
        confirmed: true,
        paymentMethod: 'cash',
      },
    );
    if (made?.status !== 201) return this.note('booking', made);
    const id = String(made.body['identifier']);
    this.booked.push({ id, email });
    if (this.codes.length > stock) return;
    const shown = await this.ask(`/api/v2/reservations/${id}/`, this.venue.authorization);
    if (shown?.status !== 200) return this.note('reservation', shown);
    for (const { qrcode } of shown.body['reservedTicket'] as { qrcode: string }[]) this.codes.push(qrcode);
  }

  /** Scans one ticket with two devices at the same time. */
  private async scan(): Promise<void> {
    const code = this.codes.shift();
    if (code === undefined) return;
    const first = Math.floor(Math.random() * this.venue.devices.length);
    const entries = await Promise.all([first, first + 1].map((number) => this.enter(code, number)));
    if (entries.filter(Boolean).length !== 1) this.unexpected.push(`${entries.filter(Boolean).length} entered`);
  }

  private async enter(code: string, number: number): Promise<boolean> {
    const device = this.venue.devices[number % this.venue.devices.length] as Venue['devices'][number];
    const scanId = randomUUID();
    const body = { qrcode_data: code, scan_id: scanId };
    const answer = await this.ask('/scan/ticket/', device.authorization, {}, body);
    if (answer?.status !== 200) this.note('scan', answer);
    if (answer?.body['success'] !== true) return false;
    const ticket = answer.body['ticket'] as { uuid: string };
    this.entered.push({ ticketId: ticket.uuid, deviceId: device.id, scanId });
    return true;
  }

  /** Repeats a request until there is a final response. */
  private async ask(path: string, authorization: string, headers: Record<string, string> = {}, body?: object) {
    const end = performance.now() + patienceMs;
    while (performance.now() < end) {
      const outcome = await this.once(path, { authorization, ...headers }, body);
      if (isFinal(outcome)) {
        if (body && outcome.status < 300) this.successes.push(performance.now());
        return outcome;
      }
      const kind = kindOf(outcome);
      this.errors[kind] = (this.errors[kind] ?? 0) + 1;
      await pass(500 + Math.random() * 1000);
    }
    return undefined;
  }

  private async once(path: string, headers: Record<string, string>, body?: object): Promise<Answer | Error> {
    this.requests += 1;
    const { host } = this.venue;
    try {
      return await call({ port: this.port, host, method: body ? 'POST' : 'GET', path, headers, ...(body && { body }) });
    } catch (error) {
      return error as Error;
    }
  }

  private note(what: string, answer: Answer | undefined): void {
    this.unexpected.push(`${what}: ${answer ? kindOf(answer) : 'no answer in the end'}`);
  }
}

function isFinal(outcome: Answer | Error): outcome is Answer {
  if (outcome instanceof Error) return false;
  const { status, body } = outcome;
  return status < 500 && status !== 429 && status !== 408 && body['code'] !== 'idempotency.in_progress';
}
