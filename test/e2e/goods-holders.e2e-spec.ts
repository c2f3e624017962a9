import { EventsService, PricesService, ProductsService } from '#catalogue';
import { TenantDb } from '#tenancy';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { newEvent } from '../support/builders.js';
import { wordsOf } from '../support/public-pages.js';
import { person, ticketLinkIn, TransferVenue } from '../support/ticket-transfers.js';

const at = new TransferVenue();
const { codeOf, deliver, give, inside, mailTo, sold, sql } = at;
let goods: { readonly id: string; readonly priceId: string };

beforeAll(async () => {
  const { id } = await newEvent(at.test, at.venue, { name: 'Bal', startsAt: new Date(Date.now() + 30 * 86_400_000) });
  goods = await inside(async () => {
    const product = await at.test.app.get(ProductsService).create({ name: 'T-shirt', category: 'T' });
    const price = await at.test.app.get(PricesService).create({ productId: product.id, name: 'M', amount: '15.00', vat: 'VG' });
    await at.test.app.get(TenantDb).transaction((tx) => at.test.app.get(EventsService).linkProducts(tx, id, [product.id]));
    return { id, priceId: price.id };
  });
});

const main = async (path: string, language = 'en', status = 200): Promise<string> => {
  const { text } = await at.test.on(at.venue).get(path).set('Accept-Language', language).expect(status);
  return wordsOf(/<main[\s\S]*<\/main>/.exec(text)![0]);
};

const handOut = (code: string) =>
  at.test.on(at.venue).post('/scan/fulfil/').set('Authorization', at.gate.authorization).send({ qrcode_data: code });

describe('goods on the page of their holder', () => {
  it.each([
    ['en', /tickets?\b|\bplaces?\b/i],
    ['fr', /billet|(?<!sur )\bplaces?\b/i],
    ['de', /ticket|\bPl[aä]tze?\b/i],
    ['es', /entrada|plaza/i],
  ])('are items in each form and in each refusal (%s)', async (language, ticket) => {
    const { id, path, tickets, ticketPaths } = await sold(2, goods);
    const forms = ['rename', 'transfer', 'cancel'];
    for (const form of forms) expect(await main(`${ticketPaths[0]}/${form}`, language)).not.toMatch(ticket);
    expect(await main(`${path}/cancel`, language)).not.toMatch(ticket);
    await handOut(await codeOf(id, tickets[0]!.id)).expect(200);
    for (const form of forms) expect(await main(`${ticketPaths[0]}/${form}`, language, 409)).not.toMatch(ticket);
    expect(await main(path, language)).not.toMatch(ticket);
    await sql(`update {tenant}.ticket set status = 'R' where id = $1`, [tickets[1]!.id]);
    expect(await main(path, language)).not.toMatch(ticket);
    await sql(`update {tenant}.ticket set status = 'K' where id = $1`, [tickets[1]!.id]);
  });

  it('have no name to change before they are given to somebody, whose code hands them out', async () => {
    const { id, path, tickets, ticketPaths } = await sold(1, goods);
    const old = await codeOf(id, tickets[0]!.id);
    const links = (await at.forms.get(path)).text;
    expect([links.includes('/transfer"'), links.includes('/rename"')]).toEqual([true, false]);
    const to = person();
    expect((await give(ticketPaths[0]!, to)).status).toBe(303);
    const own = await give(ticketPaths[0]!, to);
    expect(own.status).toBe(303);
    expect((await handOut(old).expect(400)).body.reason).toBe('revoked');
    await deliver(id);
    const mail = mailTo(to['email']!)!;
    expect(mail.subject).toBe('An item for you: Bal');
    expect(mail.attachments.map(({ filename }) => filename)).toContain(`codes-${id.slice(0, 8).toUpperCase()}.pdf`);
    const link = ticketLinkIn(mail.text);
    const page = await at.forms.get(link);
    for (const text of ['Your item', 'Bob Roy', '/rename"']) expect(page.text).toContain(text);
    expect(await main(`${link}/rename`)).toContain('shown where items are handed out');
    const same = await give(link, to);
    expect([same.status, same.text.includes('This person already has the item.')]).toEqual([422, true]);
    const seller = (
      await sql<{ recipient: string }>(`select recipient from {tenant}.mail where reservation_id = $1 and kind = 'ticket-given'`, [id])
    )[0]!;
    expect(mailTo(seller.recipient)!.subject).toBe('Your item was given on: Bal');
    await handOut(await codeOf(id, tickets[0]!.id)).expect(200);
    expect(await main(link)).toContain('Handed out');
  });

  it('is cancelled with a mail about an item', async () => {
    const { id, ticketPaths } = await sold(2, goods);
    expect((await at.forms.post(`${ticketPaths[0]}/cancel`, [])).status).toBe(303);
    await deliver(id);
    const mail = at.post.mails.findLast(({ parsed }) => parsed?.subject === 'Item cancelled: Bal')?.parsed;
    expect(mail?.text).toContain('The rest of your order stays valid.');
    expect(mail?.text).not.toMatch(/ticket\b/i);
  });
});
