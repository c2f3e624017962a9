import { toCents, type Text } from '#kernel';
import { currentTenant } from '#tenancy';
import type { ProviderAccount } from '../providers/account-fields.js';
import { ReaderStillAsks, type CardReaders, type NewReader, type ReaderFault, type ReaderRequest } from '../providers/card-readers.js';
import { PaymentProviderRefused } from '../providers/payment-errors.js';
import type { AskSumUp } from './sumup-client.js';
import { readerOutcome, readerPath, type AskedReader } from './sumup-outcomes.js';

/** The affiliate key of a venue names this application. */
const applicationId = 'org.guichet.desk';

const faults: Readonly<Record<string, ReaderFault>> = { offline: 'offline', busy: 'busy' };

/** Readers "Solo", which SumUp's servers ask for the sums. https://developer.sumup.com/terminal-payments/cloud-api */
export class SumUpReaders implements CardReaders {
  constructor(
    private readonly askWith: (account: ProviderAccount) => AskSumUp,
    readonly codeHelp: Text,
  ) {}

  async pair({ code, name }: NewReader, account: ProviderAccount): Promise<string> {
    const pairing_code = code.replaceAll('-', '').toUpperCase();
    const body = { pairing_code, name, metadata: { guichet_tenant: currentTenant().id } };
    try {
      const { id } = await this.askWith(account)<{ id: string }>({ method: 'POST', path: readersPath(account), body });
      return id;
    } catch (error) {
      // 409: another account has it.
      if (!(error instanceof PaymentProviderRefused) || (error.code !== 'not_found' && error.code !== '409')) throw error;
      throw new PaymentProviderRefused('No reader shows this code now.', 'pairing_code');
    }
  }

  async unpair(reader: string, account: ProviderAccount): Promise<void> {
    try {
      await this.askWith(account)({ method: 'DELETE', path: readerPath(merchantOf(account), reader) });
    } catch (error) {
      if (!(error instanceof PaymentProviderRefused) || error.code !== 'not_found') throw error;
    }
  }

  /** SumUp needs nothing before the reader asks: the reference names the reader and our payment, which the transaction names, too. */
  prepare({ paymentId, reader }: ReaderRequest): Promise<{ reference: string }> {
    return Promise.resolve({ reference: `${reader}/${paymentId}` });
  }

  /** It is not repeated without an answer: SumUp knows no repetition. */
  async send(_reference: string, request: ReaderRequest, account: ProviderAccount): Promise<string | undefined> {
    const { paymentId, reader, amount, currency, description } = request;
    const body = {
      // All currencies of the provider have cents.
      total_amount: { value: toCents(amount), currency, minor_unit: 2 },
      description: [...description].slice(0, 250).join(''),
      affiliate: { app_id: applicationId, key: account.fields['affiliateKey'] ?? '', foreign_transaction_id: paymentId },
    };
    const path = `${readerPath(merchantOf(account), reader)}/checkout`;
    try {
      const { data } = await this.askWith(account)<{ data: { client_transaction_id: string; checkout_id?: string } }>({
        method: 'POST',
        path,
        body,
      });
      return [data.client_transaction_id, ...(data.checkout_id === undefined ? [] : [data.checkout_id])].join('/');
    } catch (error) {
      if (!(error instanceof PaymentProviderRefused)) throw error;
      throw new PaymentProviderRefused(error.message, faults[error.code ?? ''] ?? 'failed');
    }
  }

  /**
   * Stops a reader. SumUp stops it later, and not while a card is charged, and confirms nothing: only its outcome tells.
   * @throws PaymentProviderRefused when it was paid or is over; ReaderStillAsks when it is not known yet
   */
  async stop(asked: AskedReader, account: ProviderAccount): Promise<void> {
    const ask = this.askWith(account);
    const merchant = merchantOf(account);
    if (await readerOutcome(ask, merchant, asked)) throw new PaymentProviderRefused('The reader has ended.', 'ended');
    try {
      await ask({ method: 'POST', path: `${readerPath(merchant, asked.reader)}/terminate` });
    } catch (error) {
      if (!(error instanceof PaymentProviderRefused) || error.code === 'key') throw error;
    }
    const outcome = await readerOutcome(ask, merchant, asked);
    if (!outcome) throw new ReaderStillAsks();
    if (outcome.type === 'paid') throw new PaymentProviderRefused('It was paid.', 'ended');
  }
}

export const merchantOf = ({ fields }: ProviderAccount): string => encodeURIComponent(fields['merchantCode'] ?? '');

export const readersPath = (account: ProviderAccount): string => `/v0.1/merchants/${merchantOf(account)}/readers`;
