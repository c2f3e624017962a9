import { TicketOffersService } from '#holders';
import { ReservationChangesService } from '#tickets';
import { describe, expect, it } from '@jest/globals';
import { newEvent } from '../support/builders.js';
import { giveTicket } from '../support/given-tickets.js';
import { eventually } from '../support/eventually.js';
import { person, TransferVenue } from '../support/ticket-transfers.js';

const at = new TransferVenue();
const { inside, sql, codeOf, offer, deliver, mailTo, sold, pendingOffer, giftPath } = at;
const offers = () => at.test.app.get(TicketOffersService);
const scan = (code: string) =>
  at.test.on(at.venue).post('/scan/ticket/').set('Authorization', at.gate.authorization).send({ qrcode_data: code });
const ticketRow = async (id: string) =>
  (
    await sql<{ status: string; version: number; holder: string | null }>(
      'select status, code_version as version, holder_email as holder from {tenant}.ticket where id = $1',
      [id],
    )
  )[0]!;
const stateOf = async (gift: string) =>
  (await sql<{ state: string }>('select state from {tenant}.ticket_transfer where id = $1', [gift]))[0]!.state;

/** A sold ticket that is offered to somebody. */
async function offered(fields: Record<string, string> = {}, of = at.event) {
  const made = await sold(1, of);
  const to = { ...person(), ...fields };
  const [ticket] = made.tickets;
  expect((await offer(made.ticketPaths[0]!, to)).status).toBe(303);
  const gift = (await pendingOffer(ticket!.id))!;
  return { ...made, ticket: ticket!, ticketPath: made.ticketPaths[0]!, to, gift, link: await giftPath(gift) };
}

