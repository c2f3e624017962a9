/** The members that may be null or undefined become optional. */
type Present<Members> = {
  readonly [Name in keyof Members as null extends Members[Name] ? never : undefined extends Members[Name] ? never : Name]: Members[Name];
} & {
  readonly [Name in keyof Members as null extends Members[Name] ? Name : undefined extends Members[Name] ? Name : never]?: NonNullable<
    Members[Name]
  >;
};

/** The members that have a value: null and undefined are left out. */
export function present<const Members extends object>(members: Members): Present<Members> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null)) as Present<Members>;
}

type Defined<Members> = { -readonly [Name in keyof Members]?: Exclude<Members[Name], undefined> };

/** The members that have a value, which may be null: undefined is left out. */
export function definedOf<const Members extends object>(members: Members): Defined<Members> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<Members>;
}
