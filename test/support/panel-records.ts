import { randomUUID } from 'node:crypto';
import { SigningKeysService } from '#tickets';
import { TenantDb, type TenantIdentity } from '#tenancy';
import type { TestApp } from './test-app.js';

/** Identifiers of the records of `furnish`. They are the same in every tenant, so that only the tenant distinguishes their data. */
export const same = {
  event: randomUUID(),
  product: randomUUID(),
  price: randomUUID(),
  reservation: randomUUID(),
  ticket: randomUUID(),
  device: randomUUID(),
};

/** Creates one object of each kind, with the mark in every text. */
export async function furnish(test: TestApp, tenant: TenantIdentity, mark: string): Promise<void> {
  await test.inside(tenant, () =>
    test.app.get(TenantDb).transaction(async (tx) => {
      const key = await test.app.get(SigningKeysService).currentId(tx);
      await tx.query(`insert into postal_address (id, name, street_address, address_locality, postal_code, address_country)
        overriding system value values (7, '${mark} hall', '1 ${mark} street', '${mark}ville', '26000', 'FR')`);
      await tx.query(`select setval(pg_get_serial_sequence('postal_address', 'id'), 7)`);
      await tx.query(
        `insert into event (id, name, slug, starts_at, ends_at, category, postal_address_id, capacity)
         values ($1, '${mark} concert', '${mark}-1', now(), now() + interval '2 hours', 'LIV', 7, 80),
                (gen_random_uuid(), '${mark} last year', '${mark}-0', now() - interval '1 year', null, 'CON', null, 40)`,
        [same.event],
      );
      await tx.query(`insert into product (id, name, category) values ($1, '${mark} ticket', 'B')`, [same.product]);
      await tx.query(`insert into price (id, product_id, name, amount) values ($1, $2, '${mark} full', 12.50)`, [same.price, same.product]);
      await tx.query(
        `insert into reservation (id, event_id, email, first_name, last_name, status)
         values ($1, $2, '${mark}@example.org', '${mark}', 'Booker', 'V')`,
        [same.reservation, same.event],
      );
      await tx.query(
        `insert into ticket (id, reservation_id, event_id, price_id, amount, first_name, last_name, status, signing_key_id)
         values ($1, $2, $3, $4, 12.50, '${mark}', 'Holder', 'K', $5),
         (gen_random_uuid(), $2, $3, $4, 12.50, '${mark}', 'Gone_100%', 'R', $5)`,
        [same.ticket, same.reservation, same.event, same.price, key],
      );
      await tx.query(`insert into scanning_device (id, name) values ($1, '${mark} gate')`, [same.device]);
      await tx.query(
        `insert into scan_log (action, outcome, device_id, ticket_id, event_id, reason) values
         ('scan', 'accepted', $1, $2, $3, '${mark} first'), ('scan', 'already_scanned', $1, $2, $3, '${mark} second'),
         ('check', 'forged', $1, null, null, '${mark} third')`,
        [same.device, same.ticket, same.event],
      );
    }),
  );
}
