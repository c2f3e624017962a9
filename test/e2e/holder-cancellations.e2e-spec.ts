import { HolderCancellationsService, HolderLinks, ReservationChangesService, TicketsService, type WholeReservation } from '#tickets';
import { TenantDb } from '#tenancy';
import type { Response } from 'supertest';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { book, ticketsBy } from '../support/booking.js';
import { newDevice, newEvent, type PairedDevice } from '../support/builders.js';
import { freeEvent } from '../support/cart-forms.js';
import { OnlinePayments, sessionOf } from '../support/online-payments.js';
import { OrderForms } from '../support/order-forms.js';
import { until } from '../support/until.js';
import { giveTicket } from '../support/given-tickets.js';

const day = 86_400_000;

let payments: OnlinePayments;
let forms: OrderForms;
let gate: PairedDevice;

beforeAll(async () => {
  // A test holds one transaction of the tenant, while others wait for it.
  payments = await OnlinePayments.start({ DATABASE_POOL_SIZE: '8' });
  forms = new OrderForms(payments.test, payments.tenant);
  gate = await newDevice(payments.test, payments.tenant);
});
afterEach(() => payments.settle());
afterAll(() => payments.stop());

const sql = <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  payments.test.database.query(text.replaceAll('{tenant}', `"${payments.tenant.schemaName}"`), values) as Promise<Row[]>;
const pathOf = (id: string): Promise<string> =>
  payments.inside(async () => payments.test.app.get(HolderLinks).pathTo({ reservationId: id }));
const moneyOf = async (id: string): Promise<string[]> =>
  (await payments.again(id)).payments.map(({ kind, amount }) => `${kind} ${amount}`).toSorted();
const cancel = (path: string) => forms.post(`${path}/cancel`, []);
const waitingMails = (id: string) =>
  sql<{ id: string; kind: string; recipient: string }>(
    `select id, kind, recipient from {tenant}.mail where reservation_id = $1 order by created_at, recipient = 'bea@example.org', kind`,
    [id],
  );
/** Subject and text of the mail to this address that contains a phrase, once the worker has sent it. */
async function textOf(recipient: string, phrase: string): Promise<string> {
  const texts = (): string[] =>
    payments.post.mails.filter(({ to }) => to.includes(recipient)).map(({ parsed }) => `${parsed.subject}\n${parsed.text}`);
  return (await until(() => texts().find((text) => text.includes(phrase)), Boolean)) as string;
}
/** An event in ten days, which may be returned until seven days before. */
const coming = () => newEvent(payments.test, payments.tenant, { startsAt: new Date(Date.now() + 10 * day) });

/** A reservation that was paid online. */
async function sold(quantity: number, event?: Awaited<ReturnType<typeof newEvent>>) {
  const held = await book(payments.test, payments.tenant, event ?? (await coming()), { quantity });
  await payments.deliver(payments.stripe.pay(sessionOf(held)));
  return { ...(await payments.again(held.id)), path: await pathOf(held.id) };
}

