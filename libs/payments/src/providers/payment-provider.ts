import type { IncomingHttpHeaders } from 'node:http';
import type { Language, Text } from '#kernel';
import type { AccountField, ProviderAccount } from './account-fields.js';
import type { CardReaders } from './card-readers.js';
import type { OnlineMethod } from './online-methods.js';
import type { CheckoutOutcome, ProviderChange, ProviderEvent } from './provider-event.js';

/** A line of a checkout page. */
export interface CheckoutLine {
  /** Decimal text, `12.50`. */
  readonly amount: string;
  /** Shown to the buyer. */
  readonly description: string;
}

export interface CheckoutRequest extends CheckoutLine {
  readonly paymentId: string;
  /** ISO 4217, one of the provider's currencies. */
  readonly currency: string;
  /** Further lines that are paid together with the first one. */
  readonly more?: readonly CheckoutLine[];
  readonly email: string;
  readonly language: Language;
  readonly successUrl: string;
  readonly cancelUrl: string;
  /** End of the hold. */
  readonly expiresAt: Date;
  /** The buyer agreed to later charges without being there; see `PaymentProvider.chargeAgain`. */
  readonly keepsMeans?: boolean;
}

/** A charge of the means of payment that an earlier payment was made with. */
export interface RepeatedCharge {
  readonly paymentId: string;
  /** The provider's id of the earlier payment, whose checkout had `keepsMeans`, or which was itself a repeated charge. */
  readonly providerPayment: string;
  /** Decimal text. */
  readonly amount: string;
  readonly currency: string;
  /** Shown to the buyer. */
  readonly description: string;
  /** Only looks whether it was charged before, and charges nothing. */
  readonly isOnlyLooked: boolean;
}

/** What is known of a payment whose outcome is asked for. */
export interface BegunPayment {
  readonly createdAt: Date;
  /** The provider's id of the payment, where it named it already. */
  readonly providerPayment: string | null;
}

export interface RefundRequest {
  readonly paymentId: string;
  /** The provider's id of the payment, from its event. */
  readonly providerPayment: string;
  /** Decimal text; the whole payment or a part. */
  readonly amount: string;
  readonly currency: string;
  /** What was given back of this payment before, as far as it is known; decimal text. */
  readonly settledBefore?: string;
  /** Identifies one of several refunds of a payment; a repeated request returns the first result. */
  readonly refundId?: string;
  /** The refund may have been requested before: first look for it at the provider. */
  readonly isRepeated?: boolean;
}

/**
 * A provider of online payments, of card readers, or of both: a class with the decorator `OnlineProvider`, in a folder of its own. It gets
 * the account of each call and stores nothing. Every method that asks the provider takes ten seconds at most, and runs outside of
 * transactions. Payments at the venue need no provider: see `PaymentsService.recordAtVenue`.
 * @throws PaymentProviderRefused, PaymentProviderUnavailable from every method that asks the provider
 */
export abstract class PaymentProvider {
  /** Value in `payment.provider`, and the last part of its address for events: lower-case letters, digits and hyphens. Never changes. */
  abstract readonly name: string;

  /** As staff and buyers know it. */
  abstract readonly label: Text;

  /** What staff enter to use their account. */
  abstract readonly fields: readonly AccountField[];

  /** Where staff enter the address for events at the provider. Absent: it sends none. */
  readonly eventsHelp?: Text;

  /** The smallest sum that it charges, decimal text. */
  abstract readonly minimum: `${number}`;

  /** ISO 4217. */
  abstract readonly currencies: readonly string[];

  /** Its card readers at the box office. Absent: it has none. */
  readonly readers?: CardReaders;

  /** Whether buyers can pay with this account now, as far as its fields tell. */
  available(_account: ProviderAccount): boolean {
    return true;
  }

  /** Whether payments with this account are only tried out: no money moves; undefined: its fields do not tell. */
  isTest(_account: ProviderAccount): boolean | undefined {
    return false;
  }

  /** Opens a checkout page. A repeated call for the same payment returns the same page. Absent: buyers cannot pay online with it. */
  open?(request: CheckoutRequest, account: ProviderAccount): Promise<{ reference: string; url: string }>;

  /** Closes a checkout page, or what a card reader is asked for. @throws PaymentProviderRefused when it was already paid or closed */
  abstract expire(reference: string, account: ProviderAccount, begun: BegunPayment): Promise<void>;

  /**
   * What became of a checkout: its outcome first, then, where a notice is all that the provider sends, what was given back.
   * @returns empty while it is open, and when it belongs to another program or tenant
   * @throws PaymentProviderRefused when it is unknown
   */
  abstract look(reference: string, account: ProviderAccount, begun: BegunPayment): Promise<readonly ProviderChange[]>;

  /**
   * Charges what the buyer agreed to before, without the buyer. Absent: the provider cannot, and it is never offered. A repeated call for
   * the same payment charges once, however much later it is made.
   * @returns undefined when nothing was charged, which only `isOnlyLooked` allows
   * @throws PaymentProviderRefused when the bank refuses, with code `authentication_required` when it wants the buyer
   */
  chargeAgain?(request: RepeatedCharge, account: ProviderAccount): Promise<CheckoutOutcome | undefined>;

  /**
   * Makes a refund. A repeated call for the same refund does not refund twice.
   * @throws PaymentProviderRefused with code `already_refunded` when nothing is left to refund
   */
  abstract refund(request: RefundRequest, account: ProviderAccount): Promise<{ reference: string }>;

  /**
   * Reads a message that arrived at `/payments/<name>/`. Absent: the provider sends none, or sends notices; `look` tells what happens.
   * @param bytes as received, because signatures cover them
   * @throws PaymentEventRefused unless it verifiably comes from this account, and is fresh
   */
  readEvent?(bytes: Buffer, headers: IncomingHttpHeaders, account: ProviderAccount): Promise<ProviderEvent>;

  /**
   * Reads a message that only names a checkout about which there is news, and which anybody could have sent: it is believed in nothing,
   * and `look` asks the provider, if the tenant has such a checkout.
   * @param body the JSON or the form that was sent
   * @returns the reference of the checkout
   * @throws PaymentEventRefused when it names none
   */
  readNotice?(body: unknown): string;

  /** The ways to pay that buyers find on the provider's page. Absent: buyers are told when they are there. */
  methods?(account: ProviderAccount): Promise<readonly OnlineMethod[]>;

  /** Asks the provider whether it knows the account. @throws PaymentProviderRefused with code `key` when it does not */
  abstract check(account: ProviderAccount): Promise<void>;
}
