import { MailSenderService } from '#notices';
import { HolderLinks, ReservationChangesService } from '#tickets';
import type { TenantIdentity } from '#tenancy';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { book } from '../support/booking.js';
import { newDevice, newEvent, newTickets } from '../support/builders.js';
import { OrderForms } from '../support/order-forms.js';
import { openSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

let test: TestApp;
let post: SmtpSink;
let venue: TenantIdentity;
let forms: OrderForms;
let event: Awaited<ReturnType<typeof newEvent>>;

beforeAll(async () => {
  post = await openSmtpSink();
  test = await startTestApp({ environment: { SMTP_URL: post.url } });
  venue = await test.newTenant({ name: 'Venue' });
  forms = new OrderForms(test, venue);
  event = await newEvent(test, venue, { capacity: 500 });
});
afterAll(async () => {
  await test.close();
  await post.close();
});

const inside = <Result>(work: () => Promise<Result>): Promise<Result> => test.inside(venue, work);
const sql = <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  test.database.query(text.replaceAll('{tenant}', `"${venue.schemaName}"`), values) as Promise<Row[]>;
const pathOf = (id: string): Promise<string> => inside(async () => test.app.get(HolderLinks).pathTo({ reservationId: id }));
const paid = { confirmed: true, paymentMethod: 'cash' } as const;

describe("the holder's page", () => {
  it('shows each ticket with its code, links to the others, a PDF and a calendar file; every mail leads to it', async () => {
    const { id, email, tickets } = await book(test, venue, event, { quantity: 2, ...paid });
    const path = await pathOf(id);
    const { text } = await forms.get(path);
    for (const place of ['id="ticket-1"', 'id="ticket-2"', 'href="#ticket-2"', 'href="#ticket-1"', '1 of 2', '2 of 2'])
      expect(text).toContain(place);
    const ticketPath = `${path}/tickets/${tickets[1]!.id}`;
    const pdf = await test.on(venue).get(`${ticketPath}/ticket.pdf`).buffer(true).expect(200);
    expect(pdf.headers['content-type']).toBe('application/pdf');
    const calendar = await test.on(venue).get(`${ticketPath}/event.ics`).buffer(true).expect(200);
    expect(calendar.headers['content-type']).toContain('text/calendar');
    expect(calendar.text).toContain(`UID:${id}`);
    await test.on(venue).get(ticketPath).expect(303);
    const mails = await sql<{ id: string }>('select id from {tenant}.mail where reservation_id = $1', [id]);
    await inside(() => test.app.get(MailSenderService).send(mails[0]!.id, { isLast: true }));
    expect(post.mails.findLast(({ to }) => to.includes(email))!.parsed.text).toContain(path);
    await inside(() => test.app.get(ReservationChangesService).cancel(id, { reason: 'staff' }));
    const [after] = await sql<{ id: string }>(`select id from {tenant}.mail where reservation_id = $1 and status = 'waiting'`, [id]);
    await inside(() => test.app.get(MailSenderService).send(after!.id, { isLast: true }));
    const cancelled = post.mails.findLast(({ to }) => to.includes(email))!.parsed;
    expect([cancelled.subject, cancelled.text!.includes(path)]).toEqual([`Booking cancelled: ${event.name}`, true]);
    await test.on(venue).get(`${ticketPath}/ticket.pdf`).expect(404);
  });

  it('changes the name on a ticket until it is scanned; a GET changes nothing', async () => {
    const { id, tickets } = await book(test, venue, event, { quantity: 2, ...paid });
    const path = await pathOf(id);
    const rename = `${path}/tickets/${tickets[0]!.id}/rename`;
    const names = () => sql('select first_name, last_name from {tenant}.ticket where id = $1', [tickets[0]!.id]);
    const before = await names();
    expect((await forms.get(`${rename}?first_name=Eve&last_name=Eve`)).status).toBe(200);
    expect(await names()).toEqual(before);
    const fields = { first_name: ' Zoë ', last_name: 'Łukasiewicz <b>' };
    const foreign = await test.on(venue).post(rename).set('Origin', 'http://evil.example').type('form').send(fields);
    expect(foreign.status).toBe(403);
    const answer = await forms.post(rename, Object.entries(fields));
    expect([answer.status, answer.headers['location']]).toEqual([303, `${path}#ticket-1`]);
    expect(await names()).toEqual([{ first_name: 'Zoë', last_name: 'Łukasiewicz <b>' }]);
    expect((await forms.get(path)).text).toContain('Zoë Łukasiewicz &lt;b>');
    const key = await newKey(test, venue, 'webhook:read', 'reservation:read');
    const feed = await test.on(venue).get('/api/v2/webhook-events/').set('Authorization', key).expect(200);
    expect((feed.body.results as unknown[]).at(-1)).toMatchObject({ type: 'reservation.updated', data: { identifier: id, sequence: 2 } });

    const long = await forms.post(rename, Object.entries({ ...fields, first_name: 'x'.repeat(101) }));
    expect([long.status, long.text.includes('value="xxx')]).toEqual([422, true]);
    expect((await forms.post(rename, Object.entries({ ...fields, first_name: 'Win at evil.com' }))).status).toBe(422);
    const gate = await newDevice(test, venue);
    const [used] = await newTickets(test, venue, { event });
    const usedPath = `${await pathOf(used!.reservationId)}/tickets/${used!.id}/rename`;
    await test.on(venue).post('/scan/ticket/').set('Authorization', gate.authorization).send({ qrcode_data: used!.code }).expect(200);
    for (const { status, text } of [await forms.get(usedPath), await forms.post(usedPath, Object.entries(fields))])
      expect([status, text.includes('This is no longer possible')]).toEqual([409, true]);
  });

  it('opens only with its own link: not other tickets, marks or tenants', async () => {
    const [one, other] = [await book(test, venue, event, paid), await book(test, venue, event, paid)];
    const path = await pathOf(one.id);
    await test.on(venue).get(`${path}/tickets/${other.tickets[0]!.id}/rename`).expect(404);
    await test.on(venue).get(`${path}/tickets/nothing/rename`).expect(404);
    await test
      .on(venue)
      .get(`${path.slice(0, -2)}xx/tickets/${one.tickets[0]!.id}/rename`)
      .expect(404);
    await test
      .on(await test.newTenant())
      .get(`${path}/tickets/${one.tickets[0]!.id}/rename`)
      .expect(404);
    const answer = await forms.post(`${path}/tickets/${other.tickets[0]!.id}/rename`, Object.entries({ first_name: 'Eve', last_name: '' }));
    expect(answer.status).toBe(404);
  });
});
