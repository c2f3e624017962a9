/** The shortest and the longest code. */
const codeLength = { least: 4, most: 40 } as const;

const pattern = new RegExp(`^[\\p{L}\\p{N}][\\p{L}\\p{N}._-]{${codeLength.least - 1},${codeLength.most - 1}}$`, 'u');

/**
 * How a typed code is stored and compared: in capitals, without spaces.
 * @returns undefined for a text that is no code
 */
export function codeKey(typed: string): string | undefined {
  const key = typed.normalize('NFKC').replaceAll(/\s/g, '').toUpperCase();
  return pattern.test(key) ? key : undefined;
}
