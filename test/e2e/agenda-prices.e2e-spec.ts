import { EventsService, PricesService, ProductsService } from '#catalogue';
import { BookingsService } from '#selling';
import { TenantDb, type TenantIdentity } from '#tenancy';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/test-app.js';

const day = 24 * 3_600_000;
let test: TestApp;
let venue: TenantIdentity;

/** An event with a product for each list of amounts. */
async function add(
  name: string,
  products: readonly { category: 'B' | 'F' | 'P'; amounts: readonly string[] }[],
  capacity = 10,
): Promise<string> {
  return test.inside(venue, async () => {
    const { app } = test;
    const event = await app.get(EventsService).create({ name, startsAt: new Date(Date.now() + day), capacity });
    for (const [index, { category, amounts }] of products.entries()) {
      const product = await app.get(ProductsService).create({ name: `${name} ${index}`, category });
      for (const amount of amounts) await app.get(PricesService).create({ productId: product.id, name: `Price ${amount}`, amount });
      await app.get(TenantDb).transaction((tx) => app.get(EventsService).linkProducts(tx, event.id, [product.id]));
    }
    return event.id;
  });
}

interface AgendaEvent {
  readonly name: string;
  readonly url: string;
  readonly startDate: string;
  readonly organizer: { readonly identifier: string; readonly name: string };
  readonly offers?: Readonly<Record<string, unknown>>;
}

async function agenda(): Promise<ReadonlyMap<string, AgendaEvent>> {
  const { body } = await test.on(venue).get('/agenda.json').set('Origin', 'https://elsewhere.example').expect(200);
  const { results } = body as { results: AgendaEvent[] };
  return new Map(results.map((event) => [event.name, event]));
}

/** The list entry of an event, as text. */
async function entry(name: string): Promise<string> {
  const { text } = await test.on(venue).get('/').set('Accept-Language', 'en').expect(200);
  const items = text.split(/<(?:li class="entry|article class="next)/).map((item) => item.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' '));
  return items.find((item) => item.includes(name)) ?? '';
}

beforeAll(async () => {
  test = await startTestApp();
  venue = await test.newTenant({ name: 'Salle Six', language: 'en' });
});
afterAll(() => test.close());

describe('prices in the agenda', () => {
  it('shows the lowest amount of admission, and offers for programs', async () => {
    await add('Two amounts', [
      { category: 'B', amounts: ['12', '8'] },
      { category: 'P', amounts: ['3'] },
    ]);
    await add('One amount', [{ category: 'B', amounts: ['7.50'] }]);
    await add('Free entry', [{ category: 'F', amounts: ['0'] }]);
    await add('Nothing on sale', []);
    await add('First', []);
    expect(await entry('Two amounts')).toContain('From €8');
    expect(await entry('One amount')).toContain('€7.50');
    expect(await entry('Free entry')).toContain('Free');
    expect(await entry('Nothing on sale')).not.toMatch(/€|Free|Sold/);
    const events = await agenda();
    expect(events.get('Two amounts')?.offers).toEqual({
      '@type': 'AggregateOffer',
      description: 'From €8',
      lowPrice: '8.00',
      highPrice: '12.00',
      priceCurrency: 'EUR',
      availability: 'https://schema.org/InStock',
    });
    expect(events.get('Nothing on sale')).not.toHaveProperty('offers');
    expect(events.get('One amount')).toMatchObject({ organizer: { identifier: venue.id, name: 'Salle Six' } });
    expect(events.get('One amount')?.url).toContain('/event/one-amount');
  });

  it('says that an event is sold out as soon as it is, also to clients that keep the page', async () => {
    const id = await add('Small hall', [{ category: 'B', amounts: ['5'] }], 2);
    const before = await test.on(venue).get('/').expect(200);
    expect((await agenda()).get('Small hall')?.offers).toMatchObject({ availability: 'https://schema.org/InStock' });
    await test.inside(venue, async () => {
      const [price] = await test.database.query<{ id: string }>(
        `select p.id from "${venue.schemaName}".price p join "${venue.schemaName}".event_product l using (product_id)
         where l.event_id = $1`,
        [id],
      );
      const tickets = [{ priceId: price?.id as string, quantity: 2 }];
      await test.app.get(BookingsService).book({ eventId: id, email: 'ada@example.org', tickets, confirmed: true, origin: 'api' });
    });
    expect(await entry('Small hall')).toContain('Sold out');
    expect((await agenda()).get('Small hall')?.offers).toMatchObject({ availability: 'https://schema.org/SoldOut' });
    const tag = before.headers['etag'] as string;
    await test.on(venue).get('/').set('If-None-Match', tag).expect(200);
  });

  it('is readable by pages of every site', async () => {
    const { headers } = await test.on(venue).get('/agenda.json').set('Origin', 'https://elsewhere.example').expect(200);
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
  });
});
