import { describe, expect, it } from '@jest/globals';
import type { PanelClient } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { person, ticketLinkIn, TransferVenue } from '../support/ticket-transfers.js';

const at = new TransferVenue();
const { give, deliver, mailTo, offer, sold } = at;

interface Hits {
  readonly groups: readonly { readonly id: string; readonly hits: readonly { readonly id: string }[] }[];
}

/** Expects that the search of every page and those of the lists find one ticket and its reservation. */
async function expectFound(
  staff: PanelClient,
  text: string,
  { ticket, reservation }: Record<'ticket' | 'reservation', string>,
): Promise<void> {
  const { groups } = (await staff.call('post', '/api/search').send({ text }).expect(200)).body as Hits;
  const hits = Object.fromEntries(groups.map((group) => [group.id, group.hits.map((hit) => hit.id)]));
  expect(hits).toMatchObject({ tickets: [ticket], reservations: [reservation] });
  for (const [resource, found] of [
    ['tickets', ticket],
    ['reservations', reservation],
  ] as const)
    expect((await staff.list(resource, { 'filters.search': text })).records!.map((record) => record.id)).toEqual([found]);
}

describe('tickets given to somebody else, in the panel', () => {
  it('show every transfer at the ticket and at its reservation, newest first', async () => {
    const { id, email, tickets, ticketPaths } = await sold(2);
    const [bob, eve] = [person(), { ...person(), first_name: 'Eve', last_name: '' } as Record<string, string>];
    await give(ticketPaths[0]!, bob);
    await deliver(id);
    await give(ticketLinkIn(mailTo(bob['email']!)!.text), eve);
    const staff = await staffOf(at.test, at.venue);
    const shown = [`Bob Roy (${bob['email']}) → Eve (${eve['email']})`, `${email} → Bob Roy (${bob['email']})`];
    const titles = ({ record }: Awaited<ReturnType<typeof staff.look>>) =>
      [0, 1, 2].flatMap((index) => record!.params[`transfers.items.${index}.title`] ?? []);
    expect(titles(await staff.look('tickets', tickets[0]!.id))).toEqual(shown);
    const reservation = await staff.look('reservations', id);
    expect(titles(reservation)).toEqual(shown);
    expect(reservation.record!.params['transfers.items.0.href']).toContain(tickets[0]!.id);
    expect(Date.parse(reservation.record!.params['transfers.items.0.at'] as string)).not.toBeNaN();
    expect(titles(await staff.look('tickets', tickets[1]!.id))).toEqual([]);
  });

  it('show whether an offer waits, was accepted, was taken back or lapsed', async () => {
    const { id, email, tickets, ticketPaths } = await sold(1);
    const [bob, eve] = [person(), person()];
    const staff = await staffOf(at.test, at.venue);
    const shown = async (): Promise<unknown[]> => {
      const { record } = await staff.look('tickets', tickets[0]!.id);
      return [0, 1].flatMap((index) => record!.params[`transfers.items.${index}.badge.text`] ?? []);
    };
    await offer(ticketPaths[0]!, bob);
    expect(await shown()).toEqual(['Not accepted yet']);
    const { record } = await staff.look('reservations', id);
    expect(record!.params['transfers.items.0.title']).toBe(`${email} → Bob Roy (${bob['email']})`);
    await at.forms.post(`${ticketPaths[0]}/transfer/withdraw`, []);
    await offer(ticketPaths[0]!, eve);
    expect(await shown()).toEqual(['Not accepted yet', 'Taken back']);
    await at.sql(`update {tenant}.ticket set status = 'S', scanned_at = now() where id = $1`, [tickets[0]!.id]);
    expect(await shown()).toEqual(['Not accepted in time', 'Taken back']);
    await at.sql(`update {tenant}.ticket set status = 'K', scanned_at = null where id = $1`, [tickets[0]!.id]);
    await give(ticketPaths[0]!, eve);
    expect(await shown()).toEqual(['Accepted', 'Taken back']);
  });

  it('are found by name and address of the new holder, with their reservation', async () => {
    const { id, tickets, ticketPaths } = await sold(2);
    await give(ticketPaths[1]!, { email: 'Zdenka.K@Nowhere.example', first_name: 'Zdeňka', last_name: 'Kovářová' });
    const staff = await staffOf(at.test, at.venue);
    for (const text of ['kovarova', 'zdenka.k@nowhere', 'ZDENKA nowhere.example'])
      await expectFound(staff, text, { ticket: tickets[1]!.id, reservation: id });
  });

  it('are found by name and address of the person to whom they are offered, until the offer is taken back', async () => {
    const { id, tickets, ticketPaths } = await sold(2);
    await offer(ticketPaths[1]!, { email: 'Oskar.N@Nowhere.example', first_name: 'Öskar', last_name: 'Nemeth' });
    const staff = await staffOf(at.test, at.venue);
    for (const text of ['nemeth', 'oskar.n@nowhere', 'OSKAR nowhere.example'])
      await expectFound(staff, text, { ticket: tickets[1]!.id, reservation: id });
    await at.forms.post(`${ticketPaths[1]}/transfer/withdraw`, []);
    expect((await staff.list('tickets', { 'filters.search': 'nemeth' })).records).toEqual([]);
    expect((await staff.list('reservations', { 'filters.search': 'nemeth' })).records).toEqual([]);
  });

  it('say whose tickets a cancellation ends, who is told, how they were paid, and lead to the refund', async () => {
    const { id, email, tickets, ticketPaths } = await sold(2);
    const bob = person();
    await give(ticketPaths[1]!, bob);
    const staff = await staffOf(at.test, at.venue);
    const factsOf = async (resource: string, record: string) => (await staff.look(resource, record, 'cancel')).view!['facts'] as string[];
    expect(await factsOf('reservations', id)).toEqual([
      '2 tickets will no longer be valid; the places are free again.',
      '€25.00 paid at the venue (Cash) is to be given back by hand: record it afterwards.',
      `${email} is informed by e-mail.`,
      `1 of these tickets was given to Bob Roy (${bob['email']}), and also ends. The money goes back to ${email}.`,
      `${bob['email']} is informed by e-mail.`,
    ]);
    expect(await factsOf('tickets', tickets[1]!.id)).toEqual([
      'The ticket of Bob Roy will no longer be valid; its place is free again. The other tickets of the reservation stay.',
      '€12.50 paid at the venue (Cash) is to be given back by hand: record it afterwards.',
      `${bob['email']} is informed by e-mail.`,
    ]);
    const cancelled = await staff.act('tickets', tickets[1]!.id, 'cancel', {});
    expect(cancelled).toMatchObject({ redirectUrl: expect.stringContaining(`${id}/refunded`), notice: { type: 'success' } });
    expect((await staff.look('reservations', id, 'refunded')).view!['facts']).toEqual(['€12.50 · Cash']);
    const { record } = await staff.look('tickets', tickets[1]!.id);
    expect(record!.params['admission'] ?? null).toBeNull();
    expect((await staff.look('tickets', tickets[0]!.id)).record!.params['admission']).toBe(true);
    // The rest: only what is left is given back.
    expect((await factsOf('tickets', tickets[0]!.id)).slice(1, 2)).toEqual([
      '€12.50 paid at the venue (Cash) is to be given back by hand: record it afterwards.',
    ]);
  });
});