describe('a ticket offered to somebody', () => {
  it('is looked at once more before it is sent, without the price', async () => {
    const { id, ticketPaths } = await sold(1);
    const to: Record<string, string> = { ...person(), message: 'See you at the bar\nat 7/8!' };
    const look = await offer(ticketPaths[0]!, to, '');
    expect(look.status).toBe(200);
    for (const text of ['Is this right?', 'To Bob Roy', to['email']!, 'See you at the bar', 'From ', 'Send the gift'])
      expect(look.text).toContain(text);
    expect(look.text).not.toMatch(/€\d|\d €/);
    const change = await offer(ticketPaths[0]!, to, 'change');
    expect([change.status, change.text.includes(to['email']!), change.text.includes('at 7/8!')]).toEqual([200, true, true]);
    expect(await sql('select 1 from {tenant}.mail where reservation_id = $1 and ticket_id is not null', [id])).toEqual([]);
    for (const [message, text] of [
      ['look at evil.example.com', 'Write without addresses'],
      ['x'.repeat(201), '200'],
    ]) {
      const refused = await offer(ticketPaths[0]!, { ...to, message: message! }, '');
      expect([refused.status, refused.text.includes(text!)]).toEqual([422, true]);
    }
  });

  it('stays the holder’s until it is accepted; the mail names the giver and has the words, the link and no price', async () => {
    const { id, path, ticket, ticketPath, to, gift, link } = await offered({ message: 'See you at the bar!' });
    await sql(`update {tenant}.reservation set first_name = 'Ada', last_name = 'Buyer' where id = $1`, [id]);
    const old = await codeOf(id, ticket.id);
    await deliver(id);
    const mail = mailTo(to['email']!)!;
    expect(mail.subject).toBe(`A ticket is waiting for you: ${at.event.name}`);
    for (const text of ['Ada Buyer wants to give you a ticket', 'See you at the bar!', link]) expect(mail.text).toContain(text);
    expect(mail.text).not.toMatch(/€|Price|Total/);
    expect(mail.attachments.filter(({ mimeType }) => mimeType === 'application/pdf')).toEqual([]);

    const held = await at.forms.get(path);
    expect(held.text.match(/<div class="code pass-code"><svg/g)).toHaveLength(1);
    for (const text of ['Bob Roy has not accepted yet.', 'Your code still works.', 'Take it back']) expect(held.text).toContain(text);
    expect(held.text).not.toContain(`${ticket.id}/transfer"`);
    expect((await at.forms.get(`${ticketPath}/transfer`)).headers['location']).toBe(`${path}#ticket-1`);
    // Another offer while this one waits changes nothing.
    expect((await offer(ticketPath, person())).status).toBe(303);
    expect(await pendingOffer(ticket.id)).toBe(gift);

    const page = await at.forms.get(link);
    expect(page.status).toBe(200);
    for (const text of ['Ada Buyer wants to give you this ticket.', 'See you at the bar!', 'Accept the ticket'])
      expect(page.text).toContain(text);
    expect(page.text).not.toMatch(/€/);
    expect([page.text.includes(id), page.text.includes('pass-code')]).toEqual([false, false]);
    // A GET changes nothing.
    expect(await ticketRow(ticket.id)).toMatchObject({ version: 0, holder: null });

    const accepted = await at.forms.post(link, []);
    expect(accepted.status).toBe(303);
    const own = await at.forms.get(accepted.headers['location']!);
    expect([own.status, own.text.includes('<svg')]).toEqual([200, true]);
    expect(own.text).not.toMatch(/€/);
    expect(await ticketRow(ticket.id)).toEqual({ status: 'K', version: 1, holder: to['email'] });
    expect((await scan(old).expect(400)).body.reason).toBe('revoked');
    // A second click, and the link of the mail, lead to the ticket.
    expect((await at.forms.post(link, [])).headers['location']).toBe(accepted.headers['location']);
    expect((await at.forms.get(link)).headers['location']).toBe(accepted.headers['location']);
    await deliver(id);
    const kinds = await sql<{ kind: string }>('select kind from {tenant}.mail where ticket_id = $1 order by created_at, kind', [ticket.id]);
    expect(kinds.map(({ kind }) => kind)).toEqual(['ticket-offered', 'ticket-given', 'ticket-transferred']);
    expect(mailTo(to['email']!)!.subject).toBe(`A ticket for you: ${at.event.name}`);
    expect(mailTo(to['email']!)!.text).not.toMatch(/€|Total/);
  });

  it('can be taken back, and offered again', async () => {
    const { id, path, ticket, ticketPath, to, gift, link } = await offered();
    const back = await at.forms.post(`${ticketPath}/transfer/withdraw`, []);
    expect([back.status, back.headers['location']]).toEqual([303, `${path}#ticket-1`]);
    expect(await stateOf(gift)).toBe('withdrawn');
    const page = await at.forms.get(link);
    expect([page.status, page.text.includes('The ticket was taken back')]).toEqual([410, true]);
    expect((await at.forms.post(link, [])).status).toBe(410);
    // The mail that waits is not sent any more.
    await deliver(id);
    expect(mailTo(to['email']!)).toBeUndefined();
    expect((await at.forms.post(`${ticketPath}/transfer/withdraw`, [])).status).toBe(303);
    expect((await offer(ticketPath, person())).status).toBe(303);
    expect(await pendingOffer(ticket.id)).not.toBe(gift);
  });

  it('lapses when it is scanned, cancelled or moved, and with the end of the event', async () => {
    const ends: ((one: Awaited<ReturnType<typeof offered>>) => Promise<unknown>)[] = [
      async ({ id, ticket }) => scan(await codeOf(id, ticket.id)).expect(200),
      ({ ticket }) => inside(() => at.test.app.get(ReservationChangesService).cancelTicket(ticket.id, { reason: 'staff' })),
      ({ id }) => inside(() => at.test.app.get(ReservationChangesService).cancel(id, { reason: 'staff' })),
      ({ ticket }) => sql('update {tenant}.ticket set code_version = 1 where id = $1', [ticket.id]),
    ];
    for (const end of ends) {
      const one = await offered();
      await end(one);
      const [shown, accepted] = [await at.forms.get(one.link), await at.forms.post(one.link, [])];
      expect([shown.status, accepted.status]).toEqual([410, 410]);
      expect(shown.text).toContain('can no longer be accepted');
      expect(await inside(() => offers().accept(one.gift))).toBe(false);
      expect((await inside(() => offers().pendingOf([one.ticket]))).size).toBe(0);
      expect(await ticketRow(one.ticket.id)).toMatchObject({ holder: null });
    }
    const evening = await newEvent(at.test, at.venue);
    const late = await offered({}, evening);
    await sql(`update {tenant}.event set starts_at = now() - interval '2 days', ends_at = now() - interval '1 day' where id = $1`, [
      evening.id,
    ]);
    expect((await at.forms.post(late.link, [])).status).toBe(410);
  });

  it('keeps the rules of the giver again at the acceptance', async () => {
    const { id, to, ticket, link } = await offered();
    await sql(
      `insert into {tenant}.ticket_transfer (ticket_id, from_email, to_email, to_key, state, decided_at, created_at)
       select $1, 'a', $2, $2, 'accepted', now(), now() - interval '2 days' from generate_series(1, 20)`,
      [ticket.id, to['email']],
    );
    const refused = await at.forms.post(link, []);
    expect([refused.status, refused.text.includes('given a lot today')]).toEqual([422, true]);
    await sql(`update {tenant}.ticket_transfer set decided_at = decided_at - interval '1 day' where to_email = $1 and state = 'accepted'`, [
      to['email'],
    ]);
    // The address of the buyer was corrected to the receiver's, who would give it to oneself.
    await sql('update {tenant}.reservation set email = $2, email_key = $2 where id = $1', [id, to['email']]);
    expect((await at.forms.post(link, [])).status).toBe(410);
    expect(await ticketRow(ticket.id)).toMatchObject({ version: 0 });
  });

  it('leads to the reservation when its buyer accepts it back', async () => {
    const { email, path, tickets } = await sold(1);
    const to = person();
    await inside(() => giveTicket(at.test.app, tickets[0]!, { email: to['email']!, firstName: 'Bob', lastName: 'Roy' }));
    const seen = { ...tickets[0]!, codeVersion: 1, holderEmail: to['email']! };
    await inside(() => offers().offer(seen, { email, firstName: 'Ada', lastName: '' }));
    const link = await giftPath((await pendingOffer(tickets[0]!.id))!);
    expect((await at.forms.post(link, [])).headers['location']).toBe(path);
    expect(await ticketRow(tickets[0]!.id)).toEqual({ status: 'K', version: 2, holder: null });
  });

  it('answers 404 to another mark, and 403 to a form of another site', async () => {
    const { link, ticketPath } = await offered();
    expect((await at.forms.get(`${link.slice(0, -3)}abc`)).status).toBe(404);
    expect((await at.forms.get('/gift/nothing/nothing')).status).toBe(404);
    for (const path of [link, `${ticketPath}/transfer/withdraw`])
      expect((await at.test.on(at.venue).post(path).set('Origin', 'http://evil.example').type('form').send({})).status).toBe(403);
  });
});

