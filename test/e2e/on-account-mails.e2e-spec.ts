import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { MailSenderService } from '#notices';
import { ReservationChangesService } from '#tickets';
import { AccountOrdersService } from '#transfers';
import type { TenantIdentity } from '#tenancy';
import { accountOrders } from '../support/account-orders.js';
import { expectNoDrift } from '../support/booking.js';
import { openSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { outcome } from '../support/tenant-work.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;
let bank: Awaited<ReturnType<typeof accountOrders>>;
let post: SmtpSink;

beforeAll(async () => {
  post = await openSmtpSink();
  test = await startTestApp({ environment: { SMTP_URL: post.url } });
  tenant = await test.newTenant({ language: 'en', timeZone: 'Europe/Paris' });
  bank = await accountOrders(test, tenant);
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(async () => {
  await test.close();
  await post.close();
});

const accounts = (): AccountOrdersService => test.app.get(AccountOrdersService);

describe('the customer', () => {
  const waiting = (orderId: string) =>
    bank.sql<{ id: string; recipient: string }>(
      `select id, recipient from mail where kind = 'on-account' and status = 'waiting'
         and reservation_id in (select reservation_id from order_line where order_id = $1)`,
      [orderId],
    );
  const sent = async (id: string) => {
    await bank.inside(() => test.app.get(MailSenderService).send(id, { isLast: true }));
    return post.mails.at(-1)!.parsed;
  };

  it('is asked to pay with account, reference and PDF, and reminded once when the last day is over', async () => {
    const order = await bank.sold([await bank.paidEvent(), await bank.paidEvent()]);
    const [asked, ...others] = await waiting(order.orderId);
    expect([asked!.recipient, others]).toEqual(['office@example.org', []]);
    const mail = await sent(asked!.id);
    const reference = `${order.reference.slice(0, 4)} ${order.reference.slice(4)}`;
    expect(mail.subject).toContain(`To be paid to`);
    for (const fact of [reference, 'DE89 3704 0044 0532 0130 00', '€50']) expect(mail.text).toContain(fact);
    expect(mail.attachments.map(({ filename }) => filename)).toEqual([
      'bank-transfer.png',
      `bank-transfer-${reference.replace(' ', '-')}.pdf`,
    ]);
    await bank.pay(order.reference, '20.00');
    const remind = () => Promise.all([1, 2, 3].map(() => bank.inside(() => accounts().remind())));
    await remind();
    expect(await waiting(order.orderId)).toEqual([]);
    await bank.sql('update bank_transfer set due_on = current_date - 2 where order_id = $1', [order.orderId]);
    await remind();
    const reminders = await waiting(order.orderId);
    expect(reminders).toHaveLength(1);
    const reminder = await sent(reminders[0]!.id);
    expect([reminder.subject, reminder.text]).toEqual([expect.stringContaining('Reminder'), expect.stringContaining('€30')]);
  });

  it('is asked nothing any more when it paid before the mail left', async () => {
    const order = await bank.sold([await bank.paidEvent()]);
    await bank.pay(order.reference, '25.00');
    const [asked] = await waiting(order.orderId);
    const before = post.mails.length;
    await bank.inside(() => test.app.get(MailSenderService).send(asked!.id, { isLast: true }));
    expect(post.mails).toHaveLength(before);
    expect(await bank.sql('select status from mail where id = $1', [asked!.id])).toEqual([{ status: 'obsolete' }]);
  });

  it('pays in instalments, and is reminded of each once', async () => {
    const order = await bank.sold([await bank.paidEvent(), await bank.paidEvent()]);
    const divide = (count: number, from: string) => bank.inside(() => outcome(accounts().divide(order.orderId, { count, from })));
    expect(await divide(0, '2026-01-01')).toMatchObject({ field: 'count' });
    expect(await divide(3, '2026-02-30')).toMatchObject({ field: 'from' });
    const [day] = await bank.sql<{ first: string; second: string; third: string }>(
      `select (current_date - 40)::text as first, ((current_date - 40) + interval '1 month')::date::text as second,
         ((current_date - 40) + interval '2 months')::date::text as third`,
    );
    expect(await divide(3, day!.first)).toBe(true);
    const next = async () => {
      const transfer = await bank.instructions(order.orderId);
      return transfer && [transfer.amount, transfer.dueOn, transfer.epc.includes(`EUR${transfer.amount}`)];
    };
    // The first two are overdue.
    expect(await next()).toEqual(['33.33', day!.first, true]);
    await bank.pay(order.reference, '20.00');
    expect(await next()).toEqual(['13.33', day!.second, true]);
    await bank.inside(() => accounts().remind());
    await bank.inside(() => accounts().remind());
    const reminders = (await waiting(order.orderId)).slice(1);
    expect(reminders).toHaveLength(1);
    const { text } = await sent(reminders[0]!.id);
    for (const fact of ['€13.33', '€16.67']) expect(text).toContain(fact);
    await bank.pay(order.reference, '13.33');
    expect(await next()).toEqual(['16.67', day!.third, true]);
    // What is cancelled makes all parts smaller.
    await bank.inside(() => test.app.get(ReservationChangesService).cancel(order.ids[0]!, { reason: 'staff' }));
    expect(await bank.sums(order.orderId)).toEqual({ costs: '25.00', paid: '33.33', back: '8.33' });
    expect(await next()).toBeUndefined();
  });
});
