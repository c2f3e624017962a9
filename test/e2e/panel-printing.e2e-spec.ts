import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MembershipsService } from '#memberships';
import { ReservationChangesService, TicketsService, type WholeReservation } from '#tickets';
import { PricesService, ProductsService } from '#catalogue';
import type { TenantIdentity } from '#tenancy';
import { book } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { PanelClient } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { printedCodes } from '../support/pdf-codes.js';
import { readPdf } from '../support/read-pdf.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let venue: TenantIdentity;
let staff: PanelClient;
let event: Awaited<ReturnType<typeof newEvent>>;
let ada: WholeReservation;

beforeAll(async () => {
  test = await startTestApp();
  venue = await test.newTenant({ name: 'Venue' });
  staff = await staffOf(test, venue);
  event = await newEvent(test, venue, { name: 'Été / "nuit"', startsAt: new Date('2041-07-01T18:30:00Z') });
  ada = await book(test, venue, event, { quantity: 3, firstName: 'Zoé', lastName: 'Martin', confirmed: true });
});
afterAll(() => test.close());

const codesOf = ({ tickets }: WholeReservation): Promise<string[]> =>
  test.inside(venue, () => Promise.all(tickets.map((ticket) => test.app.get(TicketsService).codeOf(ticket))));
const printed = (pdf: unknown): string[][] => printedCodes(pdf as Buffer).map((page) => page.map(({ text }) => text));
const textOf = async (pdf: unknown): Promise<string> =>
  (await readPdf(pdf as Buffer)).pages
    .flat()
    .map(({ text }) => text)
    .join(' ');

describe('printed tickets', () => {
  it('are a sheet to cut, or one per page, under the name of the event and the buyer', async () => {
    const sheet = await staff.file(`/files/reservations/${ada.id}/print.pdf`).expect(200);
    const encoded = encodeURIComponent('Été nuit - Zoé Martin.pdf');
    expect(sheet.headers).toMatchObject({
      'content-type': 'application/pdf',
      'cache-control': 'no-store',
      'content-disposition': `inline; filename="?t? nuit - Zo? Martin.pdf"; filename*=UTF-8''${encoded}`,
    });
    const codes = await codesOf(ada);
    expect(printed(sheet.body)).toEqual([codes]);
    const text = await textOf(sheet.body);
    // 18:30 UTC is 20:30 in the venue's time zone.
    expect(text).toMatch(/1 (July|juillet) 2041/);
    expect(text).toMatch(/20 ?[:h] ?30/);
    expect(text).toContain(ada.id.slice(0, 8).toUpperCase());
    const pages = await staff.file(`/files/reservations/${ada.id}/pdf.pdf`).expect(200);
    expect(pages.headers['content-disposition']).toMatch(/^attachment; /);
    expect(printed(pages.body)).toEqual(codes.map((code) => [code]));
  });

  it('are available for one ticket while it is valid', async () => {
    const made = await book(test, venue, event, { quantity: 2, confirmed: true });
    const [first, second] = made.tickets;
    const answer = await staff.file(`/files/tickets/${second!.id}/pdf.pdf`).expect(200);
    expect(printed(answer.body)).toEqual([[(await codesOf(made))[1]]]);
    await staff.act('tickets', first!.id, 'cancel');
    await staff.file(`/files/tickets/${first!.id}/pdf.pdf`).expect(404);
    expect(printed((await staff.file(`/files/reservations/${made.id}/print.pdf`).expect(200)).body)).toHaveLength(1);
    await test.inside(venue, () => test.app.get(ReservationChangesService).cancel(made.id, { reason: 'staff' }));
    await staff.file(`/files/reservations/${made.id}/print.pdf`).expect(404);
    const hold = await book(test, venue, event);
    await staff.file(`/files/reservations/${hold.id}/print.pdf`).expect(404);
  });

  it('cover a complete list with its filter', async () => {
    const other = await newEvent(test, venue, { name: 'Other' });
    const [one, two] = [
      await book(test, venue, other, { quantity: 5, confirmed: true }),
      await book(test, venue, other, { quantity: 4, confirmed: true }),
    ];
    await book(test, venue, other);
    const list = (query: object) => staff.file('/files/reservations.pdf').query(query);
    const answer = await list({ 'filters.eventId': other.id, sortBy: 'createdAt', direction: 'asc' }).expect(200);
    expect(answer.headers['content-disposition']).toBe('inline; filename=Other.pdf');
    const codes = [...(await codesOf(one)), ...(await codesOf(two))];
    expect(printed(answer.body)).toEqual([codes.slice(0, 8), codes.slice(8)]);
    const none = await list({ 'filters.eventId': randomUUID() }).expect(404);
    expect((none.body as Buffer).toString()).toContain('nothing to print');
    await staff.file('/files/tickets.pdf').expect(404);
  });

  it('include the card of a member', async () => {
    const id = await test.inside(venue, async () => {
      const product = await test.app.get(ProductsService).create({ name: 'Friends', category: 'A' });
      const price = await test.app.get(PricesService).create({ productId: product.id, name: 'Year', amount: '0', subscriptionType: 'Y' });
      return (
        await test.app.get(MembershipsService).create({ priceId: price.id, email: 'ada@example.org', firstName: 'Ada', lastName: 'Martin' })
      ).id;
    });
    const answer = await staff.file(`/files/memberships/${id}/pdf.pdf`).expect(200);
    expect(answer.headers['content-disposition']).toContain('filename="Friends ? Year - Ada Martin.pdf"');
    expect(await textOf(answer.body)).toContain('Ada Martin');
    await staff.act('memberships', id, 'cancel');
    await staff.file(`/files/memberships/${id}/pdf.pdf`).expect(404);
  });

  it('are only for the staff of the place, and change nothing', async () => {
    const path = `/files/reservations/${ada.id}/print.pdf`;
    const nobody = await new PanelClient(test, venue).call('get', path).expect(302);
    expect(nobody.headers['location']).toContain('/admin/login');
    const other = await staffOf(test, await test.newTenant());
    await other.file(path).expect(404);
    const agenda = await staffOf(test, await test.newTenant({ category: 'M' }));
    await agenda.file('/files/reservations.pdf').expect(404);
    for (const odd of ['x', randomUUID(), '..%2f']) await staff.file(`/files/reservations/${odd}/print.pdf`).expect(404);
    for (const odd of ['cancel', 'constructor', 'show']) await staff.file(`/files/reservations/${ada.id}/${odd}.pdf`).expect(404);
    await staff.call('post', path).expect(404);
  });
});
