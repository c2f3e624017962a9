import type { TextLimits } from '#kernel';

/** Maximum lengths of a profile's texts in characters, for API and panel. */
export const profileTexts = {
  name: 200,
  shortDescription: 1000,
  longDescription: 100_000,
  streetAddress: 300,
  postalCode: 20,
  city: 200,
  country: 10,
  phone: 40,
  email: 254,
  website: 2000,
  twitter: 2000,
  facebook: 2000,
  instagram: 2000,
  legalDocuments: 2000,
  restaurantMenu: 2000,
  imprint: 50_000,
  terms: 50_000,
  privacy: 50_000,
  timeZone: 100,
  allowedSites: 4000,
  accentColour: 20,
  donations: 100,
  taxReceiptArticles: 40,
  taxReceiptName: 150,
  taxReceiptObject: 170,
  taxReceiptSigner: 100,
  giftCards: 100,
  openingHours: 2000,
  gettingHere: 2000,
  accessibility: 4000,
  accessContact: 300,
} as const satisfies TextLimits;

/** Texts on one line, without markup. */
export const plainFields = [
  'shortDescription',
  'streetAddress',
  'postalCode',
  'city',
  'accessContact',
  'taxReceiptName',
  'taxReceiptObject',
  'taxReceiptSigner',
] as const;
/** Texts of one thing a line, without markup. */
export const lineFields = ['openingHours', 'gettingHere', 'accessibility'] as const;
/** HTML texts with the few elements that `cleanHtml` allows. */
export const formattedFields = ['longDescription', 'imprint', 'terms', 'privacy'] as const;
/** URLs of pages. */
export const linkFields = ['website', 'legalDocuments', 'restaurantMenu'] as const;
/** Pages at a social network: a URL, or the account name there. */
export const socialNetworks = {
  twitter: 'https://twitter.com/',
  facebook: 'https://www.facebook.com/',
  instagram: 'https://www.instagram.com/',
} as const;
export const pictureFields = { image: 'imageId', logo: 'logoImageId', map: 'mapImageId' } as const;

/** At least one digit, and the usual separators. */
export function isPhoneNumber(text: string): boolean {
  return /^[+\d ()./-]*\d[+\d ()./-]*$/.test(text);
}
