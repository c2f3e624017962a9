import { cookieIn, hostCookie } from '#http';
import { knownBrowserDays } from '#tenancy';
import type { Request, Response } from 'express';

/** Marks a browser in which somebody signed in before. */
const browserCookie = (request: Request): string => hostCookie('guichet-browser', request.secure);

/** Value of the cookie; undefined when the browser sent none. */
export function browserMarkOf(request: Request): string | undefined {
  return cookieIn(request.headers.cookie, browserCookie(request)) || undefined;
}

/** Keeps the mark of a browser in which somebody signed in. */
export function keepBrowserMark(request: Request, response: Response, mark: string): void {
  response.cookie(browserCookie(request), mark, {
    httpOnly: true,
    sameSite: 'lax',
    secure: request.secure,
    path: '/',
    maxAge: knownBrowserDays * 24 * 3_600_000,
  });
}
