import { randomUUID } from 'node:crypto';
import { ImagesService } from '#catalogue';
import { JobRunner } from '#jobs';
import { QuotasService, UsersService, type TenantIdentity } from '#tenancy';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { AccountVisits } from '../support/accounts.js';
import { book } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { newPlan } from '../support/membership-plans.js';
import { PanelClient } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { openSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

let test: TestApp;
let post: SmtpSink;
let root: PanelClient;
let operator: string;

beforeAll(async () => {
  post = await openSmtpSink();
  const environment = { QUOTA_MAILS: '60', QUOTA_MEGABYTES: '20', QUOTA_BOOKINGS: '500', QUOTA_NEW_PERCENT: '10', SMTP_URL: post.url };
  test = await startTestApp({ environment });
  const made = await test.app.get(UsersService).create({ email: `${randomUUID()}@example.org`, name: 'Olga', isSuperUser: true });
  operator = made.email;
  root = new PanelClient(test, 'localhost');
  expect((await root.signIn(made.email, made.password)).status).toBe(303);
});
afterAll(async () => {
  await test.close();
  await post.close();
});

/** Mails are drawn, which takes long on a busy machine. */
const patient = { timeout: 50_000 };

const quotasOf = async ({ id }: TenantIdentity): Promise<(number | undefined)[]> =>
  (await test.app.get(QuotasService).of(id)).map(({ limit }) => limit);
/** What an operator reads about a tenant. */
const shown = async ({ id }: TenantIdentity): Promise<string> => JSON.stringify((await root.look('tenants', id)).record!.params);

describe('a tenant', () => {
  it('has a tenth of the quotas in its first month, and none when it is Root', async () => {
    const tenant = await test.newTenant();
    expect(await quotasOf(tenant)).toEqual([6, 2, 50]);
    await test.database.query(`update shared.tenant set created_at = now() - interval '31 days' where id = $1`, [tenant.id]);
    expect(await quotasOf(tenant)).toEqual([60, 20, 500]);
    const [row] = await test.database.query<{ id: string }>(`select id from shared.tenant where category = 'R'`);
    expect(await quotasOf({ ...tenant, id: row!.id })).toEqual([undefined, undefined, undefined]);
  });

  it('books over the API within its quota, whatever arrives at once; operators see it, are told, and raise it', async () => {
    const tenant = await test.newTenant();
    const event = await newEvent(test, tenant, { capacity: 200 });
    const authorization = await newKey(test, tenant, 'reservation:write');
    const order = { reservationFor: event.id, reservedTicket: [{ identifier: event.priceId }], confirmed: true };
    const send = () =>
      test
        .on(tenant)
        .post('/api/v2/reservations/')
        .set('Authorization', authorization)
        .send({ ...order, underName: { email: `${randomUUID()}@example.org` } });
    const codes: Record<string, number> = {};
    const note = async (): Promise<void> => {
      const { status, body } = await send();
      const code = status === 201 ? 'booked' : String((body as { code?: string }).code);
      codes[code] = (codes[code] ?? 0) + 1;
    };
    for (let sent = 0; sent < 60; sent += 10) await Promise.all(Array.from({ length: 10 }, note));
    expect(codes).toEqual({ booked: 50, 'tenant.quota': 10 });
    const refused = await send();
    expect([refused.body, Number(refused.headers['retry-after'])]).toEqual([
      expect.objectContaining({ code: 'tenant.quota' }),
      expect.any(Number),
    ]);
    expect(await shown(tenant)).toContain('50 of 50 today');
    test.app.get(JobRunner).start();
    await eventually(() => {
      const told = post.mails.filter(({ to, parsed }) => to.includes(operator) && parsed.subject === `Daily quota: ${tenant.name}`);
      expect(told.length).toBeGreaterThan(0);
      expect(told[0]!.parsed.text).toContain(`/admin/resources/tenants/records/${tenant.id}/show`);
    }, patient);
    const wrong = await root.act('tenants', tenant.id, 'quotas', { bookings: '-3' });
    expect(Object.keys(wrong.record?.errors ?? {})).toEqual(['bookings']);
    expect((await root.act('tenants', tenant.id, 'quotas', { mails: '', megabytes: '', bookings: '80' })).notice?.type).toBe('success');
    expect(await quotasOf(tenant)).toEqual([6, 2, 80]);
    await eventually(async () => expect((await send()).status).toBe(201));
    expect(await shown(tenant)).toContain('of 80 today');
  }, 120_000);

  it('stores texts within its quota', async () => {
    const tenant = await test.newTenant();
    const authorization = await newKey(test, tenant, 'event:write');
    const long = 'x'.repeat(90_000);
    const statuses: number[] = [];
    for (let number = 0; number < 30; number += 1) {
      const body = { '@type': 'MusicEvent', name: `Evening ${number}`, startDate: '2030-01-01T20:00:00+01:00', description: long };
      statuses.push((await test.on(tenant).post('/api/v2/events/').set('Authorization', authorization).send(body)).status);
    }
    const stored = statuses.filter((status) => status === 201).length;
    expect([stored, statuses.slice(stored).every((status) => status === 429)]).toEqual([22, true]);
  });

  it('sells no membership over the API, and stores neither pictures nor what is typed in the panel, beyond its quota', async () => {
    const [selling, storing] = [await test.newTenant(), await test.newTenant()];
    const { priceId } = await newPlan(test, selling, '20.00');
    await test.app.get(QuotasService).change(selling, { bookings: 1 });
    const authorization = await newKey(test, selling, 'membership:write');
    const sold = async (): Promise<[number, string | undefined]> => {
      const body = { member: { email: `${randomUUID()}@example.org` }, membershipPlan: priceId, paymentMode: 'CASH' };
      const answer = await test.on(selling).post('/api/v2/memberships/').set('Authorization', authorization).send(body);
      return [answer.status, (answer.body as { code?: string }).code];
    };
    expect([await sold(), await sold()]).toEqual([
      [201, undefined],
      [429, 'tenant.quota'],
    ]);
    const staff = await staffOf(test, storing);
    await test.app.get(QuotasService).change(storing, { megabytes: 0 });
    const picture = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'teal' } })
      .png()
      .toBuffer();
    await expect(test.inside(storing, () => test.app.get(ImagesService).prepare(picture, 'img'))).rejects.toMatchObject({
      code: 'tenant.quota',
    });
    const form = staff.call('post', '/api/resources/products/actions/new').send({ name: 'Mug', category: 'M' });
    expect((await form).status).toBe(429);
  });

  it('sends mails to addresses that never opened one within its quota; the others wait, and confirmed ones are sent', async () => {
    const tenant = await test.newTenant();
    const event = await newEvent(test, tenant, { capacity: 200 });
    await test.database.query(`insert into "${tenant.schemaName}".verified_email (email_key) values ('known@example.org')`);
    test.app.get(JobRunner).start();
    const emails = Array.from({ length: 8 }, () => `${randomUUID()}@example.org`);
    for (const email of emails) await book(test, tenant, event, { email, confirmed: true });
    await book(test, tenant, event, { email: 'known@example.org', confirmed: true });
    const arrived = (): string[] => emails.filter((email) => post.mails.some(({ to }) => to.includes(email)));
    const waiting = () => test.database.query(`select 1 from "${tenant.schemaName}".mail where answer = 'daily quota of the place'`);
    await eventually(async () => {
      expect(await waiting()).toHaveLength(2);
      expect(arrived()).toHaveLength(6);
      expect(post.mails.some(({ to }) => to.includes('known@example.org'))).toBe(true);
    }, patient);
    await test.app.get(QuotasService).change(tenant, { mails: 8 });
    await test.database.query('update shared.job set due_at = now() where tenant_id = $1', [tenant.id]);
    await eventually(() => expect(arrived()).toHaveLength(8), patient);
  }, 120_000);

  it('sends no link to an account beyond its quota, except to a confirmed address', async () => {
    const tenant = await test.newTenant();
    const visits = new AccountVisits(test, tenant);
    const event = await newEvent(test, tenant);
    await test.app.get(QuotasService).change(tenant, { mails: 0 });
    const [unknown, known] = [`${randomUUID()}@example.org`, `${randomUUID()}@example.org`];
    await test.database.query(`insert into "${tenant.schemaName}".verified_email (email_key) values ($1)`, [known]);
    for (const email of [unknown, known]) {
      await book(test, tenant, event, { email, confirmed: true });
      await visits.ask(email);
      await visits.sendLinks(email);
    }
    const subject = `The link to your bookings: ${tenant.name}`;
    const linked = post.mails.filter(({ parsed }) => parsed.subject === subject).map(({ to }) => to);
    // The worker of the server may have sent it, too.
    expect(new Set(linked.flat())).toEqual(new Set([known]));
  });
});
