import { domainToASCII, domainToUnicode } from 'node:url';

/** RFC 5321: maximum bytes of a local part, and of a whole address in a path. */
const longestLocal = 64;
const longestAddress = 254;

/** RFC 5321 without quoted local parts; letters of any script (RFC 6531). Control and format characters and U+FFFD are excluded. */
const localPart = /^[\p{L}\p{M}\p{N}.!#$%&'*+/=?^_`{|}~-]+$/u;
const unicodeDomain = /^[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)*$/u;
const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/**
 * The only rule for e-mail addresses: returns the address with its domain in ASCII (`zoë@théâtre.example` becomes
 * `zoë@xn--thtre-zqa5d.example`). API, forms, panel, command line and mailer use it, so that every stored address can receive mail.
 * @returns undefined when the text is not an address
 */
export function wireAddress(text: string): string | undefined {
  // A character has at least one byte, so longer texts cannot fit; long texts are never parsed.
  if (text.length > longestAddress) return undefined;
  const at = text.lastIndexOf('@');
  const local = text.slice(0, Math.max(at, 0)).normalize('NFC');
  const given = text.slice(at + 1).normalize('NFC');
  if (!localPart.test(local) || /^\.|\.\.|\.$/.test(local) || Buffer.byteLength(local) > longestLocal) return undefined;
  const domain = unicodeDomain.test(given) ? asciiDomain(given) : '';
  const labels = domain.split('.');
  if (!labels.every((part) => label.test(part)) || /^\d+$/.test(labels.at(-1) as string)) return undefined;
  const address = `${local}@${domain}`;
  return Buffer.byteLength(address) <= longestAddress ? address : undefined;
}

/** Whether a text is an e-mail address that can receive mail, at a domain with a dot. */
export function isEmail(text: string): boolean {
  const address = wireAddress(text);
  return address !== undefined && address.slice(address.lastIndexOf('@')).includes('.');
}

/**
 * A domain in ASCII as browsers write it (UTS 46): percent-encoding, paths and numbers are accepted.
 * @returns empty when it is invalid, also for invalid Punycode, which newer versions of Node leave as it is
 */
export function asciiDomain(text: string): string {
  const domain = domainToASCII(text);
  return /(^|\.)xn--/.test(domainToUnicode(domain)) ? '' : domain;
}

/** The one spelling of a domain that has two: with its letters, not in Punycode (`bücher.de` for `xn--bcher-kva.de`). */
export function oneSpelling(domain: string): string {
  const hasTwo = /xn--|[^\0-\x7f]/i.test(domain) && unicodeDomain.test(domain);
  return (hasTwo && domainToUnicode(domain)) || domain;
}
