import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { MailSenderService } from '#notices';
import { CodesService, HolderLinks, ReservationChangesService } from '#tickets';
import type { TenantIdentity } from '#tenancy';
import { book, expectNoDrift, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { OrderForms } from '../support/order-forms.js';
import { readPdf } from '../support/read-pdf.js';
import { openSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { startStripeApp, type StripeApp } from '../support/stripe-app.js';
import { tenantWork } from '../support/tenant-work.js';
import { WaitingLists } from '../support/waiting-list.js';

let test: StripeApp;
let tenant: TenantIdentity;
let sink: SmtpSink;
let forms: OrderForms;
let lists: WaitingLists;

beforeAll(async () => {
  sink = await openSmtpSink();
  const environment = { RATE_PAGES: '100000/min', SMTP_URL: sink.url, MAIL_FROM: 'tickets@example.org' };
  test = await startStripeApp({ environment });
  tenant = await test.newTenant({ language: 'en' });
  forms = new OrderForms(test, tenant);
  lists = new WaitingLists(test, tenant);
  await test.takePayments(tenant);
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(async () => {
  await test.close();
  await sink.close();
});

const { inside, sql } = tenantWork(() => ({ test, tenant }));
const codes = (): CodesService => test.app.get(CodesService);

/** Sends the waiting mails. @returns their texts and HTML */
async function sent(): Promise<{ text: string; html: string }[]> {
  const before = sink.mails.length;
  const rows = await sql<{ id: string }>(`select id from mail where status = 'waiting' order by created_at`);
  for (const { id } of rows) await inside(() => test.app.get(MailSenderService).send(id, { isLast: true }));
  return sink.mails.slice(before).map(({ parsed }) => ({ text: parsed.text ?? '', html: parsed.html || '' }));
}

it.each([
  ['en', 'With the code SAVE-en you saved €5.', 'Code SAVE-EN: you save €5.', 'Code: SAVE-EN (−€5.00)'],
  ['fr', 'Avec le code SAVE-fr, vous avez économisé 5 €.', 'SAVE-FR', 'SAVE-FR (−5,00 €)'],
  ['de', 'Mit dem Code SAVE-de haben Sie 5 € gespart.', 'SAVE-DE', 'SAVE-DE (−5,00 €)'],
  ['es', 'Con el código SAVE-es ha ahorrado 5 €.', 'SAVE-ES', 'SAVE-ES (−5,00 €)'],
] as const)(
  'what a code saved is told in %s: in the mail, on the page of the holder and on the receipt',
  async (language, mail, page, receipt) => {
    const { id } = await newEvent(test, tenant);
    const priceId = await newPrice(test, tenant, id, { amount: '10.00' });
    const { code } = await inside(() => codes().create({ code: `SAVE-${language}`, effect: 'percent', value: '25' }));
    const wanted = { code, quantity: 3, email: 'ada@example.org', language, confirmed: true } as const;
    const made = await book(test, tenant, { id, priceId }, wanted);
    await inside(() => test.app.get(ReservationChangesService).cancelTicket(made.tickets[0]!.id, { reason: 'staff' }));
    const plain = (text: string): string => text.replaceAll(/[\s\u00A0\u202F]+/g, ' ');
    const words = mail.replace(`SAVE-${language}`, code);
    const tickets = (await sent()).find(({ text }) => plain(text).includes(words));
    expect(plain(tickets?.html ?? '')).toContain(words);
    const path = await inside(async () => test.app.get(HolderLinks).pathTo({ reservationId: made.id }));
    expect(plain((await test.on(tenant).get(path).set('Accept-Language', language)).text)).toContain(page);
    const pdf = await readPdf((await test.on(tenant).get(`${path}/receipt.pdf`)).body as Buffer);
    expect(
      plain(
        pdf.pages
          .flat()
          .map(({ text }) => text)
          .join('\n'),
      ),
    ).toContain(receipt);
  },
);

it('an entry of a waiting list keeps its code: the offer uses it, or says that it cannot be used any more', async () => {
  const startsAt = new Date(Date.now() + 3 * 86_400_000);
  const { id, slug } = await newEvent(test, tenant, { capacity: 2, startsAt });
  const priceId = await newPrice(test, tenant, id, { name: 'Entry', amount: '20.00' });
  const sales = [
    await book(test, tenant, { id, priceId }, { confirmed: true }),
    await book(test, tenant, { id, priceId }, { confirmed: true }),
  ];
  const { id: codeId } = await inside(() =>
    codes().create({ code: 'WAIT-25', effect: 'percent', value: '25', maxUses: 1, priceIds: [priceId] }),
  );
  expect((await forms.get(`/event/${slug}?code=wait-25`)).text).toContain('<input type="hidden" name="code" value="WAIT-25"/>');
  const join = (email: string, code: string) =>
    forms.post(`/event/${slug}/wait`, Object.entries({ price: priceId, quantity: '1', email, code }));
  for (const [email, code] of [
    ['one@example.org', 'wait-25'],
    ['two@example.org', 'WAIT-25'],
    ['none@example.org', 'NO-SUCH-CODE'],
  ] as const)
    expect((await join(email, code)).status).toBe(200);
  const entries = await sql<{ id: string; code: string | null }>(
    'select id, code from waiting_entry where event_id = $1 order by created_at',
    [id],
  );
  expect(entries.map(({ code }) => code)).toEqual(['WAIT-25', 'WAIT-25', null]);
  for (const entry of entries) await forms.post(`${await lists.pathTo(entry.id)}/confirm`, []);
  expect((await forms.get(await lists.pathTo(entries[0]!.id))).text).toContain('Your code WAIT-25 is kept');
  await sent();
  for (const sale of sales) await inside(() => test.app.get(ReservationChangesService).cancel(sale.id, { reason: 'staff' }));
  await lists.serve(id);
  expect(await lists.states(id)).toEqual(['offered', 'offered', 'waiting']);
  const pages = [];
  for (const entry of entries.slice(0, 2)) pages.push((await forms.get(await lists.pathTo(entry.id))).text);
  expect(pages[0]).toMatch(/€15[^]*Your code WAIT-25 applies\./);
  expect(pages[1]).toMatch(/€20[^]*Your code WAIT-25 cannot be used any more/);
  const mails = (await sent()).map(({ text }) => text);
  expect(mails.find((text) => text.includes('WAIT-25: it applies'))).toContain('€15');
  expect(mails.find((text) => text.includes('WAIT-25: it cannot be used any more'))).toContain('€20');
  expect(await inside(() => codes().find(codeId))).toMatchObject({ uses: 1, spent: '5.00' });
});
