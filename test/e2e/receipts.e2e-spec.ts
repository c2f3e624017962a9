import { MembershipsService } from '#memberships';
import { HolderLinks, ReservationChangesService, ReservationsService } from '#tickets';
import { RefundsService } from '#payments';
import type { TenantIdentity } from '#tenancy';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { book, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { newPlan } from '../support/membership-plans.js';
import { staffOf } from '../support/panel-staff.js';
import { readPdf } from '../support/read-pdf.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let venue: TenantIdentity;

beforeAll(async () => {
  test = await startTestApp();
  venue = await test.newTenant({ name: 'Le Hangar', language: 'en' });
});
afterAll(() => test.close());

const receiptOf = (id: string) =>
  test
    .inside(venue, async () => test.app.get(HolderLinks).pathTo({ reservationId: id }))
    .then((path) => test.on(venue).get(`${path}/receipt.pdf`));

describe('a receipt', () => {
  it('lists items, VAT by rate, payments and refunds as a tagged PDF', async () => {
    const event = await newEvent(test, venue, { name: 'Nuit du jazz' });
    const [full, reduced] = [
      await newPrice(test, venue, event.id, { name: 'Full', amount: '12.50', vat: 'VG' }),
      await newPrice(test, venue, event.id, { name: 'Reduced', amount: '7.00', vat: '5.5' }),
    ];
    const paid = { confirmed: true, paymentMethod: 'card', firstName: 'Zoë', lastName: 'Łukasiewicz', language: 'en' } as const;
    const tickets = [
      { priceId: full, quantity: 3 },
      { priceId: reduced, quantity: 1 },
    ];
    const made = await book(test, venue, { id: event.id, priceId: full }, { ...paid, tickets });
    await test.inside(venue, () => test.app.get(ReservationChangesService).cancelTicket(made.tickets[0]!.id, { reason: 'staff' }));
    const answer = await receiptOf(made.id);
    expect([answer.status, answer.headers['content-type'], answer.headers['cache-control']]).toEqual([200, 'application/pdf', 'no-store']);
    const { isTagged, pages, title } = await readPdf(answer.body as Buffer);
    expect([isTagged, title, pages.length]).toEqual([true, `Receipt ${made.id.slice(0, 8).toUpperCase()}`, 1]);
    const text = pages[0]!.map((part) => part.text.trim()).join('\n');
    for (const line of ['Le Hangar', 'Zoë Łukasiewicz', 'Nuit du jazz', '€25.00', '€7.00', '€32.00']) expect(text).toContain(line);
    // Of the sums: round(25.00 × 20 / 120) and round(7.00 × 5.5 / 105.5)
    expect(text).toMatch(/VAT included, 5\.5%\n€0\.36\nVAT included, 20%\n€4\.17\n/);
    expect(text).toMatch(/Paid: Card[^\n]*\n€44\.50\nRefund to come: Card\n−€12\.50/);
    const { payments } = (await test.inside(venue, () => test.app.get(ReservationsService).find(made.id)))!;
    const due = payments.filter(({ status }) => status === 'refund_due').map(({ id }) => id);
    await test.inside(venue, () => test.app.get(RefundsService).settleByHand(due, { method: 'transfer', userId: randomUUID() }));
    const [page] = (await readPdf((await receiptOf(made.id)).body as Buffer)).pages;
    expect(page!.map((part) => part.text.trim()).join('\n')).toMatch(/Refund: Bank transfer, [^\n]*\n−€12\.50/);
  });

  it('rounds VAT once for each rate, and the exports spread it over the lines of the receipt', async () => {
    const event = await newEvent(test, venue, { name: 'Seven' });
    const [cheap, other] = [
      await newPrice(test, venue, event.id, { name: 'Cheap', amount: '3.33', vat: '5.5' }),
      await newPrice(test, venue, event.id, { name: 'Other', amount: '12.50', vat: 'VG' }),
    ];
    const tickets = [
      { priceId: cheap, quantity: 4 },
      { priceId: other, quantity: 1 },
      { priceId: cheap, quantity: 4 },
    ];
    const made = await book(
      test,
      venue,
      { id: event.id, priceId: cheap },
      { confirmed: true, paymentMethod: 'card', language: 'en', tickets },
    );
    await test.inside(venue, () => test.app.get(ReservationChangesService).cancelTicket(made.tickets[2]!.id, { reason: 'staff' }));
    const [page] = (await readPdf((await receiptOf(made.id)).body as Buffer)).pages;
    // 7 × 3.33 at 5.5 %, not 7 × 0.17.
    expect(page!.map((part) => part.text.trim()).join('\n')).toMatch(/VAT included, 5\.5%\n€1\.22\nVAT included, 20%\n€2\.08\n/);
    const staff = await staffOf(test, venue);
    const lines = async (list: string): Promise<string[]> =>
      (await staff.file(`/exports/${list}.csv?filters.eventId=${event.id}`)).body.toString().trim().split('\r\n').slice(1);
    const ofTickets = (await lines('tickets')).map((line) => /,(3\.33|12\.50),([\d.]+),([\d.]+),([\d.]+),/.exec(line)!.slice(1));
    const cents = (text: string): number => Math.round(Number(text) * 100);
    expect(ofTickets).toHaveLength(9);
    for (const [amount, , vat, net] of ofTickets) expect(cents(vat!) + cents(net!)).toBe(cents(amount!));
    // Seven that are valid, and one that was cancelled.
    const cheapVat = ofTickets.filter(([amount]) => amount === '3.33').reduce((sum, [, , vat]) => sum + cents(vat!), 0);
    expect(cheapVat).toBe(122 + 17);
    expect((await lines('reservations'))[0]).toContain(',3.30,Card,');
  });

  it('of a membership has its period, VAT and payment, and is linked from its page', async () => {
    const { priceId } = await newPlan(test, venue, '24.00', { vat: 'VG' });
    const create = (paymentMethod: 'card' | 'offered') =>
      test.inside(venue, () =>
        test.app.get(MembershipsService).create({ priceId, email: 'zoe@example.org', firstName: 'Zoë', paymentMethod }),
      );
    const pathOf = ({ id }: { readonly id: string }) =>
      test.inside(venue, async () => test.app.get(HolderLinks).pathTo({ membershipId: id }));
    const [made, offered] = [await create('card'), await create('offered')];
    const path = await pathOf(made);
    expect((await test.on(venue).get(path)).text).toContain(`href="${path}/receipt.pdf"`);
    const answer = await test.on(venue).get(`${path}/receipt.pdf`);
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/pdf']);
    const { isTagged, pages, title } = await readPdf(answer.body as Buffer);
    expect([isTagged, title, pages.length]).toEqual([true, `Receipt ${made.id.slice(0, 8).toUpperCase()}`, 1]);
    const text = pages[0]!.map((part) => part.text.trim()).join('\n');
    for (const line of ['Le Hangar', 'Zoë', 'Friends', 'Valid from', 'Valid until', '€24.00']) expect(text).toContain(line);
    // 24.00 × 20 / 120
    expect(text).toMatch(/VAT included, 20%\n€4\.00\n/);
    expect(text).toMatch(/Paid: Card[^\n]*\n€24\.00/);
    const free = await pathOf(offered);
    expect((await test.on(venue).get(`${free}/receipt.pdf`)).status).toBe(404);
    expect((await test.on(venue).get(free)).text).not.toContain('receipt.pdf');
    await test.inside(venue, () => test.app.get(MembershipsService).cancel(made.id));
    expect((await test.on(venue).get(`${path}/receipt.pdf`)).status).toBe(404);
  });

  it('has several pages for many amounts; there is none for unpaid, offered and cancelled reservations', async () => {
    const event = await newEvent(test, venue);
    const priceId = await newPrice(test, venue, event.id, { amount: '1.00', freeAmount: true });
    const tickets = Array.from({ length: 40 }, (_, index) => ({ priceId, quantity: 1, amount: `${index + 1}.00` }));
    const many = await book(test, venue, { id: event.id, priceId }, { confirmed: true, paymentMethod: 'cash', tickets });
    const { pages } = await readPdf((await receiptOf(many.id)).body as Buffer);
    expect(pages).toHaveLength(3);
    expect(pages[2]!.map((part) => part.text).join(' ')).toContain('€820.00');
    const unpaid = await book(test, venue, event);
    const offered = await book(test, venue, event, { confirmed: true, paymentMethod: 'offered' });
    const cancelled = await book(test, venue, event, { confirmed: true, paymentMethod: 'cash' });
    await test.inside(venue, () => test.app.get(ReservationChangesService).cancel(cancelled.id, { reason: 'staff' }));
    for (const { id } of [unpaid, offered, cancelled]) expect((await receiptOf(id)).status).toBe(404);
  });
});
