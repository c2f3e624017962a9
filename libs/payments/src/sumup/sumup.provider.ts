import { Inject } from '@nestjs/common';
import { databaseNow, folderTexts, fromCents, SETTINGS, toCents, type Settings } from '#kernel';
import { limits } from '../limits.js';
import type { AccountField, ProviderAccount } from '../providers/account-fields.js';
import { PaymentProviderRefused, PaymentProviderUnavailable } from '../providers/payment-errors.js';
import { PaymentProvider, type BegunPayment, type RefundRequest } from '../providers/payment-provider.js';
import { OnlineProvider } from '../providers/payment-providers.js';
import type { CheckoutOutcome } from '../providers/provider-event.js';
import { sumUpWith, type AskSumUp } from './sumup-client.js';
import { centsOf, givenBackCents, readerOutcome, transactionOf, type AskedReader } from './sumup-outcomes.js';
import { merchantOf, readersPath, SumUpReaders } from './sumup-readers.js';
import words from './sumup.words.json' with { type: 'json' };

const texts = folderTexts(words);

/** Card readers of SumUp. It has no payment page here: buyers pay online with another provider. */
@OnlineProvider()
export class SumUpProvider extends PaymentProvider {
  readonly name = 'sumup';
  readonly label = texts.label;
  readonly fields: readonly AccountField[] = [
    {
      name: 'apiKey',
      label: texts.apiKey,
      secret: true,
      shape: { pattern: /^sup_sk_\w{10,250}$/, refusal: texts.apiKeyInvalid },
      help: texts.apiKeyHelp,
    },
    {
      name: 'merchantCode',
      label: texts.merchantCode,
      secret: false,
      shape: { pattern: /^[A-Z0-9]{4,20}$/, refusal: texts.merchantCodeInvalid },
      help: texts.merchantCodeHelp,
    },
    {
      name: 'affiliateKey',
      label: texts.affiliateKey,
      secret: true,
      shape: { pattern: /^[\w-]{10,250}$/, refusal: texts.affiliateKeyInvalid },
      help: texts.affiliateKeyHelp,
    },
  ];
  /** Of a payment page, which it has not. */
  readonly minimum = '0.00';
  readonly currencies = ['EUR'];
  override readonly readers = new SumUpReaders((account) => this.ask(account), texts.readerCode);

  constructor(@Inject(SETTINGS) private readonly settings: Pick<Settings, 'sumUpApiBase'>) {
    super();
  }

  /** Neither its key nor its code tells a sandbox from a real account. */
  override isTest(): undefined {
    return undefined;
  }

  expire(reference: string, account: ProviderAccount, begun: BegunPayment): Promise<void> {
    return this.readers.stop(askedOf(reference, begun), account);
  }

  async look(reference: string, account: ProviderAccount, begun: BegunPayment): Promise<CheckoutOutcome[]> {
    const outcome = await readerOutcome(this.ask(account), merchantOf(account), askedOf(reference, begun));
    return outcome ? [outcome] : [];
  }

  /**
   * SumUp knows no repetition and gives a refund no id. A repeated request compares what SumUp gave back with what is known of it: where
   * SumUp gave back more, this was made.
   */
  async refund(request: RefundRequest, account: ProviderAccount): Promise<{ reference: string }> {
    const { providerPayment, amount, refundId, isRepeated, settledBefore } = request;
    const ask = this.ask(account);
    const merchant = merchantOf(account);
    const [client = ''] = providerPayment.split('/');
    const transaction = await transactionOf(ask, merchant, 'client_transaction_id', client);
    // It is listed some seconds after it was paid.
    if (!transaction) throw new PaymentProviderUnavailable('SumUp does not list the transaction yet.');
    const reference = `${transaction.id} ${refundId ?? ''}`.trim();
    const given = givenBackCents(transaction);
    if (isRepeated && given >= toCents(settledBefore ?? '0') + toCents(amount)) return { reference };
    if (given + toCents(amount) > centsOf(transaction.amount))
      throw new PaymentProviderRefused('Nothing is left to give back at SumUp.', 'already_refunded');
    const path = `/v1.0/merchants/${merchant}/payments/${encodeURIComponent(transaction.id)}/refunds`;
    await ask({ method: 'POST', path, body: { amount: Number(fromCents(toCents(amount))) } });
    return { reference };
  }

  /** Asks for the readers of the account. */
  async check(account: ProviderAccount): Promise<void> {
    await this.ask(account)({ path: readersPath(account) });
  }

  private ask({ fields }: ProviderAccount): AskSumUp {
    return sumUpWith({ base: this.settings.sumUpApiBase, apiKey: fields['apiKey'] ?? '' });
  }
}

/** @param reference as `SumUpReaders.prepare` wrote it @param begun its `providerPayment` is what `SumUpReaders.send` returned */
function askedOf(reference: string, { createdAt, providerPayment }: BegunPayment): AskedReader {
  const [reader = '', paymentId = ''] = reference.split('/');
  const checkout = providerPayment?.split('/')[1];
  const isOld = databaseNow().getTime() - createdAt.getTime() > limits.readerPayment.ms;
  return { reader, paymentId, checkout, reference, isOld };
}
