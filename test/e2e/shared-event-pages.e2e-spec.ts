import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { EventsService, PricesService } from '#catalogue';
import { PublicEventsService } from '#pages';
import type { TenantIdentity } from '#tenancy';
import { newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { OrderForms } from '../support/order-forms.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;
let forms: OrderForms;
const find = jest.spyOn(PublicEventsService.prototype, 'find');

beforeAll(async () => {
  test = await startTestApp({ environment: { RATE_PAGES: '100000/min' } });
  tenant = await test.newTenant({ language: 'en' });
  forms = new OrderForms(test, tenant);
});
beforeEach(() => void find.mockClear());
afterAll(() => test.close());

async function freeEvent(salesFrom: Date | null = null): Promise<{ id: string; slug: string; priceId: string }> {
  const event = await newEvent(test, tenant);
  await test.inside(tenant, () => test.app.get(PricesService).update(event.priceId, { published: false }));
  const priceId = await newPrice(test, tenant, event.id, { name: 'Entry', amount: '0.00', salesFrom });
  return { id: event.id, slug: event.slug, priceId };
}

const rename = (id: string, name: string): Promise<unknown> => test.inside(tenant, () => test.app.get(EventsService).update(id, { name }));

describe('the page of an event', () => {
  it('is read for a few readers each time, so that they see a change at once', async () => {
    const { id, slug } = await freeEvent();
    for (const name of ['Early', 'Late']) {
      await rename(id, name);
      expect((await forms.get(`/event/${slug}`)).text).toContain(`${name}</h1>`);
    }
    expect(find).toHaveBeenCalledTimes(2);
  });

  // Verified to read 300 times without the shared readings.
  it('is read a few times a second for many readers, in each language', async () => {
    const { id, slug } = await freeEvent();
    const begun = performance.now();
    const pages = await Promise.all(
      Array.from({ length: 300 }, (_, index) => forms.get(`/event/${slug}?language=${index % 2 === 0 ? 'en' : 'fr'}`)),
    );
    const seconds = (performance.now() - begun) / 1000;
    expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([200]));
    expect(find.mock.calls.length).toBeLessThan(50 + seconds * 25);
    const written = pages.map(({ text }) => text);
    expect(written.every((text, index) => text.includes(`<html lang="${index % 2 === 0 ? 'en' : 'fr'}"`))).toBe(true);
    // Readers see a change about a second later, while many read.
    await rename(id, 'Renamed');
    const until = performance.now() + 2000;
    while (performance.now() < until) await Promise.all(Array.from({ length: 10 }, () => forms.get(`/event/${slug}`)));
    expect((await forms.get(`/event/${slug}`)).text).toContain('Renamed</h1>');
  });

  // Verified to read 300 times without the shared readings.
  it('shares its readings with its data for pages of other sites', async () => {
    const { slug } = await freeEvent();
    const begun = performance.now();
    const answers = await Promise.all(Array.from({ length: 300 }, () => forms.get(`/event/${slug}.json`)));
    const seconds = (performance.now() - begun) / 1000;
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(find.mock.calls.length).toBeLessThan(Math.min(50 + seconds * 25, 290));
  });

  it('opens its sale in time for many readers', async () => {
    const opens = new Date(Date.now() + 2500);
    const { slug } = await freeEvent(opens);
    const seen: { asked: number; answered: number; isOpen: boolean }[] = [];
    while (Date.now() < opens.getTime() + 700) {
      const asked = Date.now();
      const pages = await Promise.all(Array.from({ length: 10 }, () => forms.get(`/event/${slug}`)));
      const answered = Date.now();
      for (const { text } of pages) seen.push({ asked, answered, isOpen: text.includes('name="quantity"') });
    }
    expect(seen.some(({ isOpen }) => !isOpen)).toBe(true);
    const early = ({ answered, isOpen }: (typeof seen)[number]): boolean => isOpen && answered < opens.getTime() - 500;
    const late = ({ asked, isOpen }: (typeof seen)[number]): boolean => !isOpen && asked > opens.getTime() + 500;
    expect(seen.filter((one) => early(one) || late(one))).toEqual([]);
  });
});
