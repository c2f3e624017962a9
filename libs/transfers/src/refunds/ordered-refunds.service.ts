import { actorColumns, currency, databaseNow, fromCents, retryOnDeadlock, toCents } from '#kernel';
import { RefundsService } from '#payments';
import { currentTenant, TenantDb, type Tx } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { readAccount } from '../account/transfer-account.service.js';
import { newReference, referenceLength } from '../expected/transfer-reference.js';
import { mostOrderedRefunds } from '../bounds.js';
import { texts } from '../locales/transfers.texts.js';
import { pain001, type OrderedTransfer } from './pain001.js';

/** What is to be paid back to a known account. */
interface DueRefund extends Omit<OrderedTransfer, 'reference'> {
  readonly kind: 'payment' | 'entry';
  readonly id: string;
}

/** Refunds of transfers that can be ordered now. */
export interface DueRefunds {
  readonly count: number;
  /** Decimal text. */
  readonly amount: string;
  /** Refunds of transfers without a known account: they are settled by hand. */
  readonly withoutAccount: number;
}

/** SQL: an order was paid with money of several accounts, so that staff choose where it goes back to. */
const severalSql = `exists (select from bank_share share join bank_entry other on other.id = share.entry_id
  where share.order_id = paid.order_id and share.used_at is not null and other.iban <> entry.iban)`;

/** SQL: refunds of paid orders, and what of entries is to be paid back. The account stands in the entry that paid. */
const dueSql = `
  select 'payment' as kind, refund.id, refund.amount::text as amount, entry.name,
    case when ${severalSql} then '' else entry.iban end as iban, entry.bic, refund.created_at as at
  from payment refund join payment paid on paid.id = refund.refund_of
  left join bank_entry entry on entry.id::text = paid.provider_payment
  where refund.kind = 'refund' and refund.provider = 'transfer' and refund.status = 'refund_due' and refund.refund_reference is null
  union all select 'entry', id, excess::text, name, iban, bic, created_at from bank_entry
  where state = 'refund_due' and currency = '${currency}'`;

const reference = new RegExp(`RB[0-9A-Z]{${referenceLength}}X\\d{1,4}`, 'g');

/** Pays transfers back: files for the bank, and the debits that show that it did. */
@Injectable()
export class OrderedRefundsService {
  constructor(
    private readonly db: TenantDb,
    private readonly refunds: RefundsService,
  ) {}

  /** What an order would have now. */
  async due(): Promise<DueRefunds> {
    const all = await this.db.transaction((tx) => this.dueIn(tx));
    const known = all.filter(({ iban }) => iban !== '');
    const amount = fromCents(known.reduce((cents, one) => cents + toCents(one.amount), 0));
    return { count: known.length, amount, withoutAccount: all.length - known.length };
  }

  /**
   * Orders all due refunds whose account is known, each once, also when two people order at once.
   * @returns the id of the order; undefined: there was nothing, or the venue has no account
   */
  order(): Promise<string | undefined> {
    const ordering = async (tx: Tx): Promise<string | undefined> => {
      if (!(await readAccount(tx))) return undefined;
      const mark = newReference();
      const all = (await this.dueIn(tx)).filter(({ iban }) => iban !== '').slice(0, mostOrderedRefunds);
      const named = new Map(all.map(({ id }, index) => [id, `RB${mark}X${index + 1}`]));
      const ofKind = (kind: DueRefund['kind']) =>
        new Map([...named].filter(([id]) => all.some((one) => one.id === id && one.kind === kind)));
      const paid = await this.refunds.ordered(tx, ofKind('payment'));
      const entries = ofKind('entry');
      const [rows] = await tx.query<[{ id: string }[], number]>(
        `update bank_entry set state = 'refund_ordered', refund_reference = given.reference
         from unnest($1::uuid[], $2::text[]) as given (id, reference) where bank_entry.id = given.id and state = 'refund_due'
         returning bank_entry.id`,
        [[...entries.keys()], [...entries.values()]],
      );
      const done = new Set([...paid, ...rows.map(({ id }) => id)]);
      const ordered = all.filter(({ id }) => done.has(id));
      if (ordered.length === 0) return undefined;
      const amount = fromCents(ordered.reduce((cents, one) => cents + toCents(one.amount), 0));
      const [row] = await tx.query<{ id: string }[]>(
        'insert into refund_order (reference, refunds, amount, by_user_id) values ($1, $2, $3, $4) returning id',
        [`RB${mark}`, ordered.length, amount, actorColumns()[0]],
      );
      return row?.id;
    };
    // Refunds that two people order at once are locked in any order.
    return retryOnDeadlock(() => this.db.transaction(ordering));
  }

  /** The file of an order for the bank, without what is paid back already. @returns undefined: no such order, or nothing is left */
  file(id: string): Promise<{ name: string; content: Buffer } | undefined> {
    return this.db.transaction(async (tx) => {
      const [order] = await tx.query<{ reference: string; createdAt: Date }[]>(
        'select reference, created_at as "createdAt" from refund_order where id = $1',
        [id],
      );
      const account = order && (await readAccount(tx));
      if (!order || !account) return undefined;
      const all = await tx.query<OrderedTransfer[]>(
        `select refund.refund_reference as reference, refund.amount::text as amount, entry.name, entry.iban, entry.bic, '' as text
         from payment refund join payment paid on paid.id = refund.refund_of join bank_entry entry on entry.id::text = paid.provider_payment
         where refund.provider = 'transfer' and refund.status = 'refund_due' and refund.refund_reference like $1 || 'X%'
         union all select refund_reference, excess::text, name, iban, bic, '' from bank_entry
         where state = 'refund_ordered' and refund_reference like $1 || 'X%'
         order by 1`,
        [order.reference],
      );
      if (all.length === 0) return undefined;
      const { iban, bic, holder } = account;
      const said = texts.translate(currentTenant().language, 'refunds.text', { venue: currentTenant().name });
      const when = { payer: { name: holder, iban, bic }, at: order.createdAt, day: dayOf(databaseNow()) };
      const xml = pain001(
        order.reference,
        when,
        all.map((one) => ({ ...one, text: `${said} ${one.reference}` })),
      );
      return { name: `pain.001 ${order.reference}`, content: Buffer.from(xml) };
    });
  }

  /**
   * Settles the ordered refund that a debit names.
   * @param text of the debit @param cents of the debit, positive
   * @returns false: it names none that waits
   */
  async settledBy(tx: Tx, text: string, cents: number): Promise<boolean> {
    const amount = fromCents(cents);
    for (const [named] of text.toUpperCase().replaceAll(/\s/g, '').matchAll(reference)) {
      if (await this.refunds.transferred(tx, named, amount)) return true;
      const [rows] = await tx.query<[unknown[], number]>(
        `update bank_entry set state = 'refunded', settled_at = (select now())
         where refund_reference = $1 and excess = $2 and state = 'refund_ordered' returning id`,
        [named, amount],
      );
      if (rows.length > 0) return true;
    }
    return false;
  }

  private dueIn(tx: Tx): Promise<DueRefund[]> {
    return tx.query<DueRefund[]>(
      `select kind, id, amount, coalesce(name, '') as name, coalesce(iban, '') as iban, coalesce(bic, '') as bic, '' as text
       from (${dueSql}) due order by at, id limit ${10 * mostOrderedRefunds}`,
    );
  }
}

const dayOf = (at: Date): string => new Intl.DateTimeFormat('sv-SE', { timeZone: currentTenant().timeZone }).format(at);
