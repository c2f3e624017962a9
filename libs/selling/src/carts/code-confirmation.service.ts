import { awaitsConfirmationSql, ConfirmationCodes, type CodeSubject } from '#tickets';
import { countCodeAttempt, forgetCodeAttempts } from '#orders';
import { TenantDb, type Tx } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { CartVerificationService } from './cart-verification.service.js';

/** Codes that may be tried for an order until its address changes. */
const mostAttempts = 5;

/**
 * What a code leads to. `refused`: it is right, but not everything can be confirmed any more; the page of the link of `part` says why.
 * `spent`: too many were tried. `over`: nothing awaits a code, or the time is over.
 */
type CodeOutcome =
  | { readonly kind: 'confirmed' | 'spent' | 'over' }
  | { readonly kind: 'wrong'; readonly left: number }
  | { readonly kind: 'refused'; readonly part: CodeSubject };

/** Confirms orders with the code in their mail. */
@Injectable()
export class CodeConfirmationService {
  constructor(
    private readonly db: TenantDb,
    private readonly codes: ConfirmationCodes,
    private readonly verifications: CartVerificationService,
  ) {}

  /**
   * Does what the link in the mail does, when the code is right. Each attempt is counted before the code is compared, by one conditional
   * update, so that simultaneous guesses cannot exceed the limit together.
   * @param orderId of the cart, or of the reservation that was ordered alone
   */
  async confirm(orderId: string, given: string): Promise<CodeOutcome> {
    const found = await this.db.transaction((tx) => attempt(tx, orderId));
    if (found.parts.length === 0) return { kind: 'over' };
    if (found.attempts === undefined) return { kind: 'spent' };
    const part = found.parts.find((one) => this.codes.isCodeOf(given, one));
    if (!part) return { kind: 'wrong', left: mostAttempts - found.attempts };
    await this.db.transaction((tx) => openPage(tx, part));
    const refused = await this.verifications.verify(part.id, part.linkVersion);
    return refused ? { kind: 'refused', part } : { kind: 'confirmed' };
  }
}

/** SQL: whether a reservation awaits a code whose time is not over. */
const awaitsCodeSql = `not part.is_draft and part.confirmation = 'code' and ${awaitsConfirmationSql('part')}
  and part.expires_at > (select statement_timestamp())`;

/** Counts an attempt. @returns what awaits a code, and the number of attempts; undefined: there were too many before */
async function attempt(
  tx: Tx,
  orderId: string,
): Promise<{ readonly parts: readonly CodeSubject[]; readonly attempts: number | undefined }> {
  const parts = await tx.query<CodeSubject[]>(
    `select part.id, part.cart_id as "cartId", part.email, part.link_version as "linkVersion" from reservation part
     where (part.id = $1 and part.cart_id is null or part.cart_id = $1) and ${awaitsCodeSql} order by part.id`,
    [orderId],
  );
  if (parts.length === 0) return { parts, attempts: undefined };
  return { parts, attempts: await countCodeAttempt(tx, orderId, mostAttempts) };
}

/**
 * The page of the order leads to the tickets from now on, because whoever sees it has read the mail. Nothing changes after the address was
 * corrected meanwhile.
 */
async function openPage(tx: Tx, { id, cartId, email, linkVersion }: CodeSubject): Promise<void> {
  await tx.query(
    `update reservation part set opens_by_mail = false
     where (part.id = $1 or part.cart_id = $2) and part.email = $3 and part.link_version = $4 and ${awaitsCodeSql}`,
    [id, cartId, email, linkVersion],
  );
}

/** A new address gets another code, with attempts of its own. Who knew the old one has shown nothing about the new address. */
export async function forgetCode(tx: Tx, id: string): Promise<void> {
  const [[row]] = await tx.query<[{ orderId: string }[], number]>(
    'update reservation set opens_by_mail = true where id = $1 returning coalesce(cart_id, id) as "orderId"',
    [id],
  );
  if (row) await forgetCodeAttempts(tx, row.orderId);
}
