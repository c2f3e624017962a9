import { hasOnly, isObject, isUuid } from '#kernel';

/** A reference by UUID in a body. */
export interface Reference {
  readonly id: string;
  /** JSON pointer of the UUID. */
  readonly pointer: string;
}

/**
 * Reads a reference: a UUID, or an object with a UUID as `identifier`, which may also have the answered `name`.
 * @returns undefined for other values
 */
export function referenceOf(value: unknown, pointer: string): Reference | undefined {
  if (isObject(value) && !hasOnly(value, ['identifier', 'name'])) return undefined;
  const id = isObject(value) ? value['identifier'] : value;
  if (!isUuid(id)) return undefined;
  return { id: id.toLowerCase(), pointer: isObject(value) ? `${pointer}/identifier` : pointer };
}

/** Reads a reference or a list of at most 100; undefined when one is invalid. */
export function referencesOf(value: unknown, pointer: string): Reference[] | undefined {
  const references = Array.isArray(value)
    ? value.map((item, index) => referenceOf(item, `${pointer}/${index}`))
    : [referenceOf(value, pointer)];
  const fit = references.filter((reference) => reference !== undefined);
  return fit.length === references.length && fit.length <= 100 ? fit : undefined;
}

/** JSON pointers by id, for refusals. */
export function pointersById(references: readonly Reference[]): Record<string, string> {
  return Object.fromEntries(references.map(({ id, pointer }) => [id, pointer]));
}
