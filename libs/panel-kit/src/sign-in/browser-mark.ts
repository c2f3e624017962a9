import type { Request } from 'express';

/** Marks a browser in which somebody signed in before. On https the prefix pins it to this host. */
export const browserCookie = (request: Request): string => (request.secure ? '__Host-guichet-browser' : 'guichet-browser');

/** Value of the cookie; undefined when the browser sent none. */
export function browserMarkOf(request: Request): string | undefined {
  const prefix = `${browserCookie(request)}=`;
  const pairs = (request.headers.cookie ?? '').split(';', 50).map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length);
}
