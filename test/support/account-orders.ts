import { CounterSalesService } from '#selling';
import { CustomersService } from '#transfers';
import type { TenantIdentity } from '#tenancy';
import { sparkasseCamt } from './bank-files.js';
import { bankOrders, line } from './bank-orders.js';
import type { TestApp } from './test-app.js';

/** A customer of a venue with a bank account, and what it buys on account. */
export async function accountOrders(test: TestApp, tenant: TenantIdentity) {
  const bank = await bankOrders(test, tenant);
  const input = { name: 'Lycée Ada', email: 'office@example.org', address: '1 rue du Port\n44000 Nantes', paymentDays: 20 };
  const { id: customerId } = await bank.inside(() => test.app.get(CustomersService).create(input));
  let files = 100;
  return {
    ...bank,
    customerId,

    /** Two tickets for each event, on account. */
    async sold(events: readonly Awaited<ReturnType<typeof bank.paidEvent>>[], customer = customerId) {
      const reservations = events.map(({ id: eventId, priceId }) => ({
        eventId,
        tickets: [{ priceId, quantity: 2 }],
        confirmed: true,
        origin: 'panel' as const,
        paymentMethod: 'cash' as const,
      }));
      const sale = { reservations, memberships: [], customerId: customer };
      const { reservations: made } = await bank.inside(() => test.app.get(CounterSalesService).sell(sale));
      const [row] = await bank.sql<{ orderId: string; reference: string; days: number }>(
        `select order_id as "orderId", reference, (due_on - (now() at time zone 'Europe/Paris')::date)::int as days
         from bank_transfer where order_id = (select order_id from order_line where reservation_id = $1 limit 1)`,
        [made[0]!.id],
      );
      return { ...row!, ids: made.map(({ id }) => id), made };
    },

    /** Of an order: what it costs, what was paid and what is to be paid back or was. */
    async sums(orderId: string) {
      const [row] = await bank.sql<{ costs: string; paid: string; back: string }>(
        `select (select coalesce(sum(amount), 0)::text from order_line where order_id = $1 and effective_at is not null) as costs,
           coalesce(sum(amount) filter (where kind = 'payment'), 0)::text as paid,
           coalesce(sum(amount) filter (where kind = 'refund'), 0)::text as back from payment where order_id = $1`,
        [orderId],
      );
      return row!;
    },

    /** Uploads a statement with a transfer. */
    pay(reference: string, amount: string, text = '') {
      files += 1;
      // Of another day each: the same amount of one day may be the same entry in another file.
      const day = new Date(Date.UTC(2026, 0, files - 100)).toISOString().slice(0, 10);
      return bank.upload(sparkasseCamt([line(`${reference} ${text} file ${files}`, amount, { day })], files));
    },
  };
}
