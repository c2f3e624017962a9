import { instantInZone } from '#kernel';
import { currentTenant } from '#tenancy';

const day = String.raw`((?:19|2\d)\d{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))`;
const time = String.raw`(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?`;
const offset = String.raw`[+-](?:0\d|1[0-4]):?[0-5]\d`;
const shape = new RegExp(`^${day}[T ](${time})(Z|${offset})?$`, 'i');

/** The shape of such a text, for the API document; some days that it allows do not exist. */
export const dateTimePattern = `^${day}[Tt ]${time}(?:[Zz]|${offset})?$`.replaceAll(String.raw`\d`, '[0-9]');

/**
 * Parses an ISO 8601 date and time of the years 1900 to 2999. Without an offset it is in the tenant's time zone.
 * @returns undefined when the text is invalid
 */
export function instantOf(text: unknown): Date | undefined {
  const [, day = '', time = '', offset] = (typeof text === 'string' && shape.exec(text.trim())) || [];
  // `Date` reads the 31st of a shorter month as the 1st of the next one.
  if (!day || new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10) !== day) return undefined;
  const local = `${day}T${time.replace(',', '.').replace(/(\.\d{3})\d+$/, '$1')}`;
  if (offset === undefined) return instantInZone(local, currentTenant().timeZone);
  return new Date(`${local}${offset.toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')}`);
}

/** @param text a text that `instantOf` accepted before */
export function knownInstantOf(text: string): Date {
  return instantOf(text) as Date;
}
