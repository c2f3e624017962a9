import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { RefusedInputs } from '#kernel';
import { PlaceProfileService } from '#places';

import type { TenantIdentity } from '#tenancy';
import { book, expectNoDrift, newPrice } from '../support/booking.js';
import { freeEvent } from '../support/cart-forms.js';
import { OrderForms } from '../support/order-forms.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;
let forms: OrderForms;

beforeAll(async () => {
  test = await startTestApp({ environment: { RATE_PAGES: '100000/min' } });
  tenant = await test.newTenant({ language: 'en' });
  forms = new OrderForms(test, tenant);
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(() => test.close());

const showFrom = (fewLeft: number): Promise<unknown> => test.inside(tenant, () => test.app.get(PlaceProfileService).change({ fewLeft }));
const leftOn = async (slug: string): Promise<string | undefined> => /\b\d+ left\b/.exec((await forms.get(`/event/${slug}`)).text)?.[0];

describe('the number of tickets that are left', () => {
  it('is shown on the page of an event from the number that the venue has set', async () => {
    const event = await freeEvent(test, tenant, 6);
    await showFrom(5);
    expect(await leftOn(event.slug)).toBeUndefined();
    await book(test, tenant, event, { quantity: 1, confirmed: true });
    expect(await leftOn(event.slug)).toBe('5 left');
    await showFrom(4);
    expect(await leftOn(event.slug)).toBeUndefined();
    await showFrom(100);
    expect(await leftOn(event.slug)).toBe('5 left');
  });

  it('is never shown with 0, also not for the last ticket', async () => {
    const event = await freeEvent(test, tenant, 1);
    await showFrom(1);
    expect(await leftOn(event.slug)).toBe('1 left');
    await showFrom(0);
    expect(await leftOn(event.slug)).toBeUndefined();
  });

  it('does not limit goods without a stock', async () => {
    const event = await freeEvent(test, tenant, 6);
    await newPrice(test, tenant, event.id, { name: 'Poster', amount: '0.00' }, 'T');
    const { text } = await forms.get(`/event/${event.slug}`);
    expect([...text.matchAll(/name="quantity"[^>]* max="(\d+)"/g)].map(([, most]) => Number(most))).toEqual([6, 100]);
  });

  it.each([-1, 1.5, 101, Number.NaN])('cannot be set to %d', async (number) => {
    await expect(showFrom(number)).rejects.toThrow(RefusedInputs);
  });
});
