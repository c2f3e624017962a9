/** Sends a mail; its subject is the row of `mail`. */
export const mailJob = 'mail';
