import { ignoreMember, isNothing, isObject } from '#kernel';

export type Members = Readonly<Record<string, unknown>>;
/** Reads the value of a member; undefined leaves the member out. @param pointer JSON pointer of the member in the body */
export type ReadMember = (value: unknown, pointer: string) => unknown;

/** Replaces members of an object by what `readers` make of them. Absent members stay absent. */
export function readMembers(body: Members, readers: Readonly<Record<string, ReadMember>>, pointer = ''): Record<string, unknown> {
  const entries = Object.entries(body).map(([name, value]): [string, unknown] => {
    const read = Object.hasOwn(readers, name) ? readers[name] : undefined;
    return [name, read ? read(value, `${pointer}/${name}`) : value];
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** The first item of a list; a value that is no list. The answer names the items that are left out. */
export const first: ReadMember = (value, pointer) => {
  const [only, ...others] = listOf(value);
  others.forEach((_, index) => ignoreMember(`${pointer}/${index + 1}`));
  return Array.isArray(value) ? (only ?? null) : value;
};

/** A text: the first of a list, the text of a JSON-LD value object; an empty text is null. */
export const oneText: ReadMember = (value, pointer) => {
  const one = first(value, pointer);
  const text = isObject(one) && '@value' in one ? one['@value'] : one;
  return text === '' ? null : text;
};

/** A text that may also be a number. */
export const textOrNumber: ReadMember = (value, pointer) => {
  const text = oneText(value, pointer);
  return typeof text === 'number' ? String(text) : text;
};

/** A name of schema.org without the address in front of it. */
export function withoutVocabulary(text: string): string {
  return text.trim().replace(/^(https?:\/\/(www\.)?schema\.org\/|schema:)/i, '');
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [value];
}

/** The first name of a type, such as MusicGroup. */
export function typeOf(value: Members): string | undefined {
  const type = listOf(value['@type']).find((name) => typeof name === 'string');
  return type === undefined ? undefined : withoutVocabulary(type);
}

export function isBlank(value: unknown): boolean {
  return isNothing(value) || value === '' || (Array.isArray(value) && value.length === 0);
}
