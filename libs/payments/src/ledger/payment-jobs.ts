/** Pays money back; its subject is the payment. */
export const refundJob = 'payment-refund';
/** Closes a checkout that nobody shall pay any more; its subject is the payment. */
export const closeCheckoutJob = 'checkout-close';
