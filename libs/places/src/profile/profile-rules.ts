import { amountList, cleanHtml, plainText } from '#catalogue';
import {
  definedOf,
  type ConfirmationWay,
  confirmationWays,
  isEmail,
  isLanguage,
  isVisible,
  languages,
  RefusedInput,
  RefusedInputs,
  refuseUnfitText,
  toCents,
  type Language,
  type Text,
  giftCardAmounts,
} from '#kernel';
import { isTimeZone } from '#tenancy';
import { isISO31661Alpha2 } from 'class-validator';
import { cornerShapes, typefaces, usualLook, type CornerShape, type Profile, type Typeface } from './profile.entity.js';
import { formattedFields, isPhoneNumber, lineFields, linkFields, plainFields, profileTexts, socialNetworks } from './profile-texts.js';
import { texts } from '../locales/places.texts.js';

type Columns = Omit<
  Profile,
  | 'id'
  | 'updatedAt'
  | 'imageId'
  | 'logoImageId'
  | 'mapImageId'
  | 'payAtVenueHours'
  | 'fewLeft'
  | 'giftCardYears'
  | 'bookingConfirmation'
  | 'typeface'
  | 'corners'
>;

/** Thirty days. */
export const longestPayAtVenueHours = 720;

const mostFewLeft = 100;

const mostGiftCardYears = 50;

/** Number of amounts that a donation, or a gift card, is suggested with. */
const mostDonations = 5;

/** The fields that may be changed besides the images. Absent: unchanged; null or empty: removed. */
export type ProfileTextChange = {
  readonly [Field in keyof Columns]?: Columns[Field] extends boolean ? boolean : string | null;
} & {
  readonly name?: string;
  readonly language?: Language;
  readonly timeZone?: string;
  /** Whole hours up to 720; null: not possible. */
  readonly payAtVenueHours?: number | null;
  /** Whole number up to 100; 0: never shown. */
  readonly fewLeft?: number;
  /** Whole years up to 50; null: as the law says. */
  readonly giftCardYears?: number | null;
  readonly bookingConfirmation?: ConfirmationWay;
  readonly typeface?: Typeface;
  readonly corners?: CornerShape;
};

/** The look of the public pages. */
export type PageLook = Pick<Profile, 'accentColour' | 'typeface' | 'corners'>;

/** The look with these values; a missing one is the usual one. @throws RefusedInputs naming every invalid field */
export function checkedLook(look: Readonly<Record<keyof PageLook, string | undefined>>): PageLook {
  const given = definedOf(look) as ProfileTextChange;
  const { accentColour = null, ...rest } = checkedProfile(given);
  return { ...usualLook, ...rest, accentColour };
}

type Check = (field: string, text: string) => string;

/**
 * Validates and sanitises the texts for storage. Lengths are checked before anything is sanitised or parsed; all fields are checked.
 * @throws RefusedInputs naming every invalid field
 */
export function checkedProfile(change: ProfileTextChange): ProfileTextChange {
  const faults: RefusedInput[] = [];
  const checked: Record<string, unknown> = { ...change };
  for (const [field, value] of Object.entries(change)) {
    const most = (profileTexts as Readonly<Record<string, number>>)[field];
    if (typeof value !== 'string') continue;
    try {
      if (most !== undefined) refuseUnfitText(field, value, most);
      checked[field] = checkOf(field)(field, value) || null;
    } catch (error) {
      if (!(error instanceof RefusedInput)) throw error;
      faults.push(error);
    }
  }
  const { payAtVenueHours: hours = null, fewLeft = 0, giftCardYears: years = null } = change;
  if (hours !== null && !isWholeUpTo(longestPayAtVenueHours, hours)) faults.push(new RefusedInput('payAtVenueHours', sentences.hours));
  if (!isWholeUpTo(mostFewLeft, fewLeft)) faults.push(new RefusedInput('fewLeft', sentences.fewLeft));
  if (years !== null && !(isWholeUpTo(mostGiftCardYears, years) && years > 0))
    faults.push(new RefusedInput('giftCardYears', sentences.giftCardYears));
  if (faults.length > 0) throw new RefusedInputs(faults);
  return checked;
}

