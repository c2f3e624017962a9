import { randomUUID } from 'node:crypto';
import { EventsService, PricesService, ProductsService, type Event, type NewEvent } from '#catalogue';
import { TenantDb, type TenantIdentity } from '#tenancy';
import { expect } from '@jest/globals';
import type { TestApp } from './test-app.js';

/** The application and the tenant whose public pages a test reads. */
interface Venue {
  readonly test: TestApp;
  readonly venue: TenantIdentity;
}

const day = 86_400_000;

/** A name that the services accept; tests write the complete name directly into the database. */
export function fitting(name: string): string {
  return name.slice(0, 100).toWellFormed().replaceAll('\u0001', ' ').replaceAll('\u000B', ' ');
}

/** The text between the tags, on one line. */
export const wordsOf = (html: string): string => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

/** Unfolds the lines of a calendar and checks the limit of 75 octets (RFC 5545). */
export function unfolded(calendar: string): string[] {
  expect(calendar).toMatch(/\r\n$/);
  const folded = calendar.slice(0, -2).split('\r\n');
  for (const line of folded) {
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(line).not.toMatch(/[\r\n]/);
  }
  return calendar.slice(0, -2).replaceAll('\r\n ', '').split('\r\n');
}

/** The properties of an event in a calendar; fails unless components are properly nested. */
export function calendarEvent(calendar: string, id: string): Record<string, string> {
  const open: string[] = [];
  const events: Record<string, string>[] = [];
  for (const line of unfolded(calendar)) {
    const [, name, value] = /^([A-Z-]+)(?:;[^:]*)?:(.*)$/.exec(line) ?? [];
    expect(`${line} → ${name}`).not.toContain('undefined');
    if (name === 'BEGIN') {
      open.push(value!);
      if (value === 'VEVENT') events.push({});
    } else if (name === 'END') expect(open.pop()).toBe(value);
    else if (open.at(-1) === 'VEVENT') events.at(-1)![name!] = value!;
  }
  expect(open).toEqual([]);
  return events.find(({ UID }) => UID === id)!;
}

/** Fails unless elements are properly nested and everything is escaped. */
export function expectWellFormed(xml: string): void {
  const open: string[] = [];
  const body = xml.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, '');
  expect(body).not.toBe(xml);
  for (const [token, close, name, empty] of body.matchAll(
    /<(\/?)([a-zA-Z:]+)(?:\s+[a-zA-Z:]+="[^"<&]*(?:&(?:amp|lt|gt|quot|#39);[^"<&]*)*")*(\/?)>|[^<]+|</g,
  )) {
    if (name === undefined) {
      expect(token.replace(/&(amp|lt|gt|quot|#39);/g, '')).not.toMatch(/[<&]/);
      // oxlint-disable-next-line no-control-regex
      expect(token).not.toMatch(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/);
    } else if (close) expect(open.pop()).toBe(name);
    else if (!empty) open.push(name);
  }
  expect(open).toEqual([]);
}

/** A French theatre with a profile. */
export function newTheatre(test: TestApp): Promise<TenantIdentity> {
  return test.newTenant({
    name: 'Théâtre du Coin',
    language: 'fr',
    configuration: {
      short_description: 'Au bout de la rue.',
      city: 'Nantes',
      country: 'FR',
      phone: '+33 2 40 00 00 00',
    },
  });
}

/** Creates events and reads public pages. @param now the application and tenant at the time of the call */
export function publicPages(now: () => Venue) {
  /** Stores an event without cleaning its texts, because rows of older versions may contain anything. */
  async function add(input: Partial<NewEvent> = {}, tenant = now().venue): Promise<Event> {
    const { test } = now();
    const texts = { name: `Soir ${randomUUID().slice(0, 8)}`, shortDescription: null, longDescription: null, ...input };
    const made = await test.inside(tenant, () =>
      test.app.get(EventsService).create({
        startsAt: new Date(Date.now() + day),
        ...input,
        name: fitting(texts.name),
        shortDescription: null,
        longDescription: null,
      }),
    );
    await test.database.query(
      `update "${tenant.schemaName}".event set name = $2, short_description = $3, long_description = $4 where id = $1`,
      [made.id, texts.name, texts.shortDescription, texts.longDescription],
    );
    return { ...made, ...texts };
  }

  async function read(path: string, language?: string, tenant = now().venue): Promise<string> {
    const { test } = now();
    const call = test.on(tenant).get(path).buffer(true);
    const { text } = await (language ? call.set('Accept-Language', language) : call).expect(200);
    return text;
  }

  /** Sells a product with these prices for an event; the price named "Caché" is not published. */
  async function sell(event: Event, name: string, prices: Readonly<Record<string, string>>, published = true): Promise<void> {
    const { test, venue } = now();
    await test.inside(venue, async () => {
      const product = await test.app.get(ProductsService).create({ name, category: 'B', published });
      for (const [priceName, amount] of Object.entries(prices)) {
        const input = { productId: product.id, name: priceName, amount, published: priceName !== 'Caché' };
        await test.app.get(PricesService).create(input);
      }
      await test.app.get(TenantDb).transaction((tx) => test.app.get(EventsService).linkProducts(tx, event.id, [product.id]));
    });
  }

  return { add, read, sell };
}
