/** Releases the stock of a membership that was not paid in time; its subject is the membership. */
export const membershipExpiryJob = 'membership-expiry';
/** Cancels a membership that is still unpaid a day after it expired; its subject is the membership. */
export const membershipTidyJob = 'membership-tidy';
