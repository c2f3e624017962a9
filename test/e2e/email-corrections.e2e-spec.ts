import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { EmailCorrectionsService } from '#holders';
import { MembershipsService } from '#memberships';
import { MailSenderService } from '#notices';
import { HolderLinks, ReservationChangesService } from '#tickets';
import { PricesService, ProductsService } from '#catalogue';
import type { TenantIdentity } from '#tenancy';
import { book, crowd, expectNoDrift } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { PanelClient } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { openSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

let test: TestApp;
let post: SmtpSink;
let venue: TenantIdentity;
let staff: PanelClient;
let event: Awaited<ReturnType<typeof newEvent>>;
/** The response of the mail server to the next recipient. */
let receive: (address: string) => Promise<Error | undefined> = async () => undefined;

beforeAll(async () => {
  post = await openSmtpSink({ onRcptTo: ({ address }, _session, done) => void receive(address).then(done) });
  test = await startTestApp({ environment: { SMTP_URL: post.url } });
  venue = await test.newTenant({ name: 'Venue' });
  staff = await staffOf(test, venue, 'Zoé Staff');
  event = await newEvent(test, venue, { capacity: 500 });
});
afterEach(async () => {
  receive = async () => undefined;
  await expectNoDrift(test, venue);
});
afterAll(async () => {
  await test.close();
  await post.close();
});

interface MailRow {
  id: string;
  kind: string;
  recipient: string;
  status: string;
}
const sql = <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  test.database.query(text.replaceAll('{tenant}', `"${venue.schemaName}"`), values) as Promise<Row[]>;
const mailsOf = (id: string): Promise<MailRow[]> =>
  sql('select id, kind, recipient, status from {tenant}.mail where $1 in (reservation_id, membership_id) order by created_at, id', [id]);
/** Sends waiting mails, as the worker does. */
const deliver = async (id: string): Promise<void> => {
  for (const mail of await mailsOf(id))
    if (mail.status === 'waiting') await test.inside(venue, () => test.app.get(MailSenderService).send(mail.id, { isLast: true }));
};
const statusOf = async (id: string): Promise<string> =>
  (await sql<{ status: string }>('select status from {tenant}.reservation where id = $1', [id]))[0]!.status;
const receivers = (): string[][] => post.mails.map(({ to }) => [...to]);
const paid = { confirmed: true, paymentMethod: 'cash' } as const;
const refusedMailbox = Object.assign(new Error('No such mailbox'), { responseCode: 550 });
const correct = (id: string, email: string, resource = 'reservations'): ReturnType<PanelClient['act']> =>
  staff.act(resource, id, 'correctEmail', { email });
const linkIn = (text: string | undefined): string => /http:\/\/[^/]+(\/reservation\/\S+?)(?=["\s<]|$)/.exec(text ?? '')![1]!;

describe('a reservation with an unconfirmed address', () => {
  it('sends its link to the corrected address, and the link to the old address stops working', async () => {
    const free = await newEvent(test, venue, { name: 'Free night' });
    await sql(`update {tenant}.price set amount = 0 where id = $1`, [free.priceId]);
    const { id, status } = await book(test, venue, free, { email: 'adda@example.org' });
    expect(status).toBe('F');
    await deliver(id);
    const old = linkIn(post.mails.at(-1)!.parsed.text);
    await test.on(venue).get(old).expect(200);
    await sql(`update {tenant}.reservation set expires_at = now() + interval '1 minute' where id = $1`, [id]);
    expect((await correct(id, ' ada@example.org ')).notice).toMatchObject({
      message: 'correctedSent',
      type: 'success',
    });
    await test.on(venue).get(old).expect(404);
    await test.on(venue).post(`${old}/confirm`).expect(404);
    // The old page was opened before the correction and is confirmed now.
    await test.inside(venue, () => test.app.get(ReservationChangesService).verify(id, 0));
    expect(await statusOf(id)).toBe('F');
    // The hold lasts as long as the new mail states.
    const [hold] = await sql<{ left: boolean }>(
      `select expires_at > now() + interval '14 minutes' as left from {tenant}.reservation where id = $1`,
      [id],
    );
    expect(hold).toEqual({ left: true });
    await deliver(id);
    expect(receivers().at(-1)).toEqual(['ada@example.org']);
    const link = linkIn(post.mails.at(-1)!.parsed.text);
    await test.on(venue).post(`${link}/confirm`).expect(303);
    expect(await statusOf(id)).toBe('FA');
    expect(await sql('select email_key from {tenant}.verified_email')).toEqual([{ email_key: 'ada@example.org' }]);
    // The correction of a verified address does not verify the new one.
    await correct(id, 'bob@example.org');
    await deliver(id);
    expect(await statusOf(id)).toBe('V');
    await test.on(venue).get(link).expect(404);
    expect((await book(test, venue, free, { email: 'bob@example.org' })).status).toBe('F');
  });

  it('keeps links of other reservations, and of holders without any mail, from before the correction', async () => {
    const { id } = await book(test, venue, event, { email: 'buyer@example.org' });
    const path = await test.inside(venue, async () => test.app.get(HolderLinks).pathTo({ reservationId: id }));
    expect((await correct(id, 'other@example.org')).notice).toMatchObject({ message: 'corrected' });
    expect(await mailsOf(id)).toEqual([]);
    await test.on(venue).get(path).expect(200);
  });
});

describe('a mail with tickets', () => {
  it('is not sent to the old address while it waits; the change is recorded and published', async () => {
    const key = await newKey(test, venue, 'reservation:read', 'webhook:read');
    const { id } = await book(test, venue, event, { email: 'mistyped@example.org', ...paid });
    expect((await staff.look('reservations', id, 'correctEmail')).view).toMatchObject({
      fields: [{ name: 'email', value: 'mistyped@example.org' }],
    });
    await correct(id, 'right@example.org');
    expect((await mailsOf(id)).map(({ recipient, status }) => [recipient, status])).toEqual([
      ['mistyped@example.org', 'obsolete'],
      ['right@example.org', 'waiting'],
    ]);
    const before = post.mails.length;
    await deliver(id);
    expect(receivers().slice(before)).toEqual([['right@example.org']]);
    const { record } = await staff.look('reservations', id);
    expect(record!.params).toMatchObject({
      email: 'right@example.org',
      'emailCorrections.items.0.title': 'mistyped@example.org → right@example.org',
      'emailCorrections.items.0.details': 'Zoé Staff',
    });
    const { body } = await test.on(venue).get('/api/v2/webhook-events/').set('Authorization', key).expect(200);
    const told = body.results.filter(({ data }: { data: { identifier: string } }) => data.identifier === id);
    expect(told.map(({ type }: { type: string }) => type)).toEqual(['reservation.created', 'reservation.updated']);
    expect(told[1].data).toMatchObject({ underName: { email: 'right@example.org' } });
    expect(told[1].data.sequence).toBeGreaterThan(told[0].data.sequence);
  });

  it.each(['PE', 'PN'] as const)('of a reservation in state %s is sent to the corrected address: P, then V', async (state) => {
    const { id } = await book(test, venue, event, { email: `no-${state}@example.org` });
    await test.inside(venue, () => test.app.get(ReservationChangesService).confirm(id));
    await sql(`update {tenant}.reservation set status = 'P' where id = $1`, [id]);
    const failure = state === 'PE' ? refusedMailbox : Object.assign(new Error('Later'), { responseCode: 450 });
    receive = async () => failure;
    await deliver(id);
    expect(await statusOf(id)).toBe(state);
    receive = async () => undefined;
    const [mail] = await mailsOf(id);
    // Resent from the list of mails.
    const offered = await staff.look('mails', mail!.id, 'resend');
    expect(offered.view).toMatchObject({ fields: [{ name: 'email', value: `no-${state}@example.org` }] });
    expect((await staff.act('mails', mail!.id, 'resend', { email: `yes-${state}@example.org` })).notice).toMatchObject({
      message: 'correctedSent',
    });
    expect(await statusOf(id)).toBe('P');
    await deliver(id);
    expect(await statusOf(id)).toBe('V');
  });

  it('does not count as sent when the address is corrected during its delivery to the old one', async () => {
    const { id } = await book(test, venue, event, { email: 'slow@example.org' });
    await test.inside(venue, () => test.app.get(ReservationChangesService).confirm(id));
    await sql(`update {tenant}.reservation set status = 'P' where id = $1`, [id]);
    const [first] = await mailsOf(id);
    let arrived: () => void = () => undefined;
    let goOn: () => void = () => undefined;
    const under = new Promise<void>((resolve) => (arrived = resolve));
    const held = new Promise<void>((resolve) => (goOn = resolve));
    receive = async (address) => {
      if (address !== 'slow@example.org') return undefined;
      arrived();
      await held;
      return undefined;
    };
    const sending = test.inside(venue, () => test.app.get(MailSenderService).send(first!.id, { isLast: false }));
    await under;
    await correct(id, 'fast@example.org');
    goOn();
    await sending;
    // The list shows the first mail as sent; the reservation waits for the second one.
    expect((await mailsOf(id)).map(({ recipient, status }) => [recipient, status])).toEqual([
      ['slow@example.org', 'sent'],
      ['fast@example.org', 'waiting'],
    ]);
    expect(await statusOf(id)).toBe('P');
    await deliver(id);
    expect(await statusOf(id)).toBe('V');
  });

  it('is sent to an address that is added to a sale without one', async () => {
    const { id } = await book(test, venue, event, { email: '', origin: 'panel', ...paid });
    expect(await mailsOf(id)).toEqual([]);
    expect((await correct(id, 'found@example.org')).notice).toMatchObject({ message: 'correctedSent' });
    await deliver(id);
    expect(receivers().at(-1)).toEqual(['found@example.org']);
  });

  it('is sent again from the reservation, with or without a correction', async () => {
    const { id } = await book(test, venue, event, { email: 'same@example.org', ...paid });
    await deliver(id);
    for (const fields of [{}, { email: 'same@example.org' }])
      expect((await staff.act('reservations', id, 'resend', fields)).notice).toMatchObject({ message: 'resent' });
    expect((await staff.act('reservations', id, 'resend', { email: 'new@example.org' })).notice).toMatchObject({
      message: 'correctedSent',
    });
    await deliver(id);
    expect(receivers().at(-1)).toEqual(['new@example.org']);
  });
});

describe('an address', () => {
  it('is refused when it is invalid, unchanged, or of a cancelled or foreign reservation', async () => {
    const { id } = await book(test, venue, event, { email: 'ok@example.org', ...paid });
    for (const email of ['', 'x', 'a b@example.org', `${'x'.repeat(65)}@example.org`, 'ada@localhost', 'ok@example.org'])
      expect((await correct(id, email)).record!.errors).toMatchObject({ email: { message: expect.any(String) } });
    const stranger = await staffOf(test, await test.newTenant());
    expect((await stranger.act('reservations', id, 'correctEmail', { email: 'evil@example.org' })).record!.params).toEqual({});
    await test.inside(venue, () => test.app.get(ReservationChangesService).cancel(id, { reason: 'staff' }));
    await correct(id, 'late@example.org');
    expect(await sql('select email from {tenant}.reservation where id = $1', [id])).toEqual([{ email: 'ok@example.org' }]);
    expect(await sql('select 1 from {tenant}.email_correction where reservation_id = $1', [id])).toEqual([]);
  });

  it('never exceeds the maximum per person, however many reservations are corrected at once', async () => {
    const few = await newEvent(test, venue, { maxPerUser: 2, capacity: 50 });
    const sold = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map((name) => book(test, venue, few, { email: `${name}@example.org`, ...paid })),
    );
    await book(test, venue, few, { email: 'chief@example.org', ...paid });
    const corrections = test.app.get(EmailCorrectionsService);
    const tries = crowd(sold.length, (index) =>
      test.inside(venue, () => corrections.reservation(sold[index]!.id, index % 2 ? 'chief@example.org' : 'Chief+x@example.org')),
    );
    const done = await Promise.allSettled(tries);
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = sold[done.findIndex(({ status }) => status === 'rejected')]!;
    expect((await correct(refused.id, 'chief@example.org')).record!.errors).toMatchObject({
      email: { message: expect.stringContaining('more than one person may book') },
    });
    // Another spelling of the address counts as the same person.
    const full = sold[done.findIndex(({ status }) => status === 'fulfilled')]!;
    expect((await correct(full.id, 'CHIEF@example.org')).notice).toMatchObject({ type: 'success' });
    // The previous address may book again.
    expect((await book(test, venue, few, { email: full.email, quantity: 2, ...paid })).status).toBe('V');
  });
});

describe('a membership', () => {
  it('sends its card to the corrected address, and gives that person the prices for members', async () => {
    const key = await newKey(test, venue, 'membership:read', 'webhook:read');
    const priceId = await test.inside(venue, async () => {
      const product = await test.app.get(ProductsService).create({ name: 'Friends', category: 'A' });
      const wanted = { productId: product.id, name: 'Year', amount: '0', maxPerUser: 1 };
      return (await test.app.get(PricesService).create(wanted)).id;
    });
    const member = (email: string): Promise<{ id: string }> =>
      test.inside(venue, () => test.app.get(MembershipsService).create({ priceId, email }));
    const { id } = await member('mebmer@example.org');
    const other = await member('other@example.org');
    expect((await correct(id, 'member@example.org', 'memberships')).notice).toMatchObject({ message: 'correctedSent' });
    const before = post.mails.length;
    await deliver(id);
    expect(receivers().slice(before)).toEqual([['member@example.org']]);
    expect((await mailsOf(id)).map(({ status }) => status)).toEqual(['obsolete', 'sent']);
    expect((await staff.look('memberships', id)).record!.params).toMatchObject({
      'emailCorrections.items.0.title': 'mebmer@example.org → member@example.org',
    });
    expect((await correct(other.id, 'member@example.org', 'memberships')).record!.errors).toMatchObject({
      email: { message: expect.any(String) },
    });
    expect((await staff.act('mails', (await mailsOf(id)).at(-1)!.id, 'resend', {})).notice).toBeDefined();
    const { body } = await test.on(venue).get('/api/v2/webhook-events/').set('Authorization', key).expect(200);
    const told = body.results.filter(({ data }: { data: { identifier: string } }) => data.identifier === id);
    expect(told.map(({ type, data }: { type: string; data: { member: { email: string } } }) => [type, data.member.email])).toEqual([
      ['membership.created', 'mebmer@example.org'],
      ['membership.updated', 'member@example.org'],
    ]);
  });
});
