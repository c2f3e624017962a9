import type { Tx } from '#tenancy';

/** Notes that the line of a membership uses a code. @param use.membershipId null: it is in an open cart, and takes no use yet */
export async function noteCodeUse(
  tx: Tx,
  { codeId, saved }: { readonly codeId: string; readonly saved: string },
  use: { readonly lineId: string; readonly membershipId: string | null },
): Promise<void> {
  const values = [use.lineId, use.membershipId, codeId, saved];
  await tx.query('insert into code_use (line_id, membership_id, code_id, saved) values ($1, $2, $3, $4)', values);
}

/** Lines of an open cart use no code any more. */
export async function forgetCodeUses(tx: Tx, lineIds: readonly string[]): Promise<void> {
  await tx.query('delete from code_use where line_id = any($1)', [lineIds]);
}
