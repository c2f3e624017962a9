import { wireAddress } from '#kernel';
import { MailRefusedError } from './mail-failure.js';

/**
 * An e-mail address as the mail server gets it, by the rule that bookings are checked with.
 * @throws MailRefusedError when it is none
 */
export function mailableAddress(address: string): string {
  const wire = wireAddress(address);
  if (wire === undefined) throw new MailRefusedError('not an e-mail address');
  return wire;
}
