import { actorColumns, currency, fromCents, retryOnDeadlock, toCents } from '#kernel';
import { PaymentSubjects, SubjectUnavailable } from '#payments';
import { TenantDb, type Tx } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { BankEntry } from '../statements/bank-entry.entity.js';
import { OrderPaymentsService } from './order-payments.service.js';

/** What became of an entry that staff assigned. */
export type Assigned = 'paid' | 'part' | 'over' | 'gone' | 'late';

/** What staff do with entries that match no order by themselves. */
@Injectable()
export class BankEntriesService {
  constructor(
    private readonly db: TenantDb,
    private readonly orders: OrderPaymentsService,
    private readonly subjects: PaymentSubjects,
  ) {}

  /**
   * Books an open entry for an order.
   * @returns `gone`: the entry is settled, or nothing of the order is to be paid; `late`: its places are sold
   */
  async assign(id: string, orderId: string): Promise<Assigned> {
    const work = async (tx: Tx): Promise<Assigned> => {
      const [order] = await this.orders.lock(tx, [orderId]);
      const entry = await lockOpen(tx, id);
      if (!entry || entry.currency !== currency || !order || order.missing <= 0) return 'gone';
      const cents = toCents(entry.amount);
      const left = await this.orders.book(tx, id, [order], cents);
      await this.settle(tx, id, left > 0 ? { state: 'refund_due', excess: left } : { state: 'matched' });
      return left > 0 ? 'over' : cents < order.missing ? 'part' : 'paid';
    };
    try {
      return await this.subjects.attempt(() => retryOnDeadlock(() => this.db.transaction(work)));
    } catch (error) {
      if (!(error instanceof SubjectUnavailable)) throw error;
      return 'late';
    }
  }

  /** Leaves an open entry out. @returns false: it is settled */
  ignore(id: string, note: string): Promise<boolean> {
    return this.settling(id, { state: 'ignored', note });
  }

  /** Has the whole amount of an open entry paid back. @returns false: it is settled */
  refund(id: string, note: string): Promise<boolean> {
    return this.db.transaction(async (tx) => {
      const entry = await lockOpen(tx, id);
      if (entry) await this.settle(tx, id, { state: 'refund_due', excess: toCents(entry.amount), note });
      return entry !== undefined;
    });
  }

  /** Records that what is to be paid back was paid back by hand. @returns false: nothing is */
  async refunded(id: string, note: string): Promise<boolean> {
    const [userId] = actorColumns();
    const [rows] = await this.db.transaction((tx) =>
      tx.query<[unknown[], number]>(
        `update bank_entry set state = 'refunded', note = $2, settled_by = $3, settled_at = (select now())
         where id = $1 and state in ('refund_due', 'refund_ordered') returning id`,
        [id, note, userId],
      ),
    );
    return rows.length > 0;
  }

  /** Pays an order of which staff saw the money arrive. @returns `late`: its places are sold */
  async payUnseen(orderId: string): Promise<Assigned> {
    try {
      const work = (tx: Tx): Promise<boolean> => this.orders.payUnseen(tx, orderId);
      return (await this.subjects.attempt(() => retryOnDeadlock(() => this.db.transaction(work)))) ? 'paid' : 'gone';
    } catch (error) {
      if (!(error instanceof SubjectUnavailable)) throw error;
      return 'late';
    }
  }

  private settling(id: string, how: { readonly state: 'ignored'; readonly note: string }): Promise<boolean> {
    return this.db.transaction(async (tx) => {
      const entry = await lockOpen(tx, id);
      if (entry) await this.settle(tx, id, how);
      return entry !== undefined;
    });
  }

  private async settle(
    tx: Tx,
    id: string,
    { state, excess = 0, note = '' }: { readonly state: BankEntry['state']; readonly excess?: number; readonly note?: string },
  ): Promise<void> {
    await tx.query('update bank_entry set state = $2, excess = $3, note = $4, settled_by = $5, settled_at = (select now()) where id = $1', [
      id,
      state,
      fromCents(excess),
      note,
      actorColumns()[0],
    ]);
  }
}

async function lockOpen(tx: Tx, id: string): Promise<BankEntry | undefined> {
  const entry = await tx.findOne(BankEntry, { where: { id, state: 'open' }, lock: { mode: 'for_no_key_update' } });
  return entry ?? undefined;
}
