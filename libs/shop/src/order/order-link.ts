import { isSignedIn } from '#booking';
import { databaseNow } from '#kernel';

/** How long the link to a completed order works. */
const linkMs = 24 * 3_600_000;

/** A reservation or membership of a completed order. */
interface Completed {
  readonly email: string;
  /** 0 until its address is corrected. */
  readonly linkVersion: number;
  readonly createdAt: Date;
  readonly completedAt?: Date | null;
  readonly opensByMail?: boolean;
}

/** Whether the link to a completed order still shows it: for a day, and until its address is corrected, because others know it, too. */
export function isLinkOpen({ linkVersion, completedAt, createdAt }: Completed): boolean {
  return linkVersion === 0 && (completedAt ?? createdAt).getTime() + linkMs > databaseNow().getTime();
}

/**
 * Whether the page of a completed order leads to the holder's page: for the buyer who is signed in; for others while the link works, when
 * something was paid, or the places were offered to the address by mail.
 * @param signedIn address of who is signed in
 */
export function leadsToHolder(order: Completed, signedIn: string | undefined): boolean {
  return isSignedIn({ email: order.email, signedIn }) || (order.opensByMail !== true && isLinkOpen(order));
}
