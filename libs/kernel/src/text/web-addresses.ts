import { parse } from 'tldts';

/** Words joined by dots, as in `example.org`; also with the ideographic full stop, which browsers read as a dot. */
const dotted = /[\p{L}\p{M}\p{N}-]+(?:[.。][\p{L}\p{M}\p{N}-]+)+/gu;

/**
 * Whether mail programs and people may read a part of a text as an address: `://`, `www.`, `/`, `@`, an IP address, or a domain below one
 * of the public top-level domains (`St.John` and `J.R.R. Tolkien` are names). Compatibility forms count as the letters that they look like.
 */
export function hasAddress(text: string): boolean {
  const plain = text.normalize('NFKC').replace(/\p{Cf}/gu, '');
  if (/[/@\\]|www\./iu.test(plain)) return true;
  return (plain.match(dotted) ?? []).some((word) => {
    const { isIcann, isIp, domain } = parse(word.replaceAll('。', '.'));
    return isIp === true || (isIcann === true && domain !== null);
  });
}
