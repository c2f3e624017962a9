import { currentLanguage, factsOf, isVisible, refusalsOf, RefusedInput, type Settings, type Text } from '#kernel';
import { categories, currentTenant, type CategoryCode } from '#tenancy';
import { zoneOfPlace } from '../profile/place-zone.js';
import { checkedProfile } from '../profile/profile-rules.js';
import { texts } from '../locales/places.texts.js';

/** Categories that everybody may create: only operators create networks and Root. */
export const formCategories: readonly CategoryCode[] = (Object.keys(categories) as CategoryCode[]).filter(
  (code) => code !== 'M' && code !== 'R',
);

/** Whether everybody may send the form, not only invited people. */
export const isFormPublic = ({ tenantForm }: Pick<Settings, 'tenantForm'>): boolean => tenantForm === 'open' || tenantForm === 'approval';

/** Whether operators decide about a form after the confirmation of its address. */
export const needsApproval = ({ tenantForm }: Pick<Settings, 'tenantForm'>, { invited }: { readonly invited: boolean }): boolean =>
  tenantForm === 'approval' && !invited;

/** A form as it was typed. */
export interface PlaceForm {
  readonly name: string;
  readonly category: string;
  readonly shortDescription: string;
  /** Address of the first administrator. */
  readonly email: string;
  /** Whether the address is also public. */
  readonly showEmail: boolean;
  readonly phone: string;
  readonly website: string;
  readonly streetAddress: string;
  readonly postalCode: string;
  readonly city: string;
  readonly country: string;
  readonly imageUrl: string;
  readonly logoUrl: string;
  /** Empty: derived from the name. */
  readonly slug: string;
  readonly language: string;
  /** Empty: that of the country. */
  readonly timeZone: string;
  /** Whether the terms are accepted. */
  readonly terms: boolean;
}

const textFields = [
  'name',
  'shortDescription',
  'email',
  'phone',
  'website',
  'streetAddress',
  'postalCode',
  'city',
  'country',
  'language',
  'timeZone',
] as const satisfies readonly (keyof PlaceForm)[];

/** The time zone of a place of unknown country. Readers in another language than this server's are probably elsewhere. */
export function usualZone(): string {
  const { language, timeZone } = currentTenant();
  return currentLanguage() === language ? timeZone : factsOf(currentLanguage()).timeZone;
}

/** Cleans a form and returns it with all faults, except those of sub-domain and images; a text with a fault stays as it was typed. */
export function checkForm(form: PlaceForm): { form: PlaceForm; faults: RefusedInput[] } {
  const faults: RefusedInput[] = [];
  const cleaned: Partial<Record<(typeof textFields)[number], string>> = {};
  const isZoneOpen = form.timeZone.trim() === '';
  for (const field of textFields) {
    if (field === 'timeZone' && isZoneOpen) continue;
    faults.push(...refusalsOf(() => (cleaned[field] = checkedProfile({ [field]: form[field] })[field] ?? '')));
  }
  if (isZoneOpen) faults.push(...refusalsOf(() => (cleaned.timeZone = zoneOfPlace(form.country, usualZone(), true))));
  const refuse = (field: keyof PlaceForm, text: Text): number => faults.push(new RefusedInput(field, text));
  if (!formCategories.some((code) => code === form.category)) refuse('category', sentences.category);
  for (const field of ['shortDescription', 'email'] as const)
    if (!faults.some((fault) => fault.field === field) && !isVisible(form[field])) refuse(field, sentences[field]);
  if (!form.terms) refuse('terms', sentences.terms);
  return { form: { ...form, ...cleaned }, faults };
}

const sentences = {
  category: texts.localized('placeForm.category'),
  shortDescription: texts.localized('placeForm.shortDescription'),
  email: texts.localized('placeForm.email'),
  terms: texts.localized('placeForm.terms'),
} as const satisfies Record<string, Text>;
