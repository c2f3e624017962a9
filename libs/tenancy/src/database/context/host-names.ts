import { domainToUnicode } from 'node:url';
import { asciiDomain, RefusedInput, refuseUnfitText } from '#kernel';
import { texts } from '../../locales/tenancy.texts.js';

/** Labels of letters, digits and hyphens (RFC 1123), 253 characters at most. */
const asciiForm = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;
/** Characters that would end the host inside a URL, or be decoded there. */
const notOfHosts = /[\s/?#@:%\\[\]<>^|]/;

/**
 * Normalises a host name for storage and comparison: lower-case ASCII without a final dot, international names by UTS 46 (`Müsik.example`
 * becomes `xn--msik-0ra.example`). Undefined when it is no host name; IP addresses are none.
 */
export function asciiHost(text: string): string | undefined {
  if (text.length > 300) return undefined;
  const typed = text.trim().replace(/[.。．｡]$/, '');
  if (typed === '' || notOfHosts.test(typed)) return undefined;
  const host = asciiDomain(typed);
  return asciiForm.test(host) && !/^[0-9.]+$/.test(host) ? host : undefined;
}

/** {@link asciiHost} of an input. @throws RefusedInput on host */
export function typedHost(text: string): string {
  refuseUnfitText('host', text, 300);
  const host = asciiHost(text);
  if (host !== undefined) return host;
  throw new RefusedInput('host', texts.localized('hostNames.invalid', { text }));
}

/** Scripts that a label may use, with digits and hyphens; one per label (UTS 39, "single script"). */
const scripts = [
  /^\p{Script=Latin}+$/u,
  /^\p{Script=Cyrillic}+$/u,
  /^\p{Script=Greek}+$/u,
  /^\p{Script=Arabic}+$/u,
  /^\p{Script=Hebrew}+$/u,
  /^\p{Script=Armenian}+$/u,
  /^\p{Script=Georgian}+$/u,
  /^\p{Script=Devanagari}+$/u,
  /^\p{Script=Bengali}+$/u,
  /^\p{Script=Tamil}+$/u,
  /^\p{Script=Thai}+$/u,
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+$/u,
  /^[\p{Script=Han}\p{Script=Hangul}]+$/u,
  /^[\p{Script=Han}\p{Script=Bopomofo}]+$/u,
];
/** Cyrillic and Greek letters that look like Latin ones: a label of only these can imitate a Latin name. */
const latinLookAlikes = /^[асԁеһіјӏорԛѕԝхуъьҽпгѵѡαικνρυωηοτ]+$/u;

/**
 * The Unicode form of an international host name, for display; undefined for ASCII names, and for names that can imitate another: labels
 * with mixed scripts, or with only letters that look like Latin ones.
 */
export function unicodeHost(host: string): string | undefined {
  if (!host.includes('xn--')) return undefined;
  const shown = domainToUnicode(host);
  if (shown === host || asciiDomain(shown) !== host) return undefined;
  return shown.split('.').every(isPlain) ? shown : undefined;
}

function isPlain(label: string): boolean {
  const letters = label.replaceAll(/[\p{Script=Common}\p{Script=Inherited}]/gu, '');
  return letters === '' || (scripts.some((script) => script.test(letters)) && !latinLookAlikes.test(letters));
}
