import { TicketsService } from '#tickets';
import { GuestListService } from '#scan';
import type { TenantIdentity } from '#tenancy';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { book } from '../support/booking.js';
import { newDevice, newEvent, newTicket } from '../support/builders.js';
import { staffOf } from '../support/panel-staff.js';
import type { PanelClient } from '../support/panel-client.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

interface Shown {
  readonly at: string;
  readonly total: number;
  readonly inside: number;
  readonly pages: number;
  readonly parties: { readonly guests: { readonly firstName: string; readonly lastName: string; readonly state: string }[] }[];
}

let test: TestApp;
let venue: TenantIdentity;
let staff: PanelClient;

beforeAll(async () => {
  test = await startTestApp();
  venue = await test.newTenant();
  staff = await staffOf(test, venue);
});
afterAll(() => test.close());

const listOf = async (event: string, query: Record<string, string> = {}): Promise<Shown> =>
  (await staff.page('scan-log', 'guests', { event, ...query })).view as unknown as Shown;
const namesOf = ({ parties }: Shown): string[][] =>
  parties.map(({ guests }) => guests.map(({ firstName, lastName }) => [lastName, firstName].filter(Boolean).join(' ')));

it('the guest list has valid tickets from A to Z, groups together, with reference, product and state', async () => {
  const event = await newEvent(test, venue, { capacity: 100 });
  const reserve = (lastName: string, quantity: number) =>
    book(test, venue, event, { quantity, firstName: 'Zoé', lastName, email: `${lastName || 'nobody'}@example.org`, confirmed: true });
  const group = await reserve('Émile', 3);
  await reserve('Zola', 1);
  await reserve('adler', 1);
  const cancelled = await newTicket(test, venue, { event, status: 'R', firstName: 'Gone' });
  const given = await reserve('Émile', 2);
  await test.database.query(
    `update "${venue.schemaName}".ticket set first_name = 'Bo', last_name = 'Baker', holder_email = 'bo@example.org' where id = $1`,
    [given.tickets[0]!.id],
  );
  const device = await newDevice(test, venue);
  const code = await test.inside(venue, () => test.app.get(TicketsService).codeOf(group.tickets[1]!));
  const sent = test.on(venue).post('/scan/ticket/').set('Authorization', device.authorization).send({ qrcode_data: code });
  expect((await sent).body).toMatchObject({ success: true });

  // Who confirmed and pays at the venue is expected, too. Who did not confirm, or left the provider's page, is not.
  for (const [lastName, atVenue, payUntil] of [
    ['Unpaid', true, null],
    ['Unconfirmed', true, '2040-01-01'],
    ['Undecided', false, null],
  ] as const) {
    const { id } = await book(test, venue, event, { lastName, email: `${lastName}@example.org`, confirmed: false });
    await test.database.query(
      `with kept as (update "${venue.schemaName}".reservation set status = 'R', pay_at_venue = $2, pay_until = $3 where id = $1)
       update "${venue.schemaName}".ticket set status = 'C', line_id = null where reservation_id = $1`,
      [id, atVenue, payUntil],
    );
  }

  const shown = await listOf(event.id);
  expect(namesOf(shown).map((names) => names[0])).toEqual(['adler Zoé', 'Baker Bo', 'Émile Zoé', 'Émile Zoé', 'Unpaid', 'Zola Zoé']);
  expect(shown.parties.map(({ guests }) => guests.length).toSorted()).toEqual([1, 1, 1, 1, 1, 3]);
  expect(shown.parties.flatMap(({ guests }) => guests).filter(({ state }) => state === 'toPay')).toHaveLength(1);
  expect(shown).toMatchObject({ total: 8, inside: 1, pages: 1 });
  expect(Math.abs(Date.parse(shown.at) - Date.now())).toBeLessThan(60_000);
  expect(JSON.stringify(shown)).not.toContain(cancelled.id);
  const party = shown.parties.find(({ guests }) => guests.length === 3)!;
  expect(party.guests.map(({ state }) => state).toSorted()).toEqual(['expected', 'expected', 'inside']);
  expect(party.guests[0]).toMatchObject({ reference: group.id.slice(0, 8).toUpperCase(), product: expect.stringContaining('Full price') });
  const inside = await listOf(event.id, { only: 'inside' });
  expect([inside.total, namesOf(inside)]).toEqual([1, [['Émile Zoé']]]);
});

it('is read in parts, in the same order', async () => {
  const event = await newEvent(test, venue, { capacity: 3000 });
  const { id: ticket } = await newTicket(test, venue, { event });
  await test.database.query(
    `insert into "${venue.schemaName}".ticket (reservation_id, event_id, price_id, amount, first_name, last_name, status, signing_key_id)
     select t.reservation_id, t.event_id, t.price_id, t.amount, 'Ada', lpad(n::text, 5, '0'), 'K', t.signing_key_id
     from "${venue.schemaName}".ticket t cross join generate_series(1, 1499) n where t.id = $1`,
    [ticket],
  );
  const [first, second, third] = [await listOf(event.id), await listOf(event.id, { page: '2' }), await listOf(event.id, { page: '3' })];
  expect([first.total, first.pages]).toEqual([1500, 2]);
  const names = [...namesOf(first), ...namesOf(second)].flat();
  expect(names).toHaveLength(1500);
  expect(names).toEqual(names.toSorted());
  expect(namesOf(third)).toEqual([]);
  for (const page of ['0', '-1', '1e9', 'x', '201']) expect((await listOf(event.id, { page })).parties).toHaveLength(1);
});

it('is closed to other places, and to places without scanning', async () => {
  const event = await newEvent(test, venue);
  const stranger = await staffOf(test, await test.newTenant());
  expect((await stranger.page('scan-log', 'guests', { event: event.id })).view).toMatchObject({ event: null });
  const agenda = await test.newTenant({ category: 'M' });
  const people = await staffOf(test, agenda);
  for (const page of ['guests', 'door']) {
    const answer = await people.page('scan-log', page, { event: event.id });
    expect(JSON.stringify(answer)).not.toContain(event.name);
    expect(answer.view ?? null).toBeNull();
  }
  expect(await test.inside(venue, () => test.app.get(GuestListService).of(event.id, { onlyInside: true, page: 0 }))).toMatchObject({
    total: 0,
    guests: [],
  });
});
