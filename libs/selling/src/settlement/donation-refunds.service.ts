import { retryOnDeadlock } from '#kernel';
import { lockOrder, takeBackAll } from '#orders';
import { RefundsService } from '#payments';
import { TenantDb } from '#tenancy';
import { Injectable } from '@nestjs/common';

/** Gives donations back. Cancelled tickets do not do that: the venue decides. */
@Injectable()
export class DonationRefundsService {
  constructor(
    private readonly db: TenantDb,
    private readonly refunds: RefundsService,
  ) {}

  /**
   * Takes the donation of an order back and records its refund. Does nothing the second time.
   * @param note of the staff
   * @returns whether there was something to refund
   */
  giveBack(orderId: string, note?: string): Promise<boolean> {
    return retryOnDeadlock(() =>
      this.db.transaction(async (tx) => {
        await lockOrder(tx, orderId);
        await takeBackAll(tx, { orderId });
        return this.refunds.refundAll(tx, { orderId }, note);
      }),
    );
  }
}
