import { currentTenant, queryPrepared, type PreparedStatement, type Tx } from '#tenancy';

/** Orders that await a confirmation cause at most so many mails to one address. */
export const mostConfirmationMails = 30;

/** SQL: whether the owner of an address has opened a link mailed to it. @param emailKey SQL of its key */
export const isVerifiedSql = (emailKey: string): string => `exists (select 1 from verified_email where email_key = ${emailKey})`;

/** Stores that the owner of an address has opened a mailed link. */
export async function rememberVerified(tx: Tx, emailKey: string): Promise<void> {
  await tx.query('insert into verified_email (email_key) values ($1) on conflict do nothing', [emailKey]);
}

/** Serialises forms that cause a mail to confirm this address, whose number is limited. Follows events and precedes prices. */
export async function lockAddress(tx: Tx, emailKey: string): Promise<void> {
  await queryPrepared(tx, lockAddressStatement, [`${currentTenant().id} confirmations by ${emailKey}`]);
}

const lockAddressStatement: PreparedStatement = { name: 'address-lock', text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))' };
