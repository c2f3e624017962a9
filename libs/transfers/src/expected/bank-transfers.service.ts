import { currency, fromCents, toCents } from '#kernel';
import { openOnAccountSql } from '#payments';
import { MailsService } from '#tickets';
import { currentTenant, ScheduledTasks, TenantDb, type Tx } from '#tenancy';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { reminderDays } from '../bounds.js';
import { readAccount } from '../account/transfer-account.service.js';
import { dueNext, instalmentsOf } from './instalments.js';
import { epcCode } from './epc-code.js';
import { newReference, creditorReference, referenceWords } from './transfer-reference.js';

/** What a buyer needs for a transfer. */
export interface TransferInstructions {
  readonly orderId: string;
  readonly holder: string;
  readonly iban: string;
  readonly bic: string;
  /** What is missing, decimal text. */
  readonly amount: string;
  /** What has arrived before, decimal text. */
  readonly received: string;
  readonly currency: string;
  /** In groups. */
  readonly reference: string;
  /** ISO 11649. */
  readonly creditorReference: string;
  /** ISO date. */
  readonly dueOn: string;
  /** The content of the QR code. */
  readonly epc: string;
}

/** An order that money is missing for. */
interface OpenTransfer {
  readonly orderId: string;
  readonly reference: string;
  /** Decimal text. */
  readonly missing: string;
  /** Of the buyer. */
  readonly name: string;
}

/** Orders that a form offers. */
const mostOffered = 500;

/** SQL: the order of a reservation of the pages. @param row alias of the reservation */
export const orderOfSql = (row: string): string => `coalesce(${row}.cart_id, ${row}.id)`;

/** SQL: whether a reservation is of an order; reads indexes. @param row alias of the reservation @param orderId SQL of the order's id */
export const isOfOrderSql = (row: string, orderId: string): string =>
  `(${row}.cart_id = ${orderId} or ${row}.id = ${orderId} and ${row}.cart_id is null)`;

/** SQL: what an order itself sells, such as a donation, and is not paid yet, in euros. @param orderId SQL of its id, with its table */
export const dueOfOwnLinesSql = (orderId: string): string => `(select coalesce(sum(line.amount), 0) from order_line line
  join orders on orders.id = line.order_id and orders.state = 'placed'
  where line.order_id = ${orderId} and line.reservation_id is null and line.membership_id is null and line.effective_at is null)`;

/** SQL: nothing of an order is paid any more after one of its memberships was cancelled. @param orderId as above */
export const isStoppedSql = (orderId: string): string =>
  `exists (select from membership lost where lost.cart_id = ${orderId} and lost.status = 'cancelled')`;

/**
 * SQL: what of an order awaits its payment, in euros: what it sells itself as long as something else does; or what is open on account.
 * @param orderId SQL of its id, with the name of its table
 */
export const dueOfOrderSql = (orderId: string): string => `((select case when count(*) > 0 and not ${isStoppedSql(orderId)}
    then sum(part.amount) + ${dueOfOwnLinesSql(orderId)} else 0 end
  from (select amount from reservation where ${isOfOrderSql('reservation', orderId)} and status = 'R' and pay_at_venue and not is_draft
    union all select amount from membership where cart_id = ${orderId} and status = 'pending') part)
  + greatest(coalesce(${openOnAccountSql(orderId)}, 0), 0))`;

/** SQL: the name of the customer of an order on account, or of who booked first; empty: there is none. @param orderId SQL of its id */
export const payerNameSql = (orderId: string): string => `coalesce(
  (select customer.name from orders billed join customer on customer.id = billed.customer_id where billed.id = ${orderId}),
  (select first_name || ' ' || last_name from reservation where ${isOfOrderSql('reservation', orderId)}
    order by created_at, id limit 1), '')`;

/** SQL: what has arrived of an order and is not used yet, in euros. @param orderId SQL of its id, with the name of its table */
export const receivedOfOrderSql = (orderId: string): string => `(select coalesce(sum(share.amount), 0) from bank_share share
  where share.order_id = ${orderId} and share.used_at is null)`;

