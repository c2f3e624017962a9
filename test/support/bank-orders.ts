import { expect } from '@jest/globals';
import { ReservationChangesService } from '#tickets';
import { BankTransfersService, StatementUploadsService, TransferAccountService } from '#transfers';
import type { TenantIdentity } from '#tenancy';
import { randomUUID } from 'node:crypto';
import type { BankLine } from './bank-files.js';
import { newEvent } from './builders.js';
import { OrderForms } from './order-forms.js';
import { tenantWork } from './tenant-work.js';
import type { TestApp } from './test-app.js';

const day = 24 * 3_600_000;

/** The id in the path of an order. */
export const idOf = (path: string): string => path.split('/')[2] as string;

/** An entry of a statement that pays an order. */
export const line = (text: string, amount: string, more: Partial<BankLine> = {}): BankLine => ({
  day: '2026-12-01',
  amount,
  name: 'Somebody Else',
  iban: 'FR7630006000011234567890189',
  text,
  ...more,
});

/** Enters the account of a venue, and orders that are paid to it. */
export async function bankOrders(test: TestApp, tenant: TenantIdentity) {
  const { inside, sql } = tenantWork(() => ({ test, tenant }));
  const forms = new OrderForms(test, tenant);
  const account = { iban: 'DE89 3704 0044 0532 0130 00', bic: 'cobadeffxxx', holder: 'Le Lieu', days: 10, offered: true };
  await inside(() => test.app.get(TransferAccountService).save(account));
  const instructions = (id: string) => inside(() => test.app.get(BankTransfersService).instructionsOf({ id, cartId: null }));
  const paidEvent = (more: Parameters<typeof newEvent>[2] = {}): ReturnType<typeof newEvent> =>
    newEvent(test, tenant, { startsAt: new Date(Date.now() + 60 * day), ...more });
  return {
    inside,
    sql,
    forms,
    instructions,
    paidEvent,
    upload: (bytes: Buffer) => inside(() => test.app.get(StatementUploadsService).upload('statement', bytes)),

    /** A confirmed order that awaits its transfer. */
    async ordered(event: Awaited<ReturnType<typeof paidEvent>>, name = 'Ada Lovelace') {
      const [first = '', last = ''] = name.split(' ');
      const path = await forms.begin(event.slug, event.priceId, '2');
      const fields = { email: `${randomUUID()}@example.org`, first_name: first, last_name: last, payment: 'transfer' };
      expect((await forms.complete(path, fields)).status).toBe(303);
      const id = idOf(path);
      await inside(() => test.app.get(ReservationChangesService).verify(id));
      return { id, transfer: (await instructions(id))! };
    },

    async statusOf(id: string): Promise<string> {
      const [row] = await sql<{ status: string }>('select status from reservation where id = $1', [id]);
      return row!.status;
    },

    ledgerOf: (id: string) =>
      sql<{ kind: string; provider: string; method: string; status: string; amount: string }>(
        'select kind, provider, method, status, amount::text from payment where reservation_id = $1 order by created_at',
        [id],
      ),

    async entryOf(text: string) {
      const [row] = await sql<{ id: string; state: string; finding: string; excess: string; suggested: string | null }>(
        `select id, state, finding, excess::text, suggested_order_id as suggested from bank_entry
         where text like '%' || $1 || '%' order by created_at desc limit 1`,
        [text],
      );
      return row!;
    },
  };
}
