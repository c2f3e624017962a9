import { cookieIn, hostCookie } from '#http';
import type { Request } from 'express';

/** Marks a browser in which somebody signed in before. */
export const browserCookie = (request: Request): string => hostCookie('guichet-browser', request.secure);

/** Value of the cookie; undefined when the browser sent none. */
export function browserMarkOf(request: Request): string | undefined {
  return cookieIn(request.headers.cookie, browserCookie(request)) || undefined;
}
