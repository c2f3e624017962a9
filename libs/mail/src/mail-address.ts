import { domainToASCII } from 'node:url';
import { MailRefusedError } from './mail-failure.js';

/** RFC 5321 without quoted local parts, which nobody has; letters of any script (RFC 6531). */
const local = /^(?!\.)(?!.*\.\.)[\p{L}\p{M}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}(?<!\.)$/u;
const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/**
 * An e-mail address as it goes over the wire: the domain in ASCII, so that `zoë@théâtre.example` is found by every server.
 * @throws MailRefusedError when it is none
 */
export function wireAddress(address: string): string {
  const at = address.lastIndexOf('@');
  const name = address.slice(0, at).normalize('NFC');
  const domain = domainToASCII(address.slice(at + 1).normalize('NFC'));
  const fit = at > 0 && local.test(name) && Buffer.byteLength(name) <= 64 && domain.length <= 253;
  if (!fit || !domain.split('.').every((part) => label.test(part))) throw new MailRefusedError('not an e-mail address');
  return `${name}@${domain}`;
}