describe('a holder', () => {
  it('may cancel until the same local time, also when the clocks change in between', async () => {
    const event = { startsAt: new Date('2027-04-02T20:30:00+02:00'), merchantReturnDays: 7 } as WholeReservation['event'];
    const until = await payments.inside(() => payments.test.app.get(HolderCancellationsService).until(event));
    expect(until).toEqual(new Date('2027-03-26T20:30:00+01:00'));
  });

  it('cancels one ticket, then all: each is refunded once, and the page says so before', async () => {
    const { id, path, tickets, eventId } = await sold(3);
    const one = `${path}/tickets/${tickets[0]!.id}`;
    const asked = await forms.get(`${one}/cancel`);
    expect([asked.status, asked.text.includes('€12.50 is refunded to the payment method')]).toEqual([200, true]);
    expect(await moneyOf(id)).toEqual(['payment 37.50']);
    expect([(await cancel(one)).headers['location'], await moneyOf(id)]).toEqual([`${path}#ticket-1`, ['payment 37.50', 'refund 12.50']]);
    expect((await cancel(one)).status).toBe(303);
    expect(await moneyOf(id)).toEqual(['payment 37.50', 'refund 12.50']);
    expect((await forms.get(path)).text).toMatch(/€12\.50 (is refunded to the payment method|was refunded)/);
    const rest = await forms.get(`${path}/cancel`);
    expect(rest.text).toContain('€25 is refunded');
    expect(rest.text).toContain('these 2 tickets');
    expect((await cancel(path)).headers['location']).toBe(path);
    expect(await moneyOf(id)).toEqual(['payment 37.50', 'refund 12.50', 'refund 25.00']);
    expect(await ticketsBy(payments.test, payments.tenant, eventId)).toEqual({ R: 3 });
    expect((await payments.again(id)).cancelReason).toBe('holder');
    expect((await cancel(path)).status).toBe(303);
    expect(await moneyOf(id)).toHaveLength(3);
    const isRefunded = ({ text }: Response): boolean => text.includes('€37.50 was refunded.');
    await until(() => forms.get(path), isRefunded);
  });

  it('reads what is refunded for tickets paid at the venue, offered and free ones', async () => {
    const event = await coming();
    for (const [paymentMethod, text, money] of [
      ['cash', '€12.50 was paid at the venue and is refunded there', ['payment 12.50', 'refund 12.50']],
      ['offered', 'there is nothing to refund', ['payment 12.50']],
    ] as const) {
      const { id } = await book(payments.test, payments.tenant, event, { confirmed: true, paymentMethod });
      const path = await pathOf(id);
      expect((await forms.get(`${path}/cancel`)).text).toContain(text);
      expect((await cancel(path)).status).toBe(303);
      expect([(await payments.again(id)).status, await moneyOf(id)]).toEqual(['C', money]);
      expect((await forms.get(path)).text.includes(text)).toBe(paymentMethod === 'cash');
    }
  });

  it('gets a mail about some cancelled tickets with what is refunded now; with the last one, the mail about the reservation', async () => {
    const { id, email, path, tickets } = await sold(4);
    await cancel(`${path}/tickets/${tickets[0]!.id}`);
    await cancel(`${path}/tickets/${tickets[1]!.id}`);
    const mails = await waitingMails(id);
    expect(mails.map(({ kind, recipient }) => [kind, recipient])).toEqual([
      ['tickets', email],
      ['tickets-cancelled', email],
      ['tickets-cancelled', email],
    ]);
    const text = await textOf(email, 'Your other 2 tickets stay valid.');
    expect(text).toContain('Ticket cancelled: ');
    expect(text).toContain('We are refunding €12.50 to the payment method you used.');
    expect(text.match(/€12\.50/g)).toHaveLength(2);
    await cancel(path);
    expect((await waitingMails(id)).at(-1)).toMatchObject({ kind: 'reservation-cancelled', recipient: email });
  });

  it('gets one mail when staff cancel a ticket, in the own language, with their note and the refund; so does who has it', async () => {
    const { id, email, tickets } = await sold(3);
    await sql(`update {tenant}.reservation set language = 'fr' where id = $1`, [id]);
    const to = { email: 'bea@example.org', firstName: 'Bea', lastName: '' };
    await payments.inside(() => giveTicket(payments.test.app, tickets[0]!, to));
    const cancelled = (ticket: string, note?: string) =>
      payments.inside(() =>
        payments.test.app.get(ReservationChangesService).cancelTicket(ticket, { reason: 'staff', ...(note !== undefined && { note }) }),
      );
    for (const { id: ticket } of tickets.slice(0, 2)) await cancelled(ticket, 'La scène est plus petite.');
    await cancelled(tickets[0]!.id, 'Encore.');
    const kind = 'tickets-cancelled-by-venue';
    expect((await waitingMails(id)).filter((mail) => mail.kind.startsWith('tickets-cancelled'))).toMatchObject([
      { kind, recipient: email },
      { kind, recipient: 'bea@example.org' },
      { kind, recipient: email },
    ]);
    const buyer = await textOf(email, 'Votre autre billet reste valable.');
    for (const text of ['Billet annulé', 'Nous avons annulé un billet', 'La scène est plus petite.', 'Nous vous remboursons'])
      expect(buyer).toContain(text);
    expect(buyer.match(/12,50/g)).toHaveLength(2);
    const holder = await textOf('bea@example.org', 'Nous avons annulé un billet');
    expect(holder).toContain('La scène est plus petite.');
    expect(holder).not.toMatch(/rembours|payé|autre billet/);
    const free = await book(payments.test, payments.tenant, await freeEvent(payments.test, payments.tenant), { quantity: 2 });
    await cancelled(free.tickets[0]!.id);
    const unpaid = await textOf(free.email, 'We have cancelled one ticket');
    expect(unpaid).toContain('You paid nothing, so there is nothing to refund.');
    expect(unpaid).not.toContain('stays valid');
  });

  it('and the buyer get mails about a ticket that was given and is cancelled by its new holder', async () => {
    const { id, email, tickets } = await sold(2);
    const to = { email: 'bea@example.org', firstName: 'Bea', lastName: '' };
    await payments.inside(() => giveTicket(payments.test.app, tickets[0]!, to));
    await cancel(await payments.inside(async () => payments.test.app.get(HolderLinks).pathTo({ ticketId: tickets[0]!.id }, 1)));
    const mails = (await waitingMails(id)).filter(({ kind }) => kind === 'tickets-cancelled');
    expect(mails.map(({ recipient }) => recipient)).toEqual([email, 'bea@example.org']);
    const [buyer, holder] = [
      await textOf(email, 'cancelled it. It is no longer valid.'),
      await textOf('bea@example.org', 'One ticket for “'),
    ];
    expect(buyer).toContain('We are refunding €12.50');
    expect(buyer).toContain('Your other ticket stays valid.');
    expect(holder).not.toMatch(/refund|other ticket|paid nothing/);
    expect(holder).not.toContain(id);
  });

  it('cannot cancel after the return days began, scanned tickets, or where the venue does not allow it', async () => {
    const near = await newEvent(payments.test, payments.tenant, { startsAt: new Date(Date.now() + 6 * day) });
    const late = await sold(2, near);
    const shown = (await forms.get(late.path)).text;
    expect([shown.includes('/cancel"'), shown.includes('could be cancelled until')]).toEqual([false, true]);
    for (const { status, text } of [await forms.get(`${late.path}/cancel`), await cancel(late.path)])
      expect([status, text.includes('could be cancelled until')]).toEqual([409, true]);
    const event = await coming();
    const used = await book(payments.test, payments.tenant, event, { quantity: 2, confirmed: true });
    await sql(`update {tenant}.ticket set status = 'S', scanned_at = now() where id = $1`, [used.tickets[0]!.id]);
    const path = await pathOf(used.id);
    for (const [where, status] of [
      [`${path}/tickets/${used.tickets[0]!.id}`, 409],
      [path, 409],
      [`${path}/tickets/${used.tickets[1]!.id}`, 303],
    ] as const)
      expect((await cancel(where)).status).toBe(status);
    await sql(
      `insert into {tenant}.configuration (id, holders_may_cancel) values (1, false)
       on conflict (id) do update set holders_may_cancel = false`,
    );
    const other = await sold(1);
    expect((await forms.get(other.path)).text).not.toContain('/cancel"');
    for (const { status, text } of [await forms.get(`${other.path}/cancel`), await cancel(other.path)])
      expect([status, text.includes('does not take cancellations')]).toEqual([409, true]);
    await sql('update {tenant}.configuration set holders_may_cancel = true');
    const foreign = await payments.test
      .on(payments.tenant)
      .post(`${other.path}/cancel`)
      .set('Origin', 'http://evil.example')
      .type('form')
      .send({});
    expect([foreign.status, (await payments.again(other.id)).status === 'C']).toEqual([403, false]);
  });

  it('cancels at any time what is not paid, also where the venue does not take cancellations', async () => {
    const near = await newEvent(payments.test, payments.tenant, { startsAt: new Date(Date.now() + day) });
    await sql(
      `insert into {tenant}.configuration (id, holders_may_cancel) values (1, false)
       on conflict (id) do update set holders_may_cancel = false`,
    );
    for (const quantity of [1, 2]) {
      const held = await book(payments.test, payments.tenant, near, { quantity });
      const path = await pathOf(held.id);
      expect((await forms.get(path)).text).toContain(`href="${path}/cancel"`);
      const asked = await forms.get(`${path}/cancel`);
      expect([asked.status, asked.text.includes('at any time until you have your tickets')]).toEqual([200, true]);
      expect((await cancel(path)).status).toBe(303);
      expect((await payments.again(held.id)).status).toBe('C');
      expect((await forms.get(path)).text).not.toContain('/cancel"');
    }
    await sql('update {tenant}.configuration set holders_may_cancel = true');
    // What was paid before the click is not cancelled.
    const paid = await sold(1, near);
    const wanted = { reservationId: paid.id, ticketIds: [paid.tickets[0]!.id], holderEmail: null };
    expect(await payments.inside(() => payments.test.app.get(HolderCancellationsService).cancel(wanted))).toBe(false);
  });

  it('cancels only own tickets: those given away are cancelled by their new holder, and refunded to the buyer', async () => {
    const { id, path, tickets } = await sold(2);
    const to = { email: 'bob@example.org', firstName: 'Bob', lastName: '' };
    await payments.inside(() => giveTicket(payments.test.app, tickets[0]!, to));
    const given = await payments.inside(async () => payments.test.app.get(HolderLinks).pathTo({ ticketId: tickets[0]!.id }, 1));
    expect((await cancel(`${path}/tickets/${tickets[0]!.id}`)).status).toBe(404);
    // What the buyer can still use stands first.
    expect((await forms.get(path)).text).toMatch(/Your tickets are below.*id="ticket-2".*id="ticket-1"/s);
    await cancel(path);
    expect((await forms.get(path)).text).not.toContain('Your tickets are below');
    expect((await payments.again(id)).tickets.map(({ status }) => status)).toEqual(['K', 'R']);
    expect((await forms.get(`${given}/cancel`)).text).toContain('€12.50 is refunded to the person who paid');
    expect((await cancel(given)).status).toBe(303);
    expect((await payments.again(id)).status).toBe('C');
    expect(await moneyOf(id)).toEqual(['payment 25.00', 'refund 12.50', 'refund 12.50']);
  });
});

