import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { MailSenderService } from '#notices';
import { HolderLinks, ReservationChangesService } from '#tickets';
import { ArrivedMoneyService, BankEntriesService, BankTransfersService } from '#transfers';
import type { TenantIdentity } from '#tenancy';
import { deutscheBankCamt, kbcCsv, sparkasseCamt, sparkasseCsv } from '../support/bank-files.js';
import { expectNoDrift } from '../support/booking.js';
import { bankOrders, idOf, line } from '../support/bank-orders.js';
import { staffOf } from '../support/panel-staff.js';
import { openSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const day = 24 * 3_600_000;

let test: TestApp;
let tenant: TenantIdentity;
let bank: Awaited<ReturnType<typeof bankOrders>>;
let post: SmtpSink;

beforeAll(async () => {
  post = await openSmtpSink();
  test = await startTestApp({ environment: { SMTP_URL: post.url, RATE_PAGES: '100000/min', HELD_TICKETS_PER_NETWORK: '1000' } });
  tenant = await test.newTenant({ language: 'en', timeZone: 'Europe/Paris' });
  bank = await bankOrders(test, tenant);
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(async () => {
  await test.close();
  await post.close();
});

const plain = (text: string): string => text.replace(/<[^>]*>|[\u2060]/g, '').replace(/[\u00A0\u202F]/g, ' ');

describe('an order to pay by bank transfer', () => {
  it('says account, amount and reference on the page, in the mail and as PDF, and keeps its places', async () => {
    const event = await bank.paidEvent();
    const path = await bank.forms.begin(event.slug, event.priceId, '2');
    expect(plain((await bank.forms.get(path)).text)).toContain('You pay by bank transfer');
    expect((await bank.forms.complete(path, { email: 'zoe@example.org', payment: 'transfer' })).status).toBe(303);
    const id = idOf(path);
    expect(plain((await bank.forms.get(path)).text)).toContain('Once you have confirmed, you get the bank details. Transfer €25');
    const linkOf = (version: number) =>
      bank.inside(() => Promise.resolve(test.app.get(HolderLinks).pathTo({ reservationId: id }, version)));
    const [unconfirmed] = await bank.sql<{ first: number }>('select link_version as first from reservation where id = $1', [id]);
    const asks = plain((await bank.forms.get(await linkOf(unconfirmed!.first))).text);
    expect(asks).toContain('You then get the bank details: transfer the amount on');
    expect(asks).not.toContain('at the venue');
    expect((await bank.forms.get(`${await linkOf(unconfirmed!.first)}/transfer.pdf`)).status).toBe(404);
    await bank.inside(() => test.app.get(ReservationChangesService).verify(id));
    const transfer = (await bank.instructions(id))!;
    const [row] = await bank.sql<{ expires: Date; link: number }>(
      'select expires_at as expires, link_version as link from reservation where id = $1',
      [id],
    );
    // Held until the end of the next working day.
    expect(row!.expires.getTime()).toBeGreaterThan(new Date(`${transfer.dueOn}T00:00:00Z`).getTime() + day);
    expect(row!.expires.getTime()).toBeLessThan(new Date(`${transfer.dueOn}T00:00:00Z`).getTime() + 4 * day);
    const link = await linkOf(row!.link);
    const { text } = await bank.forms.get(link);
    // Not in a ticket, whose code is wider than its text.
    expect(text).toMatch(/<\/dl><div class="code" role="img"/);
    const page = plain(text);
    for (const fact of ['DE89 3704 0044 0532 0130 00', 'COBADEFFXXX', transfer.reference, transfer.creditorReference, '€25'])
      expect(page).toContain(fact);
    const pdf = await bank.forms.get(`${link}/transfer.pdf`);
    expect([pdf.status, pdf.headers['content-type']]).toEqual([200, 'application/pdf']);
    expect(transfer.epc.split('\n')).toEqual([
      'BCD',
      '002',
      '1',
      'SCT',
      'COBADEFFXXX',
      'Le Lieu',
      'DE89370400440532013000',
      'EUR25.00',
      '',
      transfer.creditorReference,
    ]);

    const [mail] = await bank.sql<{ id: string }>(
      `select id from mail where reservation_id = $1 and kind = 'pay-at-venue' and status = 'waiting'`,
      [id],
    );
    await bank.inside(() => test.app.get(MailSenderService).send(mail!.id, { isLast: true }));
    const { parsed } = post.mails.at(-1)!;
    expect(parsed.subject).toContain('Reserved, payable by bank transfer');
    for (const fact of [transfer.reference, 'DE89 3704 0044 0532 0130 00']) expect(parsed.text).toContain(fact);
    expect(parsed.attachments).toHaveLength(2);

    // Two days before the deadline, once.
    await bank.sql(`update bank_transfer set due_on = current_date + 2, created_at = now() - interval '3 days' where order_id = $1`, [id]);
    await bank.inside(() => test.app.get(BankTransfersService).remind());
    await bank.inside(() => test.app.get(BankTransfersService).remind());
    const reminders = await bank.sql(`select id from mail where reservation_id = $1 and kind = 'pay-at-venue' and status = 'waiting'`, [
      id,
    ]);
    expect(reminders).toHaveLength(1);
  });

  it('is not offered when too little time is left', async () => {
    const soon = await bank.paidEvent({ startsAt: new Date(Date.now() + 5 * day) });
    expect((await bank.forms.choose(soon.slug, soon.priceId, '1')).status).toBe(422);
  });
});

describe('an uploaded statement', () => {
  it('pays the order that it names, once, whatever files have the entry', async () => {
    const event = await bank.paidEvent();
    const { id, transfer } = await bank.ordered(event);
    const lines = [line(`Tickets ${transfer.reference} danke`, '25.00')];
    expect(await bank.upload(sparkasseCamt(lines))).toMatchObject({ entries: 1, added: 1, findings: { exact: 1 } });
    expect(await bank.statusOf(id)).toMatch(/^[PV]/);
    expect(await bank.ledgerOf(id)).toEqual([
      { kind: 'payment', provider: 'transfer', method: 'transfer', status: 'paid', amount: '25.00' },
    ]);
    // The same file, and the same entry in a longer one.
    expect(await bank.upload(sparkasseCamt(lines))).toMatchObject({ added: 0 });
    expect(await bank.upload(sparkasseCamt([...lines, line('rent', '700.00')]))).toMatchObject({
      entries: 2,
      added: 1,
      findings: { none: 1 },
    });
    expect(await bank.ledgerOf(id)).toHaveLength(1);
    expect(await bank.instructions(id)).toBeUndefined();
  });

  it('pays once when ten files with it are uploaded at once', async () => {
    const event = await bank.paidEvent();
    const { id, transfer } = await bank.ordered(event);
    const other = await bank.ordered(event);
    // The same entry in other files, and another entry for the same order.
    const files = Array.from({ length: 10 }, (_, index) =>
      index % 2 === 0
        ? sparkasseCsv([line(`${transfer.reference} at once`, '25.00'), line(`nothing ${index} ${id}`, '1.00')])
        : kbcCsv([
            line(`${transfer.creditorReference} number ${index}`, '25.00', { day: `2026-11-1${index}` }),
            line(`${other.transfer.reference} once`, '25.00'),
          ]),
    );
    await Promise.all(files.map((file) => bank.upload(file)));
    expect(await bank.ledgerOf(id)).toHaveLength(1);
    expect(await bank.ledgerOf(other.id)).toHaveLength(1);
    const twice = await bank.sql<{ finding: string }>(`select finding from bank_entry where text like '%number%' or text like '%at once%'`);
    // The entry that five files have is stored once.
    expect(twice).toHaveLength(6);
    expect(twice.filter(({ finding }) => finding === 'exact')).toHaveLength(1);
    expect(twice.filter(({ finding }) => finding === 'paid').length).toBe(5);
  });

  it('waits for what is missing, and pays back what is too much', async () => {
    const event = await bank.paidEvent();
    const { id, transfer } = await bank.ordered(event);
    await bank.upload(sparkasseCamt([line(`${transfer.reference} first part`, '20.00')], 2));
    expect(await bank.statusOf(id)).toBe('R');
    expect(await bank.instructions(id)).toMatchObject({ amount: '5.00', received: '20.00' });
    expect(await bank.upload(sparkasseCamt([line(`${transfer.reference} second part`, '7.50')], 3))).toMatchObject({
      findings: { over: 1 },
    });
    expect(await bank.statusOf(id)).toMatch(/^[PV]/);
    expect((await bank.ledgerOf(id)).map(({ amount }) => amount)).toEqual(['25.00']);
    expect(await bank.entryOf('second part')).toMatchObject({ state: 'refund_due', excess: '2.50' });
  });

  it('pays back a part of an order that waits no more, and pays an order that costs less meanwhile', async () => {
    const event = await bank.paidEvent();
    const [over, venue, less, waiting] = [
      await bank.ordered(event),
      await bank.ordered(event),
      await bank.ordered(event),
      await bank.ordered(event),
    ];
    const parts = { over: '20.00', venue: '15.00', less: '14.00', waiting: '9.00' };
    const all = Object.entries({ over, venue, less, waiting });
    const lines = all.map(([name, { transfer }]) => line(`${transfer.reference} part ${name}`, parts[name as keyof typeof parts]));
    await bank.upload(sparkasseCamt(lines, 9));
    const changes = test.app.get(ReservationChangesService);
    await bank.inside(() => changes.cancel(over.id, { reason: 'staff' }));
    await bank.inside(() => changes.confirm(venue.id));
    const [ticket] = await bank.sql<{ id: string }>('select id from ticket where reservation_id = $1 limit 1', [less.id]);
    await bank.inside(() => changes.cancelTickets(less.id, [ticket!.id], { reason: 'staff' }));
    // The task of two programs at once.
    await Promise.all([1, 2, 3].map(() => bank.inside(() => test.app.get(ArrivedMoneyService).settle())));
    expect(await bank.entryOf('part over')).toMatchObject({ state: 'refund_due', excess: '20.00', finding: 'paid', suggested: over.id });
    expect(await bank.entryOf('part venue')).toMatchObject({ state: 'refund_due', excess: '15.00' });
    expect((await bank.ledgerOf(venue.id)).map(({ provider, amount }) => `${provider} ${amount}`)).toEqual(['venue 25.00']);
    expect(await bank.entryOf('part less')).toMatchObject({ state: 'refund_due', excess: '1.50', finding: 'over' });
    expect(await bank.statusOf(less.id)).toMatch(/^[PV]/);
    expect((await bank.ledgerOf(less.id)).map(({ provider, amount }) => `${provider} ${amount}`)).toEqual(['transfer 12.50']);
    expect(await bank.entryOf('part waiting')).toMatchObject({ state: 'matched', excess: '0.00' });
    expect(await bank.instructions(waiting.id)).toMatchObject({ received: '9.00' });
    await bank.sql(`update bank_entry set state = 'refunded' where state = 'refund_due' and text like '%part %'`);
  });

  it('pays several orders when the sum is right, and none when it is not', async () => {
    const event = await bank.paidEvent();
    const [one, two, three] = [await bank.ordered(event), await bank.ordered(event), await bank.ordered(event)];
    const all = `${one.transfer.reference} + ${two.transfer.reference}`;
    expect(await bank.upload(sparkasseCamt([line(`${all} wrong`, '49.00')], 4))).toMatchObject({ findings: { sum: 1 } });
    expect(
      await bank.upload(deutscheBankCamt([line(`${all} right`, '50.00'), line(three.transfer.creditorReference, '25.00')], 4)),
    ).toMatchObject({
      findings: { several: 1, exact: 1 },
    });
    for (const { id } of [one, two, three]) expect(await bank.statusOf(id)).toMatch(/^[PV]/);
  });

  it('leaves to staff what another file perhaps has already, and what came to another account', async () => {
    const event = await bank.paidEvent();
    const [twin, other] = [await bank.ordered(event), await bank.ordered(event)];
    const part = line(`${twin.transfer.reference} twin`, '11.00', { day: '2026-11-20' });
    // In CAMT and in CSV, at once: the order is locked before they are compared.
    const reports = await Promise.all([bank.upload(sparkasseCamt([part], 10)), bank.upload(sparkasseCsv([part]))]);
    const findings = reports.flatMap((report) => Object.keys(report.findings));
    expect(findings.toSorted()).toEqual(['twin', 'under']);
    expect(await bank.instructions(twin.id)).toMatchObject({ received: '11.00' });
    // A CSV file of other columns that says the same.
    expect(await bank.upload(kbcCsv([part]))).toMatchObject({ added: 0 });
    const elsewhere = sparkasseCamt([line(other.transfer.reference, '25.00')], 11).toString();
    const bytes = Buffer.from(elsewhere.replace('DE89370400440532013000', 'BE68539007547034'));
    expect(await bank.upload(bytes)).toMatchObject({ findings: { account: 1 } });
    expect(await bank.ledgerOf(other.id)).toEqual([]);
  });

  it('lists what is only probable, other currencies and nothing known, for staff to settle once', async () => {
    const event = await bank.paidEvent();
    const [near, named] = [await bank.ordered(event), await bank.ordered(event, 'Zoé Müller')];
    const typo = near.transfer.reference.replace(/.$/, '8');
    const report = await bank.upload(
      sparkasseCamt(
        [
          line(`typo ${typo}`, '25.00'),
          line('by name', '25.00', { name: 'MUELLER; Müller Zoe' }),
          line(`${near.transfer.reference} dollars`, '25.00', { currency: 'USD' }),
          line('who knows', '11.00'),
          line('spent', '-3.00'),
        ],
        5,
      ),
    );
    expect(report).toMatchObject({ findings: { almost: 1, name: 1, currency: 1, none: 1, debit: 1 } });
    const [almost, byName, unknown] = [await bank.entryOf('typo'), await bank.entryOf('by name'), await bank.entryOf('who knows')];
    expect([almost.suggested, byName.suggested]).toEqual([near.id, named.id]);
    const entries = test.app.get(BankEntriesService);
    // Five people settle the same entry at once.
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => bank.inside(() => entries.assign(almost.id, near.id))));
    expect(outcomes.toSorted()).toEqual(['gone', 'gone', 'gone', 'gone', 'paid']);
    expect(await bank.ledgerOf(near.id)).toHaveLength(1);
    expect(await bank.inside(() => entries.ignore(unknown.id, 'not ours'))).toBe(true);
    expect(await bank.inside(() => entries.ignore(unknown.id, 'again'))).toBe(false);
    const dollars = await bank.entryOf('dollars');
    expect(await bank.inside(() => entries.assign(dollars.id, named.id))).toBe('gone');
    expect(await bank.inside(() => entries.payUnseen(named.id))).toBe('paid');
    expect(await bank.inside(() => entries.payUnseen(named.id))).toBe('gone');
  });

  it('lists the event and the booking of an order, and what was transferred, with or without a statement', async () => {
    const event = await bank.paidEvent({ name: 'Small hours' });
    const [unseen, seen, part] = [await bank.ordered(event), await bank.ordered(event), await bank.ordered(event)];
    await bank.inside(() => test.app.get(BankEntriesService).payUnseen(unseen.id));
    const lines = [line(seen.transfer.reference, '25.00'), line(part.transfer.reference, '10.00')];
    await bank.upload(sparkasseCamt(lines, 12));
    const staff = await staffOf(test, tenant);
    const listed = await staff.list('bank-transfers', { perPage: '100' });
    const shown = [unseen, seen, part].map(({ id }) => {
      const { params } = listed.records!.find((record) => record.id === id)!;
      return ['event', 'reservationId', 'missing', 'received', 'open'].map((name) => params[name]);
    });
    expect(shown).toEqual([
      ['Small hours', unseen.id, '0.00', '25.00', false],
      ['Small hours', seen.id, '0.00', '25.00', false],
      ['Small hours', part.id, '15.00', '10.00', true],
    ]);
  });

  it('shows its account from the lists and the first steps', async () => {
    const staff = await staffOf(test, tenant);
    const iban = expect.objectContaining({ value: 'DE89 3704 0044 0532 0130 00' });
    for (const list of ['bank-entries', 'bank-transfers', 'payment-account'])
      expect((await staff.page(list, 'transferAccount')).view).toMatchObject({ fields: expect.arrayContaining([iban]) });
    const { text } = await staff.call('get', '/welcome');
    expect(text).toContain('/admin/resources/bank-entries/actions/transferAccount');
  });

  it('names an order whose places were sold meanwhile as too late', async () => {
    const event = await bank.paidEvent({ capacity: 2 });
    const late = await bank.ordered(event);
    await bank.sql(`update reservation set expires_at = now() - interval '1 minute' where id = $1`, [late.id]);
    await bank.ordered(event);
    expect(await bank.upload(sparkasseCamt([line(`${late.transfer.reference} late`, '25.00')], 6))).toMatchObject({
      findings: { late: 1 },
    });
    expect(await bank.ledgerOf(late.id)).toEqual([]);
    expect(await bank.entryOf('late')).toMatchObject({ state: 'open', suggested: late.id });
  });
});
