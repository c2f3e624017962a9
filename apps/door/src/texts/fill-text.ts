/** Texts by name, in groups. */
export interface TextTree {
  readonly [name: string]: string | TextTree;
}

export type Parameters = Readonly<Record<string, string | number>>;

type PluralForm = '_zero' | '_one' | '_two' | '_few' | '_many' | '_other';
type WithoutForm<Key extends string> = Key extends `${infer Base}${PluralForm}` ? Base : Key;

/** Paths of the texts in a catalogue. The plural forms of a text share one path. */
export type TextKey<Node> = {
  [Key in keyof Node & string]: Node[Key] extends string ? WithoutForm<Key> : `${Key}.${TextKey<Node[Key]>}`;
}[keyof Node & string];

/**
 * The text at a path with its `{name}` replaced. A number `count` chooses the plural form and is written in the language's digits.
 * @returns the path when there is no such text, so that a screen never fails for a text
 */
export function fillText(tree: TextTree, locale: string, key: string, parameters: Parameters): string {
  const { count } = parameters;
  const form = typeof count === 'number' ? find(tree, `${key}_${new Intl.PluralRules(locale).select(count)}`) : undefined;
  const text = form ?? find(tree, `${key}_other`) ?? find(tree, key);
  if (text === undefined) return key;
  return text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = parameters[name];
    if (value === undefined) return placeholder;
    return typeof value === 'number' ? value.toLocaleString(locale) : value;
  });
}

function find(tree: TextTree, key: string): string | undefined {
  let node: string | TextTree | undefined = tree;
  for (const name of key.split('.')) {
    if (typeof node !== 'object') return undefined;
    node = Object.hasOwn(node, name) ? node[name] : undefined;
  }
  return typeof node === 'string' ? node : undefined;
}
