/** Releases the places of a draft whose hold has ended, and deletes the draft later; its subject is the reservation. */
export const draftExpiryJob = 'draft-expiry';