describe('at the same time', () => {
  // Without the locks of event, reservation and tickets, places are freed twice, or the request fails.
  it('several clicks on cancel: one refund', async () => {
    const { id, path, tickets } = await sold(2);
    const one = `${path}/tickets/${tickets[0]!.id}`;
    const answers = await Promise.all([cancel(one), cancel(one), cancel(one), cancel(one)]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
    expect(await moneyOf(id)).toEqual(['payment 25.00', 'refund 12.50']);
  });
});

describe('a cancellation that has read the tickets', () => {
  beforeAll(async () => {
    await sql(
      `create function {tenant}.wait_for_test() returns trigger language plpgsql as $$ begin
         if tg_table_name = 'reservation' or current_query() like 'update ticket set status = ''R''%' then
           perform pg_advisory_xact_lock(1);
         end if;
         return new;
       end $$`,
    );
    await sql(
      `create trigger waits before update on {tenant}.reservation for each row when (new.status = 'C')
         execute function {tenant}.wait_for_test()`,
    );
    await sql('create trigger waits before update on {tenant}.ticket for each statement execute function {tenant}.wait_for_test()');
  });

  // Without the locks of `cancelTicketsIn` and `cancelIn`, the scan succeeds and the used ticket is refunded.
  it.each([
    [1, '12.50'],
    [2, '25.00'],
  ])('one of %i, paid with %s, refuses a scan', async (quantity, paid) => {
    const { test, tenant } = payments;
    const { id, path, tickets } = await sold(quantity);
    const [ticket] = tickets;
    const code = await payments.inside(() => test.app.get(TicketsService).codeOf(ticket!));
    const waiting = async (count: number): Promise<boolean> => (await test.database.waiting()) >= count;
    let cancelled: Promise<Response> | undefined;
    let scanned: Promise<Response> | undefined;
    await payments.inside(() =>
      test.app.get(TenantDb).transaction(async (tx) => {
        await tx.query('select pg_advisory_xact_lock(1)');
        cancelled = cancel(quantity === 1 ? path : `${path}/tickets/${ticket!.id}`).then((answer) => answer);
        await until(() => waiting(1), Boolean);
        let isScanned = false;
        const request = test.on(tenant).post('/scan/ticket/').set('Authorization', gate.authorization).send({ qrcode_data: code });
        scanned = request.then((answer) => answer).finally(() => (isScanned = true));
        await until(async () => isScanned || (await waiting(2)), Boolean);
      }),
    );
    expect((await cancelled)!.status).toBe(303);
    expect((await scanned)!.body).toMatchObject({ success: false });
    expect(await moneyOf(id)).toEqual([`payment ${paid}`, 'refund 12.50']);
  });
});
