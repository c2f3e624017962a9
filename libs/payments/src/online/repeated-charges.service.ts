import { Injectable } from '@nestjs/common';
import type { OrderPart } from '#orders';
import { TenantDb, type Tx } from '#tenancy';
import { PaymentAccountsService } from '../accounts/payment-accounts.service.js';
import type { Payment } from '../ledger/payment.entity.js';
import { PaymentsService } from '../ledger/payments.service.js';
import { PaymentAccountMissing, PaymentProviderRefused } from '../providers/payment-errors.js';
import { ProviderEventHandlerService } from './provider-event-handler.service.js';

/** The payment whose means is charged again. */
type Earlier = Pick<Payment, 'id' | 'provider' | 'accountId' | 'providerPayment'>;

/** What became of a charge. `none`: nothing was charged, because it was only looked for. */
export interface ChargeResult {
  readonly state: 'paid' | 'under_way' | 'refused' | 'none';
  /** Why it was refused: a code of the provider, or `account`. */
  readonly reason?: string;
}

/** Charges means of payment that providers kept when buyers agreed to it. The means themselves stay with the provider. */
@Injectable()
export class RepeatedChargesService {
  constructor(
    private readonly db: TenantDb,
    private readonly payments: PaymentsService,
    private readonly accounts: PaymentAccountsService,
    private readonly events: ProviderEventHandlerService,
  ) {}

  /** Whether buyers can agree to later charges, as of a second ago. */
  async available(): Promise<boolean> {
    return (await this.accounts.offered()).some(({ provider }) => provider.chargeAgain !== undefined);
  }

  /** The payment of a membership whose means can be charged again; undefined: none was made online. */
  async earlier(tx: Tx, membershipId: string): Promise<Earlier | undefined> {
    const [row] = await tx.query<Earlier[]>(
      `select id, provider, account_id as "accountId", provider_payment as "providerPayment" from payment
       where membership_id = $1 and kind = 'payment' and status = 'paid' and method = 'online' and provider_payment is not null
       order by created_at desc limit 1`,
      [membershipId],
    );
    return row;
  }

  /**
   * Records the pending payment of a subject in the transaction that decides about the charge.
   * @returns undefined when nothing is due, or the subject is being paid in another way
   * @throws PaymentAccountMissing when the account of the earlier payment is not offered any more
   */
  async begin(tx: Tx, subject: OrderPart, { provider: name, accountId }: Earlier): Promise<string | undefined> {
    const account = (await this.accounts.offeredIn(tx)).find(
      ({ id, provider }) => provider.name === name && (accountId === null || accountId === id) && provider.chargeAgain,
    );
    if (!account) throw new PaymentAccountMissing();
    const { id, provider } = account;
    return (await this.payments.begin(tx, [subject], [{ id, provider: name, minimum: provider.minimum }], 'unattended'))?.paymentId;
  }

  /**
   * Charges a payment that was begun, outside of transactions, and applies the outcome. It bears repetition, also after a crash between
   * the charge and its record: the provider charges each payment once.
   * @throws PaymentProviderUnavailable when the outcome is not known: repeat it
   */
  async charge(
    paymentId: string,
    { providerPayment }: Earlier,
    how: { readonly description: string; readonly isOnlyLooked: boolean },
  ): Promise<ChargeResult> {
    const [payment] = await this.db.transaction((tx) => this.payments.ofCheckout(tx, paymentId));
    if (!payment || providerPayment === null) return { state: 'none' };
    try {
      const { provider, account } = await this.accounts.of(payment);
      if (!provider.chargeAgain) return { state: 'refused', reason: 'account' };
      const { amount, currency } = payment;
      const outcome = await provider.chargeAgain({ paymentId, providerPayment, amount, currency, ...how }, account);
      if (!outcome) return { state: 'none' };
      await this.db.transaction((tx) => this.payments.opened(tx, paymentId, outcome.reference, null));
      await this.events.apply(provider.name, { id: `${outcome.reference} ${outcome.type}`, change: outcome });
      return { state: outcome.type === 'closed' ? 'refused' : outcome.type };
    } catch (error) {
      if (!(error instanceof PaymentProviderRefused)) throw error;
      return { state: 'refused', reason: error instanceof PaymentAccountMissing ? 'account' : (error.code ?? 'refused') };
    }
  }
}
