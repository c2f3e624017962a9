import type { EmailCorrectionsService } from '#holders';
import { isSignedIn } from '#tickets';
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
export function isLinkOpen(order: Completed): boolean {
  return order.linkVersion === 0 && isRecent(order);
}

/**
 * Like `isLinkOpen`, for all of an order. A buyer who corrected the address before it was confirmed knows it.
 * @param reservations of the order; it may have memberships, too, whose address only staff correct
 */
export async function isOrderOpen(
  reservations: readonly (Completed & { readonly id: string })[],
  corrections: EmailCorrectionsService,
  memberships: readonly Completed[] = [],
): Promise<boolean> {
  if (!reservations.every(isRecent) || !memberships.every(isLinkOpen)) return false;
  return reservations.every(isLinkOpen) || !(await corrections.isChangedByOthers(reservations.map(({ id }) => id)));
}

const isRecent = ({ completedAt, createdAt }: Completed): boolean =>
  (completedAt ?? createdAt).getTime() + linkMs > databaseNow().getTime();

/**
 * Whether the page of a completed order leads to the holder's page: for the buyer who is signed in; for others while the link works, when
 * something was paid, or the places were offered to the address by mail.
 * @param signedIn address of who is signed in
 */
export function leadsToHolder(order: Completed, signedIn: string | undefined): boolean {
  return isSignedIn({ email: order.email, signedIn }) || (order.opensByMail !== true && isLinkOpen(order));
}
