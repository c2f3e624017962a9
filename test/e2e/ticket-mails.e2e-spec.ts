import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { BookingsService } from '#selling';
import { ReservationsService } from '#tickets';
import { EventsService, PricesService, ProductsService } from '#catalogue';
import { JobRunner } from '#jobs';
import { TenantDb } from '#tenancy';
import { book } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { freeEvent } from '../support/cart-forms.js';
import { completeCart, newCart } from '../support/carts.js';
import { staffOf } from '../support/panel-staff.js';
import { openSmtpSink } from '../support/smtp-sink.js';
import { OnlinePayments, sessionOf } from '../support/online-payments.js';
import { startStripeApp } from '../support/stripe-app.js';
import { tenantWork } from '../support/tenant-work.js';
import { until } from '../support/until.js';

let payments: OnlinePayments;
let test: OnlinePayments['test'];
let post: OnlinePayments['post'];
let tenant: OnlinePayments['tenant'];
let inside: OnlinePayments['inside'];
let again: OnlinePayments['again'];

beforeAll(async () => {
  payments = await OnlinePayments.start();
  ({ test, post, tenant, inside, again } = payments);
});
const { sql } = tenantWork(() => payments);
afterEach(() => payments.settle());
afterAll(() => payments.stop());

describe('a free booking', () => {
  it('asks by mail for confirmation, and only the button confirms', async () => {
    const event = await newEvent(test, tenant);
    const product = await inside(() => test.app.get(ProductsService).create({ name: `Free ${randomUUID()}`, category: 'F' }));
    const price = await inside(() => test.app.get(PricesService).create({ productId: product.id, name: 'Free', amount: '0' }));
    await inside(() => test.app.get(TenantDb).transaction((tx) => test.app.get(EventsService).linkProducts(tx, event.id, [product.id])));
    const email = `${randomUUID()}@example.org`;
    const booked = await inside(() =>
      test.app.get(BookingsService).book({ eventId: event.id, email, tickets: [{ priceId: price.id, quantity: 1 }], origin: 'page' }),
    );
    expect(booked.status).toBe('F');
    const [mail] = await until(
      () => post.mails.filter(({ to }) => to.includes(email)),
      (mails) => mails.length === 1,
    );
    const [, path] = /https?:\/\/[^/\s"]+(\/reservation\/[\w-]+\/[\w-]+)/.exec(mail!.parsed.text!)!;

    const page = await test.on(tenant).get(path!).expect(200);
    expect(page.text).toContain(`action="${path}/confirm"`);
    expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    expect((await again(booked.id)).status).toBe('F');
    await test.on(tenant).get(`${path}/tickets.pdf`).expect(404);

    await test.on(tenant).post(`${path}/confirm`).expect(303).expect('Location', `${path}?done=1`);
    await until(
      () => again(booked.id),
      ({ status }) => status === 'V',
    );
    expect((await test.on(tenant).get(path!).expect(200)).text).toContain('<svg');
    const pdf = await test.on(tenant).get(`${path}/tickets.pdf`).expect(200).expect('Content-Type', 'application/pdf');
    expect((pdf.body as Buffer).subarray(0, 5).toString()).toBe('%PDF-');
    await test.on(tenant).post(`${path}/confirm`).expect(303);

    const stranger = await test.newTenant();
    for (const wrong of [path!.slice(0, -1), `${path}x`, path!.replace(booked.id, randomUUID()), '/reservation/x/y']) {
      await test.on(tenant).get(wrong).expect(404);
      await test.on(tenant).post(`${wrong}/confirm`).expect(404);
    }
    await test.on(stranger).get(path!).expect(404);
  });
});

describe('the mails of an order of several events', () => {
  it('are one to confirm it and one with all tickets', async () => {
    const events = [await freeEvent(test, tenant), await freeEvent(test, tenant), await freeEvent(test, tenant)];
    const { parts } = await completeCart(test, tenant, await newCart(test, tenant, events));
    const { email } = parts[0]!;
    const mailed = () => post.mails.filter(({ to }) => to.includes(email)).map(({ parsed }) => parsed);
    const [asked] = await until(mailed, ({ length }) => length > 0);
    const names = parts.map(({ event }) => event.name);
    expect(asked!.subject).toMatch(/ and 2 more$/);
    for (const name of names) expect(asked!.text).toContain(name.toUpperCase());
    const [, path] = /https?:\/\/[^/\s"]+(\/reservation\/[\w-]+\/[\w-]+)/.exec(asked!.text!)!;
    await test.on(tenant).post(`${path}/confirm`).expect(303);
    for (const { id } of parts)
      await until(
        () => again(id),
        ({ status }) => status === 'V',
      );
    const [, tickets] = mailed();
    expect(tickets!.attachments.map(({ mimeType }) => mimeType).toSorted()).toEqual([
      ...Array.from({ length: 3 }, () => 'application/pdf'),
      ...Array.from({ length: 3 }, () => 'text/calendar'),
    ]);
    const rows = await sql<{ kind: string; status: string }>('select kind, status from mail where recipient = $1', [email]);
    expect(rows.map(({ kind, status }) => `${kind} ${status}`).toSorted()).toEqual([
      ...Array.from({ length: 3 }, () => 'confirm-email sent'),
      ...Array.from({ length: 3 }, () => 'tickets sent'),
    ]);
    expect(mailed()).toHaveLength(2);
  });
});

describe('the mail with the tickets', () => {
  it.each([
    ['refuses the address', 550, 'PE', 'refused'],
    ['has no time', 451, 'P', 'waiting'],
  ])('stores the response and sets the state when the server %s', async (_what, responseCode, status, state) => {
    const difficult = await openSmtpSink({
      onRcptTo: (_address, _session, done) => done(Object.assign(new Error('No'), { responseCode })),
    });
    const app = await startStripeApp({ environment: { SMTP_URL: difficult.url } });
    try {
      const place = await app.newVenue();
      const event = await newEvent(app, place);
      const held = await book(app, place, event);
      app.app.get(JobRunner).start();
      await app.deliver(app.stripe.pay(sessionOf(held)), place);
      const mails = () =>
        app.database.query<{ status: string; answer: string | null }>(
          `select status, answer from "${place.schemaName}".mail where kind = 'tickets'`,
        );
      await until(mails, ([mail]) => mail?.answer != null);
      expect(await mails()).toMatchObject([{ status: state }]);
      const find = () => app.inside(place, () => app.app.get(ReservationsService).find(held.id));
      await until(find, (found) => found?.status === status);
    } finally {
      await app.close();
      await difficult.close();
    }
  });
});

describe('the mail about a change of an event', () => {
  it('names a new time, not a new date, when the form of all fields moves the hour alone', async () => {
    const staff = await staffOf(test, tenant);
    const event = await newEvent(test, tenant, { startsAt: new Date('2041-07-01T18:00:00Z') });
    const email = `${randomUUID()}@example.org`;
    await book(test, tenant, event, { email, language: 'en', confirmed: true });
    const form = { startsAt: '2041-07-01T18:30:00.000Z', previousStartsAt: '', alteration: '', tellHolders: true };
    expect((await staff.act('events', event.id, 'edit', form)).notice).toMatchObject({ message: 'savedTold' });
    const [mail] = await until(
      () => post.mails.filter(({ to, parsed }) => to.includes(email) && parsed.subject!.startsWith('New')),
      (mails) => mails.length === 1,
    );
    expect(mail!.parsed.subject).toBe(`New time: ${event.name}`);
    expect(mail!.parsed.text).not.toMatch(/new\s+date/i);
    const { text } = await test.on(tenant).get(`/event/${event.slug}`).set('Accept-Language', 'en').expect(200);
    expect(text).toMatch(/New time/);
    expect(text).not.toMatch(/new date/i);
  });
});
