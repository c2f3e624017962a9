import { texts } from '../../locales/tenancy.texts.js';

/**
 * What a role allows: the nouns, each with its levels in order. A level includes those before it; `none` is the first of each. This
 * table is the only one: the panel, keys and devices ask it, the people page draws one select per noun from it.
 */
export const permissions = {
  event: ['none', 'see', 'change'],
  product: ['none', 'see', 'change'],
  /** Discount codes: who knows one may use it. */
  code: ['none', 'see', 'change'],
  reservation: ['none', 'checkIn', 'see', 'sell'],
  ticket: ['none', 'see', 'change'],
  membership: ['none', 'see', 'change'],
  /** Names of events and counts: how many are sold, came and wait. */
  figures: ['none', 'see'],
  /** Amounts, wherever they stand. */
  money: ['none', 'see'],
  payment: ['none', 'see', 'change'],
  refund: ['none', 'see', 'give'],
  paymentAccount: ['none', 'see', 'change'],
  /** E-mail addresses, phone numbers, answers and notes, wherever they stand. */
  contact: ['none', 'see'],
  mail: ['none', 'see', 'write'],
  export: ['none', 'download'],
  /** Follow entries, decide double entries, set up devices and gates. */
  door: ['none', 'follow', 'decide', 'set'],
  profile: ['none', 'see', 'change'],
  people: ['none', 'see', 'change'],
  history: ['none', 'see'],
  key: ['none', 'see', 'change'],
  webhook: ['none', 'see', 'change'],
  /** Networks of places. */
  place: ['none', 'see', 'change'],
  card: ['none', 'see'],
} as const;

export type PermissionNoun = keyof typeof permissions;
export type PermissionLevel<Noun extends PermissionNoun = PermissionNoun> = (typeof permissions)[Noun][number];

/** One level of one noun, as `event.change`. What is declared in code is checked by the compiler. */
export type Permission = { [Noun in PermissionNoun]: `${Noun}.${Exclude<PermissionLevel<Noun>, 'none'>}` }[PermissionNoun];

/** The level of each noun; a noun that is absent is `none`. */
export type PermissionLevels = { readonly [Noun in PermissionNoun]?: PermissionLevel<Noun> };

export const permissionNouns = Object.keys(permissions) as PermissionNoun[];

/** Label and help of each noun, and the labels of the levels. */
export const nounWords = texts.perLanguage('roles.nouns', ({ words }) => words);
export const levelWords = texts.perLanguage('roles.levels', ({ words }) => words);

/** Place of a level in the order of its noun; 0 for `none` and for levels that the noun does not have. */
const rank = (noun: PermissionNoun, level: string | undefined): number =>
  Math.max(0, (permissions[noun] as readonly string[]).indexOf(level ?? 'none'));

/** Whether levels include a permission. */
export function reaches(levels: PermissionLevels, permission: Permission): boolean {
  const [noun, level] = permission.split('.') as [PermissionNoun, string];
  const wanted = rank(noun, level);
  return wanted > 0 && rank(noun, levels[noun]) >= wanted;
}

/** Whether no level of `levels` is above that of `most`. */
export const isWithin = (levels: PermissionLevels, most: PermissionLevels): boolean =>
  permissionNouns.every((noun) => rank(noun, levels[noun]) <= rank(noun, most[noun]));

/** The known nouns and levels of a stored or sent value; everything else is left out, and so is not allowed. */
export function levelsOf(value: unknown): PermissionLevels {
  if (typeof value !== 'object' || value === null) return {};
  const sent = value as Readonly<Record<string, unknown>>;
  const known = permissionNouns.filter((noun) => Object.hasOwn(sent, noun) && rank(noun, String(sent[noun])) > 0);
  return Object.fromEntries(known.map((noun) => [noun, sent[noun]]));
}
