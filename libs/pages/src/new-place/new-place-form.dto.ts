import type { RefusedInput } from '#kernel';
import { reader } from '#page-kit';
import type { FormPicture, PlaceForm } from '#places';

/** Names of the text fields. */
const texts = {
  name: 'name',
  category: 'category',
  shortDescription: 'short_description',
  email: 'email',
  phone: 'phone',
  website: 'website',
  streetAddress: 'street',
  postalCode: 'postal_code',
  city: 'city',
  country: 'country',
  imageUrl: 'image_url',
  logoUrl: 'logo_url',
  slug: 'slug',
  language: 'language',
  timeZone: 'time_zone',
} as const satisfies Partial<Record<keyof PlaceForm, string>>;

/** Names of the file fields. */
export const fileFields = ['image', 'logo'] as const;
/** Names of all fields, for the form reader: an empty field is an empty text. */
export const formFields = [
  ...Object.values(texts),
  'show_email',
  'terms',
  'remove_image',
  'remove_logo',
  'form',
  'invitation',
  'action',
] as const;

/** A submitted form. */
export interface SentFields {
  readonly form: PlaceForm;
  readonly removed: readonly FormPicture[];
  /** Token of the form or of the invitation. */
  readonly token: string;
  readonly invitation: string;
  readonly wantsCheck: boolean;
}

/** Reads the fields of the form; missing fields are empty. */
export function readFields(body: unknown): SentFields {
  const textOf = reader(body);
  const form = Object.fromEntries(Object.entries(texts).map(([member, field]) => [member, textOf(field)])) as Record<
    keyof typeof texts,
    string
  >;
  return {
    form: { ...form, showEmail: textOf('show_email') !== '', terms: textOf('terms') !== '' },
    removed: fileFields.filter((field) => textOf(`remove_${field}`) !== ''),
    token: textOf('form'),
    invitation: textOf('invitation'),
    wantsCheck: textOf('action') === 'check',
  };
}

/** The first fault of each field, by field name. */
export function faultsByField(faults: readonly RefusedInput[]): ReadonlyMap<string, string> {
  const byField = new Map<string, string>();
  for (const { field, message } of faults) {
    const name = (texts as Readonly<Record<string, string>>)[field] ?? field;
    if (!byField.has(name)) byField.set(name, message);
  }
  return byField;
}
