import { randomUUID } from 'node:crypto';
import { recount, SigningKeysService, TicketsService, type ReservationStatus, type TicketStatus } from '#tickets';
import { EventsService, PricesService, ProductsService, type Event, type NewEvent } from '#catalogue';
import { ScanningDevicesService, type DeviceRole } from '#scan';
import { TenantDb, type TenantIdentity } from '#tenancy';
import type { TestApp } from './test-app.js';

export interface BuiltTicket {
  readonly id: string;
  readonly reservationId: string;
  readonly code: string;
}

export interface PairedDevice {
  readonly id: string;
  readonly name: string;
  readonly key: string;
  readonly authorization: string;
}

/** An event one hour from now, with one price of 12.50. */
export async function newEvent(test: TestApp, tenant: TenantIdentity, input: Partial<NewEvent> = {}): Promise<Event & { priceId: string }> {
  return test.inside(tenant, async () => {
    const event = await test.app
      .get(EventsService)
      .create({ name: `Concert ${randomUUID().slice(0, 8)}`, startsAt: new Date(Date.now() + 3_600_000), ...input });
    const product = await test.app.get(ProductsService).create({ name: `Ticket ${randomUUID().slice(0, 8)}`, category: 'B' });
    const price = await test.app.get(PricesService).create({ productId: product.id, name: 'Full price', amount: '12.50' });
    await test.app.get(TenantDb).transaction((tx) => test.app.get(EventsService).linkProducts(tx, event.id, [product.id]));
    return { ...event, priceId: price.id };
  });
}

export interface NewTicket {
  readonly event: { readonly id: string; readonly priceId: string };
  readonly status?: TicketStatus;
  readonly reservationStatus?: ReservationStatus;
  readonly amount?: string;
  readonly id?: string;
  readonly count?: number;
  readonly firstName?: string;
}

/** Tickets of one reservation; default: paid and valid. */
export async function newTickets(test: TestApp, tenant: TenantIdentity, input: NewTicket): Promise<BuiltTicket[]> {
  return test.inside(tenant, async () => {
    const reservationId = randomUUID();
    const ids = Array.from({ length: input.count ?? 1 }, (_, index) => (index === 0 && input.id ? input.id : randomUUID()));
    const signingKeyId = await test.app.get(TenantDb).transaction(async (tx) => {
      const keyId = await test.app.get(SigningKeysService).currentId(tx);
      await tx.query(
        `insert into reservation (id, event_id, email, email_key, first_name, last_name, status, expires_at, cancel_reason)
         values ($1, $2, $3, $3, 'Ada', 'Martin', $4, case when $4 in ('R', 'U', 'F') then now() + interval '15 minutes' end,
           case when $4 = 'C' then 'staff' end)`,
        [reservationId, input.event.id, 'ada@example.org', input.reservationStatus ?? 'V'],
      );
      for (const id of ids) {
        await tx.query(
          `insert into ticket (id, reservation_id, event_id, price_id, amount, first_name, last_name, status, signing_key_id, scanned_at)
           values ($1, $2, $3, $4, $5, $6, 'Martin', $7, $8, case when $7 = 'S' then now() end)`,
          [
            id,
            reservationId,
            input.event.id,
            input.event.priceId,
            input.amount ?? '12.50',
            input.firstName ?? 'Ada',
            input.status ?? 'K',
            keyId,
          ],
        );
      }
      await recount(tx);
      return keyId;
    });
    return Promise.all(
      ids.map(async (id) => ({ id, reservationId, code: await test.app.get(TicketsService).codeOf({ id, signingKeyId }) })),
    );
  });
}

export async function newTicket(test: TestApp, tenant: TenantIdentity, input: NewTicket): Promise<BuiltTicket> {
  const [ticket] = await newTickets(test, tenant, input);
  return ticket as BuiltTicket;
}

/** A device created by staff and paired over HTTP. */
export async function newDevice(test: TestApp, tenant: TenantIdentity, name = 'Door 1', role?: DeviceRole): Promise<PairedDevice> {
  const code = await test.inside(tenant, () => test.app.get(ScanningDevicesService).create(name, role ? { role } : {}));
  const { body } = await test.on(tenant).get(code.path).expect(200);
  const { api_key: key, device_uuid: id } = body as { api_key: string; device_uuid: string };
  return { id, name, key, authorization: `Api-Key ${key}` };
}
