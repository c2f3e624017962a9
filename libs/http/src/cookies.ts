/** The name of a cookie. With https its prefix binds it to this host: no other host of the domain can set it (RFC 6265bis, 4.1.3.2). */
export const hostCookie = (name: string, isSecure: boolean): string => (isSecure ? `__Host-${name}` : name);

/** The value of a cookie in the header `Cookie`; empty without one. */
export function cookieIn(header: string | undefined, name: string): string {
  const pairs = (header ?? '').split(';', 50).map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
}
