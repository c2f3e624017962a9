/** Sends a mail; its subject is the row of `mail`. */
export const mailJob = 'mail';
/** The same for a mail to many people; see `bulkMailKinds`. */
export const bulkMailJob = 'bulk-mail';
