import { CartVerificationService } from '#selling';
import { HolderLinks, ReservationChangesService } from '#tickets';
import type { TenantIdentity } from '#tenancy';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { book, crowd, expectNoDrift } from '../support/booking.js';
import { CartForms, freeEvent as newFreeEvent, type CartEvent } from '../support/cart-forms.js';
import { completeCart, newCart, partsOfCart } from '../support/carts.js';
import { endHold } from '../support/drafts.js';
import { outcome, tenantWork } from '../support/tenant-work.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;
let forms: CartForms;

beforeAll(async () => {
  test = await startTestApp({ environment: { HELD_TICKETS_PER_NETWORK: '1000', RATE_PAGES: '100000/min' } });
  tenant = await test.newTenant({ language: 'en' });
  forms = new CartForms(test, tenant);
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(() => test.close());

const { inside, sql } = tenantWork(() => ({ test, tenant }));
const freeEvent = (capacity?: number): Promise<CartEvent> => newFreeEvent(test, tenant, capacity);

interface Ordered {
  readonly cart: string;
  /** Reservations by the position of their event. */
  readonly ids: readonly string[];
  /** Path of the page of the first one. */
  readonly path: string;
}

/** A cart of free tickets that awaits the confirmation of its address. */
async function ordered(events: readonly CartEvent[], { isLate = false } = {}): Promise<Ordered> {
  const cart = await newCart(test, tenant, events);
  const { parts } = await completeCart(test, tenant, cart);
  const ids = parts.map(({ id }) => id);
  if (isLate) for (const id of ids) await endHold(test, tenant, id);
  return { cart, ids, path: await inside(async () => test.app.get(HolderLinks).pathTo({ reservationId: ids[0]! })) };
}

const statesOf = async (cart: string): Promise<string[]> => (await partsOfCart(test, tenant, cart)).map(({ status }) => status);
const verify = (id: string): Promise<unknown> => inside(() => test.app.get(CartVerificationService).verify(id, 0));
const sellOut = (event: CartEvent): Promise<unknown> => book(test, tenant, event, { confirmed: true });

describe('the link in a mail of a cart', () => {
  it('that is opened late confirms nothing when a part is sold, says what is left, and confirms that', async () => {
    const [first, sold, last] = [await freeEvent(1), await freeEvent(1), await freeEvent(1)];
    const { cart, ids, path } = await ordered([first, sold, last], { isLate: true });
    await sellOut(sold);
    const parts = await partsOfCart(test, tenant, cart);
    const refused = await forms.post(`${path}/confirm`, []);
    expect([refused.status, await statesOf(cart)]).toEqual([409, ['F', 'F', 'F']]);
    expect(refused.text).toContain('Nothing is confirmed yet');
    expect(refused.text).toMatch(new RegExp(`not possible any more:</p><ul><li dir="auto">${parts[1]!.event.name} – [^<]+</li></ul>`));
    for (const part of [parts[0]!, parts[2]!]) expect(refused.text).toContain(`<li dir="auto">${part.event.name}</li>`);
    const action = /action="([^"]+\?without=[^"]+)"/.exec(refused.text)?.[1] ?? '';
    expect(action).toBe(`${path}/confirm?without=${ids[1]}`);
    // The link alone still confirms nothing.
    expect([(await forms.post(`${path}/confirm`, [])).status, await statesOf(cart)]).toEqual([409, ['F', 'F', 'F']]);
    expect([(await forms.post(action, [])).status, await statesOf(cart)]).toEqual([303, ['FA', 'C', 'FA']]);
  });

  it('cancels a cart of which everything is sold', async () => {
    const events = [await freeEvent(1), await freeEvent(1)];
    const { cart, path } = await ordered(events, { isLate: true });
    for (const event of events) await sellOut(event);
    expect([(await forms.post(`${path}/confirm`, [])).status, await statesOf(cart)]).toEqual([303, ['C', 'C']]);
  });

  it('gives nothing up whose places are held still', async () => {
    const { cart, ids, path } = await ordered([await freeEvent(1), await freeEvent(1)]);
    await forms.post(`${path}/confirm?without=${ids[1]},x,${randomUUID()}`, []);
    expect(await statesOf(cart)).toEqual(['FA', 'FA']);
  });

  it('confirms all or none when the program fails in between, and a second click confirms all', async () => {
    const { cart, ids, path } = await ordered([await freeEvent(), await freeEvent()]);
    const later = ids.toSorted()[1];
    await sql(`create function fail_once() returns trigger language plpgsql as $$ begin raise exception 'stopped'; end $$`);
    await sql(
      `create trigger fail_once before update on reservation for each row
       when (new.id = '${later}' and new.status = 'FA') execute function fail_once()`,
    );
    expect([(await forms.post(`${path}/confirm`, [])).status, await statesOf(cart)]).toEqual([500, ['F', 'F']]);
    await sql('drop trigger fail_once on reservation');
    await sql('drop function fail_once()');
    expect([(await forms.post(`${path}/confirm`, [])).status, await statesOf(cart)]).toEqual([303, ['FA', 'FA']]);
  });

  it('confirms what is left after its own reservation was confirmed, when nobody else has the link', async () => {
    const { cart, ids, path } = await ordered([await freeEvent(), await freeEvent()]);
    await inside(() => test.app.get(ReservationChangesService).confirm(ids[0]!));
    // The page of an order that was paid online leads to this link, too.
    await sql('update reservation set opens_by_mail = false where id = $1', [ids[0]]);
    await forms.post(`${path}/confirm`, []);
    expect(await statesOf(cart)).toEqual(['FA', 'F']);
    await sql('update reservation set opens_by_mail = true where id = $1', [ids[0]]);
    await forms.post(`${path}/confirm`, []);
    expect(await statesOf(cart)).toEqual(['FA', 'FA']);
  });

  // Without one transaction for all parts, the first one is confirmed in some rounds in which a rival gets the second.
  it('confirms all or none while others book the last places', async () => {
    for (let round = 0; round < 12; round += 1) {
      const events = [await freeEvent(1), await freeEvent(1)];
      const { cart, ids } = await ordered(events, { isLate: true });
      const clicks = crowd(2, (index) => outcome(verify(ids[index]!)));
      await Promise.all([...clicks, outcome(sellOut(events[round % 2]!))]);
      expect(['F F', 'FA FA']).toContain((await statesOf(cart)).join(' '));
    }
  }, 60_000);
});
