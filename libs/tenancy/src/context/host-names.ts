import { domainToASCII, domainToUnicode } from 'node:url';
import { RefusedInput, refuseUnfitText } from '#kernel';
import { texts } from '../locales/tenancy.texts.js';

/** Labels of letters, digits and hyphens (RFC 1123), 253 characters at most. */
const asciiForm = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;
/** What would end the host inside an address, or be decoded there. */
const notOfHosts = /[\s/?#@:%\\[\]<>^|]/;

/**
 * The form in which a host name is stored and asked for: lower-case ASCII without a final dot, international names by UTS 46
 * (`Müsik.example` is `xn--msik-0ra.example`). Undefined for what is no host name; an IP address is none.
 */
export function asciiHost(text: string): string | undefined {
  if (text.length > 300) return undefined;
  const typed = text.trim().replace(/[.。．｡]$/, '');
  if (typed === '' || notOfHosts.test(typed)) return undefined;
  const host = domainToASCII(typed);
  return asciiForm.test(host) && !/^[0-9.]+$/.test(host) ? host : undefined;
}

/** {@link asciiHost} of what a person typed. @throws RefusedInput on host */
export function typedHost(text: string): string {
  refuseUnfitText('host', text, 300);
  const host = asciiHost(text);
  if (host !== undefined) return host;
  throw new RefusedInput('host', texts.localized('hostNames.notHostNameSuchTickets', { text }));
}

/** Scripts that one label may be written in: one of these, digits and hyphens beside it (after UTS 39, "single script"). */
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
/** Cyrillic and Greek letters that look like Latin ones: a label of nothing else can pass for a Latin name. */
const latinLookAlikes = /^[асԁеһіјӏорԛѕԝхуъьҽпгѵѡαικνρυωηοτ]+$/u;

/**
 * An international host name in Unicode, to be shown beside its ASCII form; undefined for an ASCII name, and for one that could be taken
 * for another: labels of mixed scripts, or of nothing but look-alikes of Latin letters.
 */
export function unicodeHost(host: string): string | undefined {
  if (!host.includes('xn--')) return undefined;
  const shown = domainToUnicode(host);
  if (shown === host || domainToASCII(shown) !== host) return undefined;
  return shown.split('.').every(isPlain) ? shown : undefined;
}

function isPlain(label: string): boolean {
  const letters = label.replaceAll(/[\p{Script=Common}\p{Script=Inherited}]/gu, '');
  return letters === '' || (scripts.some((script) => script.test(letters)) && !latinLookAlikes.test(letters));
}
