/** Sends refunds to the provider; its subject is the refund, or the payment for all its refunds. */
export const refundJob = 'payment-refund';
/** Closes the checkout of a payment that was given up; its subject is the payment. */
export const closeCheckoutJob = 'checkout-close';
/** Asks the provider for the outcome of a checkout; its subject is the first payment. */
export const lookAtCheckoutJob = 'checkout-look';
