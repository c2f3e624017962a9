import type { Settings } from '#kernel';

/** A header `Set-Cookie` for a value that only pages below a path get, and no script. @param where.seconds 0 deletes the cookie */
export function pageCookie(
  { publicScheme }: Pick<Settings, 'publicScheme'>,
  name: string,
  value: string,
  { path, seconds }: { readonly path: string; readonly seconds: number },
): string {
  const secure = publicScheme === 'https' ? '; Secure' : '';
  return `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}

/** The value of a cookie in the header `Cookie`; empty without one. */
export function cookieIn(header: string, name: string): string {
  const pairs = header.split(';', 50).map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
}
