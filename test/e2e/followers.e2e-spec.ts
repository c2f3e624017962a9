import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountErasureService, AccountExportService } from '#holders';
import { EventsService } from '#catalogue';
import { RetentionService } from '#tenancy';
import { newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { FollowedVenue } from '../support/followed-venue.js';
import { staffOf } from '../support/panel-staff.js';
import { openSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let sink: SmtpSink;
/** Addresses that the mail server refuses. */
const refused = new Set<string>();

beforeAll(async () => {
  sink = await openSmtpSink({
    onRcptTo: ({ address }, _session, done) =>
      done(refused.has(address) ? Object.assign(new Error('no such mailbox'), { responseCode: 550 }) : null),
  });
  test = await startTestApp({
    tenants: 'some',
    environment: { RATE_PAGES: '100000/min', SMTP_URL: sink.url, MAIL_FROM: 'tickets@example.org' },
  });
});
afterAll(async () => {
  await test.close();
  await sink.close();
});

const open = async (): Promise<FollowedVenue> =>
  new FollowedVenue(test, await test.newTenant({ language: 'en', timeZone: 'Europe/Paris' }), sink);

const unpublish = (venue: FollowedVenue, id: string): Promise<unknown> =>
  venue.inside(() => test.app.get(EventsService).update(id, { published: false }));

describe('the form', () => {
  it('is on the home page, and answers the same whether the address follows or not', async () => {
    const venue = await open();
    const home = await venue.forms.get('/');
    expect(home.text).toContain('action="/follow"');
    expect(home.headers['content-security-policy']).toContain("form-action 'self'");
    expect(home.headers['referrer-policy']).toBe('same-origin');
    const first = await venue.ask('ada@example.org');
    expect([first.status, first.text]).toEqual([200, expect.stringContaining('We have sent a link to ada@example.org')]);
    const [mail, ...others] = await venue.deliver();
    expect(others).toEqual([]);
    expect(mail!.parsed.headers.find(({ key }) => key === 'list-unsubscribe')).toBeUndefined();
    const path = await venue.pathOf(await venue.idOf('ada@example.org'));
    expect(mail!.parsed.text).toContain(path);
    // A program that opens the link confirms nothing.
    expect((await venue.forms.get(path)).text).toContain(`action="${path}/confirm"`);
    expect(await venue.sql('select 1 from follower where confirmed_at is not null')).toEqual([]);
    expect((await venue.forms.post(`${path}/confirm`, [])).headers['location']).toBe(path);
    expect((await venue.forms.get(path)).text).toContain('You hear of new dates');
    const again = await venue.ask('ADA@example.org');
    expect([again.status, again.text.replace('ADA@', 'ada@')]).toEqual([200, first.text]);
    expect(await venue.deliver()).toEqual([]);
  });

  it('causes a limited number of mails to an address and from a network', async () => {
    const venue = await open();
    for (let index = 0; index < 3; index += 1) await venue.ask('bob@example.org');
    expect(await venue.deliver()).toHaveLength(1);
    for (let index = 0; index < 8; index += 1) {
      await venue.sql(`update follower set asked_at = now() - interval '6 minutes'`);
      await venue.ask('Bob+more@example.org');
    }
    const mails = await venue.deliver();
    expect(mails.map(({ to }) => to)).toEqual(Array.from({ length: 5 }, () => ['bob@example.org']));
    for (let index = 1; index < 20; index += 1) expect((await venue.ask(`${randomUUID()}@example.org`)).status).toBe(200);
    expect((await venue.ask('eve@example.org')).status).toBe(429);
    expect((await venue.ask('nobody')).status).toBe(422);
    await venue.sql(`update follower set created_at = now() - interval '3 days'`);
    await venue.inside(() => test.app.get(RetentionService).prune());
    expect(await venue.sql('select 1 from follower')).toEqual([]);
  });

  it('is hidden and refused when staff switch the function off, and nothing is mailed', async () => {
    const venue = await open();
    await venue.follow('ada@example.org');
    await venue.deliver();
    await newEvent(test, venue.tenant);
    const staff = await staffOf(test, venue.tenant);
    await staff.act('profile', 'profile', 'edit', { followByMail: 'false' });
    expect((await venue.forms.get('/')).text).not.toContain('action="/follow"');
    expect((await venue.ask('eve@example.org')).status).toBe(404);
    await venue.mailing('10');
    expect(await venue.deliver()).toEqual([]);
  });

  it('is a box on the order form that is not ticked', async () => {
    const venue = await open();
    const { id, slug } = await newEvent(test, venue.tenant);
    const priceId = await newPrice(test, venue.tenant, id, { name: 'Entry', amount: '0.00' });
    const [plain, ticked] = [await venue.forms.begin(slug, priceId, '1'), await venue.forms.begin(slug, priceId, '1')];
    const page = (await venue.forms.get(plain)).text;
    expect(/<input type="checkbox" id="follow"[^>]*>/.exec(page)?.[0]).not.toContain('checked');
    await venue.forms.complete(plain, { email: 'ada@example.org' });
    await venue.forms.complete(ticked, { email: 'bob@example.org', follow: 'yes' });
    expect(await venue.sql('select email, confirmed_at as at from follower')).toEqual([{ email: 'bob@example.org', at: null }]);
    expect(await venue.sql(`select recipient from mail where kind = 'follow-confirm'`)).toEqual([{ recipient: 'bob@example.org' }]);
  });
});

describe('the mail about new dates', () => {
  it('is sent once a day at most, at ten, with each public date once', async () => {
    const venue = await open();
    const known = await newEvent(test, venue.tenant, { name: 'Known before' });
    await venue.mailing('09');
    const path = await venue.follow('ada@example.org');
    await venue.ask('unconfirmed@example.org');
    await venue.sql(`delete from mail where kind = 'follow-confirm'`);
    const event = await newEvent(test, venue.tenant, { name: 'Brass in the yard' });
    const hidden = await newEvent(test, venue.tenant, { name: 'Not public', isPrivate: true });
    const late = await newEvent(test, venue.tenant, { name: 'Published later', published: false });
    await venue.mailing('09');
    expect(await venue.deliver()).toEqual([]);
    await Promise.all([venue.mailing('10'), venue.mailing('10'), venue.mailing('11')]);
    const [mail, ...others] = await venue.deliver();
    expect(others).toEqual([]);
    expect(mail!.to).toEqual(['ada@example.org']);
    expect(mail!.parsed.subject).toBe(`New at ${venue.tenant.name}: Brass in the yard`);
    for (const name of ['Known before', 'Not public', 'Published later']) expect(mail!.parsed.text).not.toContain(name);
    expect(mail!.parsed.text).toContain(`/event/${event.slug}`);
    expect([known.id, hidden.id].includes(event.id)).toBe(false);
    const header = (key: string): string | undefined => mail!.parsed.headers.find((one) => one.key === key)?.value;
    const url = `http://${venue.tenant.host}:3000${path}`;
    expect(header('list-unsubscribe')).toBe(`<${url}>`);
    expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    expect(mail!.parsed.text).toContain(`Get no more of these mails\n${url}`);
    await venue.inside(() => test.app.get(EventsService).update(late.id, { published: true }));
    await venue.mailing('19');
    expect(await venue.deliver()).toEqual([]);
    await venue.mailing('10', '2027-03-02');
    expect((await venue.deliver()).map(({ parsed }) => parsed.subject)).toEqual([`New at ${venue.tenant.name}: Published later`]);
    await venue.mailing('10', '2027-03-03');
    expect(await venue.deliver()).toEqual([]);
  });

  it('leaves out what was unpublished meanwhile, and is not sent when nothing is left', async () => {
    const venue = await open();
    await venue.follow('ada@example.org');
    await venue.deliver();
    const [gone, stays] = [await newEvent(test, venue.tenant, { name: 'Gone' }), await newEvent(test, venue.tenant, { name: 'Stays' })];
    await venue.mailing('10');
    await unpublish(venue, gone.id);
    const [mail] = await venue.deliver();
    expect([mail!.parsed.text?.includes('Stays'), mail!.parsed.text?.includes('Gone')]).toEqual([true, false]);
    const last = await newEvent(test, venue.tenant, { name: 'Last' });
    await venue.mailing('10', '2027-03-02');
    await unpublish(venue, last.id);
    expect(await venue.deliver()).toEqual([]);
    expect(stays.id).not.toBe(gone.id);
  });

  it('ends with one click of a mail program, and on the page', async () => {
    const venue = await open();
    const [ada, bob] = [await venue.follow('ada@example.org'), await venue.follow('bob@example.org')];
    await venue.deliver();
    // RFC 8058: another site, no cookie, this body.
    const oneClick = (path: string) => test.on(venue.tenant).post(path).type('form').send('List-Unsubscribe=One-Click');
    expect((await oneClick(`${ada.slice(0, -1)}${ada.endsWith('A') ? 'B' : 'A'}`)).status).toBe(404);
    expect((await venue.forms.get(ada)).text).toContain('Get no more mails');
    for (let index = 0; index < 2; index += 1) expect((await oneClick(ada)).status).toBe(200);
    expect((await venue.forms.get(ada)).text).toContain('You get no mails');
    expect((await venue.forms.post(bob, [])).text).toContain('You get no mails');
    expect(await venue.sql('select 1 from follower')).toEqual([]);
    await newEvent(test, venue.tenant);
    await venue.mailing('10');
    expect(await venue.deliver()).toEqual([]);
  });

  it('ends when a mail server refuses the address', async () => {
    const venue = await open();
    for (const email of ['ada@example.org', 'gone@example.org']) await venue.follow(email);
    await venue.deliver();
    refused.add('gone@example.org');
    await newEvent(test, venue.tenant);
    await venue.mailing('10');
    expect((await venue.deliver()).map(({ to }) => to)).toEqual([['ada@example.org']]);
    expect(await venue.sql('select email from follower')).toEqual([{ email: 'ada@example.org' }]);
    refused.clear();
  });
});

describe('a follower', () => {
  it('is listed, exported and removed in the panel, once confirmed', async () => {
    const venue = await open();
    await venue.follow('ada@example.org');
    await venue.ask('bob@example.org');
    const staff = await staffOf(test, venue.tenant);
    const listed = await staff.list('followers');
    expect(listed.records?.map(({ params }) => params['email'])).toEqual(['ada@example.org']);
    await staff.act('followers', await venue.idOf('ada@example.org'), 'delete', {});
    expect(await venue.idOf('ada@example.org')).toBe('');
  });

  it('is in the export of a person, and erased with the person', async () => {
    const venue = await open();
    await venue.follow('ada@example.org');
    const person = { email: 'ada@example.org', emailKey: 'ada@example.org' };
    const exported = JSON.parse(await venue.inside(() => test.app.get(AccountExportService).json(person))) as Record<string, unknown>;
    expect(exported['following']).toEqual([expect.objectContaining({ email: 'ada@example.org', language: 'en' })]);
    await venue.inside(() => test.app.get(AccountErasureService).erase(person, { following: true }));
    expect(await venue.sql('select email_key from verified_email')).toEqual([{ email_key: 'ada@example.org' }]);
    await venue.inside(() => test.app.get(AccountErasureService).erase(person));
    for (const table of ['follower', 'mail', 'verified_email']) expect(await venue.sql(`select 1 from ${table}`)).toEqual([]);
  });
});