describe('at the same time', () => {
  // Without the lock of the ticket, the second offer meets the unique index and fails.
  it('offers of one ticket: one waits', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { tickets, id } = await sold(1);
      const one = () => inside(() => offers().offer(tickets[0]!, { email: person()['email']!, firstName: 'Bob', lastName: '' }));
      expect(await Promise.all([one(), one(), one()])).toEqual([true, true, true]);
      expect(await sql(`select 1 from {tenant}.ticket_transfer where ticket_id = $1`, [tickets[0]!.id])).toHaveLength(1);
      expect(await sql(`select 1 from {tenant}.mail where reservation_id = $1 and kind = 'ticket-offered'`, [id])).toHaveLength(1);
    }
  });

  // Without the lock of the offer in `accept`, the offer whose acceptance waits for the ticket is taken back as well.
  it('acceptance and taking back: one wins', async () => {
    for (let round = 0; round < 12; round += 1) {
      const { ticket, gift } = await offered();
      const accept = () => inside(() => offers().accept(gift));
      const withdraw = () => inside(() => offers().withdraw(ticket));
      const together = async () => {
        const accepting = accept();
        await eventually(async () => expect(await at.test.database.waiting()).toBeGreaterThan(0));
        return Promise.all([accepting, withdraw()]);
      };
      const [accepted, withdrawn] = await (round < 2
        ? at.test.database.race(`select from "${at.venue.schemaName}".ticket where id = $1 for update`, [ticket.id], together)
        : Promise.all([accept(), withdraw()]));
      expect(withdrawn).toBe(!accepted);
      expect([await stateOf(gift), (await ticketRow(ticket.id)).version]).toEqual(accepted ? ['accepted', 1] : ['withdrawn', 0]);
    }
  });

  // Without the lock of the reservation and the version of the code, more than one moves it.
  it('several acceptances: one moves the ticket', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { ticket, gift } = await offered();
      const accept = () => inside(() => offers().accept(gift));
      expect((await Promise.all([accept(), accept(), accept()])).filter(Boolean)).toHaveLength(1);
      expect((await ticketRow(ticket.id)).version).toBe(1);
    }
  });

  // Without the state in the update that moves the ticket, it is cancelled and given away; the lock of the reservation decides, too.
  it('acceptance and cancellation: the ticket of one person is cancelled, or it was moved before', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id, ticket, gift } = await offered();
      const changes = at.test.app.get(ReservationChangesService);
      const check = ({ tickets }: { tickets: readonly { holderEmail: string | null }[] }): void => {
        if (tickets[0]!.holderEmail !== null) throw new Error('moved');
      };
      const [accepted, cancelled] = await Promise.all([
        inside(() => offers().accept(gift)),
        inside(() => changes.cancelTickets(id, [ticket.id], { reason: 'holder' }, check)).then(
          () => true,
          () => false,
        ),
      ]);
      expect(cancelled).toBe(!accepted);
      expect(await ticketRow(ticket.id)).toMatchObject(accepted ? { status: 'K', version: 1 } : { status: 'R', version: 0 });
    }
  });

  // Without the version of the code in the update of the scan, a ticket is scanned with its old code and given away.
  it('acceptance and scan: one wins', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { id, ticket, gift } = await offered();
      const code = await codeOf(id, ticket.id);
      const [accepted, scanned] = await Promise.all([inside(() => offers().accept(gift)), scan(code)]);
      const isScanned = scanned.status === 200 && (scanned.body as { success: boolean }).success;
      expect(isScanned).toBe(!accepted);
      expect(await ticketRow(ticket.id)).toMatchObject(accepted ? { status: 'K', version: 1 } : { status: 'S', version: 0 });
    }
  });
});
