/** Optional members of a schema.org Person. */
const ofPersons = new Set(['email', 'givenName', 'familyName']);

/** Members of other objects that name a person: in answers of the first API, and in the facts from which payloads are rendered. */
const texts = new Set(['first_name', 'last_name', 'firstName', 'lastName']);

/** The property with a person's answers to questions. */
const answers = 'customForm';

/** Members that identify an object, or the person itself. */
const naming = ['identifier', 'uuid', 'email', 'reservation_uuid'] as const;

/**
 * A copy of a payload in which the people of some objects have no name, address or answers. What is inside of such an object belongs to it.
 * @param persons ids of objects, or e-mail addresses in lower case
 */
export function withoutPersons(value: unknown, persons: ReadonlySet<string>, isTheirs = false): unknown {
  if (Array.isArray(value)) {
    const kept = isTheirs ? value.filter((entry) => (entry as { name?: unknown } | null)?.name !== answers) : value;
    return kept.map((entry) => withoutPersons(entry, persons, isTheirs));
  }
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Readonly<Record<string, unknown>>;
  const isOfThem = isTheirs || naming.some((name) => typeof members[name] === 'string' && persons.has(members[name].toLowerCase()));
  const entries = Object.entries(members).filter(([name]) => !(isOfThem && ofPersons.has(name)));
  return Object.fromEntries(
    entries.map(([name, member]) => [name, isOfThem && texts.has(name) ? '' : withoutPersons(member, persons, isOfThem)]),
  );
}
