import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MembershipsService } from '#memberships';
import { CodeReplacementService, SigningKeysService, TicketsService } from '#tickets';
import { PricesService, ProductsService } from '#catalogue';
import { JobRunner } from '#jobs';
import { type TenantIdentity } from '#tenancy';
import { book } from '../support/booking.js';
import { newDevice, newEvent, newTicket, newTickets, type PairedDevice } from '../support/builders.js';
import { openSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let post: SmtpSink;
let venue: TenantIdentity;
let gate: PairedDevice;

beforeAll(async () => {
  post = await openSmtpSink();
  test = await startTestApp({ environment: { SMTP_URL: post.url } });
  test.app.get(JobRunner).start();
  venue = await test.newTenant();
  gate = await newDevice(test, venue);
});
afterAll(async () => {
  await test.close();
  await post.close();
});

const inside = <Result>(work: () => Promise<Result>): Promise<Result> => test.inside(venue, work);
const ask = (path: string, code: string) => test.on(venue).post(path).set('Authorization', gate.authorization).send({ qrcode_data: code });
const codeNow = (id: string): Promise<string> =>
  inside(async () => {
    const [row] = await test.database.query<{ id: string; signingKeyId: number }>(
      `select id, signing_key_id as "signingKeyId" from "${venue.schemaName}".ticket where id = $1`,
      [id],
    );
    return test.app.get(TicketsService).codeOf(row!);
  });

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 30_000; !(await isSo());) {
    if (Date.now() > end) throw new Error('It did not come about within 30 s.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('a revoked signing key', () => {
  it('makes its codes invalid; valid tickets and cards get new codes by mail', async () => {
    const event = await newEvent(test, venue);
    const over = await newEvent(test, venue, { startsAt: new Date(Date.now() - 86_400_000) });
    const email = `${randomUUID()}@example.org`;
    const sold = await book(test, venue, event, { email, language: 'fr', quantity: 2, confirmed: true });
    const old = new Map<string, string>();
    for (const { id } of sold.tickets) old.set(id, await codeNow(id));
    const [inHall, past] = [await newTicket(test, venue, { event, status: 'S' }), await newTicket(test, venue, { event: over })];
    const many = await newTickets(test, venue, { event, count: 130 });
    const member = await inside(async () => {
      const { id } = await test.app.get(ProductsService).create({ name: 'Member', category: 'A' });
      const price = await test.app.get(PricesService).create({ productId: id, name: 'Year', amount: '0.00' });
      const memberships = test.app.get(MembershipsService);
      const made = await memberships.create({
        priceId: price.id,
        email: `m-${email}`,
        firstName: 'Zoé',
        lastName: 'Roy',
      });
      return { ...made, code: await memberships.codeOf(made) };
    });
    await until(() => [email, `m-${email}`].every((to) => post.mails.some((mail) => mail.to.includes(to))));

    expect(await inside(() => test.app.get(CodeReplacementService).revoke())).toBe(1);
    const { id } = sold.tickets[0]!;
    for (const path of ['/scan/ticket/', '/scan/check_ticket/', '/scan/fulfil/']) {
      const { body } = await ask(path, old.get(id)!).expect(400);
      expect(body).toMatchObject({ code: 'qrcode.revoked', reason: 'revoked', success: false });
    }
    expect((await ask('/scan/check_ticket/', member.code).expect(400)).body.code).toBe('qrcode.revoked');

    const newMails = () => post.mails.filter(({ parsed }) => /nouveaux billets|new ticket/i.test(parsed.subject ?? ''));
    await until(() => newMails().some(({ to }) => to.includes(email)));
    await until(async () => Object.values(await inside(() => test.app.get(CodeReplacementService).left())).every((n) => n === 0));
    expect(newMails().find(({ to }) => to.includes(email))?.parsed.text).toContain('ne fonctionnent plus');
    for (const one of [...sold.tickets, ...many.slice(-1)]) {
      const code = await codeNow(one.id);
      expect(code).not.toBe(old.get(one.id));
      expect((await ask('/scan/ticket/', code).expect(200)).body.success).toBe(true);
    }
    expect((await ask('/scan/ticket/', await codeNow(inHall.id)).expect(200)).body.reason).toBe('already_scanned');
    expect((await ask('/scan/ticket/', past.code).expect(400)).body.code).toBe('qrcode.revoked');
    const cardMail = () =>
      post.mails.find(({ to, parsed }) => to.includes(`m-${email}`) && /no longer works|ne fonctionne plus/.test(parsed.text ?? ''));
    await until(() => cardMail() !== undefined);
    const card = await inside(() => test.app.get(MembershipsService).find(member.id));
    const code = await inside(() => test.app.get(MembershipsService).codeOf(card!));
    expect((await ask('/scan/check_ticket/', code).expect(200)).body).toMatchObject({
      success: true,
      detail: 'Membership card valid',
    });
    // One mail for each of the two reservations; none for used tickets and past events.
    const kinds = await test.database.query(
      `select kind, count(*)::int from "${venue.schemaName}".mail where kind like '%replaced' group by kind order by kind`,
    );
    expect(kinds).toEqual([
      { kind: 'membership-replaced', count: 1 },
      { kind: 'tickets-replaced', count: 2 },
    ]);
    const { body } = await test.on(venue).get('/scan/keys/').set('Authorization', gate.authorization).expect(200);
    expect(body.keys.map(({ kid }: { kid: string }) => kid)).toEqual(['2']);
  });

  it('may be a retired one; forged codes stay forged, unknown keys are refused, and a repeat changes nothing', async () => {
    const own = await test.newTenant();
    const device = await newDevice(test, own);
    const event = await newEvent(test, own);
    const first = await newTicket(test, own, { event });
    const keys = test.app.get(SigningKeysService);
    expect(await test.inside(own, () => keys.rotate())).toBe(2);
    const second = await newTicket(test, own, { event });
    const revoke = (id: number) => test.inside(own, () => test.app.get(CodeReplacementService).revoke(id));
    await expect(revoke(9)).rejects.toMatchObject({ field: 'key' });
    expect([await revoke(1), await revoke(1)]).toEqual([1, 1]);
    const reasonOf = async (code: string) => {
      const sent = test.on(own).post('/scan/ticket/').set('Authorization', device.authorization).send({ qrcode_data: code });
      return ((await sent).body as { reason?: string }).reason;
    };
    expect(await reasonOf(first.code)).toBe('revoked');
    expect(await reasonOf(first.code.slice(0, 25) + second.code.slice(25))).toBe('forged');
    const lineOf = (code: string): string => {
      const members = { scan_id: randomUUID(), sequence: 0, verdict: 'admitted', mode: 'offline', device_time: new Date().toISOString() };
      return JSON.stringify({ ...members, verified_data: code.split(':')[0] });
    };
    const lines = [first, await newTicket(test, own, { event })].map(({ code }) => lineOf(code));
    const sent = await test.on(own).post('/scan/batch/').set('Authorization', device.authorization).send({ lines }).expect(200);
    expect(sent.body.results.map(({ reason }: { reason?: string }) => reason)).toEqual(['revoked', undefined]);
    expect(await reasonOf(second.code)).toBeUndefined();
    expect((await test.inside(own, () => keys.list())).map(({ id, revokedAt }) => [id, revokedAt !== null])).toEqual([
      [1, true],
      [2, false],
    ]);
  });
});

