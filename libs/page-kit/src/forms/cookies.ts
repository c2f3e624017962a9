import { createHash } from 'node:crypto';
import { cookieIn, hostCookie } from '#http';
import type { Settings } from '#kernel';

type Scheme = Pick<Settings, 'publicScheme'>;

/** A cookie of the public pages. */
export interface PageCookie {
  readonly name: string;
  /** What it is about, when a browser may have several of its kind. A cookie that is bound to its host is sent to every path. */
  readonly about?: string | undefined;
}

/** A header `Set-Cookie` for a value that no script reads. @param seconds 0 deletes the cookie */
export function pageCookie(scheme: Scheme, cookie: PageCookie, value: string, seconds: number): string {
  const secure = scheme.publicScheme === 'https' ? '; Secure' : '';
  return `${nameOf(scheme, cookie)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}

/** The value of a cookie in the header `Cookie`; empty without one. */
export function pageCookieIn(scheme: Scheme, header: string | undefined, cookie: PageCookie): string {
  return cookieIn(header, nameOf(scheme, cookie));
}

function nameOf({ publicScheme }: Scheme, { name, about }: PageCookie): string {
  const suffix = about === undefined ? '' : `-${createHash('sha256').update(about).digest('hex').slice(0, 12)}`;
  return hostCookie(`${name}${suffix}`, publicScheme === 'https');
}
