import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JobRunner } from '#jobs';
import { PaymentAccountsService } from '#payments';
import type { TenantIdentity } from '#tenancy';
import { ReservationChangesService, ReservationsService, type WholeReservation } from '#tickets';
import { crowd, expectNoDrift } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { OrderForms } from '../support/order-forms.js';
import { tenantWork } from '../support/tenant-work.js';
import { until } from '../support/until.js';
import { formFields, sendForm } from '../support/place-form.js';
import { staffWith, type RoleStaff } from '../support/role-staff.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let venue: TenantIdentity;
let director: RoleStaff;

beforeAll(async () => {
  test = await startTestApp({ environment: { DEMO: 'on' } });
  venue = await test.newTenant();
  director = await staffWith(test, venue, { role: 'direction' });
});
afterAll(() => test?.close());

describe('a demo on one’s own computer without a mail server', () => {
  it('says that an invitation is not sent, and shows its link', async () => {
    const { client } = director;
    expect((await client.page('people', 'invite')).view!['lead']).toContain(
      'This demo sends no mails. After inviting, choose “Show the link” and hand it to the person.',
    );
    const email = `${randomUUID()}@invited.example`;
    const invited = await client.send('people', 'invite', { email, role: 'boxOffice', scope: 'all' });
    expect(invited.notice?.message).toBe('invitedShown');
    const id = /records\/([^/]+)/.exec(invited.redirectUrl!)![1]!;
    expect((await client.act('people', id, 'resend', { confirmed: true })).notice?.message).toBe('resentKept');
    const { view } = await client.act('people', id, 'link', { confirmed: true });
    const [link] = (view!['report'] as { facts: string[] }).facts;
    const { host, pathname } = new URL(link!);
    expect(host.split(':')[0]).toBe(venue.host);
    expect((await test.on(venue.host).get(pathname).set('Accept-Language', 'en').expect(200)).text).toContain(email);
  });

  it('shows links that sign in to programs of this machine alone, not to what comes through a proxy', async () => {
    const email = `${randomUUID()}@visitor.example`;
    const ask = (headers: Readonly<Record<string, string>>) =>
      test
        .on(venue)
        .post('/account')
        .set({ Origin: `http://${venue.host}`, ...headers })
        .type('form')
        .send({ email })
        .expect(200);
    const link = 'href="/account/open/';
    expect((await ask({})).text).toContain(link);
    for (const header of ['X-Forwarded-For', 'Forwarded', 'X-Forwarded-Host'])
      expect((await ask({ [header]: header === 'X-Forwarded-Host' ? venue.host : '127.0.0.1' })).text).not.toContain(link);
  });

  it('shows the link of the mail after the form for a new place', async () => {
    const { headers } = await sendForm(test, '/tenant/new/', formFields()).expect(303);
    const { text } = await test.on('meta.localhost').get(headers['location']!).expect(200);
    const [, path = ''] = /href="(\/tenant\/new\/[^"]{30,})"/.exec(text) ?? [];
    await test.on('meta.localhost').get(path).expect(200);
  });
});

