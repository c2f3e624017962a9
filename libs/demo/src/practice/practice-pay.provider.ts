import { databaseNow, folderTexts, fromCents, isUuid, toCents, currency } from '#kernel';
import {
  OnlineProvider,
  PaymentProvider,
  type AccountField,
  type CheckoutOutcome,
  type CheckoutRequest,
  type RefundRequest,
} from '#payments';
import { PracticePages } from './practice-pages.js';
import words from './practice-pay.words.json' with { type: 'json' };

const texts = folderTexts(words);

/**
 * A provider of the demo alone: its page is one of this program, and no money moves. It stores nothing: `PracticePayController` reports a
 * payment at once, and the reference of a checkout tells when it ends.
 */
@OnlineProvider()
export class PracticePayProvider extends PaymentProvider {
  readonly name = practicePay;
  readonly label = texts.label;
  readonly fields: readonly AccountField[] = [];
  readonly minimum = '0.01';
  readonly currencies = [currency];

  constructor(private readonly pages: PracticePages) {
    super();
  }

  override isTest(): boolean {
    return true;
  }

  override open({ paymentId, amount, description, more = [], successUrl, cancelUrl, expiresAt }: CheckoutRequest) {
    const lines = [{ amount, description }, ...more];
    const sum = fromCents(lines.reduce((cents, line) => cents + toCents(line.amount), 0));
    const reference = `${paymentId}.${expiresAt.getTime()}`;
    const page = { paymentId, reference, amount: sum, description, successUrl, cancelUrl };
    return Promise.resolve({ reference, url: new URL(this.pages.pathTo(page), successUrl).href });
  }

  /** Who pays all the same is refunded, as with every payment that arrives late. */
  expire(): Promise<void> {
    return Promise.resolve();
  }

  look(reference: string): Promise<CheckoutOutcome[]> {
    const [paymentId = '', end] = reference.split('.');
    const isOver = isUuid(paymentId) && Number(end) < databaseNow().getTime();
    return Promise.resolve(isOver ? [{ type: 'closed', paymentId, reference, providerPayment: null }] : []);
  }

  refund({ paymentId, refundId = 'whole' }: RefundRequest): Promise<{ reference: string }> {
    return Promise.resolve({ reference: `${paymentId} ${refundId}` });
  }

  check(): Promise<void> {
    return Promise.resolve();
  }
}

/** Its name in the ledger. */
export const practicePay = 'practice';
