import { TicketOffersService } from '#holders';
import { MailSenderService } from '#notices';
import { HolderLinks, ReservationsService } from '#tickets';
import type { TenantIdentity } from '#tenancy';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { book, expectNoDrift } from './booking.js';
import { newDevice, newEvent, type PairedDevice } from './builders.js';
import { pendingOfferOf } from './given-tickets.js';
import { OrderForms } from './order-forms.js';
import { openSmtpSink, type SmtpSink } from './smtp-sink.js';
import { startTestApp, type TestApp } from './test-app.js';

type NewEvent = Awaited<ReturnType<typeof newEvent>>;

export const paid = { confirmed: true, paymentMethod: 'cash' } as const;

/** A person to whom a ticket is given, as the form names it. */
export const person = (email = `${randomUUID()}@example.org`): Record<string, string> => ({ email, first_name: 'Bob', last_name: 'Roy' });

/** The path of the page of one ticket in a mail. */
export const ticketLinkIn = (text: string | undefined): string => /http:\/\/[^/]+(\/ticket\/\S+?)(?=["\s<]|$)/.exec(text ?? '')![1]!;

/** The code of a ticket as its holder's page shows it now. */
export function codeOfTicket(test: TestApp, venue: TenantIdentity, reservationId: string, ticketId: string): Promise<string> {
  return test.inside(venue, async () => {
    const reservations = test.app.get(ReservationsService);
    const { tickets } = (await reservations.find(reservationId))!;
    return (await reservations.codesOfTickets(tickets)).get(ticketId)!;
  });
}

/** A venue with an event, a device and a mail server; started before the tests of the file that calls it, and stopped after them. */
export class TransferVenue {
  test!: TestApp;
  post!: SmtpSink;
  venue!: TenantIdentity;
  gate!: PairedDevice;
  forms!: OrderForms;
  event!: NewEvent;

  constructor() {
    beforeAll(() => this.start());
    afterEach(() => expectNoDrift(this.test, this.venue));
    afterAll(async () => {
      await this.test?.close();
      await this.post?.close();
    });
  }

  readonly inside = <Result>(work: () => Promise<Result>): Promise<Result> => this.test.inside(this.venue, work);

  readonly sql = <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
    this.test.database.query(text.replaceAll('{tenant}', `"${this.venue.schemaName}"`), values) as Promise<Row[]>;

  readonly pathOf = (id: string): Promise<string> => this.inside(async () => this.test.app.get(HolderLinks).pathTo({ reservationId: id }));

  readonly codeOf = (id: string, ticketId: string): Promise<string> => codeOfTicket(this.test, this.venue, id, ticketId);

  /** Sends the form that offers a ticket. */
  readonly offer = (path: string, fields: Record<string, string>, step = 'send') =>
    this.forms.post(`${path}/transfer`, Object.entries({ ...fields, step }));

  /** Offers a ticket, which its receiver accepts at once. @returns the answer to the offer */
  readonly give = async (path: string, fields: Record<string, string>) => {
    const answer = await this.offer(path, fields);
    const [, ticketId] = /\/tickets?\/([0-9a-f-]{36})/.exec(path) as unknown as [string, string];
    const offer = await this.pendingOffer(ticketId);
    if (offer !== undefined) await this.inside(() => this.test.app.get(TicketOffersService).accept(offer));
    return answer;
  };

  /** The id of the pending offer of a ticket. */
  readonly pendingOffer = (ticketId: string): Promise<string | undefined> => this.inside(() => pendingOfferOf(this.test.app, ticketId));

  /** The path of the page on which an offer is accepted. */
  readonly giftPath = (offer: string): Promise<string> => this.inside(async () => this.test.app.get(HolderLinks).pathTo({ giftId: offer }));

  /** Sends waiting mails, as the worker does. */
  readonly deliver = async (id: string): Promise<void> => {
    const mails = await this.sql<{ id: string }>(
      `select id from {tenant}.mail where reservation_id = $1 and status = 'waiting' order by created_at, kind`,
      [id],
    );
    for (const mail of mails) await this.inside(() => this.test.app.get(MailSenderService).send(mail.id, { isLast: true }));
  };

  /** The last mail to an address. */
  readonly mailTo = (address: string) => this.post.mails.findLast(({ to }) => to.includes(address))?.parsed;

  /** A paid reservation. @returns its page, and the pages of its tickets */
  readonly sold = async (quantity = 2, of: Pick<NewEvent, 'id' | 'priceId'> = this.event) => {
    const made = await book(this.test, this.venue, of, { quantity, ...paid });
    const path = await this.pathOf(made.id);
    return { ...made, path, ticketPaths: made.tickets.map(({ id }) => `${path}/tickets/${id}`) };
  };

  private async start(): Promise<void> {
    this.post = await openSmtpSink();
    this.test = await startTestApp({ environment: { SMTP_URL: this.post.url } });
    this.venue = await this.test.newTenant({ name: 'Venue' });
    this.gate = await newDevice(this.test, this.venue);
    this.forms = new OrderForms(this.test, this.venue);
    this.event = await newEvent(this.test, this.venue, { capacity: 500 });
  }
}