describe('signing keys', () => {
  it('always produce the same 111 characters for a ticket, also after a rotation, and verify offline', async () => {
    const own = await test.newTenant();
    const gate = await newDevice(test, own);
    const night = await newEvent(test, own);
    const before = await newTicket(test, own, { event: night });
    expect(before.code).toHaveLength(111);
    expect(before.code).toMatch(/^[A-Za-z0-9_-]{24}:[A-Za-z0-9_-]{86}$/);
    await test.inside(own, () => test.app.get(SigningKeysService).rotate());
    const after = await newTicket(test, own, { event: night });
    const { body } = await test.on(own).get('/scan/keys/').set('Authorization', gate.authorization).expect(200);
    expect(body.keys.map(({ kid, kty, crv }: Record<string, string>) => [kid, kty, crv])).toEqual([
      ['1', 'OKP', 'Ed25519'],
      ['2', 'OKP', 'Ed25519'],
    ]);
    for (const [ticket, key] of [
      [before, body.keys[0]],
      [after, body.keys[1]],
    ]) {
      const [data, signature] = ticket.code.split(':');
      const publicKey = await crypto.subtle.importKey('jwk', { kty: key.kty, crv: key.crv, x: key.x }, 'Ed25519', false, ['verify']);
      expect(await crypto.subtle.verify('Ed25519', publicKey, Buffer.from(signature, 'base64url'), Buffer.from(data))).toBe(true);
      const answer = await test.on(own).post('/scan/ticket/').set('Authorization', gate.authorization).send({ qrcode_data: ticket.code });
      expect(answer.body.success).toBe(true);
    }
    const [stored] = await test.database.query<{ sealed: Buffer }>(
      `select sealed_private_key as sealed from "${own.schemaName}".signing_key where id = 1`,
    );
    expect(stored?.sealed.includes(Buffer.from('302e020100300506032b6570', 'hex'))).toBe(false);
  });
});
