import {
  CodeReplacementService,
  HolderLinks,
  HolderTicketsService,
  MailSenderService,
  MembershipsService,
  ReservationsService,
} from '#booking';
import { PricesService, ProductsService } from '#catalogue';
import type { TenantIdentity } from '#tenancy';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { randomUUID } from 'node:crypto';
import { book, expectNoDrift, newPrice } from '../support/booking.js';
import { newDevice, newEvent, type PairedDevice } from '../support/builders.js';
import { OrderForms } from '../support/order-forms.js';
import { openSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

let test: TestApp;
let post: SmtpSink;
let venue: TenantIdentity;
let gate: PairedDevice;
let forms: OrderForms;
let event: Awaited<ReturnType<typeof newEvent>>;

beforeAll(async () => {
  post = await openSmtpSink();
  test = await startTestApp({ environment: { SMTP_URL: post.url } });
  venue = await test.newTenant({ name: 'Venue' });
  gate = await newDevice(test, venue);
  forms = new OrderForms(test, venue);
  event = await newEvent(test, venue, { capacity: 500 });
});
afterEach(() => expectNoDrift(test, venue));
afterAll(async () => {
  await test.close();
  await post.close();
});

const inside = <Result>(work: () => Promise<Result>): Promise<Result> => test.inside(venue, work);
const sql = <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  test.database.query(text.replaceAll('{tenant}', `"${venue.schemaName}"`), values) as Promise<Row[]>;
const paid = { confirmed: true, paymentMethod: 'cash' } as const;
const person = (email = `${randomUUID()}@example.org`): Record<string, string> => ({ email, first_name: 'Bob', last_name: 'Roy' });
const pathOf = (id: string): Promise<string> => inside(async () => test.app.get(HolderLinks).pathTo({ reservationId: id }));
const again = (id: string) => inside(async () => (await test.app.get(ReservationsService).find(id))!);
const codeOf = async (id: string, ticketId: string): Promise<string> => {
  const { tickets } = await again(id);
  const codes = await inside(() => test.app.get(ReservationsService).codesOfTickets(tickets));
  return codes.get(ticketId)!;
};
const scan = (code: string, path = 'ticket') =>
  test.on(venue).post(`/scan/${path}/`).set('Authorization', gate.authorization).send({ qrcode_data: code });
const give = (path: string, fields: Record<string, string>) => forms.post(`${path}/transfer`, Object.entries(fields));
/** Sends waiting mails, as the worker does. */
const deliver = async (id: string): Promise<void> => {
  const mails = await sql<{ id: string }>(`select id from {tenant}.mail where reservation_id = $1 and status = 'waiting'`, [id]);
  for (const mail of mails) await inside(() => test.app.get(MailSenderService).send(mail.id, { isLast: true }));
};
const mailTo = (address: string) => post.mails.findLast(({ to }) => to.includes(address))?.parsed;
const ticketLinkIn = (text: string | undefined): string => /http:\/\/[^/]+(\/ticket\/\S+?)(?=["\s<]|$)/.exec(text ?? '')![1]!;

/** A paid reservation. @returns its page, and the pages of its tickets */
async function sold(quantity = 2, of = event) {
  const made = await book(test, venue, of, { quantity, ...paid });
  const path = await pathOf(made.id);
  return { ...made, path, ticketPaths: made.tickets.map(({ id }) => `${path}/tickets/${id}`) };
}

describe('a ticket given to somebody else', () => {
  it('gets a new code at once; the old one is refused as revoked, and only the new holder sees the new one', async () => {
    const { id, path, tickets, ticketPaths } = await sold();
    const [ticket] = tickets;
    const old = await codeOf(id, ticket!.id);
    const shown = await forms.get(path);
    expect(shown.text.match(/<svg/g)).toHaveLength(2);
    const to = person();

    const answer = await give(ticketPaths[0]!, to);
    expect([answer.status, answer.headers['location']]).toEqual([303, `${path}#ticket-1`]);
    for (const way of ['ticket', 'check_ticket', 'fulfil', 'undo']) {
      const body = way === 'undo' ? { reason: 'wrong door' } : {};
      const asked = test.on(venue).post(`/scan/${way}/`).set('Authorization', gate.authorization);
      const refused = await asked.send({ qrcode_data: old, ...body }).expect(400);
      expect(refused.body).toMatchObject({ success: false, reason: 'revoked', code: 'qrcode.revoked' });
      expect(JSON.stringify(refused.body)).not.toContain('Bob');
    }
    const after = await forms.get(path);
    expect(after.text.match(/<svg/g)).toHaveLength(1);
    expect(after.text).toContain(`Given to ${to['email']![0]}•••@e•••.org`);
    expect(after.text).not.toContain(to['email']);
    expect(after.text).not.toContain(`${ticket!.id}/rename`);
    await test.on(venue).get(`${ticketPaths[0]}/ticket.pdf`).expect(303);
    // A second click leads to the same place and changes nothing.
    expect((await give(ticketPaths[0]!, person())).status).toBe(303);

    await deliver(id);
    const mail = mailTo(to['email']!)!;
    expect(mail.subject).toBe(`A ticket for you: ${event.name}`);
    expect(mail.attachments.map(({ mimeType }) => mimeType)).toContain('application/pdf');
    const link = ticketLinkIn(mail.text);
    const own = await forms.get(link);
    expect(own.status).toBe(200);
    expect(own.text).toContain('Bob Roy');
    expect(own.text).not.toContain(id);
    await test.on(venue).get(`${link}/ticket.pdf`).expect(200);
    await test.on(venue).get(`${link}/event.ics`).expect(200);
    const now = await codeOf(id, ticket!.id);
    expect(now).toHaveLength(115);
    expect((await scan(now).expect(200)).body).toMatchObject({ success: true, ticket: { first_name: 'Bob' } });
    expect((await scan(old).expect(400)).body.reason).toBe('revoked');
  });

  it('is published as a change of the reservation; the API shows no code of it to sellers', async () => {
    const { id, ticketPaths, tickets } = await sold();
    const to = person();
    await give(ticketPaths[0]!, to);
    const key = await newKey(test, venue, 'webhook:read', 'reservation:read');
    const feed = await test.on(venue).get('/api/v2/webhook-events/').set('Authorization', key).expect(200);
    const told = (feed.body.results as { type: string; data: { identifier: string; reservedTicket: { underName: unknown }[] } }[]).filter(
      ({ data }) => data.identifier === id,
    );
    expect(told.at(-1)).toMatchObject({ type: 'reservation.updated' });
    expect(told.at(-1)!.data.reservedTicket[0]!.underName).toMatchObject({ email: to['email'], givenName: 'Bob', familyName: 'Roy' });
    const { body } = await test.on(venue).get(`/api/v2/reservations/${id}/`).set('Authorization', key).expect(200);
    const codes = (body.reservedTicket as { identifier: string; qrcode?: string }[]).map((one) => [
      one.identifier,
      one.qrcode !== undefined,
    ]);
    expect(codes).toEqual([
      [tickets[0]!.id, false],
      [tickets[1]!.id, true],
    ]);
    expect(await sql('select from_email, to_email from {tenant}.ticket_transfer where ticket_id = $1', [tickets[0]!.id])).toMatchObject([
      { to_email: to['email'] },
    ]);
  });

  it('can be given on, and back to the buyer; each link works until then', async () => {
    const { id, email, path, ticketPaths, tickets } = await sold(1);
    const [first, second] = [person(), person()];
    await give(ticketPaths[0]!, first);
    await deliver(id);
    const one = ticketLinkIn(mailTo(first['email']!)!.text);
    expect((await give(one, second)).headers['location']).toBe(one);
    const gone = await forms.get(one);
    expect(gone.status).toBe(410);
    expect(gone.text).toContain(`${second['email']![0]}•••@e•••.org`);
    await deliver(id);
    const two = ticketLinkIn(mailTo(second['email']!)!.text);
    expect((await give(one, person())).status).toBe(410);
    await give(two, { ...person(email), first_name: 'Ada' });
    expect((await forms.get(two)).status).toBe(410);
    const back = await forms.get(path);
    expect(back.text.match(/<svg/g)).toHaveLength(1);
    expect(back.text).toContain('Ada Roy');
    await deliver(id);
    expect(mailTo(email)!.subject).toBe(`Your ticket: ${event.name}`);
    expect((await scan(await codeOf(id, tickets[0]!.id)).expect(200)).body.success).toBe(true);
  });

  it('is refused in other states, to the holder, without a name or a valid address, and too often', async () => {
    const { id, email, tickets, ticketPaths } = await sold(3);
    const [scanned, cancelled, free] = ticketPaths;
    await scan(await codeOf(id, tickets[0]!.id)).expect(200);
    await sql(`update {tenant}.reservation set amount = amount where id = $1`, [id]);
    expect((await give(scanned!, person())).status).toBe(409);
    const { ReservationChangesService } = await import('#booking');
    await inside(() => test.app.get(ReservationChangesService).cancelTicket(tickets[1]!.id, { reason: 'staff' }));
    expect((await give(cancelled!, person())).status).toBe(409);
    for (const [fields, text] of [
      [{ ...person(), email: 'nobody' }, 'Enter an e-mail address'],
      [person(email.replace('@', '+2@').toUpperCase()), 'This person already holds the ticket.'],
      [{ ...person(), first_name: ' ', last_name: '' }, 'Enter the name of the new holder.'],
      [{ ...person(), last_name: 'x'.repeat(101) }, '100'],
    ] as const) {
      const refused = await give(free!, fields);
      expect([refused.status, refused.text.includes(text)]).toEqual([422, true]);
    }
    await sql(`insert into {tenant}.ticket_transfer (ticket_id, from_email, to_email) select $1, 'a', 'b' from generate_series(1, 3)`, [
      tickets[2]!.id,
    ]);
    expect((await give(free!, person())).text).toContain('several times in a short time');
    const unpaid = await book(test, venue, event);
    expect((await give(`${await pathOf(unpaid.id)}/tickets/${unpaid.tickets[0]!.id}`, person())).status).toBe(409);
    const foreign = await test.on(venue).post(`${free}/transfer`).set('Origin', 'http://evil.example').type('form').send(person());
    expect(foreign.status).toBe(403);
    expect((await give(free!.replace(tickets[2]!.id, unpaid.tickets[0]!.id), person())).status).toBe(404);
  });

  it('counts for the new holder, also when that person books; a price for members needs the membership', async () => {
    const limited = await newEvent(test, venue, { maxPerUser: 2 });
    const to = person();
    const one = await sold(2, limited);
    await give(one.ticketPaths[0]!, to);
    await expect(book(test, venue, limited, { email: to['email']!, quantity: 2 })).rejects.toMatchObject({ reason: 'limit_per_user' });
    await book(test, venue, limited, { email: to['email']!, quantity: 1 });
    const other = await sold(1, limited);
    const refused = await give(other.ticketPaths[0]!, to);
    expect([refused.status, refused.text.includes('as many tickets as one person may have')]).toEqual([409, true]);
    // The giver may book another one.
    await book(test, venue, limited, { email: one.email, quantity: 1 });

    const club = await newEvent(test, venue);
    const { id: productId } = await inside(() => test.app.get(ProductsService).create({ name: 'Member', category: 'A' }));
    const year = await inside(() => test.app.get(PricesService).create({ productId, name: 'Year', amount: '0.00' }));
    const priceId = await newPrice(test, venue, club.id, { requiredMembershipId: productId });
    const join = (email: string) =>
      inside(() => test.app.get(MembershipsService).create({ priceId: year.id, email, firstName: 'Zoé', lastName: 'Roy' }));
    const [member, friend] = [`${randomUUID()}@example.org`, `${randomUUID()}@example.org`];
    await join(member);
    const made = await book(test, venue, { id: club.id, priceId }, { email: member, ...paid });
    const path = `${await pathOf(made.id)}/tickets/${made.tickets[0]!.id}`;
    expect((await give(path, person(friend))).text).toContain('This price is for members');
    await join(friend);
    expect((await give(path, person(friend))).status).toBe(303);
  });

  it('gets a mail when the signing key is revoked or the reservation is cancelled', async () => {
    const { id, tickets, ticketPaths } = await sold(1);
    const to = person();
    await give(ticketPaths[0]!, to);
    await deliver(id);
    await inside(() => test.app.get(CodeReplacementService).revoke());
    await inside(() => test.app.get(CodeReplacementService)['step']());
    await deliver(id);
    expect(mailTo(to['email']!)!.subject).toBe(`Your new ticket: ${event.name}`);
    expect((await scan(await codeOf(id, tickets[0]!.id), 'check_ticket').expect(200)).body.may_enter).toBe(true);
    const { ReservationChangesService } = await import('#booking');
    await inside(() => test.app.get(ReservationChangesService).cancel(id, { reason: 'staff' }));
    await deliver(id);
    expect(mailTo(to['email']!)!.subject).toBe(`Booking cancelled: ${event.name}`);
  });
});

describe('limits', () => {
  const transfer = (ticket: Parameters<HolderTicketsService['transfer']>[0], email: string) =>
    inside(() => test.app.get(HolderTicketsService).transfer(ticket, { email, firstName: 'Bob', lastName: 'Roy' }));

  it('lets a ticket be given five times a day', async () => {
    const { tickets } = await sold(1);
    const spent = (hours: number, count: number) =>
      sql(
        `insert into {tenant}.ticket_transfer (ticket_id, from_email, to_email, created_at)
         select $1, 'a', 'b', now() - make_interval(hours => $2) from generate_series(1, $3)`,
        [tickets[0]!.id, hours, count],
      );
    await spent(25, 5);
    await spent(2, 4);
    expect(await transfer(tickets[0]!, person()['email']!)).toBe(true);
    const again = (await sql<{ holderEmail: string }>('select holder_email as "holderEmail" from {tenant}.ticket where id = $1', [tickets[0]!.id]))[0]!;
    await expect(transfer({ ...tickets[0]!, ...again, codeVersion: 1 }, person()['email']!)).rejects.toMatchObject({ field: 'email' });
  });

  it('lets one person get twenty tickets a day, whatever the spelling of the address', async () => {
    const to = `crowd-${randomUUID()}@example.org`;
    const { tickets } = await sold(22);
    const spellings = [to, to.toUpperCase(), to.replace('@', '+x@')];
    for (const [index, ticket] of tickets.slice(0, 20).entries()) expect(await transfer(ticket, spellings[index % 3]!)).toBe(true);
    await expect(transfer(tickets[20]!, to)).rejects.toMatchObject({ field: 'email', message: expect.stringContaining('many tickets') });
    expect(await transfer(tickets[21]!, person()['email']!)).toBe(true);
    await sql(`update {tenant}.ticket_transfer set created_at = created_at - interval '1 day' where to_email = $1`, [to]);
    expect(await transfer(tickets[20]!, to)).toBe(true);
  });

  // Without the advisory lock, transfers of different events count the same rows, and more than twenty arrive.
  it('counts transfers of different events to one person one after another', async () => {
    const to = `crowd-${randomUUID()}@example.org`;
    const nights = await Promise.all([1, 2, 3, 4].map(() => newEvent(test, venue)));
    const bookings = [];
    for (const night of nights) bookings.push(await sold(6, night));
    const all = bookings.flatMap(({ tickets }) => tickets);
    const outcomes = await Promise.allSettled(all.map((ticket) => transfer(ticket, to)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    expect(await sql('select count(*)::int as count from {tenant}.ticket where holder_email = $1', [to])).toEqual([{ count: 20 }]);
  });

  it('lets the name on a ticket change ten times a day, also at the same time', async () => {
    const { tickets, ticketPaths } = await sold(2);
    const rename = (name: string) => inside(() => test.app.get(HolderTicketsService).rename(tickets[0]!, { firstName: name, lastName: '' }));
    const outcomes = await Promise.allSettled(Array.from({ length: 14 }, (_, index) => rename(`Name ${index}`)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    const refused = await forms.post(`${ticketPaths[0]}/rename`, [['first_name', 'Eve'], ['last_name', '']]);
    expect([refused.status, refused.text.includes('changed many times today')]).toEqual([422, true]);
    expect((await forms.post(`${ticketPaths[1]}/rename`, [['first_name', 'Eve'], ['last_name', '']])).status).toBe(303);
    await sql(`update {tenant}.ticket set renamed_since = renamed_since - interval '1 day' where id = $1`, [tickets[0]!.id]);
    expect(await rename('Ada')).toBe(true);
    expect(await sql('select renames, first_name from {tenant}.ticket where id = $1', [tickets[0]!.id])).toEqual([
      { renames: 1, first_name: 'Ada' },
    ]);
  });
});

describe('whoever gave a ticket away', () => {
  it('gets a mail that says who has it now: the buyer, then the one who gave it on', async () => {
    const { id, email, path, ticketPaths, tickets } = await sold(2);
    await sql(`update {tenant}.ticket set first_name = 'Ada', last_name = 'Lovelace' where id = $1`, [tickets[0]!.id]);
    const [first, second] = [person(), { ...person(), first_name: 'Eve', last_name: '' }];
    await give(ticketPaths[0]!, first);
    await deliver(id);
    const told = mailTo(email)!;
    expect(told.subject).toBe(`Your ticket was given on: ${event.name}`);
    expect(told.text).toContain(`The ticket of Ada Lovelace for “${event.name}” now belongs to somebody else.`);
    expect(told.text).toContain(`New holder: Bob Roy, ${first['email']}`);
    expect(told.text).toContain(path);
    const link = ticketLinkIn(mailTo(first['email']!)!.text);
    await give(link, second);
    await deliver(id);
    const next = mailTo(first['email']!)!;
    expect([next.subject, next.text?.includes(`New holder: Eve, ${second['email']}`)]).toEqual([`Your ticket was given on: ${event.name}`, true]);
    // Nothing about the buyer's reservation.
    expect(next.text).not.toContain(id);
    expect(post.mails.filter(({ to, parsed }) => to.includes(email) && parsed.subject?.startsWith('Your ticket was'))).toHaveLength(1);
  });

  it('gets none at an address that was corrected meanwhile, or without an address', async () => {
    const { id, email, ticketPaths } = await sold(1);
    await give(ticketPaths[0]!, person());
    await sql(`update {tenant}.reservation set email = 'right@example.org', email_key = 'right@example.org' where id = $1`, [id]);
    await deliver(id);
    expect(mailTo(email)).toBeUndefined();
  });
});

describe('at the same time', () => {
  // Without the code version in the reading and the deciding statement, each of them gets the ticket.
  it('two transfers of one ticket: one wins', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { tickets } = await sold(1);
      const transfer = () =>
        inside(() =>
          test.app
            .get(HolderTicketsService)
            .transfer(tickets[0]!, { email: `${randomUUID()}@example.org`, firstName: 'Bob', lastName: 'Roy' }),
        );
      const outcomes = await Promise.all([transfer(), transfer(), transfer()]);
      expect(outcomes.filter(Boolean)).toHaveLength(1);
      expect(await sql('select code_version from {tenant}.ticket where id = $1', [tickets[0]!.id])).toEqual([{ code_version: 1 }]);
    }
  });

  // Without the code version in the deciding update of the scan, a ticket is both scanned with its old code and given away.
  it('a transfer and a scan: one wins', async () => {
    const outcomes = { given: 0, scanned: 0 };
    for (let round = 0; round < 20; round += 1) {
      const { id, tickets, ticketPaths } = await sold(1);
      const code = await codeOf(id, tickets[0]!.id);
      const [given, scanned] = await Promise.all([give(ticketPaths[0]!, person()), scan(code)]);
      const isGiven = given.status === 303;
      const isScanned = scanned.status === 200 && (scanned.body as { success: boolean }).success;
      expect([isGiven, isScanned]).toEqual([isGiven, !isGiven]);
      outcomes[isGiven ? 'given' : 'scanned'] += 1;
      const [row] = await sql<{ status: string; version: number }>(
        'select status, code_version as version from {tenant}.ticket where id = $1',
        [tickets[0]!.id],
      );
      expect(row).toEqual(isGiven ? { status: 'K', version: 1 } : { status: 'S', version: 0 });
    }
    expect(outcomes.given + outcomes.scanned).toBe(20);
  });
});
