import { Injectable, type OnModuleInit } from '@nestjs/common';
import { JobsService } from '#jobs';
import { costsNothing, currency, type Language, toCents } from '#kernel';
import type { OrderPart } from '#orders';
import { currentTenant, TenantDb, type ReadingIn, type Tx } from '#tenancy';
import { PaymentAccountsService, type OfferedAccount } from '../accounts/payment-accounts.service.js';
import { closeCheckoutJob } from '../ledger/payment-jobs.js';
import { PaymentAccountMissing, PaymentProviderRefused, PaymentProviderUnavailable } from '../providers/payment-errors.js';
import type { CheckoutLine, CheckoutRequest } from '../providers/payment-provider.js';
import { PaymentProviders } from '../providers/payment-providers.js';
import { RefusedAmount } from './refused-amount.js';
import { CheckoutOutcomesService } from './checkout-outcomes.service.js';
import { PaymentsService, type BegunPayments } from '../ledger/payments.service.js';

/** What a bill charges. */
export interface BillItem {
  readonly subject: OrderPart;
  /** Shown to the buyer. */
  readonly description: string;
}

/** Data of an online payment. */
export interface Bill extends BillItem {
  /** What the same payment pays, too: all or nothing. */
  readonly others?: readonly BillItem[];
  /** The account that the buyer chose; absent, or not offered any more: the first one that is offered and charges the sum. */
  readonly accountId?: string | undefined;
  /** Of the buyer; empty: nobody was asked for it. */
  readonly email: string;
  readonly language: Language | null;
  /** End of the hold. */
  readonly expiresAt: Date;
  /** Where the buyer returns after leaving the checkout; after paying with `?paid=1`: the page looks for the payment. Has no query. */
  readonly returnUrl: string;
  /** The buyer agreed to later charges: an account that can make them is taken, where one is offered. */
  readonly keepsMeans?: boolean;
}

export interface CheckoutSteps<Result> {
  opened?(tx: Tx): Promise<void>;
  read(tx: Tx): Promise<Result>;
}

