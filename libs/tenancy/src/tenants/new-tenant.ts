import type { Language } from '#kernel';
import type { CategoryCode } from '../context/tenant-categories.js';
import type { Tx } from '../database/tx.js';

export interface NewTenant {
  readonly slug: string;
  readonly name: string;
  readonly category: CategoryCode;
  readonly language?: Language;
  readonly timeZone?: string;
  /** Primary host name; default `<slug>.BASE_DOMAIN`. */
  readonly host?: string;
  /** First administrator. */
  readonly ownerId?: string;
  readonly configuration?: Partial<Record<ConfigurationColumn, string | null>>;
  /** Writes further rows into the new schema, in the same transaction, before the foundations of other libs. */
  readonly furnish?: (tx: Tx) => Promise<void>;
}

/** Editable identity of a tenant. Absent members do not change. */
export interface IdentityChange {
  readonly name?: string | undefined;
  readonly language?: Language | undefined;
  readonly timeZone?: string | undefined;
}

export const configurationColumns = [
  'short_description',
  'long_description',
  'street_address',
  'postal_code',
  'city',
  'country',
  'phone',
  'email',
  'website',
  'twitter',
  'facebook',
  'instagram',
  'legal_documents',
  'restaurant_menu',
  'imprint',
  'terms',
] as const;
export type ConfigurationColumn = (typeof configurationColumns)[number];
