import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountLinks, AccountSessionsService } from '#holders';
import { MembershipsService } from '#memberships';
import { ReservationChangesService } from '#tickets';
import { CardsService } from '#cards';
import { PricesService, ProductsService } from '#catalogue';
import { RetentionService, type TenantIdentity } from '#tenancy';
import { randomBytes } from 'node:crypto';
import { AccountVisits, cookieOf } from '../support/accounts.js';
import { book, crowd, expectNoDrift, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { openSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { outcome } from '../support/tenant-work.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { giveTicket } from '../support/given-tickets.js';

let test: TestApp;
let tenant: TenantIdentity;
let sink: SmtpSink;
let visits: AccountVisits;

beforeAll(async () => {
  sink = await openSmtpSink();
  test = await startTestApp({ environment: { RATE_PAGES: '100000/min', SMTP_URL: sink.url, MAIL_FROM: 'tickets@example.org' } });
  tenant = await test.newTenant({ language: 'en' });
  visits = new AccountVisits(test, tenant);
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(async () => {
  await test.close();
  await sink.close();
});

const inside = <Result>(work: () => Promise<Result>): Promise<Result> => test.inside(tenant, work);
const days = (count: number): Date => new Date(Date.now() + count * 86_400_000);

/** A membership of a new product that lasts a year. */
async function member(email: string, name: string): Promise<{ readonly id: string; readonly productId: string }> {
  return inside(async () => {
    const product = await test.app.get(ProductsService).create({ name, category: 'A', published: true });
    const year = { productId: product.id, name: 'Year', amount: '0.00', subscriptionType: 'Y', published: true } as const;
    const price = await test.app.get(PricesService).create(year);
    const { id } = await test.app.get(MembershipsService).create({ priceId: price.id, email });
    return { id, productId: product.id };
  });
}

describe('the link to an account', () => {
  it('is mailed to addresses that booked; the page is the same for all others', async () => {
    await book(test, tenant, await newEvent(test, tenant), { email: 'Ada@Example.org', confirmed: true });
    expect((await visits.forms.get('/account')).text).toContain('action="/account"');
    const [known, unknown] = [await visits.ask('ada@example.org'), await visits.ask('nobody@example.org')];
    expect([known.status, unknown.status, known.text]).toEqual([200, 200, unknown.text.replaceAll('nobody@', 'ada@')]);
    expect(known.text).toContain('If there are bookings or memberships with ada@example.org');
    expect(known.headers['cache-control']).toBe('no-store');
    const rows = await visits.sql('select email, language from account_session order by email');
    expect(rows).toEqual([
      { email: 'ada@example.org', language: 'en' },
      { email: 'nobody@example.org', language: 'en' },
    ]);
    const before = sink.mails.length;
    await visits.sendLinks('ada@example.org');
    await visits.sendLinks('nobody@example.org');
    const [mail, ...others] = sink.mails.slice(before).map(({ parsed }) => parsed);
    expect([mail!.subject, others]).toEqual([`The link to your bookings: ${tenant.name}`, []]);
    const link = new URL(mail!.text!.split(/\s/).find((word) => word.includes('/account/open/'))!);
    expect(link.host.split(':')[0]).toBe(tenant.host);
    expect((await visits.forms.get(link.pathname)).text).toContain('You open the bookings of ada@example.org');
  });

  it('works once, by its button only, and begins a session', async () => {
    const path = await visits.linkFor('grace@example.org');
    for (let look = 0; look < 3; look += 1) expect((await visits.forms.get(path)).status).toBe(200);
    const opened = await visits.forms.post(path, []);
    expect([opened.status, opened.headers['location']]).toEqual([303, '/account']);
    expect(String(opened.headers['set-cookie'])).toMatch(/^guichet-account=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax$/);
    const cookie = cookieOf(opened.headers);
    expect((await visits.get('/account', cookie)).text).toContain('You are signed in as grace@example.org.');
    for (const answer of [await visits.forms.get(path), await visits.forms.post(path, [])]) {
      expect([answer.status, answer.headers['set-cookie']]).toEqual([410, undefined]);
      expect(answer.text).toContain('This link does not work any more');
    }
    // Whoever clicks twice is signed in already.
    expect((await visits.forms.post(path, [], cookie)).headers['location']).toBe('/account');
    const [stored] = await visits.sql<{ tokenHash: string }>(
      'select token_hash as "tokenHash" from account_session where opened_at is not null',
    );
    expect(cookie).not.toContain(stored!.tokenHash);
  });

  it('leads back to the own page from which the visitor came, and nowhere else', async () => {
    const event = await newEvent(test, tenant);
    const opened = async (next: string): Promise<string> => {
      const email = `back-${randomBytes(4).toString('hex')}@example.org`;
      await visits.forms.post('/account', [
        ['email', email],
        ['next', next],
      ]);
      // The limit of the network.
      await visits.sql(`update account_session set created_at = created_at - interval '2 hours'`);
      const [row] = await visits.sql<{ id: string }>('select id from account_session where email = $1', [email]);
      const path = await inside(async () => test.app.get(AccountLinks).pathTo(row!.id));
      const first = await visits.forms.post(path, []);
      const second = await visits.forms.post(path, [], cookieOf(first.headers));
      expect(second.headers['location']).toBe(first.headers['location']);
      return String(first.headers['location']);
    };
    const price = '/memberships/5b1a0b3e-6d0f-4b43-9d1b-0a1b2c3d4e5f';
    for (const own of [`/event/${event.slug}`, '/memberships', price, '/shop', '/cart']) expect(await opened(own)).toBe(own);
    const foreign = [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example',
      '/event/../admin',
      '/event/a?b',
      '/admin',
      '/event/a\n',
      '',
    ];
    for (const other of foreign) {
      expect(await opened(other)).toBe('/account');
      expect((await visits.forms.get(`/account?next=${encodeURIComponent(other)}`)).text).not.toContain('name="next"');
    }
    const page = (await visits.forms.get(`/account?next=${encodeURIComponent(`/event/${event.slug}`)}`)).text;
    expect(page).toContain(`name="next" value="/event/${event.slug}"`);
    expect(page).toContain(`<p class="back"><a href="/event/${event.slug}">`);
    const cookie = await visits.signIn('back@example.org');
    expect((await visits.get('/account?next=/shop', cookie)).headers['location']).toBe('/shop');
  });

  it('begins one session when it is used many times at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      const path = await visits.linkFor(`round-${round}@example.org`);
      const answers = await Promise.all(crowd(10, () => visits.forms.post(path, [])));
      expect(answers.filter(({ headers }) => headers['set-cookie'] !== undefined)).toHaveLength(1);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([303, ...Array.from({ length: 9 }, () => 410)]);
    }
  });

  it('ends after 15 minutes, and the session after 12 hours or with the button', async () => {
    const late = await visits.linkFor('late@example.org');
    await visits.sql(`update account_session set link_until = link_until - interval '15 minutes' where email = 'late@example.org'`);
    expect([(await visits.forms.get(late)).status, (await visits.forms.post(late, [])).status]).toEqual([410, 410]);
    const first = await visits.signIn('late@example.org');
    expect((await visits.get('/account', first)).text).toContain('signed in as late');
    await visits.sql(`update account_session set ends_at = ends_at - interval '12 hours' where email = 'late@example.org'`);
    expect((await visits.get('/account', first)).text).not.toContain('signed in as late');
    const second = await visits.signIn('late@example.org');
    const out = await visits.forms.post('/account/sign-out', [], second);
    expect([out.status, String(out.headers['set-cookie'])]).toEqual([303, expect.stringContaining('guichet-account=; Path=/; Max-Age=0')]);
    expect((await visits.get('/account', second)).text).not.toContain('signed in as late');
    for (const made of ['guichet-account=x', `guichet-account=${'a'.repeat(43)}`, `guichet-account=${'a'.repeat(4000)}`])
      expect((await visits.get('/account', made)).text).toContain('action="/account"');
  });

  it('belongs to one tenant, and so does the session', async () => {
    const other = new AccountVisits(test, await test.newTenant({ language: 'en' }));
    const path = await visits.linkFor('two@example.org');
    expect([(await other.forms.get(path)).status, (await other.forms.post(path, [])).status]).toEqual([404, 404]);
    const cookie = await visits.signIn('two@example.org');
    expect((await other.get('/account', cookie)).text).toContain('action="/account"');
    for (const wrong of [path.slice(0, -1), '/account/open/x/y']) expect((await visits.forms.get(wrong)).status).toBe(404);
  });

  it('is limited for each address without a difference, and for each network', async () => {
    const service = test.app.get(AccountSessionsService);
    const ask = (email: string, network: string) => inside(() => service.request(email, network, 'en'));
    const count = async () => (await visits.sql(`select 1 from account_session where email_key = 'often@example.org'`)).length;
    await Promise.all(crowd(10, (index) => ask('often@example.org', `first ${index}`)));
    expect(await count()).toBe(1);
    for (let index = 0; index < 8; index += 1) {
      await visits.sql(`update account_session set created_at = created_at - interval '2 minutes' where email_key = 'often@example.org'`);
      await ask('Often+spelled@example.org', `network ${index}`);
    }
    expect(await count()).toBe(5);
    const asked = await Promise.all(crowd(40, (index) => outcome(ask(`many-${index}@example.org`, 'busy'))));
    expect(asked.filter((result) => result instanceof Error)).toHaveLength(20);
    const wrong = await visits.ask('ada');
    expect([wrong.status, wrong.text.includes('value="ada"'), wrong.text.includes('href="#email"')]).toEqual([422, true, true]);
    await visits.sql(`update account_session set created_at = created_at - interval '2 days' where email_key = 'often@example.org'`);
    await inside(() => test.app.get(RetentionService).prune());
    expect(await count()).toBe(0);
  });
});

describe('the page of an account', () => {
  it('lists coming and past bookings, tickets from others, memberships and cards, of this spelling only', async () => {
    const email = 'hedy@example.org';
    const [soon, later, other] = [
      await newEvent(test, tenant, { name: 'Soon', startsAt: days(3) }),
      await newEvent(test, tenant, { name: 'Later', startsAt: days(9) }),
      await newEvent(test, tenant, { name: 'Elsewhere', startsAt: days(4) }),
    ];
    const kept = await book(test, tenant, later, { email, confirmed: true, quantity: 2 });
    await book(test, tenant, soon, { email: 'Hedy@Example.org', confirmed: true });
    const cancelled = await book(test, tenant, soon, { email, confirmed: true });
    await inside(() => test.app.get(ReservationChangesService).cancel(cancelled.id, { reason: 'holder' }));
    await book(test, tenant, other, { email: 'hedy+else@example.org', confirmed: true });
    const gift = await book(test, tenant, other, { confirmed: true });
    const to = { email, firstName: 'Hedy', lastName: 'Lamarr' };
    await inside(() => giveTicket(test.app, gift.tickets[0]!, to));
    const { id } = await member(email, 'Friends');
    const tag = randomBytes(7).toString('hex').toUpperCase();
    await test.app.get(CardsService).create({ tag, number: 'N-77', ownerEmail: email });
    const { text, headers } = await visits.get('/account', await visits.signIn(email));
    expect(headers['cache-control']).toBe('no-store');
    const parts = text.split('<section');
    const [coming, past] = [parts.find((part) => part.includes('Coming up'))!, parts.find((part) => part.includes('Past and cancelled'))!];
    expect(coming.match(/<bdi>\w+<\/bdi>/g)).toEqual(['Soon', 'Elsewhere', 'Later'].map((name) => `<bdi>${name}</bdi>`));
    for (const part of [`/reservation/${kept.id}/`, `/ticket/${gift.tickets[0]!.id}/`, '2 tickets', 'Given to you'])
      expect(coming).toContain(part);
    expect([past.match(/<bdi>/g)!.length, past.includes('Cancelled')]).toEqual([1, true]);
    for (const part of [`/membership/${id}/`, '/renew"', 'N-77']) expect(text).toContain(part);
    const card = await visits.forms.get(/\/membership\/[^"/]+\/[^"/]+/.exec(text)![0]);
    for (const part of ['/renew">Renew the membership', 'All your bookings']) expect(card.text).toContain(part);
    for (const [, path] of text.matchAll(/href="(\/(?:reservation|ticket|membership)\/[^"]+)"/g))
      expect([path, (await visits.forms.get(path!)).status]).toEqual([path, 200]);
  });

  it('shows what was booked with the other spelling of a domain with letters beyond ASCII', async () => {
    const event = await newEvent(test, tenant, { name: 'Bücherabend', startsAt: days(3) });
    await book(test, tenant, event, { email: 'ida@bücher.de', confirmed: true });
    expect((await visits.get('/account', await visits.signIn('ida@xn--bcher-kva.de'))).text).toContain('Bücherabend');
  });

  it('pages long lists', async () => {
    const event = await newEvent(test, tenant, { startsAt: days(5), capacity: 100 });
    for (let index = 0; index < 21; index += 1) await book(test, tenant, event, { email: 'many@example.org', confirmed: true });
    const cookie = await visits.signIn('many@example.org');
    const first = await visits.get('/account', cookie);
    expect([first.text.match(/href="\/reservation\//g)!.length, first.text.includes('href="/account?coming=2#coming"')]).toEqual([
      20,
      true,
    ]);
    const second = await visits.get('/account?coming=2', cookie);
    expect([second.text.match(/href="\/reservation\//g)!.length, second.text.includes('href="/account?coming=1#coming"')]).toEqual([
      1,
      true,
    ]);
    for (const query of ['?coming=0', '?coming=x&past=-1', '?coming=999&past=999', '?coming[]=2'])
      expect((await visits.get(`/account${query}`, cookie)).status).toBe(200);
  });
});

describe('a visitor who is signed in', () => {
  it('sees prices for members, on pages that no cache keeps; others share the cached page', async () => {
    const { productId } = await member('mary@example.org', 'Circle');
    const event = await newEvent(test, tenant, { startsAt: days(6) });
    await newPrice(test, tenant, event.id, { name: 'Members', amount: '0.00', requiredMembershipId: productId });
    const page = `/event/${event.slug}`;
    const everybody = await visits.forms.get(page);
    expect(everybody.headers).toMatchObject({ 'cache-control': 'public, max-age=60', vary: expect.stringContaining('Cookie') });
    expect(everybody.text).toContain('Become a member');
    const cookie = await visits.signIn('mary@example.org');
    const own = await visits.get(page, cookie);
    expect([own.headers['cache-control'], own.headers['etag'], own.text.includes('Become a member')]).toEqual([
      'no-store',
      undefined,
      false,
    ]);
    expect(own.text).toContain('For members: Circle. You are signed in as a member.');
    const stranger = await visits.get(page, await visits.signIn('john@example.org'));
    expect([stranger.headers['cache-control'], stranger.text.includes('Become a member')]).toEqual(['no-store', true]);
    const unknown = await visits.get(page, 'guichet-account=x; guichet-language=en');
    expect([unknown.headers['cache-control'], unknown.text]).toEqual(['public, max-age=60', everybody.text]);
  });

  it('finds the address in the forms', async () => {
    const event = await newEvent(test, tenant, { startsAt: days(6) });
    const priceId = await newPrice(test, tenant, event.id, { amount: '0.00' });
    const cookie = await visits.signIn('rosa@example.org');
    const path = await visits.forms.begin(event.slug, priceId, '1');
    expect((await visits.forms.get(path)).text).not.toContain('rosa@example.org');
    const form = await visits.get(path, cookie);
    for (const part of ['value="rosa@example.org"', 'You are signed in with this address.']) expect(form.text).toContain(part);
    const order = await visits.forms.complete(path, { email: 'rosa@example.org' }, cookie);
    // Nothing is to be confirmed: the tickets are there at once.
    expect((await visits.get(String(order.headers['location']), cookie)).headers['location']).toContain('/reservation/');
  });

  it('finds the links in the footer', async () => {
    const { text } = await visits.forms.get('/');
    for (const part of ['href="/account"', 'href="/memberships"']) expect(text).toContain(part);
    const bare = await test.newTenant({ language: 'en' });
    const empty = await new AccountVisits(test, bare).forms.get('/');
    expect([empty.text.includes('href="/account"'), empty.text.includes('href="/memberships"')]).toEqual([true, false]);
    const network = await test.newTenant({ language: 'en', category: 'M' });
    const agenda = new AccountVisits(test, network).forms;
    expect([(await agenda.get('/')).text.includes('/account'), (await agenda.get('/account')).status]).toEqual([false, 404]);
  });
});
