import type { TenantIdentity } from '#tenancy';
import { newPrice } from './booking.js';
import { newEvent } from './builders.js';
import { tenantWork } from './tenant-work.js';
import type { TestApp } from './test-app.js';

interface LineRow {
  readonly kind: string;
  readonly quantity: number;
  readonly amount: string;
  readonly vat: string;
  readonly sold: boolean;
}

/** Orders of a tenant, as they are stored. @param now the application and tenant at the time of the call */
export function orderRows(now: () => { readonly test: TestApp; readonly tenant: TenantIdentity }) {
  const { sql } = tenantWork(now);

  /** The lines of an order, in the order in which they were written. */
  const linesOf = (orderId: string): Promise<LineRow[]> =>
    sql<LineRow>(
      `select kind, quantity, amount::text, vat_amount::text as vat, effective_at is not null as sold from order_line
       where order_id = $1 order by created_at, position, of_line nulls first`,
      [orderId],
    );

  const stateOf = async (id: string): Promise<string | undefined> =>
    (await sql<{ state: string }>('select state from orders where id = $1', [id]))[0]?.state;

  /** An event with a price at 5.5 %. */
  async function pricedEvent(amount: string): Promise<{ id: string; priceId: string }> {
    const { test, tenant } = now();
    const { id } = await newEvent(test, tenant);
    return { id, priceId: await newPrice(test, tenant, id, { amount, vat: '5.5' }) };
  }

  return { linesOf, stateOf, pricedEvent };
}
