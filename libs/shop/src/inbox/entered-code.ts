import type { CodeConfirmationService } from '#selling';
import { awaitsConfirmation, type CodeSubject, type WholeReservation } from '#tickets';
import { currentLanguage, databaseNow } from '#kernel';
import { inboxWords } from './inbox.words.js';

/** What a form with a code leads to: a fault beside the field with the status of the answer, or the next page. */
interface EnteredCode {
  readonly fault?: string;
  readonly status?: number;
  /** The code was right, but the page of the link of this reservation says what cannot be confirmed any more. */
  readonly part?: CodeSubject;
}

/** Confirms an order with the code that was typed. What has not six digits is no attempt. */
export async function enterCode(codes: CodeConfirmationService, orderId: string, typed: string): Promise<EnteredCode> {
  const words = inboxWords[currentLanguage()];
  const given = typed.replace(/\s/g, '');
  if (!/^\d{6}$/.test(given)) return { fault: words.codeForm, status: 422 };
  const outcome = await codes.confirm(orderId, given);
  if (outcome.kind === 'refused') return { part: outcome.part };
  if (outcome.kind === 'spent') return { fault: words.spent, status: 429 };
  if (outcome.kind !== 'wrong') return {};
  return outcome.left > 0 ? { fault: words.wrong(outcome.left), status: 422 } : { fault: words.spent, status: 429 };
}

/** Whether an order awaits the confirmation of its address, and the time for it is not over. */
export function isToConfirm(parts: readonly Pick<WholeReservation, 'status' | 'payUntil' | 'expiresAt'>[]): boolean {
  const now = databaseNow();
  return parts.some((part) => awaitsConfirmation(part) && part.expiresAt !== null && part.expiresAt > now);
}
