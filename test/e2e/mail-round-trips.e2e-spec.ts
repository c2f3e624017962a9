import { randomUUID } from 'node:crypto';
import { MailSenderService } from '#notices';
import { BookingsService } from '#selling';
import { TenantDb, type TenantIdentity } from '#tenancy';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { roundTripsOf } from '../support/round-trips.js';
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

/** Sends a mail. @returns the round trips of it, each with its statements, without those of background work */
async function send(id: string): Promise<(readonly string[])[]> {
  const trips = await roundTripsOf(() => test.inside(tenant, () => test.app.get(MailSenderService).send(id, { isLast: false })));
  return trips
    .filter(({ texts, isAtOnce }) => isAtOnce || texts[0] === 'begin' || !texts.some((text) => /pg_notify|set_config|shared\./.test(text)))
    .map(({ texts }) => texts);
}

describe('a mail with tickets', () => {
  it('takes three round trips while many are sent: two to read, one to store the outcome', async () => {
    const event = await newEvent(test, tenant, { capacity: 500 });
    const priceId = await newPrice(test, tenant, event.id, { amount: '0', name: 'Free' });
    const mails = [await waitingMail(event.id, priceId), await waitingMail(event.id, priceId)];
    // The first mail reads what all mails of the event have in common; that stays for a second.
    await eventually(
      async () => {
        for (const mail of mails.splice(0, 1)) await send(mail);
        mails.push(await waitingMail(event.id, priceId));
        const trips = await send(mails.shift() as string);
        const verbs = trips.map((texts) => texts.map((text) => text.trimStart().slice(0, 6).trimEnd()));
        expect(verbs).toEqual([['begin', 'select', 'select'], ['commit'], ['select', 'select', 'with n']]);
      },
      { timeout: 20_000 },
    );
  });
});
