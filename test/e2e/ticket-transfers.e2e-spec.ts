import { MembershipsService } from '#memberships';
import { CodeReplacementService } from '#tickets';
import { PricesService, ProductsService } from '#catalogue';
import { describe, expect, it } from '@jest/globals';
import { book, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { paid, person, ticketLinkIn, TransferVenue } from '../support/ticket-transfers.js';
import { newKey } from '../support/webhooks.js';

const at = new TransferVenue();
const { inside, sql, pathOf, codeOf, give, deliver, mailTo, sold } = at;
const scan = (code: string, path = 'ticket') =>
  at.test.on(at.venue).post(`/scan/${path}/`).set('Authorization', at.gate.authorization).send({ qrcode_data: code });

describe('a ticket given to somebody else', () => {
  it('gets a new code at once; the old one is refused as revoked, and only the new holder sees the new one', async () => {
    const { id, path, tickets, ticketPaths } = await sold();
    const [ticket] = tickets;
    const old = await codeOf(id, ticket!.id);
    const shown = await at.forms.get(path);
    expect(shown.text.match(/class="code pass-code"/g)).toHaveLength(2);
    const to = person();

    const answer = await give(ticketPaths[0]!, to);
    expect([answer.status, answer.headers['location']]).toEqual([303, `${path}#ticket-1`]);
    for (const way of ['ticket', 'check_ticket', 'fulfil', 'undo']) {
      const body = way === 'undo' ? { reason: 'wrong door' } : {};
      const asked = at.test.on(at.venue).post(`/scan/${way}/`).set('Authorization', at.gate.authorization);
      const refused = await asked.send({ qrcode_data: old, ...body }).expect(400);
      expect(refused.body).toMatchObject({ success: false, reason: 'revoked', code: 'qrcode.revoked' });
      expect(JSON.stringify(refused.body)).not.toContain('Bob');
    }
    const after = await at.forms.get(path);
    expect(after.text.match(/class="code pass-code"/g)).toHaveLength(1);
    expect(after.text).toContain(`Given to ${to['email']![0]}•••@e•••.org`);
    expect(after.text).not.toContain(to['email']);
    expect(after.text).not.toContain(`${ticket!.id}/rename`);
    await at.test.on(at.venue).get(`${ticketPaths[0]}/ticket.pdf`).expect(303);
    // A second click leads to the same place and changes nothing.
    expect((await give(ticketPaths[0]!, person())).status).toBe(303);

    await deliver(id);
    const mail = mailTo(to['email']!)!;
    expect(mail.subject).toBe(`A ticket for you: ${at.event.name}`);
    expect(mail.attachments.map(({ mimeType }) => mimeType)).toContain('application/pdf');
    const link = ticketLinkIn(mail.text);
    const own = await at.forms.get(link);
    expect(own.status).toBe(200);
    expect(own.text).toContain('Bob Roy');
    expect(own.text).not.toContain(id);
    await at.test.on(at.venue).get(`${link}/ticket.pdf`).expect(200);
    await at.test.on(at.venue).get(`${link}/event.ics`).expect(200);
    const now = await codeOf(id, ticket!.id);
    expect(now).toHaveLength(115);
    expect((await scan(now).expect(200)).body).toMatchObject({ success: true, ticket: { first_name: 'Bob' } });
    expect((await scan(old).expect(400)).body.reason).toBe('revoked');
  });

  it('is published as a change of the reservation; the API shows no code of it to sellers', async () => {
    const { id, ticketPaths, tickets } = await sold();
    const to = person();
    await give(ticketPaths[0]!, to);
    const key = await newKey(at.test, at.venue, 'webhook:read', 'reservation:read');
    const feed = await at.test.on(at.venue).get('/api/v2/webhook-events/').set('Authorization', key).expect(200);
    const told = (feed.body.results as { type: string; data: { identifier: string; reservedTicket: { underName: unknown }[] } }[]).filter(
      ({ data }) => data.identifier === id,
    );
    expect(told.at(-1)).toMatchObject({ type: 'reservation.updated' });
    expect(told.at(-1)!.data.reservedTicket[0]!.underName).toMatchObject({ email: to['email'], givenName: 'Bob', familyName: 'Roy' });
    const { body } = await at.test.on(at.venue).get(`/api/v2/reservations/${id}/`).set('Authorization', key).expect(200);
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
    const gone = await at.forms.get(one);
    expect(gone.status).toBe(410);
    expect(gone.text).toContain(`${second['email']![0]}•••@e•••.org`);
    await deliver(id);
    const two = ticketLinkIn(mailTo(second['email']!)!.text);
    expect((await give(one, person())).status).toBe(410);
    await give(two, { ...person(email), first_name: 'Ada' });
    expect((await at.forms.get(two)).status).toBe(410);
    const back = await at.forms.get(path);
    expect(back.text.match(/class="code pass-code"/g)).toHaveLength(1);
    expect(back.text).toContain('Ada Roy');
    await deliver(id);
    expect(mailTo(email)!.subject).toBe(`Your ticket: ${at.event.name}`);
    expect((await scan(await codeOf(id, tickets[0]!.id)).expect(200)).body.success).toBe(true);
  });

  it('is refused in other states, to the holder, without a name or a valid address, and too often', async () => {
    const { id, email, tickets, ticketPaths } = await sold(3);
    const [scanned, cancelled, free] = ticketPaths;
    await scan(await codeOf(id, tickets[0]!.id)).expect(200);
    await sql(`update {tenant}.reservation set amount = amount where id = $1`, [id]);
    expect((await give(scanned!, person())).status).toBe(409);
    const { ReservationChangesService } = await import('#tickets');
    await inside(() => at.test.app.get(ReservationChangesService).cancelTicket(tickets[1]!.id, { reason: 'staff' }));
    expect((await give(cancelled!, person())).status).toBe(409);
    for (const [fields, text] of [
      [{ ...person(), email: 'nobody' }, 'Enter an e-mail address'],
      [person(email.replace('@', '+2@').toUpperCase()), 'This person already holds the ticket.'],
      [{ ...person(), first_name: ' ', last_name: '' }, 'Enter the name of the new holder.'],
      [{ ...person(), last_name: 'x'.repeat(101) }, '100'],
      [{ ...person(), last_name: 'Win at evil.com' }, 'Write a name without an address'],
    ] as const) {
      const refused = await give(free!, fields);
      expect([refused.status, refused.text.includes(text)]).toEqual([422, true]);
    }
    const empty = (await give(free!, { email: '', first_name: '', last_name: '' })).text;
    expect([...empty.matchAll(/<a href="#(\w+)">/g)].map(([, field]) => field)).toEqual(['email', 'first_name']);
    await sql(`insert into {tenant}.ticket_transfer (ticket_id, from_email, to_email) select $1, 'a', 'b' from generate_series(1, 3)`, [
      tickets[2]!.id,
    ]);
    expect((await give(free!, person())).text).toContain('several times in a short time');
    const unpaid = await book(at.test, at.venue, at.event);
    expect((await give(`${await pathOf(unpaid.id)}/tickets/${unpaid.tickets[0]!.id}`, person())).status).toBe(409);
    const foreign = await at.test.on(at.venue).post(`${free}/transfer`).set('Origin', 'http://evil.example').type('form').send(person());
    expect(foreign.status).toBe(403);
    expect((await give(free!.replace(tickets[2]!.id, unpaid.tickets[0]!.id), person())).status).toBe(404);
  });

  it('goes on counting for the buyer; who has the maximum, or no membership, gets it like anybody else', async () => {
    const limited = await newEvent(at.test, at.venue, { maxPerUser: 2 });
    const product = await inside(() => at.test.app.get(ProductsService).create({ name: 'Member', category: 'A' }));
    const year = await inside(() => at.test.app.get(PricesService).create({ productId: product.id, name: 'Year', amount: '0.00' }));
    const club = await newEvent(at.test, at.venue);
    const forMembers = await newPrice(at.test, at.venue, club.id, { requiredMembershipId: product.id });
    const [full, stranger] = [person(), person()];
    await book(at.test, at.venue, limited, { email: full['email']!, quantity: 2, ...paid });
    const one = await sold(2, limited);
    await inside(() => at.test.app.get(MembershipsService).create({ priceId: year.id, email: one.email }));
    const made = await book(at.test, at.venue, { id: club.id, priceId: forMembers }, { email: one.email, ...paid });
    const ofMember = `${await pathOf(made.id)}/tickets/${made.tickets[0]!.id}`;
    const given = [await give(one.ticketPaths[0]!, full), await give(one.ticketPaths[1]!, stranger), await give(ofMember, stranger)];
    expect(given.map(({ status }) => status)).toEqual([303, 303, 303]);
    const again = { reason: 'limit_per_user', facts: { held: 2, mayBook: 0 } };
    await expect(book(at.test, at.venue, limited, { email: one.email })).rejects.toMatchObject(again);
    await book(at.test, at.venue, limited, { email: stranger['email']!, quantity: 2 });
  });

  it('gets a mail when the signing key is revoked or the reservation is cancelled', async () => {
    const { id, tickets, ticketPaths } = await sold(1);
    const to = person();
    await give(ticketPaths[0]!, to);
    await deliver(id);
    await inside(() => at.test.app.get(CodeReplacementService).revoke());
    await inside(() => at.test.app.get(CodeReplacementService)['step']());
    await deliver(id);
    expect(mailTo(to['email']!)!.subject).toBe(`Your new ticket: ${at.event.name}`);
    expect((await scan(await codeOf(id, tickets[0]!.id), 'check_ticket').expect(200)).body.may_enter).toBe(true);
    const { ReservationChangesService } = await import('#tickets');
    await inside(() => at.test.app.get(ReservationChangesService).cancel(id, { reason: 'staff' }));
    await deliver(id);
    expect(mailTo(to['email']!)!.subject).toBe(`Booking cancelled: ${at.event.name}`);
  });
});
