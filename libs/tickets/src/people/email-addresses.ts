import { isEmail, oneSpelling, RefusedInput } from '#kernel';
import { texts } from '../locales/tickets.texts.js';

/**
 * Normalises an e-mail address so that all spellings of it identify one person: limits per person count `Ada+2@Example.org` and
 * `ada@example.org` together (RFC 5233: the part after a plus sign is a detail of the same mailbox), and both spellings of a domain with
 * letters beyond ASCII.
 */
export function emailKey(email: string): string {
  const address = email.trim().normalize('NFKC').toLowerCase();
  const at = address.lastIndexOf('@');
  return at < 1 ? address : address.slice(0, at).replace(/(?<=.)\+.*$/, '') + `@${oneSpelling(address.slice(at + 1))}`;
}

/** Why an address that a person entered cannot receive mail, on `email`; undefined: it can. White space around it is ignored. */
export function emailFault(email: string): RefusedInput | undefined {
  return isEmail(email.trim()) ? undefined : new RefusedInput('email', texts.localized('names.emailInvalid'));
}
