import anyAscii from 'any-ascii';

/** A text with the characters that all banks of the SEPA take. */
export function bankText(text: string, longest: number): string {
  return anyAscii(text.normalize('NFC'))
    .replaceAll(/[^A-Za-z\d/?:().,'+ -]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, longest)
    .trim();
}
