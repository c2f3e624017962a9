import { wireAddress } from '#kernel';
import { MailRefusedError } from './mail-failure.js';

/**
 * Converts an e-mail address to its form for SMTP; accepts the same addresses as bookings.
 * @throws MailRefusedError when it is invalid
 */
export function mailableAddress(address: string): string {
  const wire = wireAddress(address);
  if (wire === undefined) throw new MailRefusedError('not an e-mail address');
  return wire;
}
