import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Tickets, type WholeReservation } from '#booking';
import type { TenantIdentity } from '#tenancy';
import { book, expectNoDrift, newPrice } from '../support/booking.js';
import { newDevice, newEvent, type PairedDevice } from '../support/builders.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;
let door: PairedDevice;

beforeAll(async () => {
  test = await startTestApp();
  tenant = await test.newTenant();
  door = await newDevice(test, tenant);
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(() => test.close());

interface Sold {
  readonly reservation: WholeReservation;
  readonly ticket: string;
  readonly shirt: string;
  readonly shirtId: string;
}

/** A reservation of a ticket and a shirt, and their codes. */
async function sell(): Promise<Sold> {
  const event = await newEvent(test, tenant);
  const shirtPrice = await newPrice(test, tenant, event.id, { name: 'Size M' }, 'T');
  const tickets = [event.priceId, shirtPrice].map((priceId) => ({ priceId, quantity: 1 }));
  const reservation = await book(test, tenant, event, { tickets, confirmed: true });
  const [ticket, shirt] = await test.inside(tenant, () =>
    Promise.all(reservation.tickets.map((one) => test.app.get(Tickets).codeOf(one))),
  );
  return { reservation, ticket: ticket!, shirt: shirt!, shirtId: reservation.tickets[1]!.id };
}

const post = (path: string, body: object, device = door) =>
  test.on(tenant).post(`/scan/${path}/`).set('Authorization', device.authorization).send(body);

describe('the code of goods at the door', () => {
  it('lets nobody in, and is answered with what it is', async () => {
    const { ticket, shirt, shirtId, reservation } = await sell();
    const refused = await post('ticket', { qrcode_data: shirt }).expect(200);
    expect(refused.body).toMatchObject({
      success: false,
      reason: 'not_admission',
      message: `Not an admission ticket: ${reservation.tickets[1]!.price.product.name}, Size M`,
      fulfilled_at: null,
      ticket: { uuid: shirtId, product: reservation.tickets[1]!.price.product.name, price: 'Size M' },
      reservation: { uuid: reservation.id, tickets_count: 1 },
    });
    const french = await post('ticket', { qrcode_data: shirt }).set('Accept-Language', 'fr').expect(200);
    expect((french.body as { message: string }).message).toContain("Ce n'est pas un billet d'entrée");
    const checked = await post('check_ticket', { qrcode_data: shirt }).expect(200);
    expect(checked.body).toMatchObject({
      success: true,
      may_enter: false,
      reason: 'not_admission',
      ticket: { is_scanned: false },
    });
    expect((await post('ticket', { qrcode_data: ticket }).expect(200)).body).toMatchObject({ success: true });
  });
});
