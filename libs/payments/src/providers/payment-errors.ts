/** The payment provider is temporarily unavailable; repeating the request later is safe and may succeed. */
export class PaymentProviderUnavailable extends Error {
  override readonly name = 'PaymentProviderUnavailable';

  constructor(
    message: string,
    /**
     * The provider answered with an error, which it stores under the idempotency key of the request: a retry needs another key.
     */
    readonly isAnswered = false,
  ) {
    super(message);
  }
}

/** The payment provider refuses permanently. The message contains no key and may be shown to staff. */
export class PaymentProviderRefused extends Error {
  override readonly name: string = 'PaymentProviderRefused';

  constructor(
    message: string,
    /** `key`: the provider does not know the account. `already_refunded`: nothing is left to refund. Others: the provider's own. */
    readonly code?: string,
  ) {
    super(message);
  }
}

/** The tenant has no payment account, or none that may be used for this; or the program has no such provider any more. */
export class PaymentAccountMissing extends PaymentProviderRefused {
  override readonly name = 'PaymentAccountMissing';

  constructor() {
    super('Payment by card is not set up.');
  }
}

/** An event that does not verifiably come from the tenant's payment account: wrong signature, too old, or unreadable. */
export class PaymentEventRefused extends Error {
  override readonly name = 'PaymentEventRefused';
}
