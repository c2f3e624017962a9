type PluralForm = '_zero' | '_one' | '_two' | '_few' | '_many' | '_other';
type WithoutForm<Key extends string> = Key extends `${infer Base}${PluralForm}` ? Base : Key;

/** Paths of the texts in a catalogue: `events.nameMissing`. The plural forms of a text share one path. */
export type TextPath<Node> = {
  [Key in keyof Node & string]: Node[Key] extends string
    ? WithoutForm<Key>
    : Node[Key] extends readonly unknown[]
      ? never
      : `${Key}.${TextPath<Node[Key]>}`;
}[keyof Node & string];

/** Paths of the groups and lists of texts in a catalogue. */
export type GroupPath<Node> = {
  [Key in keyof Node & string]: Node[Key] extends string
    ? never
    : Node[Key] extends readonly unknown[]
      ? Key
      : Key | `${Key}.${GroupPath<Node[Key]>}`;
}[keyof Node & string];

/** The group at a path. */
export type GroupAt<Node, Path extends string> = Path extends `${infer Key}.${infer Rest}`
  ? Key extends keyof Node
    ? GroupAt<Node[Key], Rest>
    : never
  : Path extends keyof Node
    ? Node[Path]
    : never;

/** Values of `{name}`; `count` chooses the plural form. */
export type TextParameters = Readonly<Record<string, string | number | undefined>>;
