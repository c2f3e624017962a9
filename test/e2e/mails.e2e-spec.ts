import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HolderLinks, Memberships } from '#booking';
import { Prices, Products } from '#catalogue';
import { JobRunner, type TenantIdentity } from '#tenancy';
import { book } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { readPdf } from '../support/read-pdf.js';
import { openSmtpSink, type SmtpSink, type TakenMail } from '../support/smtp-sink.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let post: SmtpSink;
let tenant: TenantIdentity;

beforeAll(async () => {
  post = await openSmtpSink();
  test = await startTestApp({ environment: { SMTP_URL: post.url } });
  test.app.get(JobRunner).start();
  tenant = await test.newTenant();
});
afterAll(async () => {
  await test.close();
  await post.close();
});

const inside = <Result>(work: () => Promise<Result>): Promise<Result> => test.inside(tenant, work);

/** The first mail to an address. */
async function mailTo(email: string, is: (mail: TakenMail) => boolean = () => true): Promise<TakenMail> {
  for (const end = Date.now() + 30_000; ;) {
    const mail = post.mails.find((one) => one.to.includes(email) && is(one));
    if (mail) return mail;
    if (Date.now() > end) throw new Error(`No mail to ${email}`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

function attachment({ parsed }: TakenMail, mimeType: string): Buffer {
  const found = parsed.attachments.find((one) => one.mimeType === mimeType);
  if (!found) throw new Error(`No ${mimeType}`);
  return Buffer.from(found.content as ArrayBuffer);
}

describe('the PDF of a mail', () => {
  it('is tagged, in the language of the buyer, and has the letters of each name', async () => {
    const event = await newEvent(test, tenant, { name: `秋のコンサート ${randomUUID().slice(0, 8)}` });
    const email = `${randomUUID()}@example.org`;
    const holders = [{ firstName: '小明', lastName: '王' }, { firstName: 'مريم', lastName: 'العلي' }]; // prettier-ignore
    const tickets = [{ priceId: event.priceId, quantity: 2, holders }];
    await book(test, tenant, event, { email, language: 'en', tickets, confirmed: true });
    const { isTagged, language, pages } = await readPdf(attachment(await mailTo(email), 'application/pdf'));
    expect([isTagged, language, pages.length]).toEqual([true, 'en', 2]);
    expect(pages[0]!.find(({ role }) => role === 'H1')?.text).toBe(event.name);
    expect(pages[0]!.map(({ text }) => text)).toContain('小明 王');
    expect(pages[1]!.map(({ alt }) => alt)).toEqual(expect.arrayContaining(['مريم العلي', 'QR code of ticket 2 of 2']));
  });

  it('is a membership card, too, which the page of its holder gives as long as it is valid', async () => {
    const product = await inside(() => test.app.get(Products).create({ name: `Friends ${randomUUID()}`, category: 'A' })); // prettier-ignore
    const { id: priceId } = await inside(() => test.app.get(Prices).create({ productId: product.id, name: 'Year', amount: '0' })); // prettier-ignore
    const email = `${randomUUID()}@example.org`;
    const { id } = await inside(() => test.app.get(Memberships).create({ priceId, email, firstName: '김철수' }));
    const mailed = await readPdf(attachment(await mailTo(email), 'application/pdf'));
    expect([mailed.isTagged, mailed.pages.length]).toEqual([true, 1]);

    const page = await inside(() => Promise.resolve(test.app.get(HolderLinks).pathTo({ membershipId: id })));
    expect((await test.on(tenant).get(page).expect(200)).text).toContain(`${page}/card.pdf`);
    const { body, headers } = await test.on(tenant).get(`${page}/card.pdf`).expect(200).expect('Content-Type', 'application/pdf'); // prettier-ignore
    expect(headers['cache-control']).toBe('no-store');
    expect((await readPdf(body as Buffer)).pages[0]!.map(({ text }) => text)).toContain('김철수');

    await inside(() => test.app.get(Memberships).cancel(id));
    await test.on(tenant).get(`${page}/card.pdf`).expect(404);
  });
});
