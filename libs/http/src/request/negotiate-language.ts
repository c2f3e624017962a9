import type { Request } from 'express';
import { isLanguage, type Language } from '#kernel';

/**
 * The language of an answer: `Accept-Language` first, then the fallback (the tenant's), then English.
 * A header that names none of our languages, or only `*`, does not decide.
 */
export function negotiateLanguage(request: Request, fallback: Language | undefined): Language {
  const header = request.headers['accept-language'];
  if (header !== undefined && /[a-z]/i.test(header)) {
    const accepted = request.acceptsLanguages('en', 'fr');
    if (isLanguage(accepted) && !onlyByWildcard(header, accepted)) return accepted;
  }
  return fallback ?? 'en';
}

/** `de, *` accepts English only by the star; the tenant's own language is the better guess then. */
function onlyByWildcard(header: string, language: Language): boolean {
  return !header.split(',').some((part) => part.trim().toLowerCase().startsWith(language));
}
