/** Sends a message; its subject is the row of `mail`. */
export const mailJob = 'mail';
