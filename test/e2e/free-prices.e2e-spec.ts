import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Language } from '#kernel';
import { PaymentAccountsService } from '#payments';
import type { TenantIdentity } from '#tenancy';
import { expectNoDrift, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { OrderForms } from '../support/order-forms.js';
import { StripeServer } from '../support/stripe-server.js';
import { tenantWork } from '../support/tenant-work.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;
let stripe: StripeServer;
let forms: OrderForms;

beforeAll(async () => {
  stripe = await StripeServer.start();
  test = await startTestApp({ environment: { STRIPE_API_BASE: stripe.url, HELD_TICKETS_PER_NETWORK: '1000', RATE_PAGES: '100000/min' } });
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(async () => {
  await test.close();
  await stripe.stop();
});

const { inside, sql } = tenantWork(() => ({ test, tenant }));

/** An event of a place in this language, with a price of 5.00 or more. */
async function freePrice(language: Language): Promise<{ slug: string; priceId: string }> {
  tenant = await test.newTenant({ language });
  forms = new OrderForms(test, tenant);
  await inside(() => test.app.get(PaymentAccountsService).save({ secretKey: stripe.secretKey, webhookSecret: stripe.webhookSecret }));
  const { id, slug } = await newEvent(test, tenant);
  return { slug, priceId: await newPrice(test, tenant, id, { amount: '5.00', freeAmount: true }) };
}

describe('a free price on the page of an event', () => {
  it.each([
    ['en', '5.00', '7.50', '€7.50'],
    ['fr', '5,00', '7,50', '7,50 €'],
    ['de', '5,00', '7,50', '7,50 €'],
    ['es', '5,00', '7,50', '7,50 €'],
  ] as const)('is shown and read with the decimal mark of the language: %s', async (language, least, written, total) => {
    const { slug, priceId } = await freePrice(language);
    const amountIn = (html: string): string | undefined => new RegExp(`id="a-${priceId}"[^>]*? value="([^"]*)"`).exec(html)?.[1];
    expect(amountIn((await forms.get(`/event/${slug}`)).text)).toBe(least);
    for (const [typed, stored] of [
      [written, '7.50'],
      [written.slice(0, -1), '7.50'],
      ['7.50', '7.50'],
      ['7', '7.00'],
      [least, '5.00'],
    ] as const) {
      const path = await forms.begin(slug, priceId, '2', { amount: typed });
      const tickets = await sql('select amount::text from ticket where reservation_id = $1', [path.split('/')[2]]);
      expect([typed, tickets]).toEqual([typed, [{ amount: stored }, { amount: stored }]]);
    }
    const path = await forms.begin(slug, priceId, '1', { amount: written });
    expect((await forms.get(path)).text.replaceAll(/\s/g, ' ')).toContain(total);
    expect(amountIn((await forms.get(`${path}/tickets`)).text)).toBe(written);
  });

  it('has a label for each item of goods and for each ticket', async () => {
    const { slug, priceId } = await freePrice('en');
    const [{ id } = { id: '' }] = await sql<{ id: string }>('select id from event where slug = $1', [slug]);
    const poster = await newPrice(test, tenant, id, { amount: '0.00', freeAmount: true }, 'T');
    const { text } = await forms.get(`/event/${slug}`);
    const labelOf = (price: string) => new RegExp(`id="m-${price}">([^<]*)<`).exec(text)?.[1];
    expect([labelOf(priceId), labelOf(poster)]).toEqual(['Your amount for each ticket, in € (from €5)', 'Your amount for each item, in €']);
  });

  it.each([
    ['de', 'Geben Sie einen Betrag ein, zum Beispiel 12,50.', 'Geben Sie mindestens 5 € ein.'],
    ['es', 'Escriba un importe, por ejemplo 12,50.', 'Escriba al menos 5 €.'],
  ] as const)('refuses what is no amount with at most one decimal mark or too low, and keeps it: %s', async (language, sentence, least) => {
    const { slug, priceId } = await freePrice(language);
    for (const typed of ['1.250,00', '1,250.00', '1.250', '7,505', '7,5,0', '-7,50', '7,50 €', 'x']) {
      const refused = await forms.choose(slug, priceId, '1', { amount: typed });
      expect([typed, refused.status]).toEqual([typed, 422]);
      expect(refused.text).toContain(`value="${typed}"`);
      expect(refused.text).toContain(`<a href="#a-${priceId}">${sentence}`);
    }
    const low = await forms.choose(slug, priceId, '1', { amount: '4,99' });
    expect([low.status, low.text.replaceAll('\u00a0', ' ').includes(`<a href="#a-${priceId}">${least}`)]).toEqual([422, true]);
    expect(await sql('select 1 from reservation')).toEqual([]);
  });
});
