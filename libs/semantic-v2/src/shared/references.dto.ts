import { hasOnly, isObject, isUuid } from '#kernel';

/** Something that a body names by its UUID. */
export interface Reference {
  readonly id: string;
  /** Where the UUID stands in the body. */
  readonly pointer: string;
}

/**
 * What a member names: a UUID, or an object with a UUID as `identifier`, which may also have the `name` that was answered.
 * @returns undefined when it is neither
 */
export function referenceOf(value: unknown, pointer: string): Reference | undefined {
  if (isObject(value) && !hasOnly(value, ['identifier', 'name'])) return undefined;
  const id = isObject(value) ? value['identifier'] : value;
  if (!isUuid(id)) return undefined;
  return { id: id.toLowerCase(), pointer: isObject(value) ? `${pointer}/identifier` : pointer };
}

/** What a member names that may also be a list of at most 100; undefined when one of them is unfit. */
export function referencesOf(value: unknown, pointer: string): Reference[] | undefined {
  const references = Array.isArray(value)
    ? value.map((item, index) => referenceOf(item, `${pointer}/${index}`))
    : [referenceOf(value, pointer)];
  const fit = references.filter((reference) => reference !== undefined);
  return fit.length === references.length && fit.length <= 100 ? fit : undefined;
}

/** Where each of them stands, for refusals. */
export function pointersById(references: readonly Reference[]): Record<string, string> {
  return Object.fromEntries(references.map(({ id, pointer }) => [id, pointer]));
}
