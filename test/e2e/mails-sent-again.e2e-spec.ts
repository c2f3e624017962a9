import { EmailCorrectionsService } from '#holders';
import { MailSenderService } from '#notices';
import { HolderLinks } from '#tickets';
import type { TenantIdentity } from '#tenancy';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { crowd, expectNoDrift } from '../support/booking.js';
import { CartForms, cookieOf, freeEvent as newFreeEvent, type CartEvent } from '../support/cart-forms.js';
import { outcome, tenantWork } from '../support/tenant-work.js';
import { openSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
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

const { inside, sql } = tenantWork(() => ({ test, tenant }));
const freeEvent = (): Promise<CartEvent> => newFreeEvent(test, tenant);
const newAddress = (): string => `${randomUUID()}@example.org`;
const again = 'Send the mail again';

/** An order of a free ticket that awaits the confirmation of its address. */
async function ordered(email = newAddress()): Promise<{ path: string; id: string; email: string }> {
  const event = await freeEvent();
  const path = await forms.begin(event.slug, event.priceId, '1');
  await forms.complete(path, { email });
  return { path, id: path.split('/')[2] as string, email };
}

const send = (path: string, email: string) => forms.post(`${path}/email`, [['email', email]]);
const mailsOf = (id: string): Promise<{ id: string; recipient: string; status: string }[]> =>
  sql('select id, recipient, status from mail where reservation_id = $1 order by created_at, id', [id]);
const linkOf = async (id: string, version: number): Promise<string> =>
  inside(() => Promise.resolve(test.app.get(HolderLinks).pathTo({ reservationId: id }, version)));
const stateOf = async (id: string): Promise<unknown> => (await sql('select email, status from reservation where id = $1', [id]))[0];

describe('the page of an order that awaits its confirmation', () => {
  it('corrects the address, mails the link to it, and ends the link that another mailbox got', async () => {
    const { path, id, email } = await ordered();
    for (const text of ['Check your inbox', again, `value="${email}"`]) expect((await forms.get(path)).text).toContain(text);
    const right = newAddress();
    const { status, headers } = await send(path, right);
    expect([status, headers['location']]).toEqual([303, `${path}?sent=again`]);
    const page = await forms.get(`${path}?sent=again`);
    for (const text of [`We have written to ${right}`, 'The mail was sent again.']) expect(page.text).toContain(text);
    // Without the notice, the page of the order still works.
    expect((await forms.get(path)).text).toContain(right);
    expect((await mailsOf(id)).map(({ recipient }) => recipient)).toEqual([email, right]);
    expect((await forms.get(await linkOf(id, 0))).status).toBe(404);
    expect((await forms.post(`${await linkOf(id, 1)}/confirm`, [])).status).toBe(303);
    expect(await stateOf(id)).toEqual({ email: right, status: 'FA' });
    // The page shows no tickets, and sends nothing any more.
    const booked = await forms.get(path);
    expect(booked.text).toContain('Your tickets are booked');
    expect(booked.text).not.toContain(again);
    expect((await send(path, newAddress())).headers['location']).toBe(path);
    expect(await stateOf(id)).toEqual({ email: right, status: 'FA' });
  });

  it('sends the mail to the same address again, and delivers it', async () => {
    const { path, id, email } = await ordered();
    expect((await send(path, email)).status).toBe(303);
    const mails = await mailsOf(id);
    // The first one still waited: the second one replaces it.
    expect(mails.map(({ recipient, status }) => [recipient, status])).toEqual([
      [email, 'obsolete'],
      [email, 'waiting'],
    ]);
    await inside(() => test.app.get(MailSenderService).send(mails[1]!.id, { isLast: true }));
    expect(post.mails.filter(({ to }) => to.includes(email))).toHaveLength(1);
    // An unchanged address changes no link.
    expect((await forms.get(await linkOf(id, 0))).status).toBe(200);
  });

  it('sends three mails at most, also to simultaneous forms', async () => {
    const { path, id, email } = await ordered();
    const answers = await Promise.all(crowd(8, () => send(path, newAddress())));
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([303, 303, 429, 429, 429, 429, 429, 429]);
    expect(await mailsOf(id)).toHaveLength(3);
    const refused = await send(path, email);
    for (const text of ['The mail was sent three times', `value="${email}"`, 'aria-invalid="true"']) expect(refused.text).toContain(text);
  });

  it('refuses what is no address, with what was typed', async () => {
    const { path, id } = await ordered();
    const refused = await send(path, 'ada@');
    expect(refused.status).toBe(422);
    for (const text of ['value="ada@"', 'Enter an e-mail address']) expect(refused.text).toContain(text);
    expect(await mailsOf(id)).toHaveLength(1);
  });

  it('adds no order to an address that has as many of this network as may await a confirmation', async () => {
    const victim = newAddress();
    for (let count = 0; count < 10; count += 1) await ordered(victim);
    const { path, id } = await ordered();
    const refused = await send(path, victim);
    expect([refused.status, (await mailsOf(id)).length]).toEqual([429, 1]);
    expect(refused.text).toContain('wait to be confirmed');
  });

  it('neither shows nor changes an address that staff corrected', async () => {
    const { path, id } = await ordered();
    const right = newAddress();
    await inside(() => test.app.get(EmailCorrectionsService).reservation(id, right));
    expect((await send(path, newAddress())).headers['location']).toBe(path);
    expect((await mailsOf(id)).map(({ recipient }) => recipient).at(-1)).toBe(right);
    const page = await forms.get(path);
    expect([page.status, page.text.includes(right)]).toEqual([410, false]);
  });

  it('needs the link of the order', async () => {
    const { path } = await ordered();
    expect((await send(`${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`, newAddress())).status).toBe(404);
  });
});

describe('the page of a cart that awaits its confirmation', () => {
  it('corrects the address of all its parts', async () => {
    const { path } = await forms.collect([await freeEvent(), await freeEvent()]);
    const cart = path.split('/')[2] as string;
    await forms.post(`${path}/contact`, await forms.contact(path, newAddress()));
    const right = newAddress();
    expect((await send(path, right)).headers['location']).toBe(`${path}?sent=again`);
    const page = await forms.get(`${path}?sent=again`);
    for (const text of [right, again, 'The mail was sent again.']) expect(page.text).toContain(text);
    const parts = await sql<{ id: string; email: string }>('select id, email from reservation where cart_id = $1', [cart]);
    expect(parts.map(({ email }) => email)).toEqual([right, right]);
    await forms.post(`${await linkOf(parts[0]!.id, 1)}/confirm`, []);
    expect(await sql('select distinct status from reservation where cart_id = $1', [cart])).toEqual([{ status: 'FA' }]);
  });
});

describe('an order of what this browser ordered before', () => {
  const notice = 'You ordered the same a short time ago.';

  it('says so and leads to that order, unless the tickets differ', async () => {
    const event = await freeEvent();
    const first = await forms.choose(event.slug, event.priceId, '2');
    const path = String(first.headers['location']);
    const cookie = cookieOf(first.headers);
    // Not completed yet: the form changes the order.
    expect((await forms.choose(event.slug, event.priceId, '2', { cookie })).headers['location']).toBe(path);
    await forms.complete(path, { email: newAddress() });
    const same = await forms.begin(event.slug, event.priceId, '2', { cookie });
    const page = await forms.get(same);
    expect(page.text).toContain(notice);
    expect(page.text).toContain(`href="${path}"`);
    expect((await forms.get(await forms.begin(event.slug, event.priceId, '1', { cookie }))).text).not.toContain(notice);
    expect((await forms.get(await forms.begin(event.slug, event.priceId, '2'))).text).not.toContain(notice);
    // The order can be completed all the same.
    expect(((await outcome(forms.complete(same.split('?')[0] as string, { email: newAddress() }))) as { status: number }).status).toBe(303);
  });

  it('is noticed in a cart, too', async () => {
    const event = await freeEvent();
    const { path, cookie } = await forms.collect([event]);
    await forms.post(`${path}/contact`, await forms.contact(path, newAddress()));
    const { headers } = await forms.add(event, '1', cookie);
    const page = await forms.get(String(headers['location']));
    expect(page.text).toContain(notice);
    expect(page.text).toContain(`href="${path}"`);
  });

  it('is no way to see an order without its link', async () => {
    const event = await freeEvent();
    const first = await forms.begin(event.slug, event.priceId, '1');
    await forms.complete(first, { email: newAddress() });
    const [, , id] = first.split('/');
    const other = await forms.begin(event.slug, event.priceId, '1');
    for (const after of [`${id}.forged`, `${id}.`, 'x', '', "'"])
      expect((await forms.get(`${other}?after=${encodeURIComponent(after)}`)).text).not.toContain(notice);
  });
});
