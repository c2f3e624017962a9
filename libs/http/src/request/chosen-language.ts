import type { Request, RequestHandler } from 'express';
import { cookieIn, hostCookie } from '../cookies.js';
import { isLanguage, languageFacts, languages, type Language } from '#kernel';

const languageCookie = ({ secure }: Request): string => hostCookie('guichet-language', secure);
const parameter = 'lang';
/** Names the language of one answer without a cookie: search engines find each language at its own address. */
const answerParameter = 'language';
const yearMs = 365 * 24 * 3_600_000;

/**
 * Paths that are answered on every domain and without cookies: programs call them, such as payment providers with their events, and other
 * sites embed images. The form for a new place is a page.
 */
const programPath = /^\/(?:api|scan|tenant(?!\/new(?:\/|$))|payments|images)(?:\/|$)/i;

/** Whether a request is made by a reader's browser for a page, rather than by a program. */
export function isPagePath(path: string): boolean {
  return !programPath.test(path);
}

/** The language that the address names, or that a reader chose in this browser on an earlier page; undefined when none. */
export function chosenLanguage(request: Request): Language | undefined {
  // The panel is mounted: its own requests for data, `/admin/api/`, belong to its pages.
  if (!isPagePath(`${request.baseUrl}${request.path}`) || !isPagePath(request.originalUrl)) return undefined;
  const named = request.query[answerParameter];
  if (isLanguage(named)) return named;
  const value = cookieIn(request.headers.cookie, languageCookie(request));
  return isLanguage(value) ? value : undefined;
}

/**
 * A link to the same page in another language. It has no path, so that a page does not repeat the secrets of signed addresses.
 * @param address path and query of the page
 */
function languageHref(address: string, language: Language): string {
  const kept = withoutChoice(address);
  const at = kept.indexOf('?');
  return `?${at < 0 ? '' : `${kept.slice(at + 1)}&`}${parameter}=${language}`;
}

/** The address of a page or file in one language, for readers of every language. @param address without that parameter */
export function addressIn(address: string, language: Language): string {
  return `${address}${address.includes('?') ? '&' : '?'}${answerParameter}=${language}`;
}

/** A link to the same page in another language, named in itself. */
interface LanguageLink {
  readonly code: Language;
  readonly name: string;
  /** Undefined: the language of the page. */
  readonly href: string | undefined;
}

/** Links to the same page in each language. @param address path and query of the page */
export function languageLinks(address: string, current: Language): LanguageLink[] {
  return languages.map((code) => ({
    code,
    name: languageFacts[code].name,
    href: code === current ? undefined : languageHref(address, code),
  }));
}

/** Follows a link to another language: keeps the choice in a cookie for a year and returns to the page without the parameter. */
export const followLanguageChoice: RequestHandler = (request, response, next) => {
  const language = request.query[parameter];
  const reads = request.method === 'GET' || request.method === 'HEAD';
  if (!reads || !isLanguage(language) || !isPagePath(request.path)) return next();
  response.cookie(languageCookie(request), language, {
    httpOnly: true,
    sameSite: 'lax',
    secure: request.secure,
    path: '/',
    maxAge: yearMs,
  });
  response.set('Cache-Control', 'no-store').redirect(303, withoutChoice(request.originalUrl));
};

/** The address without the parameters. It begins with one slash, so that it never names another host. */
function withoutChoice(address: string): string {
  const at = address.indexOf('?');
  const path = (at < 0 ? address : address.slice(0, at)).replace(/^[/\\]+/, '/');
  const query = at < 0 ? [] : address.slice(at + 1).split('&');
  const kept = query.filter((pair) => pair !== '' && !pair.startsWith(`${parameter}=`) && !pair.startsWith(`${answerParameter}=`));
  return kept.length > 0 ? `${path}?${kept.join('&')}` : path;
}
