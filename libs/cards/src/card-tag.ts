/** UID lengths in bytes of ISO/IEC 14443-3: single, double and triple size. */
const sizes: ReadonlySet<number> = new Set([4, 7, 10]);
/** Length of ten bytes in hexadecimal with separators. */
const longest = 29;

/**
 * Normalises the UID of an NFC card to upper-case hexadecimal digits without separators. Readers write `04:a2:2f:…`, `04 A2 2F …`,
 * `04-a2-2f-…` or `04A22F…`.
 * @returns undefined when the text is no UID of 4, 7 or 10 bytes
 */
export function parseTag(text: string): string | undefined {
  const typed = text.trim();
  if (typed.length > longest) return undefined;
  const digits = typed.replaceAll(/(?<=[0-9a-f]{2})[:\- ](?=[0-9a-f]{2})/gi, '');
  return /^[0-9a-f]+$/i.test(digits) && sizes.has(digits.length / 2) ? digits.toUpperCase() : undefined;
}
