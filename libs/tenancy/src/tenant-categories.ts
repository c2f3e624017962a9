import type { Text } from '#kernel';

export type CategoryCode = 'S' | 'F' | 'A' | 'P' | 'M' | 'R';
export type TenantModule = 'catalogue' | 'booking' | 'scan' | 'federated-agenda' | 'server';

export interface Category {
  readonly label: Text;
  /** What a tenant of this category may do; the panel and the routes follow it. */
  readonly modules: readonly TenantModule[];
}

const sells: readonly TenantModule[] = ['catalogue', 'booking', 'scan'];
const gathers: readonly TenantModule[] = ['catalogue'];

/** The one table of what a category means (specification, "Tenant / place"; decisions 8). */
export const categories: Readonly<Record<CategoryCode, Category>> = {
  S: { label: { en: 'Venue', fr: 'Salle de spectacle' }, modules: sells },
  F: { label: { en: 'Festival', fr: 'Festival' }, modules: sells },
  A: { label: { en: 'Project', fr: 'Projet' }, modules: gathers },
  P: { label: { en: 'Producer', fr: 'Producteur' }, modules: gathers },
  M: { label: { en: 'Meta (federated agenda)', fr: 'Méta (agenda fédéré)' }, modules: ['federated-agenda'] },
  R: { label: { en: 'Root', fr: 'Racine' }, modules: ['server'] },
};

export function isCategory(value: string): value is CategoryCode {
  return Object.hasOwn(categories, value);
}
