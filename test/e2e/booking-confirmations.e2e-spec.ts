import { MailSenderService } from '#notices';
import { ReservationChangesService, ConfirmationCodes, HolderLinks } from '#tickets';
import type { TenantIdentity } from '#tenancy';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { book, crowd, expectNoDrift } from '../support/booking.js';
import { CartForms, freeEvent as newFreeEvent, type CartEvent } from '../support/cart-forms.js';
import { endHold } from '../support/drafts.js';
import { staffOf } from '../support/panel-staff.js';
import { openSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { outcome, tenantWork } from '../support/tenant-work.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;
let forms: CartForms;
let post: SmtpSink;

beforeAll(async () => {
  post = await openSmtpSink();
  test = await startTestApp({ environment: { SMTP_URL: post.url, RATE_PAGES: '100000/min', HELD_TICKETS_PER_NETWORK: '1000' } });
  tenant = await test.newTenant({ language: 'en' });
  forms = new CartForms(test, tenant);
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(async () => {
  await test.close();
  await post.close();
});

const { inside, sql, bookedOf } = tenantWork(() => ({ test, tenant }));
/** Later than the longest hold. */
const tomorrow = new Date(Date.now() + 24 * 3_600_000);
const newAddress = (): string => `${randomUUID()}@example.org`;
const confirmBy = (way: string): Promise<unknown> => sql('update configuration set booking_confirmation = $1', [way]);

interface Ordered {
  readonly path: string;
  readonly id: string;
  readonly email: string;
  readonly event: CartEvent;
}

/** An order of a free ticket that awaits the confirmation of its address. */
async function ordered(email = newAddress(), capacity = 50): Promise<Ordered> {
  const event = await newFreeEvent(test, tenant, capacity, { startsAt: tomorrow });
  const path = await forms.begin(event.slug, event.priceId, '1');
  expect((await forms.complete(path, { email })).status).toBe(303);
  return { path, id: path.split('/')[2] as string, email, event };
}

const enter = (path: string, code: string) => forms.post(`${path}/code`, [['code', code]]);
const correct = (path: string, email: string) => forms.post(`${path}/email`, [['email', email]]);

/** The text of the mail that an order has sent last. */
async function mailOf(id: string): Promise<string> {
  const [mail] = await sql<{ id: string }>(
    `select mail.id from mail join reservation part on part.id = mail.reservation_id join reservation own on own.id = $1
     where part.id = own.id or part.cart_id = own.cart_id order by mail.created_at desc, mail.id limit 1`,
    [id],
  );
  await inside(() => test.app.get(MailSenderService).send(mail!.id, { isLast: true }));
  return post.mails.at(-1)!.parsed.text ?? '';
}
const codeIn = (text: string): string => /Your code: (\d{6})\./.exec(text)?.[1] ?? 'none';
const linkIn = (text: string): string => /http:\/\/[^/]+(\/reservation\/\S+)/.exec(text)?.[1] ?? 'none';
const otherThan = (code: string, by = 1): string => String((Number(code) + by) % 1_000_000).padStart(6, '0');
const stateOf = async (id: string): Promise<string> =>
  (await sql<{ status: string }>('select status from reservation where id = $1', [id]))[0]!.status;
const attemptsOf = async (id: string): Promise<number> =>
  (await sql<{ count: number }>('select code_attempts as count from orders where id = $1', [id]))[0]!.count;
const ticketMails = (id: string): Promise<unknown[]> => sql(`select 1 from mail where reservation_id = $1 and kind = 'tickets'`, [id]);

it('staff choose the way in the settings of the shop', async () => {
  const staff = await staffOf(test, tenant);
  const choose = (bookingConfirmation: string) => staff.act('profile', 'profile', 'shop', { bookingConfirmation });
  expect((await staff.look('profile', 'profile', 'shop')).view).toMatchObject({
    fields: expect.arrayContaining([
      expect.objectContaining({ name: 'bookingConfirmation', value: 'link', options: expect.arrayContaining([expect.anything()]) }),
    ]),
  });
  expect((await choose('code')).notice).toMatchObject({ type: 'success' });
  expect(await sql('select booking_confirmation from configuration')).toEqual([{ booking_confirmation: 'code' }]);
  expect((await choose('never')).notice).toMatchObject({ type: 'error' });
});

describe('a code', () => {
  beforeAll(() => confirmBy('code'));

  it('in the mail confirms on the page, which leads to the tickets from then on', async () => {
    const { path, id, email, event } = await ordered();
    const page = (await forms.get(path)).text;
    for (const text of ['Check your inbox', email, 'Code from the mail', 'Send the mail again', `href="/event/${event.slug}"`])
      expect(page).toContain(text);
    const mail = await mailOf(id);
    expect(mail).toContain('2 hours');
    const code = codeIn(mail);
    const { status, headers } = await enter(path, ` ${code.slice(0, 3)} ${code.slice(3)} `);
    expect([status, headers['location'], await stateOf(id)]).toEqual([303, path, 'FA']);
    const opened = await forms.get(path);
    expect([opened.status, opened.headers['location']]).toEqual([303, `${linkIn(mail)}?done=1`]);
    expect((await forms.get(linkIn(mail))).status).toBe(200);
    // The link and the code do nothing more.
    await forms.post(`${linkIn(mail)}/confirm`, []);
    expect((await enter(path, code)).headers['location']).toBe(path);
    expect(await ticketMails(id)).toHaveLength(1);
  });

  it('that is wrong is refused, five times at most; the link still works', async () => {
    const { path, id } = await ordered();
    const mail = await mailOf(id);
    const code = codeIn(mail);
    const unfit = await enter(path, '12345');
    expect([unfit.status, unfit.text.includes('Enter the six digits'), await attemptsOf(id)]).toEqual([422, true, 0]);
    for (let left = 4; left > 0; left -= 1) {
      const refused = await enter(path, otherThan(code, left));
      expect([refused.status, refused.text.includes(`You can try ${left} more time`)]).toEqual([422, true]);
    }
    for (const typed of [otherThan(code), code]) {
      const refused = await enter(path, typed);
      expect([refused.status, refused.text.includes('wrong too often')]).toEqual([429, true]);
    }
    // Sending again is no way to try more.
    await correct(path, (await sql<{ email: string }>('select email from reservation where id = $1', [id]))[0]!.email);
    expect((await enter(path, code)).status).toBe(429);
    expect(await stateOf(id)).toBe('F');
    await forms.post(`${linkIn(mail)}/confirm`, []);
    expect(await stateOf(id)).toBe('FA');
  });

  it('is compared with five of twenty simultaneous guesses', async () => {
    const { path, id } = await ordered();
    const code = codeIn(await mailOf(id));
    const answers = await Promise.all(crowd(20, (index) => enter(path, otherThan(code, index + 1))));
    const tried = answers.filter(({ text }) => text.includes('This is not the code'));
    expect([tried.length, answers.filter(({ status }) => status === 429).length, await attemptsOf(id)]).toEqual([4, 16, 5]);
    expect([(await enter(path, code)).status, await stateOf(id)]).toEqual([429, 'F']);
  });

  it('and the link at the same time confirm once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { path, id } = await ordered();
      const mail = await mailOf(id);
      await Promise.all(crowd(4, (index) => (index % 2 ? enter(path, codeIn(mail)) : forms.post(`${linkIn(mail)}/confirm`, []))));
      expect([await stateOf(id), (await ticketMails(id)).length]).toEqual(['FA', 1]);
    }
  });

  it('is another one after the address was corrected, and the old one and its link stop working', async () => {
    const { path, id, email } = await ordered();
    const old = await mailOf(id);
    await enter(path, otherThan(codeIn(old)));
    const right = newAddress();
    expect((await correct(path, right)).headers['location']).toBe(`${path}?sent=again`);
    expect(await attemptsOf(id)).toBe(0);
    const mail = await mailOf(id);
    expect(codeIn(mail)).not.toBe(codeIn(old));
    expect((await enter(path, codeIn(old))).status).toBe(422);
    expect((await forms.get(linkIn(old))).status).toBe(404);
    expect((await forms.get(path)).text).not.toContain(email);
    expect([(await enter(path, codeIn(mail))).status, await stateOf(id)]).toEqual([303, 'FA']);
    expect(await sql('select 1 from verified_email where email_key = any($1)', [[email, right]])).toHaveLength(1);
  });

  it('that was right opens nothing for an address that is entered after it', async () => {
    const { path, id, event, email } = await ordered();
    const code = codeIn(await mailOf(id));
    // The maximum per person refuses the confirmation, and the page of the link says so.
    await sql('update event set max_per_user = 1 where id = $1', [event.id]);
    await book(test, tenant, event, { email, confirmed: true });
    const refused = await enter(path, code);
    expect([refused.status, String(refused.headers['location']).split('/')[1], await stateOf(id)]).toEqual([303, 'reservation', 'F']);
    const victim = newAddress();
    await correct(path, victim);
    await inside(() => test.app.get(ReservationChangesService).verify(id));
    const page = await forms.get(path);
    expect([page.status, page.text.includes('Your tickets are booked'), page.headers['location']]).toEqual([200, true, undefined]);
  });

  it('works for its own order only, until its time ends', async () => {
    const [one, other] = [await ordered(), await ordered(newAddress(), 1)];
    const code = codeIn(await mailOf(one.id));
    expect((await enter(other.path, code)).status).toBe(422);
    const right = codeIn(await mailOf(other.id));
    await endHold(test, tenant, other.id);
    expect((await enter(other.path, right)).headers['location']).toBe(other.path);
    expect((await correct(other.path, newAddress())).headers['location']).toBe(other.path);
    const page = (await forms.get(other.path)).text;
    for (const text of ['The time is over', other.email, `class="button" href="/event/${other.event.slug}"`]) expect(page).toContain(text);
    expect(page).not.toContain('Code from the mail');
    expect(await stateOf(other.id)).toBe('F');
    // Its place is given back once, however often the end is noticed.
    await Promise.all(crowd(4, () => inside(() => test.app.get(ReservationChangesService).expire(other.id))));
    expect(await bookedOf(other.event.id)).toBe(0);
    await book(test, tenant, other.event, { confirmed: true });
    expect(await bookedOf(other.event.id)).toBe(1);
  });

  it('confirms all free tickets of a cart', async () => {
    const { path } = await forms.collect([await newFreeEvent(test, tenant), await newFreeEvent(test, tenant)]);
    const email = newAddress();
    await forms.post(`${path}/contact`, await forms.contact(path, email));
    const page = (await forms.get(path)).text;
    for (const text of ['Check your inbox', email, 'Code from the mail']) expect(page).toContain(text);
    const parts = await sql<{ id: string }>('select id from reservation where cart_id = $1 order by id', [path.split('/')[2]]);
    const codes = [];
    for (const { id } of parts) codes.push(codeIn(await mailOf(id)));
    expect(new Set(codes).size).toBe(1);
    const refused = await enter(path, otherThan(codes[0]!));
    expect([refused.status, refused.text.includes('You can try 4 more times')]).toEqual([422, true]);
    expect((await enter(path, codes[0]!)).headers['location']).toBe(path);
    expect(await sql('select distinct status from reservation where cart_id = $1', [path.split('/')[2]])).toEqual([{ status: 'FA' }]);
    const done = (await forms.get(path)).text;
    for (const { id } of parts) expect(done).toContain(`href="/reservation/${id}/`);
  });

  it('of a cart has time until that of its last part is over', async () => {
    const events = [await newFreeEvent(test, tenant), await newFreeEvent(test, tenant)];
    const { path } = await forms.collect(events);
    await forms.post(`${path}/contact`, await forms.contact(path, newAddress()));
    const parts = await sql<{ id: string }>('select id from reservation where cart_id = $1', [path.split('/')[2]]);
    await endHold(test, tenant, parts[0]!.id);
    expect((await forms.get(path)).text).toContain('Code from the mail');
    await endHold(test, tenant, parts[1]!.id);
    const page = (await forms.get(path)).text;
    expect(page).not.toContain('Code from the mail');
    for (const text of ['The time is over', ...events.map(({ slug }) => `href="/event/${slug}"`)]) expect(page).toContain(text);
  });

  it('belongs to orders that were made while it was wanted', async () => {
    await confirmBy('link');
    const { path, id, email } = await ordered();
    await confirmBy('code');
    expect(codeIn(await mailOf(id))).toBe('none');
    expect((await forms.get(path)).text).not.toContain('Code from the mail');
    const guessed = await inside(() =>
      Promise.resolve(test.app.get(ConfirmationCodes).codeOf({ id, cartId: null, email, linkVersion: 0 })),
    );
    expect([(await enter(path, guessed)).headers['location'], await stateOf(id)]).toEqual([path, 'F']);
    const forged = await outcome(enter(`${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`, guessed));
    expect(forged).toMatchObject({ status: 404 });
    const link = await inside(() => Promise.resolve(test.app.get(HolderLinks).pathTo({ reservationId: id })));
    expect((await forms.get(link)).status).toBe(200);
  });
});
