import type { Request } from 'express';
import { chosenLanguage } from './chosen-language.js';
import { fallbackLanguage, isLanguage, languages, type Language } from '#kernel';

/**
 * The language of an answer: on pages the one that the reader chose in this browser, then the one of the reader's account, then
 * `Accept-Language`, then the fallback (the tenant's), then English. A header with none of our languages, or only `*`, is ignored.
 */
export function negotiateLanguage(request: Request, fallback: Language | undefined, ofAccount?: Language): Language {
  const chosen = chosenLanguage(request) ?? ofAccount;
  if (chosen) return chosen;
  const header = request.headers['accept-language'];
  if (header !== undefined && /[a-z]/i.test(header)) {
    const accepted = request.acceptsLanguages([...languages]);
    if (isLanguage(accepted) && !onlyByWildcard(header, accepted)) return accepted;
  }
  return fallback ?? fallbackLanguage;
}

/** With `de, *` English matches only the wildcard; then the tenant's language is the better choice. */
function onlyByWildcard(header: string, language: Language): boolean {
  return !header.split(',').some((part) => part.trim().toLowerCase().startsWith(language));
}