const isWholeUpTo = (most: number, value: number | null): boolean =>
  value !== null && Number.isInteger(value) && value >= 0 && value <= most;

function checkOf(field: string): Check {
  return checks[field] ?? ((_, text) => text.trim());
}

const checks: Readonly<Record<string, Check>> = {
  ...each(plainFields, (_, text) => plainText(text)),
  ...each(lineFields, (_, text) => linesOf(text)),
  ...each(formattedFields, (_, text) => cleanHtml(text)),
  ...each(linkFields, linkOf),
  ...each(Object.keys(socialNetworks), socialLinkOf),
  name: (field, text) => {
    const name = plainText(text);
    if (!isVisible(name)) throw new RefusedInput(field, sentences.name);
    return name;
  },
  country: (field, text) => {
    const country = text.trim().toUpperCase();
    if (country !== '' && !isISO31661Alpha2(country)) throw new RefusedInput(field, sentences.country);
    return country;
  },
  phone: (field, text) => {
    const phone = plainText(text);
    if (phone !== '' && !isPhoneNumber(phone)) throw new RefusedInput(field, sentences.phone);
    return phone;
  },
  email: (field, text) => {
    const email = text.trim();
    if (email !== '' && !isEmail(email)) throw new RefusedInput(field, sentences.email);
    return email;
  },
  allowedSites: sitesIn,
  accentColour: (field, text) => {
    const colour = text
      .trim()
      .toLowerCase()
      .replace(/^#?([\da-f]{6})$/, '#$1');
    if (colour !== '' && !/^#[\da-f]{6}$/.test(colour)) throw new RefusedInput(field, sentences.colour);
    return colour;
  },
  typeface: oneOf(typefaces, 'typeface'),
  corners: oneOf(cornerShapes, 'corners'),
  donations: donationsIn,
  taxReceiptArticles: articlesIn,
  giftCards: giftCardsIn,
  bookingConfirmation: oneOf(confirmationWays, 'bookingConfirmation'),
  language: (field, text) => {
    if (!isLanguage(text)) throw new RefusedInput(field, sentences.language);
    return text;
  },
  timeZone: (field, text) => {
    if (!isTimeZone(text.trim())) throw new RefusedInput(field, sentences.timeZone);
    return text.trim();
  },
};

function each(fields: readonly string[], check: Check): Record<string, Check> {
  return Object.fromEntries(fields.map((field) => [field, check]));
}

function oneOf(choices: readonly string[], sentence: 'typeface' | 'corners' | 'bookingConfirmation'): Check {
  return (field, text) => {
    if (!choices.includes(text)) throw new RefusedInput(field, sentences[sentence]);
    return text;
  };
}

/** Plain text, line by line, without empty lines. */
function linesOf(text: string): string {
  const lines = text.split(/\r?\n/).map(plainText);
  return lines.filter((line) => line !== '').join('\n');
}

/** `2 5,50` → `2.00 5.50`. */
function donationsIn(field: string, text: string): string {
  const given = amountList(text, mostDonations);
  if (given === undefined) throw new RefusedInput(field, sentences.donations);
  return given;
}

/** Articles of the code général des impôts: reductions for people, for companies, of the tax on real estate. */
const taxArticles = ['200', '238 bis', '978'] as const;

/** `978; 238bis` → `238 bis, 978`. */
function articlesIn(field: string, text: string): string {
  const given = text.split(/[,;/]/).flatMap((one) => one.toLowerCase().replaceAll(/\s/g, '') || []);
  const known = taxArticles.filter((article) => given.includes(article.replace(' ', '')));
  if (known.length !== new Set(given).size) throw new RefusedInput(field, sentences.taxArticles);
  return known.join(', ');
}

/** `20 50` → `20.00 50.00`, amounts that a gift card may have. */
function giftCardsIn(field: string, text: string): string {
  const given = amountList(text, mostDonations);
  const { least, most } = giftCardAmounts;
  const fits = (one: string): boolean => toCents(one) >= toCents(least) && toCents(one) <= toCents(most);
  if (given === undefined || !given.split(' ').every(fits)) throw new RefusedInput(field, sentences.giftCards);
  return given;
}

/** An absolute URL; `example.org/menu` gets https://. */
function linkOf(field: string, text: string): string {
  const given = text.trim();
  if (given === '') return '';
  const address = /^[a-z][a-z\d+.-]*:/i.test(given) && !/^[^/]+\.[^/]+:\d/.test(given) ? given : `https://${given}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const fits = url && /^https?:$/.test(url.protocol) && /[.:]/.test(url.hostname) && !url.username && !url.password;
  if (!fits || /\s/.test(given)) throw new RefusedInput(field, sentences.link);
  return address;
}

/** Maximum number of other sites that may show event pages. */
const mostSites = 20;

/** Origins such as `https://example.org`, one a line; of an address of a page only the origin is kept. */
function sitesIn(field: string, text: string): string {
  const given = text.split(/[\s,;]+/).filter((site) => site !== '');
  const sites = given.map((site) => originOf(/^[a-z][a-z\d+.-]*:\/\//i.test(site) ? site : `https://${site}`));
  if (sites.includes(undefined)) throw new RefusedInput(field, sentences.site);
  const different = [...new Set(sites)];
  if (different.length > mostSites) throw new RefusedInput(field, sentences.sites);
  return different.join('\n');
}

/** The origin becomes part of a header, so its host has the characters of host names only. */
function originOf(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const fits =
    url && /^https?:$/.test(url.protocol) && /^(?:(?:[a-z\d-]+\.)+[a-z\d-]+|localhost)$/.test(url.hostname) && url.hostname.length <= 200;
  return fits ? url.origin : undefined;
}

/** A URL, or the account name at the network (`@tin_heron`). */
function socialLinkOf(field: string, text: string): string {
  const given = text.trim();
  const [, handle] = /^@([\w.-]{1,100})$/.exec(given) ?? [];
  const network = socialNetworks[field as keyof typeof socialNetworks];
  return handle === undefined ? linkOf(field, given) : `${network}${handle}`;
}

const sentences = {
  name: texts.localized('profileRules.name'),
  country: texts.localized('profileRules.country'),
  phone: texts.localized('profileRules.phone'),
  email: texts.localized('profileRules.email'),
  link: texts.localized('profileRules.link'),
  hours: texts.localized('profileRules.hours', { most: longestPayAtVenueHours }),
  fewLeft: texts.localized('profileRules.fewLeft', { most: mostFewLeft }),
  language: texts.localized('profileRules.language', { languages: languages.join(', ') }),
  timeZone: texts.localized('profileRules.timeZone'),
  colour: texts.localized('profileRules.colour'),
  typeface: texts.localized('profileRules.choice', { choices: typefaces.join(', ') }),
  corners: texts.localized('profileRules.choice', { choices: cornerShapes.join(', ') }),
  donations: texts.localized('profileRules.donations', { most: mostDonations }),
  taxArticles: texts.localized('profileRules.taxArticles', { articles: taxArticles.join(', ') }),
  giftCards: texts.localized('profileRules.giftCards', { count: mostDonations, ...giftCardAmounts }),
  giftCardYears: texts.localized('profileRules.giftCardYears', { most: mostGiftCardYears }),
  bookingConfirmation: texts.localized('profileRules.bookingConfirmation', { ways: confirmationWays.join(', ') }),
  site: texts.localized('profileRules.site'),
  sites: texts.localized('profileRules.sites', { most: mostSites }),
} as const satisfies Record<string, Text>;
