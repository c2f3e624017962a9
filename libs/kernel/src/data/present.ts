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
