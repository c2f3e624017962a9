/** The payment provider does not answer, or not now: the same may succeed later, and asking again is safe. */
export class PaymentProviderUnavailable extends Error {
  override readonly name = 'PaymentProviderUnavailable';

  constructor(
    message: string,
    /**
     * It answered that it failed, and keeps that answer for the idempotency key of the request: the same must be asked under another one.
     */
    readonly isAnswered = false,
  ) {
    super(message);
  }
}

/** The payment provider refuses, and will again. The message may be shown to staff: it holds no key. */
export class PaymentProviderRefused extends Error {
  override readonly name: string = 'PaymentProviderRefused';

  constructor(
    message: string,
    /** The provider's own code, `charge_already_refunded` say. */
    readonly code?: string,
  ) {
    super(message);
  }
}

/** The tenant has no payment account, or has it switched off. */
export class PaymentAccountMissing extends PaymentProviderRefused {
  override readonly name = 'PaymentAccountMissing';

  constructor() {
    super('Payment by card is not set up.');
  }
}

/** An event that is not, or not provably, of the tenant's payment account: wrong signature, too old, unreadable. */
export class PaymentEventRefused extends Error {
  override readonly name = 'PaymentEventRefused';
}
