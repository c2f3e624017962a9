/**
 * By which all spellings of one e-mail address are one person: limits per person hold for `Ada+2@Example.org` as for
 * `ada@example.org` (RFC 5233: what follows a plus sign is a detail of the same mailbox).
 */
export function emailKey(email: string): string {
  const address = email.trim().normalize('NFKC').toLowerCase();
  const at = address.lastIndexOf('@');
  return at < 1 ? address : address.slice(0, at).replace(/(?<=.)\+.*$/, '') + address.slice(at);
}
