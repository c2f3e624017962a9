import type { Text } from '#kernel';
import { texts } from '../locales/payments.texts.js';
import type { ProviderAccount } from './account-fields.js';
import { PaymentProviderUnavailable } from './payment-errors.js';

/** Why a card reader took no money. `failed`: something else, or not known. */
export const readerFaults = {
  declined: texts.localized('readers.faults.declined'),
  cancelled: texts.localized('readers.faults.cancelled'),
  timeout: texts.localized('readers.faults.timeout'),
  offline: texts.localized('readers.faults.offline'),
  busy: texts.localized('readers.faults.busy'),
  failed: texts.localized('readers.faults.failed'),
} as const satisfies Record<string, Text>;
export type ReaderFault = keyof typeof readerFaults;

/** A reader was told to stop, and whether it did is not known yet: it may still be paid. */
export class ReaderStillAsks extends PaymentProviderUnavailable {
  constructor() {
    super('The card reader has not stopped yet.');
  }
}

/** A reader that is to be paired. */
export interface NewReader {
  /** As it stands on the reader. */
  readonly code: string;
  /** As staff call it. */
  readonly name: string;
  /** Where it is, as far as the venue has said that; the country by ISO 3166-1 alpha-2. */
  readonly place: Readonly<Record<'name' | 'street' | 'postalCode' | 'city' | 'country', string>>;
}

/** A sum that a reader shall ask for. */
export interface ReaderRequest {
  readonly paymentId: string;
  /** The provider's id of the reader. */
  readonly reader: string;
  /** Decimal text. */
  readonly amount: string;
  readonly currency: string;
  /** Stands with the payment at the provider. */
  readonly description: string;
}

/**
 * Card readers of a provider, to which it sends sums by itself. What becomes of one is what `PaymentProvider.look` says of its reference,
 * and `expire` takes it back, or throws `ReaderStillAsks`: neither says that nothing is paid before nothing can be paid any more.
 * @throws PaymentProviderRefused, PaymentProviderUnavailable from every method
 */
export interface CardReaders {
  /** Where staff find the code. */
  readonly codeHelp: Text;

  /**
   * Pairs a reader.
   * @returns the provider's id of it
   * @throws PaymentProviderRefused with code `place` when the provider needs the address of the venue, `pairing_code` when no reader
   *   shows this code
   */
  pair(reader: NewReader, account: ProviderAccount): Promise<string>;

  /** Ends a pairing. One that is unknown has ended. */
  unpair(reader: string, account: ProviderAccount): Promise<void>;

  /** Prepares a payment, for which nobody is asked yet. A repeated call returns the same. */
  prepare(request: ReaderRequest, account: ProviderAccount): Promise<{ reference: string }>;

  /**
   * Lets the reader ask for a prepared payment.
   * @returns the provider's id of the payment, where it names it now
   * @throws PaymentProviderRefused with one of `readerFaults` as its code: the reader does not ask, and nobody can pay
   */
  send(reference: string, request: ReaderRequest, account: ProviderAccount): Promise<string | undefined>;
}
