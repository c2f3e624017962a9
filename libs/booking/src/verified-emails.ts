import type { Tx } from '#tenancy';

/** Whether the owner of an address has opened a link mailed to it. */
export async function isVerified(tx: Tx, emailKey: string): Promise<boolean> {
  const rows = await tx.query<unknown[]>('select 1 from verified_email where email_key = $1', [emailKey]);
  return rows.length > 0;
}

/** Stores that the address is verified, so that later bookings need no confirmation. */
export async function rememberVerified(tx: Tx, emailKey: string): Promise<void> {
  await tx.query('insert into verified_email (email_key) values ($1) on conflict do nothing', [emailKey]);
}
