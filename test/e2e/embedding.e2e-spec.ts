import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { PlaceProfileService } from '#places';
import type { TenantIdentity } from '#tenancy';
import type supertest from 'supertest';
import { newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { OrderForms } from '../support/order-forms.js';
import { newSeries, weekly } from '../support/series.js';
import { startStripeApp, type StripeApp } from '../support/stripe-app.js';

const site = 'https://www.example.org';

let test: StripeApp;
let tenant: TenantIdentity;
let forms: OrderForms;

beforeAll(async () => {
  test = await startStripeApp();
  tenant = await test.newVenue({ language: 'en' });
  forms = new OrderForms(test, tenant);
});
afterAll(() => test.close());

const allow = async (allowedSites: string): Promise<string | null> =>
  (await test.inside(tenant, () => test.app.get(PlaceProfileService).change({ allowedSites }))).allowedSites;
const read = (path: string): supertest.Test => test.on(tenant).get(path).buffer(true);
const ancestorsOf = ({ headers }: supertest.Response): string | undefined =>
  /frame-ancestors ([^;]*)/.exec(String(headers['content-security-policy']))?.[1];
const framed = (path: string): supertest.Test => read(path).set('Sec-Fetch-Dest', 'iframe');

describe('the script for other sites', () => {
  it('is small, speaks the language of the reader, sets no cookie, and may be loaded by every page', async () => {
    await allow('');
    for (const [language, word] of [
      ['en', 'Tickets'],
      ['fr', 'Billets'],
      ['de', 'Tickets'],
      ['es', 'Entradas'],
    ] as const) {
      const { text, headers } = await read('/embed.js').set('Accept-Language', language).set('Origin', site).expect(200);
      expect(Buffer.byteLength(text)).toBeLessThan(10_000);
      expect(gzipSync(text).length).toBeLessThan(4000);
      expect(text).toContain(`"tickets":"${word}"`);
      expect(headers).toMatchObject({
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'cache-control': 'public, max-age=60',
        'content-type': 'text/javascript; charset=utf-8',
      });
      expect(headers['set-cookie']).toBeUndefined();
    }
    const { headers } = await read('/embed.js').expect(200);
    await read('/embed.js').set('If-None-Match', String(headers['etag'])).expect(304);
  });

  it('reads an event as schema.org data, by its slug or id, from every origin', async () => {
    const event = await newEvent(test, tenant, {});
    const moved = await read(`/event/${event.id}.json`).set('Origin', site).expect(301);
    expect(moved.headers['location']).toBe(`/event/${event.slug}.json`);
    const { body, headers } = await test.on(tenant).get(`/event/${event.slug}.json`).set('Origin', site).expect(200);
    expect(headers).toMatchObject({ 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' });
    expect(headers['set-cookie']).toBeUndefined();
    expect(body).toMatchObject({
      identifier: event.id,
      potentialAction: { '@type': 'ReserveAction' },
      offers: [{ price: '12.50', description: '€12.50', availability: 'https://schema.org/InStock' }],
    });
    await read('/event/unknown.json').expect(404);
  });
});

describe('frames of event and order pages', () => {
  it('are refused on all sites, until the venue allows some, and then only on these', async () => {
    await allow('');
    const event = await newEvent(test, tenant, {});
    const priceId = await newPrice(test, tenant, event.id, { amount: '0.00' });
    const page = `/event/${event.slug}`;
    const order = await forms.begin(event.slug, priceId, '1');
    for (const path of [page, order, `${order}/tickets`]) expect(ancestorsOf(await read(path).expect(200))).toBe("'none'");
    expect(await allow(`${site}/tickets?x=1\nhttps://www.EXAMPLE.org; shop.example.net:8443, http://localhost:8000`)).toBe(
      `${site}\nhttps://shop.example.net:8443\nhttp://localhost:8000`,
    );
    const allowed = `'self' ${site} https://shop.example.net:8443 http://localhost:8000`;
    for (const path of [page, order, `${order}/tickets`]) expect(ancestorsOf(await read(path).expect(200))).toBe(allowed);
    expect(ancestorsOf(await forms.choose(event.slug, priceId, '0'))).toBe(allowed);
    for (const path of ['/', '/agenda.json', page.concat('.json')]) expect(ancestorsOf(await read(path).expect(200))).toBe("'none'");
    expect((await read('/embed.js')).text).toContain(JSON.stringify([site, 'https://shop.example.net:8443', 'http://localhost:8000']));
  });

  it('also show problems on the pages of a booking, and no others', async () => {
    await allow('');
    for (const path of ['/event/nothing', '/order/nothing/nothing']) expect(ancestorsOf(await framed(path).expect(404))).toBe("'none'");
    await allow(site);
    await eventually(async () => expect(ancestorsOf(await framed('/event/nothing'))).toBe(`'self' ${site}`));
    const event = await newEvent(test, tenant, {});
    const wrong = test.on(tenant).post(`/event/${event.slug}/book`).set('Origin', 'http://evil.example').type('form').send('price=x');
    for (const answer of [await framed('/order/nothing/nothing').expect(404), await wrong.expect(403)])
      expect(ancestorsOf(answer)).toBe(`'self' ${site}`);
    const shown = await framed('/event/nothing').expect(404);
    expect(shown.text).toContain(`<meta name="guichet-sites" content="${site}"/>`);
    expect(shown.text).toContain('href="/" target="_blank"');
    expect(shown.headers['cache-control']).toBe('no-store');
    for (const path of ['/reservation/nothing/nothing', '/ticket/nothing/nothing', '/places/nothing'])
      expect(ancestorsOf(await framed(path).expect(404))).toBe("'none'");
    expect((await framed('/event/nothing.json').expect(404)).type).toBe('application/problem+json');
  });

  it.each(["https://a.example;script-src 'unsafe-inline'", '*', 'https://*', 'javascript:alert(1)', 'https://[::1]', "'self'", 'data:,x'])(
    'are not allowed for %s',
    async (text) => {
      const before = await allow(site);
      await expect(allow(text)).rejects.toThrow(/addresses of sites|adresses de sites/);
      expect(before).toBe(site);
    },
  );

  it('are allowed for 20 sites at most', async () => {
    const sites = Array.from({ length: 21 }, (_, index) => `https://site-${index}.example`);
    await expect(allow(sites.join('\n'))).rejects.toThrow(/20/);
    expect(await allow(sites.slice(1).join('\n'))).toBe(sites.slice(1).join('\n'));
  });

  it('show a link that leaves the frame for a pass, whose dates are in a cart, and for a donation', async () => {
    await allow(site);
    await test.inside(tenant, () => test.app.get(PlaceProfileService).change({ donations: '5' }));
    const series = await newSeries(test, tenant, weekly(3));
    const { headers } = await test
      .on(tenant)
      .post(`/event/${series.dates[0]!.slug}/book`)
      .set({ Origin: `http://${tenant.host}`, 'Sec-Fetch-Dest': 'iframe' })
      .type('form')
      .send(`price=${series.passId}&quantity=1&amount=`)
      .expect(303);
    const cart = String(headers['location']);
    const inside = await framed(cart).expect(200);
    expect(inside.text).toContain(`<a class="button" href="${cart}" target="_top">`);
    expect(ancestorsOf(inside)).toBe(`'self' ${site}`);
    const outside = await read(cart).expect(200);
    expect([ancestorsOf(outside), outside.text.includes('€24')]).toEqual(["'none'", true]);
    const event = await newEvent(test, tenant, {});
    await eventually(async () => {
      const order = await framed(await forms.begin(event.slug, event.priceId, '1')).expect(200);
      expect(order.text).toMatch(/<form class="order flow" method="post" action="[^"]*\/donation" target="_top">/);
    });
  });

  it('show a link that leaves the frame, where the payment and the tickets come next', async () => {
    await allow(site);
    const event = await newEvent(test, tenant, {});
    const order = await forms.begin(event.slug, event.priceId, '2');
    const sent = await framed(order);
    const fields = [...sent.text.matchAll(/name="ticket" value="([^"]+)"/g)].map(([, id]) => `ticket=${id}`);
    const answer = await test
      .on(tenant)
      .post(order)
      .set({ Origin: `http://${tenant.host}`, 'Sec-Fetch-Dest': 'iframe' })
      .type('form')
      .send([...fields, 'email=ada%40example.org'].join('&'))
      .expect(303);
    expect(answer.headers['location']).toBe(order);
    const paying = await framed(order).expect(200);
    expect(paying.text).toMatch(new RegExp(`<a class="button" href="${test.stripe.url}[^"]*" target="_top">Pay €25</a>`));
    expect(ancestorsOf(paying)).toBe(`'self' ${site}`);
    // Outside of a frame, the same order leads to the holder's page.
    const outside = await read(order).expect(303);
    await test.deliver(test.stripe.pay(test.lastSession().id), tenant);
    const paid = await framed(order).expect(200);
    expect(paid.text).toContain(`<a class="button" href="${outside.headers['location']}" target="_top">Show the tickets</a>`);
    expect(ancestorsOf(await read(String(outside.headers['location'])).expect(200))).toBe("'none'");
  });
});
