import { Injectable } from '@nestjs/common';
import { JobsService } from '#jobs';
import { queryTogether, TenantDb, type Tx } from '#tenancy';
import { OutboxService } from '#webhooks';
import type { SaleFailure } from '../inventory/refused-booking.js';
import type { PlannedSale } from './planned-sale.js';
import { saleStatements } from './sale-statement.js';

/** Writes sales: all of one, or nothing. */
@Injectable()
export class SaleWriter {
  constructor(
    private readonly db: TenantDb,
    private readonly outbox: OutboxService,
    private readonly jobs: JobsService,
  ) {}

  /**
   * Writes a sale in a transaction of its own, in one round trip.
   * @returns why nothing was written, the reason to name first; none: the sale is committed
   */
  async write(sale: PlannedSale): Promise<SaleFailure[]> {
    const failures = await this.db.atOnce<SaleFailure & Record<string, unknown>>(saleStatements(sale));
    if (failures.length > 0) return failures;
    if (sale.message) this.outbox.notify();
    if (sale.jobs.length > 0) this.jobs.notify();
    return [];
  }

  /**
   * Writes a sale in a transaction, which may go on. The event stays locked until it ends.
   * @returns why nothing was written, the reason to name first; none: the sale is written
   */
  async writeIn(tx: Tx, sale: PlannedSale): Promise<SaleFailure[]> {
    const failures = await queryTogether<SaleFailure & Record<string, unknown>>(tx, saleStatements(sale));
    if (failures.length > 0) return failures;
    if (sale.message) this.outbox.notifyAfter(tx);
    if (sale.jobs.length > 0) this.jobs.notifyAfter(tx);
    return [];
  }
}
