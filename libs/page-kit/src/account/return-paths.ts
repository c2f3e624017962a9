/** Pages to which a visitor may return after signing in. Nothing else is followed: the path comes from an address that anybody can make. */
const returnPaths = /^\/(?:event\/[a-z0-9-]{1,120}|memberships(?:\/[0-9a-f-]{36})?|shop|cart)$/;

/** The path of one of the own pages; undefined for every other text. */
export function returnPathOf(text: unknown): string | undefined {
  return typeof text === 'string' && returnPaths.test(text) ? text : undefined;
}

/** Path of the page for signing in, from which the visitor returns to this page. */
export function signInPath(page: string): string {
  return `/account?next=${encodeURIComponent(page)}`;
}
