import { randomUUID } from 'node:crypto';
import { BookingsService, MailSenderService } from '#booking';
import { TenantDb, type TenantIdentity } from '#tenancy';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;

beforeAll(async () => {
  test = await startTestApp();
  tenant = await test.newTenant();
});
afterAll(() => test.close());

/** Books two free tickets. @returns the id of the mail that waits */
async function waitingMail(eventId: string, priceId: string): Promise<string> {
  const email = `${randomUUID()}@example.org`;
  const tickets = [{ priceId, quantity: 2 }];
  return test.inside(tenant, async () => {
    await test.app.get(BookingsService).book({ eventId, email, tickets, origin: 'api', confirmed: true });
    const read = 'select id from mail where recipient = $1';
    const [mail] = await test.app.get(TenantDb).transaction((tx) => tx.query<{ id: string }[]>(read, [email]));
    return mail?.id ?? '';
  });
}

/** Sends a mail. @returns the statements of it, without those of background work */
async function send(id: string): Promise<string[]> {
  const spy = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await test.inside(tenant, () => test.app.get(MailSenderService).send(id, { isLast: false }));
    const texts = spy.mock.calls.map(([sent]) => (typeof sent === 'string' ? sent : (sent as unknown as { text: string }).text));
    return texts.filter((text) => text.startsWith('begin') || !/pg_notify|set_config|shared\./.test(text));
  } finally {
    spy.mockRestore();
  }
}

describe('a mail with tickets', () => {
  it('takes ten round trips while many are sent: six to read, four to store the outcome', async () => {
    const event = await newEvent(test, tenant, { capacity: 500 });
    const priceId = await newPrice(test, tenant, event.id, { amount: '0', name: 'Free' });
    const mails = [await waitingMail(event.id, priceId), await waitingMail(event.id, priceId)];
    // The first mail reads what all mails of the event have in common; that stays for a second.
    await vi.waitFor(async () => {
      for (const mail of mails.splice(0, 1)) await send(mail);
      mails.push(await waitingMail(event.id, priceId));
      const statements = await send(mails.shift() as string);
      const verbs = statements.map((text) => text.slice(0, 6).toLowerCase().trim().replace(/;$/, ''));
      const reading = ['begin', 'select', 'select', 'select', 'commit', 'select'];
      expect(verbs).toEqual([...reading, 'begin', 'select', 'update', 'commit']);
    }, 20_000);
  });
});
