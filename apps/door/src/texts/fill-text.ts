/** Texts by their paths. */
export type Texts = Readonly<Record<string, string>>;

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
export function fillText(texts: Texts, locale: string, key: string, parameters: Parameters): string {
  const { count } = parameters;
  const find = (path: string): string | undefined => (Object.hasOwn(texts, path) ? texts[path] : undefined);
  const form = typeof count === 'number' ? find(`${key}_${pluralsOf(locale).select(count)}`) : undefined;
  const text = form ?? find(key) ?? find(`${key}_other`);
  if (!text?.includes('{')) return text ?? key;
  return text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = parameters[name];
    if (value === undefined) return placeholder;
    return typeof value === 'number' ? value.toLocaleString(locale) : value;
  });
}

let plurals: Intl.PluralRules | undefined;
let pluralsFor = '';

/** Kept, because making the rules takes longer than filling a text. */
function pluralsOf(locale: string): Intl.PluralRules {
  if (!plurals || pluralsFor !== locale) plurals = new Intl.PluralRules(locale);
  pluralsFor = locale;
  return plurals;
}
