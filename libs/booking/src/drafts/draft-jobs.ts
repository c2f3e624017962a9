/** Releases the places of a draft whose hold has ended, and deletes the draft later; its subject is the reservation. */
export const draftExpiryJob = 'draft-expiry';

/** Seconds after the end of its hold for which a draft is kept: the buyer may still complete it if places remain. Then it is deleted. */
export const draftKeepSeconds = 3600;