describe('practice payments', () => {
  const { inside, sql } = tenantWork(() => ({ test, tenant: venue }));
  const again = async (id: string): Promise<WholeReservation> => (await inside(() => test.app.get(ReservationsService).find(id)))!;
  const reservationOf = async (eventId: string): Promise<string> =>
    (await sql<{ id: string }>('select id from reservation where event_id = $1', [eventId]))[0]!.id;
  let forms: OrderForms;

  beforeAll(async () => {
    test.app.get(JobRunner).start();
    forms = new OrderForms(test, venue);
    await director.client.send('payment-account', 'add', { provider: 'practice' });
  });
  afterAll(() => expectNoDrift(test, venue));

  /** Orders tickets. @returns the page of the provider */
  async function order(): Promise<{ id: string; path: string }> {
    const { id: eventId, slug, priceId } = await newEvent(test, venue);
    const { status, headers } = await forms.complete(await forms.begin(slug, priceId, '2'));
    expect(status).toBe(303);
    const { host, pathname: path } = new URL(String(headers['location']));
    expect(host.split(':')[0]).toBe(venue.host);
    return { id: await reservationOf(eventId), path };
  }

  it('are an account without fields, which says that it is a test', async () => {
    const [account] = (await director.client.list('payment-account')).records!;
    expect(account!.params).toMatchObject({ mode: 'test', state: 'on', provider: 'Practice payment (no money moves)' });
  });

  it('lead to a page that pays once, however often, and give back what was paid', async () => {
    const { id, path } = await order();
    const page = await forms.get(path);
    expect(page.text).toContain('Practice payment');
    expect(page.text).toContain('€25');
    expect(page.headers['content-security-policy']).toContain("form-action 'self'");
    const paid = await Promise.all(crowd(4, () => forms.post(path, [])));
    expect(paid.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
    expect(['P', 'V']).toContain((await again(id)).status);
    const back = new URL(String(paid[0]!.headers['location']));
    expect((await forms.get(back.pathname)).status).toBe(200);
    // The page is over.
    expect((await forms.get(path)).headers['location']).toBe(back.href);
    await inside(() => test.app.get(ReservationChangesService).cancel(id, { reason: 'staff' }));
    const { payments } = await until(
      () => again(id),
      (now) => now.payments.some(({ status }) => status === 'refunded'),
    );
    expect(payments.map(({ kind, provider, status, amount }) => [kind, provider, status, amount])).toEqual([
      ['payment', 'practice', 'paid', '25.00'],
      ['refund', 'practice', 'refunded', '25.00'],
    ]);
  });

  it('take nothing from who goes back, and give back what is paid when it is too late', async () => {
    const { id, path } = await order();
    const [, cancel = ''] = /<a class="button other" href="([^"]+)"/.exec((await forms.get(path)).text) ?? [];
    expect((await forms.get(new URL(cancel).pathname)).status).toBe(200);
    expect((await again(id)).status).toBe('U');
    await inside(() => test.app.get(ReservationChangesService).cancel(id, { reason: 'staff' }));
    expect((await forms.post(path, [])).status).toBe(303);
    const { payments } = await again(id);
    expect(payments.map(({ kind, status, reason }) => [kind, status === 'refund_due' ? 'refunded' : status, reason])).toEqual([
      ['payment', 'paid', null],
      ['refund', 'refunded', 'late'],
    ]);
  });

  it('have pages of their own tenant alone, to which no other site sends a form', async () => {
    const { id, path } = await order();
    const other = await test.newTenant();
    await test.on(other).get(path).expect(404);
    await test.on(other).post(path).set('Origin', `http://${other.host}`).expect(404);
    await test
      .on(venue)
      .get(`${path.slice(0, -2)}AA`)
      .expect(404);
    await test.on(venue).get('/practice-payment/AQ').expect(404);
    await test.on(venue).post(path).set('Origin', 'http://elsewhere.example').expect(403);
    expect((await again(id)).status).toBe('U');
  });

  it('do not exist in a program that is no demo, whose database may know them', async () => {
    const { path } = await order();
    const onDomain = await startTestApp({ database: test.database, environment: { DEMO: 'on', BASE_DOMAIN: 'tickets.example' } });
    expect(await onDomain.inside(venue, () => onDomain.app.get(PaymentAccountsService).all())).toEqual([]);
    await onDomain.close();
    const real = await startTestApp({ database: test.database });
    try {
      await real.on(venue).get(path).expect(404);
      expect(await real.inside(venue, () => real.app.get(PaymentAccountsService).all())).toEqual([]);
      const { client } = await staffWith(real, venue, { role: 'direction' });
      expect(JSON.stringify(await client.page('payment-account', 'add'))).not.toContain('practice');
      expect((await client.send('payment-account', 'add', { provider: 'practice' })).redirectUrl).toBeUndefined();
      const { slug, priceId } = await newEvent(real, venue);
      expect((await new OrderForms(real, venue).choose(slug, priceId, '1')).status).toBe(422);
    } finally {
      await real.close();
    }
  });
});

describe('a server without a mail server', () => {
  it('names whom to ask for the link of a new place, and shows links of invitations to nobody', async () => {
    const settings = test.settings as { -readonly [Name in keyof typeof test.settings]: (typeof test.settings)[Name] };
    const { baseDomain, adminEmail } = settings;
    Object.assign(settings, { baseDomain: 'tickets.example', adminEmail: 'ops@tickets.example' });
    try {
      const page = await test.on('meta.localhost').get('/tenant/new/sent').set('Accept-Language', 'en').expect(200);
      expect(page.text).toContain('Contact of the operators:');
      expect(page.text).toContain('href="mailto:ops@tickets.example"');
      const { client } = director;
      expect((await client.page('people', 'invite')).view!['lead']).toContainEqual(expect.stringContaining('(ops@tickets.example)'));
      const email = `${randomUUID()}@invited.example`;
      const { redirectUrl } = await client.send('people', 'invite', { email, role: 'boxOffice', scope: 'all' });
      const id = /records\/([^/]+)/.exec(redirectUrl!)![1]!;
      expect((await client.look('people', id)).record!.params).toMatchObject({ email, state: 'invited' });
      expect(JSON.stringify(await client.act('people', id, 'link', { confirmed: true }))).not.toContain('/admin/invitation/');
    } finally {
      Object.assign(settings, { baseDomain, adminEmail });
    }
  });
});
