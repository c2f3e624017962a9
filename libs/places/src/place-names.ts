import { createHash } from 'node:crypto';
import { asciiWords, folded, foldedSql, type Settings } from '#kernel';
import { isReservedName } from '#tenancy';

/** Longest label of a host name (RFC 1035). */
export const longestLabel = 63;

/** SQL of `nameKeyOf`. */
export function nameKeySql(text: string): string {
  return `btrim(regexp_replace(${foldedSql(text)}, '[\\t\\n\\r -/:-@[-\`{-~]+', ' ', 'g'))`;
}

/** The key under which two names are the same organisation: without case, accents, punctuation and repeated spaces. */
export function nameKeyOf(name: string): string {
  return folded(name)
    .replace(/[\t\n\r -/:-@[-`{-~]+/g, ' ')
    .trim();
}

/**
 * The sub-domain of an organisation. The same name always gives the same one, so that the database decides which of two concurrent
 * creations is first. A name with letters that a host name cannot contain gets a suffix that keeps it unique.
 */
export function slugOf(name: string, settings: Pick<Settings, 'metaSubdomain'>): string {
  const key = nameKeyOf(name);
  const label = asciiWords(key, Infinity);
  const lossless = !/\P{ASCII}/u.test(key) && label.length <= longestLabel;
  if (lossless && label !== '') return isReservedName(label, settings) ? `${label}-place`.slice(0, longestLabel) : label;
  const mark = createHash('sha256').update(key).digest('hex').slice(0, 8);
  const kept = label.slice(0, longestLabel - mark.length - 1).replace(/-+$/, '');
  return `${kept || 'place'}-${mark}`;
}
