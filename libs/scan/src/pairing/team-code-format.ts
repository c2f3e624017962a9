import { randomInt } from 'node:crypto';

/** Crockford's base 32: no I, L, O and U. */
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const length = 10;
const selectorLength = 3;

/** Creates a team code of 50 random bits. */
export function mintTeamCode(): string {
  return Array.from({ length }, () => digits[randomInt(digits.length)]).join('');
}

/** As people read it: `K7QF2-MXD9A`. */
export function shownTeamCode(code: string): string {
  return `${code.slice(0, length / 2)}-${code.slice(length / 2)}`;
}

/**
 * Reads a team code as people type it: in any case, with dashes and spaces or without, O for 0, I and L for 1. @returns undefined when it
 * is none
 */
export function parseTeamCode(typed: string): string | undefined {
  if (typed.length > 40) return undefined;
  const code = typed
    .toUpperCase()
    .replaceAll(/[\s\-‐‑–—]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
  return code.length === length && [...code].every((digit) => digits.includes(digit)) ? code : undefined;
}

/** The part by which a code is found. The other 35 bits are only stored encrypted. */
export function selectorOf(code: string): string {
  return code.slice(0, selectorLength);
}