/** Orders that are to be paid by transfer: what their buyers are told, and the reminder. */
@Injectable()
export class BankTransfersService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly mails: MailsService,
    private readonly tasks: ScheduledTasks,
  ) {}

  onModuleInit(): void {
    this.tasks.add('remind of bank transfers', () => this.remind());
  }

  /**
   * What the buyer of a reservation needs for the transfer of its whole order.
   * @returns undefined when it is not paid by transfer, or nothing is to be paid (any more)
   */
  async instructionsOf(reservation: { readonly id: string; readonly cartId: string | null }): Promise<TransferInstructions | undefined> {
    return this.db.transaction((tx) => instructionsOf(tx, reservation.cartId ?? reservation.id));
  }

  /** Whether a membership is paid with the tickets of a cart. */
  async paysMembership(cartId: string): Promise<boolean> {
    const rows = await this.db.transaction((tx) => tx.query<unknown[]>('select 1 from membership where cart_id = $1 limit 1', [cartId]));
    return rows.length > 0;
  }

  /** The orders that money is missing for, the latest first. */
  open(): Promise<OpenTransfer[]> {
    return this.db.transaction((tx) =>
      tx.query<OpenTransfer[]>(
        `select order_id as "orderId", reference, missing::numeric(12, 2)::text as missing,
           ${payerNameSql('order_id')} as name
         from (select order_id, reference, created_at,
             ${dueOfOrderSql('bank_transfer.order_id')} - ${receivedOfOrderSql('bank_transfer.order_id')} as missing
           from bank_transfer) expected
         where missing > 0 order by created_at desc limit ${mostOffered}`,
      ),
    );
  }

  /** Reminds buyers some days before the deadline, once. A reminder is the mail with the instructions. */
  async remind(): Promise<void> {
    await this.db.transaction(async (tx) => {
      const [due] = await tx.query<[{ orderId: string }[], number]>(
        `update bank_transfer set reminded_at = (select now())
         where reminded_at is null and due_on <= ((select now()) at time zone $1)::date + ${reminderDays}
           and due_on >= ((select now()) at time zone $1)::date - ${reminderDays}
           and created_at < (select now() - interval '1 day')
           and not exists (select from orders where id = order_id and customer_id is not null)
           and ${dueOfOrderSql('bank_transfer.order_id')} > 0
         returning order_id as "orderId"`,
        [currentTenant().timeZone],
      );
      for (const { orderId } of due) {
        const parts = await tx.query<{ id: string; email: string }[]>(
          `select id, email from reservation where ${isOfOrderSql('reservation', '$1')} and status = 'R' and pay_at_venue
             and pay_until is null and expires_at > now() order by created_at, id limit 1`,
          [orderId],
        );
        for (const { id, email } of parts) await this.mails.add(tx, 'pay-at-venue', { reservationId: id, recipient: email });
      }
    });
  }
}

/**
 * Notes that an order is to be paid by transfer. The caller completes it in the same transaction.
 * @param dueOn of one of its parts; the first day counts
 */
export async function expectTransfer(tx: Tx, orderId: string, dueOn: string): Promise<void> {
  await tx.query(
    `insert into bank_transfer (order_id, reference, due_on) values ($1, $2, $3::date)
     on conflict (order_id) do update set due_on = least(bank_transfer.due_on, excluded.due_on)`,
    [orderId, newReference(), dueOn],
  );
}

/** The last day for the transfer of an order, as ISO date. @returns undefined: it is not paid by transfer */
export async function transferDayOf(tx: Tx, orderId: string): Promise<string | undefined> {
  const [row] = await tx.query<{ dueOn: string }[]>(`select due_on::text as "dueOn" from bank_transfer where order_id = $1`, [orderId]);
  return row?.dueOn;
}

/** `BankTransfersService.instructionsOf` inside a transaction. */
export async function instructionsOf(tx: Tx, orderId: string): Promise<TransferInstructions | undefined> {
  const [row] = await tx.query<{ reference: string; dueOn: string; due: string; received: string }[]>(
    `select reference, due_on::text as "dueOn", ${dueOfOrderSql('bank_transfer.order_id')}::numeric(10, 2)::text as due,
       ${receivedOfOrderSql('bank_transfer.order_id')}::numeric(10, 2)::text as received
     from bank_transfer where order_id = $1`,
    [orderId],
  );
  const account = row && (await readAccount(tx));
  if (!row || !account || toCents(row.due) <= toCents(row.received)) return undefined;
  const { iban, bic, holder } = account;
  const { reference, received } = row;
  const { dueOn, amount } = dueNext(await instalmentsOf(tx, orderId)) ?? {
    dueOn: row.dueOn,
    amount: fromCents(toCents(row.due) - toCents(received)),
  };
  return {
    orderId,
    holder,
    iban,
    bic,
    amount,
    received,
    currency,
    reference: referenceWords(reference),
    creditorReference: creditorReference(reference),
    dueOn,
    epc: epcCode({ iban, bic, holder, amount, reference }),
  };
}
