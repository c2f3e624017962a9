/** What somebody scanned, opened or typed to pair the phone. */
export type PairingCode =
  | { readonly kind: 'code'; readonly code: string }
  /** The code is of another host: that one's app spends it. */
  | { readonly kind: 'elsewhere'; readonly address: string; readonly host: string }
  | { readonly kind: 'none' };

const token = /^[\w-]{43}$/;
const teamCode = /^[0-9A-HJKMNP-TV-Z]{10}$/;

/** A team code in the form that the server stores: upper case, without dashes and spaces, O as 0, I and L as 1. */
export function teamCodeOf(typed: string): string | null {
  const plain = typed
    .toUpperCase()
    .replaceAll(/[\s\-–—]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
  return teamCode.test(plain) ? plain : null;
}

/** Letters that are no code are `none`: the server is not asked. @param host of this page, with its port */
export function pairingCodeOf(text: string, host: string): PairingCode {
  const given = text.trim().slice(0, 500);
  const fragment = /^(?:https?:\/\/([^/]+)\/door\/?)?#pair=([\w-]+)$/i.exec(given);
  const address = /^https?:\/\/([^/]+)\/scan\/([\w-]{43})\/pair\/?$/i.exec(given);
  const [, from, written] = fragment ?? address ?? [];
  const raw = written ?? given;
  const code = token.test(raw) ? raw : teamCodeOf(raw);
  if (code === null) return { kind: 'none' };
  if (from !== undefined && from.toLowerCase() !== host.toLowerCase())
    return { kind: 'elsewhere', host: from, address: `${/^https?:/i.exec(given)?.[0] ?? 'https:'}//${from}/door/#pair=${code}` };
  return { kind: 'code', code };
}
