import { HolderTicketsService, type TicketOffersService } from '#holders';
import { emailKey } from '#tickets';
import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { newEvent } from '../support/builders.js';
import { giveTicket } from '../support/given-tickets.js';
import { person, ticketLinkIn, TransferVenue } from '../support/ticket-transfers.js';

const at = new TransferVenue();
const { inside, sql, give, deliver, mailTo, sold } = at;

describe('limits of transfers', () => {
  const transfer = (ticket: Parameters<TicketOffersService['offer']>[0], email: string) =>
    inside(() => giveTicket(at.test.app, ticket, { email, firstName: 'Bob', lastName: 'Roy' }));

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
    const again = (
      await sql<{ holderEmail: string }>('select holder_email as "holderEmail" from {tenant}.ticket where id = $1', [tickets[0]!.id])
    )[0]!;
    await expect(transfer({ ...tickets[0]!, ...again, codeVersion: 1 }, person()['email']!)).rejects.toMatchObject({ field: 'email' });
  });

  it('lets one person get twenty tickets a day, whatever the spelling of the address', async () => {
    const to = `crowd-${randomUUID()}@example.org`;
    const { tickets } = await sold(22);
    const spellings = [to, to.toUpperCase(), to.replace('@', '+x@')];
    for (const [index, ticket] of tickets.slice(0, 20).entries()) expect(await transfer(ticket, spellings[index % 3]!)).toBe(true);
    await expect(transfer(tickets[20]!, to)).rejects.toMatchObject({ field: 'email', message: expect.stringContaining('given a lot') });
    expect(await transfer(tickets[21]!, person()['email']!)).toBe(true);
    await sql(
      `update {tenant}.ticket_transfer set created_at = created_at - interval '1 day', decided_at = decided_at - interval '1 day'
       where to_email = $1`,
      [to],
    );
    expect(await transfer(tickets[20]!, to)).toBe(true);
  });

  // Without the advisory lock, transfers of different events count the same rows, and more than one of them arrives.
  it('counts transfers of different events to one person one after another', async () => {
    const nights = await Promise.all([1, 2, 3, 4, 5, 6].map(() => newEvent(at.test, at.venue)));
    const bookings = [];
    for (const night of nights) bookings.push(await sold(4, night));
    for (const round of [0, 1, 2, 3]) {
      const to = `crowd-${randomUUID()}@example.org`;
      await sql(
        `insert into {tenant}.ticket_transfer (ticket_id, from_email, to_email, to_key) select $1, 'a', $2, $3 from generate_series(1, 19)`,
        [(await sold(1)).tickets[0]!.id, to, emailKey(to)],
      );
      const outcomes = await Promise.allSettled(bookings.map(({ tickets }) => transfer(tickets[round]!, to)));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await sql('select count(*)::int as count from {tenant}.ticket where holder_email = $1', [to])).toEqual([{ count: 1 }]);
    }
  });

  it('lets the name on a ticket change ten times a day, also at the same time', async () => {
    const { tickets, ticketPaths } = await sold(2);
    const rename = (name: string) =>
      inside(() => at.test.app.get(HolderTicketsService).rename(tickets[0]!, { firstName: name, lastName: '' }));
    const outcomes = await Promise.allSettled(Array.from({ length: 14 }, (_, index) => rename(`Name ${index}`)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    const refused = await at.forms.post(`${ticketPaths[0]}/rename`, [
      ['first_name', 'Eve'],
      ['last_name', ''],
    ]);
    expect([refused.status, refused.text.includes('changed many times today')]).toEqual([422, true]);
    expect(
      (
        await at.forms.post(`${ticketPaths[1]}/rename`, [
          ['first_name', 'Eve'],
          ['last_name', ''],
        ])
      ).status,
    ).toBe(303);
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
    const first = person();
    const second: Record<string, string> = { ...person(), first_name: 'Eve', last_name: '' };
    // Mails to other addresses say nothing that somebody typed.
    await sql('insert into {tenant}.verified_email (email_key) values ($1), ($2)', [email, first['email']]);
    await give(ticketPaths[0]!, first);
    await deliver(id);
    const told = mailTo(email)!;
    expect(told.subject).toBe(`Your ticket was given on: ${at.event.name}`);
    expect(told.text).toContain(`The ticket of Ada Lovelace for “${at.event.name}” now belongs to somebody else.`);
    expect(told.text).toContain(`New holder: Bob Roy, ${first['email']}`);
    expect(told.text).toContain(path);
    const link = ticketLinkIn(mailTo(first['email']!)!.text);
    await give(link, second);
    await deliver(id);
    const next = mailTo(first['email']!)!;
    expect([next.subject, next.text?.includes(`New holder: Eve, ${second['email']}`)]).toEqual([
      `Your ticket was given on: ${at.event.name}`,
      true,
    ]);
    // Nothing about the buyer's reservation.
    expect(next.text).not.toContain(id);
    expect(at.post.mails.filter(({ to, parsed }) => to.includes(email) && parsed.subject?.startsWith('Your ticket was'))).toHaveLength(1);
  });

  it('gets none at an address that was corrected meanwhile, or without an address', async () => {
    const { id, email, ticketPaths } = await sold(1);
    await give(ticketPaths[0]!, person());
    await sql(`update {tenant}.reservation set email = 'right@example.org', email_key = 'right@example.org' where id = $1`, [id]);
    await deliver(id);
    expect(mailTo(email)).toBeUndefined();
  });
});
