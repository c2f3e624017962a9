import { currentLanguage, databaseNow, RefusedInput, retryOnDeadlock, SETTINGS, toCents, TokenBuckets, type Settings } from '#kernel';
import { beginOrder, donationAmong, lockOrder, type OwnLine, ownLinesOf, placeOrder, takeBackAll } from '#orders';
import { checkoutUrlOf, CheckoutsService, Payment, RefundsService } from '#payments';
import { currentTenant, TenantDb, tenantUrl, type Tx } from '#tenancy';
import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { IsNull } from 'typeorm';
import { limits } from '../limits.js';
import { texts } from '../locales/selling.texts.js';
import { hasTaxReceipt } from './tax-receipts.service.js';
import { chooseDonation, donationName, donationOf } from './donation.js';

/** A donation that was given alone, with its payments. */
export interface GivenDonation {
  /** undefined: nothing was paid in time, or it was given back. */
  readonly donation: OwnLine | undefined;
  readonly payments: readonly Payment[];
  /** Whether it has a tax receipt, or one can be asked for. */
  readonly hasTaxReceipt: boolean;
}

/** Donations without tickets, and the return of all donations. Cancelled tickets do not return any: the venue decides. */
@Injectable()
export class DonationsService {
  private readonly begun = new TokenBuckets(limits.donationBuckets.kept.most);

  constructor(
    private readonly db: TenantDb,
    private readonly refunds: RefundsService,
    private readonly checkouts: CheckoutsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Whether somebody can give now. */
  canGive(): Promise<boolean> {
    return this.checkouts.available();
  }

  /**
   * Begins the payment of a donation without tickets. Nobody is asked for a name or an address.
   * @param amount as it was typed
   * @param network of the visitor, as `siteOfClient` names it
   * @param pathOf path of the page about the donation, by its id
   * @param campaignId what it is given for; default: the venue
   * @returns the address of the payment page
   * @throws RefusedInput on `donation`, also when the network began too many; RefusedAmount
   * @throws PaymentProviderUnavailable, PaymentProviderRefused
   */
  async give(amount: string, network: string, pathOf: (id: string) => string, campaignId?: string): Promise<string> {
    const wanted = donationOf(amount);
    if (toCents(wanted) === 0) throw new RefusedInput('donation', texts.localized('donation.none'));
    const tooSmall = await this.checkouts.tooSmall((read) => this.db.transaction(read), wanted, 'donation');
    if (tooSmall) throw tooSmall;
    const isFull = this.begun.take(`${currentTenant().id} ${network}`, limits.donations.rate) > 0;
    if (isFull) throw new RefusedInput('donation', texts.localized('donation.tooMany'));
    const id = randomUUID();
    const given = await this.db.transaction(async (tx) => {
      await beginOrder(tx, id);
      await chooseDonation(tx, id, wanted, { campaignId });
      await placeOrder(tx, id);
      return donationAmong(await ownLinesOf(tx, id));
    });
    const returnUrl = tenantUrl(this.settings, currentTenant(), pathOf(id));
    const bill = {
      subject: { orderId: id },
      description: given?.name ?? donationName(undefined),
      email: '',
      language: currentLanguage(),
      expiresAt: new Date(databaseNow().getTime() + this.settings.holdMinutes * 60_000),
      returnUrl,
    };
    try {
      const payments = await this.checkouts.open(bill, { read: (tx) => paymentsOf(tx, id) });
      return checkoutUrlOf(payments) ?? returnUrl;
    } catch (error) {
      // Nobody comes back to this order. If the provider opened its page all the same and is paid, the payment is refunded.
      await this.giveBack(id);
      throw error;
    }
  }

  /** A donation that was given alone. */
  find(id: string): Promise<GivenDonation> {
    return this.db.transaction(async (tx) => ({
      donation: donationAmong(await ownLinesOf(tx, id)),
      payments: await paymentsOf(tx, id),
      hasTaxReceipt: await hasTaxReceipt(tx, id),
    }));
  }

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

/** The payments of what an order sells itself. */
function paymentsOf(tx: Tx, orderId: string): Promise<Payment[]> {
  const where = { orderId, kind: 'payment', reservationId: IsNull(), membershipId: IsNull() } as const;
  return tx.find(Payment, { where, order: { createdAt: 'ASC' } });
}
