import type { TextLimits } from '#kernel';

/** Maximum lengths of the catalogue's texts in characters, for API and panel; those of events stand beside their columns. */
const described = { name: 200, shortDescription: 1000, longDescription: 100_000 } as const;

export const productTexts = { ...described, termsAndConditions: 100_000 } as const satisfies TextLimits;

/** Maximum length of a note that devices show at a scan: it must be read at a glance. */
export const doorNoteLength = 200;

export const priceTexts = { ...described, vat: 20, doorNote: doorNoteLength } as const satisfies TextLimits;

export const addressTexts = {
  name: 200,
  streetAddress: 300,
  addressLocality: 200,
  addressRegion: 200,
  postalCode: 20,
  addressCountry: 10,
} as const satisfies TextLimits;
