import type { Text } from '#kernel';
import { texts } from '../locales/catalogue.texts.js';

/** Product types of the specification (`categorie_article`). */
export const productCategories = {
  B: texts.localized('catalogueCodes.productCategories.b'),
  P: texts.localized('catalogueCodes.productCategories.p'),
  R: texts.localized('catalogueCodes.productCategories.r'),
  T: texts.localized('catalogueCodes.productCategories.t'),
  M: texts.localized('catalogueCodes.productCategories.m'),
  A: texts.localized('catalogueCodes.productCategories.a'),
  F: texts.localized('catalogueCodes.productCategories.f'),
} as const satisfies Record<string, Text>;
export type ProductCategory = keyof typeof productCategories;

/**
 * How products of a category are sold (docs/decisions.md, section 6). `admission` admits one person to an event: it uses one place and is
 * scanned. `goods` are lines of a reservation without a place: they are handed out. A `membership` is sold on its own.
 */
export type ProductKind = 'admission' | 'goods' | 'membership';

/** The kind of each product category. */
export const productKinds: Readonly<Record<ProductCategory, ProductKind>> = {
  B: 'admission',
  F: 'admission',
  P: 'goods',
  R: 'goods',
  T: 'goods',
  M: 'goods',
  A: 'membership',
};

/** SQL: whether products of this category are of a kind. @param column the category, such as `product.category` */
export function isKindSql(column: string, kind: ProductKind): string {
  const categories = (Object.keys(productKinds) as ProductCategory[]).filter((code) => productKinds[code] === kind);
  return `${column} in (${categories.map((code) => `'${code}'`).join(', ')})`;
}

/**
 * Products that every tenant has from its creation. `volunteering` is what volunteers book when they sign up for a slot (an event of
 * category ACT). They are not part of the catalogue: no list shows them, and nobody can change, delete or link them.
 */
export type BuiltInProduct = 'volunteering';

/** Event categories (docs/decisions.md, section 9). */
export const eventCategories = {
  LIV: texts.localized('catalogueCodes.eventCategories.liv'),
  FES: texts.localized('catalogueCodes.eventCategories.fes'),
  REU: texts.localized('catalogueCodes.eventCategories.reu'),
  CON: texts.localized('catalogueCodes.eventCategories.con'),
  RES: texts.localized('catalogueCodes.eventCategories.res'),
  CHT: texts.localized('catalogueCodes.eventCategories.cht'),
  ACT: texts.localized('catalogueCodes.eventCategories.act'),
  THE: texts.localized('catalogueCodes.eventCategories.the'),
  DAN: texts.localized('catalogueCodes.eventCategories.dan'),
  COM: texts.localized('catalogueCodes.eventCategories.com'),
  EXP: texts.localized('catalogueCodes.eventCategories.exp'),
  PRO: texts.localized('catalogueCodes.eventCategories.pro'),
  LIT: texts.localized('catalogueCodes.eventCategories.lit'),
  JEU: texts.localized('catalogueCodes.eventCategories.jeu'),
  SPO: texts.localized('catalogueCodes.eventCategories.spo'),
} as const satisfies Record<string, Text>;
export type EventCategory = keyof typeof eventCategories;

/**
 * How devices that cannot reach the server share the work at an event. `record`: each admits every ticket, and double entries are
 * recorded. `one_device`: one device admits the tickets of a price at a gate.
 */
export const cutOffPolicies = ['record', 'one_device'] as const;
export type CutOffPolicy = (typeof cutOffPolicies)[number];

/**
 * How often a ticket of a price lets in. `once`: until the scan is undone, or its event has re-entry. `daily`: once on each day of the
 * venue, for an event of several days. `exits`: whenever its holder was let out before.
 */
export const entryRules = ['once', 'daily', 'exits'] as const;
export type EntryRule = (typeof entryRules)[number];

/** The schema.org type of each event category (docs/decisions.md, section 9). */
export const eventSchemaTypes: Readonly<Record<EventCategory, string>> = {
  LIV: 'MusicEvent',
  FES: 'Festival',
  REU: 'SocialEvent',
  CON: 'EducationEvent',
  RES: 'FoodEvent',
  CHT: 'Event',
  ACT: 'Event',
  THE: 'TheaterEvent',
  DAN: 'DanceEvent',
  COM: 'ComedyEvent',
  EXP: 'ExhibitionEvent',
  PRO: 'ScreeningEvent',
  LIT: 'LiteraryEvent',
  JEU: 'ChildrensEvent',
  SPO: 'SportsEvent',
};

/** Types of schema.org that have no category of their own, and the nearest one. */
export const kindredSchemaTypes: Readonly<Record<string, EventCategory>> = {
  BusinessEvent: 'CON',
  ConferenceEvent: 'CON',
  CourseInstance: 'CON',
  Hackathon: 'REU',
  PerformingArtsEvent: 'THE',
  VisualArtsEvent: 'EXP',
};

/** What differs from the first announcement of a published event, with its `eventStatus` of schema.org. */
export const eventAlterations = {
  rescheduled: 'EventRescheduled',
  /** The date is not valid any more, and no new one is known: the event keeps its start in the meantime, and nothing is sold. */
  postponed: 'EventPostponed',
  moved_online: 'EventMovedOnline',
} as const;
export type EventAlteration = keyof typeof eventAlterations;

/** VAT codes and their rates in percent (docs/decisions.md, section 6). A price may instead have a decimal rate as text. */
export const vatRates = { NA: '0', DX: '10', VG: '20', HC: '8.5', DD: '2.2' } as const;

/** SQL of the rate in percent of a code or of a rate as text. */
export const vatRateSql = (column: string): string => {
  const codes = Object.entries(vatRates).map(([code, rate]) => `when '${code}' then ${rate}`);
  return `(case ${column} ${codes.join(' ')} else ${column}::numeric end)`;
};

/**
 * Normalises a VAT code, or a rate in percent such as `5.5`, `5,5` or `5,5 %`.
 * @returns the value that prices store; undefined when it is neither
 */
export function vatOf(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value).trim();
  if (text.length > 20) return undefined;
  if (Object.hasOwn(vatRates, text.toUpperCase())) return text.toUpperCase();
  const rate = text.replace(/\s*%$/, '').replace(',', '.');
  return /^\d{1,2}(\.\d{1,2})?$/.test(rate) ? rate : undefined;
}

export const subscriptionTypes = {
  Y: texts.localized('catalogueCodes.subscriptionTypes.y'),
  M: texts.localized('catalogueCodes.subscriptionTypes.m'),
} as const satisfies Record<string, Text>;
export type SubscriptionType = keyof typeof subscriptionTypes;