/** Opens and closes checkouts at the providers. Do not call it inside a transaction: it calls the provider and opens its own ones. */
@Injectable()
export class CheckoutsService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly payments: PaymentsService,
    private readonly accounts: PaymentAccountsService,
    private readonly providers: PaymentProviders,
    private readonly outcomes: CheckoutOutcomesService,
    private readonly jobs: JobsService,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(closeCheckoutJob, (id) => this.close(id));
  }

  /** Whether the tenant accepts online payments, as of a second ago. */
  async available(): Promise<boolean> {
    return (await this.accounts.offered()).length > 0;
  }

  /** The accounts that buyers choose from, in their order, as of a second ago. */
  offered(): Promise<readonly OfferedAccount[]> {
    return this.accounts.offered();
  }

  /**
   * The refusal of a sum that is to be paid online but is less than a provider charges.
   * @param read runs in the caller's transaction, or in its own one; only for sums that are less than some provider charges
   * @param amount decimal text
   * @param field of the refusal
   * @param accountId the account that the buyer chose, as in `Bill`
   * @returns undefined when it can be charged, or nothing is to be paid
   */
  async tooSmall(read: ReadingIn, amount: string, field: string, accountId?: string): Promise<RefusedAmount | undefined> {
    const all = this.providers.all().filter(({ open }) => open);
    if (toCents(amount) === 0 || all.every(({ minimum }) => toCents(amount) >= toCents(minimum))) return undefined;
    const offered = wanted(await read((tx) => this.accounts.offeredIn(tx)), accountId);
    const minima = (offered.length > 0 ? offered.map(({ provider }) => provider) : all).map(({ minimum }) => minimum);
    const minimum = minima.reduce((least, one) => (toCents(one) < toCents(least) ? one : least));
    return toCents(amount) < toCents(minimum) ? new RefusedAmount(field, minimum) : undefined;
  }

  /**
   * Opens a checkout for the amount due of all items. A repeated call continues the payment that was begun and sends its provider the
   * same request. Items that were paid, confirmed or cancelled meanwhile are left out; opens none when
   * nothing is due.
   * @param opened runs in the transaction that stores the checkout, before it is stored
   * @param read runs at the end of that transaction; its result is returned
   * @throws PaymentProviderUnavailable, PaymentProviderRefused when no checkout was opened; SecretBoxError
   */
  async open<Result>(bill: Bill, { opened, read }: CheckoutSteps<Result>): Promise<Result> {
    const { email, language, expiresAt, returnUrl } = bill;
    const items = [bill, ...(bill.others ?? [])];
    const subjects = items.map(({ subject }) => subject);
    const all = await this.accounts.offered();
    const again = bill.keepsMeans ? all.filter(({ provider }) => provider.chargeAgain) : [];
    const offered = again.length > 0 ? again : wanted(all, bill.accountId);
    const accounts = offered.map(({ id, provider: { name, minimum } }) => ({ id, provider: name, minimum }));
    const begun = await this.db.transaction((tx) => this.payments.begin(tx, subjects, accounts));
    if (!begun || begun.isOpen) return this.db.transaction(read);
    const { paymentId } = begun;
    const [first, ...more] = linesOf(begun, items);
    const { reference, url } = await this.ask(begun, {
      paymentId,
      ...(first as CheckoutLine),
      ...(more.length > 0 && { more }),
      currency,
      email,
      language: language ?? currentTenant().language,
      successUrl: `${returnUrl}?paid=1`,
      cancelUrl: returnUrl,
      expiresAt,
      ...(again.length > 0 && { keepsMeans: true }),
    });
    return this.db.transaction(async (tx) => {
      // Locks the reservations, then the payments: the order of all changes.
      await opened?.(tx);
      await this.payments.opened(tx, paymentId, reference, url);
      await this.outcomes.schedule(tx, paymentId, expiresAt);
      return read(tx);
    });
  }

  private async ask(begun: BegunPayments, request: CheckoutRequest): Promise<{ reference: string; url: string }> {
    try {
      const { provider, account } = await this.accounts.of(begun);
      if (!provider.open) throw new PaymentAccountMissing();
      return await provider.open(request, account);
    } catch (error) {
      if (error instanceof PaymentProviderUnavailable && error.isAnswered)
        await this.db.transaction((tx) => this.payments.notOpened(tx, request.paymentId));
      throw error;
    }
  }

  /**
   * Whether a repetition of this request can still open the checkout: the request has an `Idempotency-Key`, and the provider did not
   * refuse.
   */
  mayBeRepeated(error: unknown): boolean {
    return this.db.repetition() !== undefined && !(error instanceof PaymentProviderRefused);
  }

  /** Closes a checkout of which a payment failed. If it was paid meanwhile, the payment is refunded. */
  private async close(id: string): Promise<void> {
    const payments = await this.db.transaction((tx) => this.payments.ofCheckout(tx, id));
    const first = payments.find((payment) => payment.id === id);
    if (!first?.reference || !payments.some(({ status }) => status === 'failed')) return;
    try {
      const { provider, account } = await this.accounts.of(first);
      await provider.expire(first.reference, account, first);
    } catch (error) {
      if (!(error instanceof PaymentProviderRefused)) throw error;
      // It is closed, or it was paid and the event did not arrive yet.
      await this.outcomes.apply(first);
    }
  }
}

/** The account that the buyer chose, while it is offered; else all of them. */
function wanted(offered: readonly OfferedAccount[], accountId: string | undefined): readonly OfferedAccount[] {
  const chosen = offered.filter(({ id }) => id === accountId);
  return chosen.length > 0 ? chosen : offered;
}

/** The lines of a checkout page, without what is free. */
function linesOf({ parts }: BegunPayments, items: readonly BillItem[]): CheckoutLine[] {
  return parts
    .filter(({ amount }) => !costsNothing(amount))
    .map(({ subject, amount }) => ({ amount, description: items.find((item) => item.subject === subject)?.description ?? '' }));
}
