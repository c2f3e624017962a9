import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { MembershipsService } from '#memberships';
import { PricesService, ProductsService } from '#catalogue';
import { JobRunner } from '#jobs';
import { UsersService, type TenantIdentity } from '#tenancy';
import { book, expectNoDrift } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { PanelClient } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { openSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { until } from '../support/until.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let post: SmtpSink;
let venue: TenantIdentity;
let staff: PanelClient;
let refusing = true;

beforeAll(async () => {
  post = await openSmtpSink({
    onRcptTo: (_address, _session, done) => done(refusing ? Object.assign(new Error('No such mailbox'), { responseCode: 550 }) : undefined),
  });
  test = await startTestApp({ environment: { SMTP_URL: post.url } });
  test.app.get(JobRunner).start();
  venue = await test.newTenant({ name: 'Venue' });
  staff = await staffOf(test, venue);
});
afterEach(() => expectNoDrift(test, venue));
afterAll(async () => {
  await test.close();
  await post.close();
});

interface MailState {
  kept: { folder: string | null } | null;
  waiting: number;
  refused: number;
  href: string;
}
const seenBy = async (client: PanelClient): Promise<MailState> =>
  ((await client.call('get', '/api/dashboard').expect(200)).body as { mail: MailState }).mail;

describe('mails in the panel', () => {
  it('are counted on the start page after a refusal until they are sent again', async () => {
    expect(await seenBy(staff)).toMatchObject({ kept: null, waiting: 0, refused: 0 });
    const reservation = await book(test, venue, await newEvent(test, venue), {
      confirmed: true,
      paymentMethod: 'cash',
    });
    const { href } = await until(
      () => seenBy(staff),
      ({ refused }) => refused === 1,
    );
    const query = Object.fromEntries(new URL(href, 'http://venue').searchParams);
    const [mail] = (await staff.list('mails', query)).records!;
    expect(mail!.params).toMatchObject({
      recipient: reservation.email,
      kind: 'tickets',
      status: 'refused',
      answer: expect.stringContaining('No such mailbox'),
    });
    refusing = false;
    expect((await staff.act('mails', mail!.id, 'resend')).notice).toMatchObject({ message: 'resent' });
    await until(
      async () => (await staff.list('mails', { 'filters.status': 'sent' })).records!,
      ({ length }) => length === 1,
    );
    expect(await seenBy(staff)).toMatchObject({ refused: 0 });
    expect(post.mails.map(({ to }) => to)).toEqual([[reservation.email]]);
    expect((await staff.list('mails', { 'filters.needsSomebody': 'true' })).records).toEqual([]);
  }, 150_000);

  it.each(['refused', 'given_up'])(
    'with a card that were %s are sent again, to the address of the membership',
    async (state) => {
      const place = await test.newTenant();
      const client = await staffOf(test, place);
      refusing = true;
      const { id } = await test.inside(place, async () => {
        const product = await test.app.get(ProductsService).create({ name: 'Friends', category: 'A' });
        const { id: priceId } = await test.app.get(PricesService).create({ productId: product.id, name: 'Year', amount: '0' });
        return test.app.get(MembershipsService).create({ priceId, email: 'mistyped@example.org' });
      });
      const mailsThat = async (status: string): Promise<{ id: string; params: object }[]> =>
        (await client.list('mails', { 'filters.status': status })).records!;
      const [mail] = await until(
        () => mailsThat('refused'),
        ({ length }) => length === 1,
      );
      const set = (sql: string): Promise<unknown> => test.database.query(sql.replace('%', `"${place.schemaName}"`));
      await set(`update %.mail set status = '${state}'`);
      await set(`update %.membership set email = '${state}@example.org'`);
      refusing = false;
      expect((await client.act('mails', mail!.id, 'resend')).notice).toMatchObject({
        message: 'resent',
        type: 'success',
      });
      const [sent] = await until(
        () => mailsThat('sent'),
        ({ length }) => length === 1,
      );
      expect(sent!.params).toMatchObject({ kind: 'membership', membershipId: id, recipient: `${state}@example.org` });
      expect(post.mails.at(-1)!.to).toEqual([`${state}@example.org`]);
      expect(await seenBy(client)).toMatchObject({ waiting: 0, refused: 0 });
      await test.inside(place, () => test.app.get(MembershipsService).cancel(id));
      expect((await client.act('mails', mail!.id, 'resend')).notice).toMatchObject({
        message: expect.stringContaining('There is nothing left to send'),
        type: 'error',
      });
      expect(await mailsThat('waiting')).toEqual([]);
    },
    150_000,
  );

  it('are counted when they wait long, but not when they are new', async () => {
    const add = (minutes: number): Promise<unknown> =>
      test.database.query(
        `insert into "${venue.schemaName}".mail (kind, recipient, reservation_id, created_at)
         select 'tickets', email, id, now() - make_interval(mins => $1) from "${venue.schemaName}".reservation limit 1`,
        [minutes],
      );
    await add(2);
    expect(await seenBy(staff)).toMatchObject({ waiting: 0 });
    await add(11);
    expect(await seenBy(staff)).toMatchObject({ waiting: 1 });
  });

  it('reach nobody without a mail server: the page says so, and tells super-users where they are', async () => {
    const folder = join(tmpdir(), 'guichet-mails');
    const other = await startTestApp({ database: test.database, environment: { MAIL_FOLDER: folder } });
    try {
      expect(await seenBy(await staffOf(other, venue))).toMatchObject({ kept: { folder: null } });
      const { email, password } = await other.app.get(UsersService).create({ email: 'root@example.org', name: 'Root', isSuperUser: true });
      for (const [host, at] of [
        [venue.host, 'mail.kept.folder'],
        ['localhost', 'mailFolder'],
      ] as const) {
        const client = new PanelClient(other, host);
        await client.signIn(email, password);
        const { body } = await client.call('get', '/api/dashboard').expect(200);
        expect(body).toHaveProperty(at, folder);
      }
    } finally {
      await other.close();
    }
  });
});
