import { RefusedInput, type Text } from '#kernel';
import { categories, type CategoryCode } from '../context/tenant-categories.js';
import type { CountedHolding } from './tenant-holdings.js';
import type { TenantState } from '../context/tenant-states.js';

/** How a state is called where people read it. */
export const stateNames: Readonly<Record<TenantState, Text>> = {
  active: { en: 'active', fr: 'actif' },
  suspended: { en: 'suspended', fr: 'suspendu' },
  archived: { en: 'archived', fr: 'archivé' },
  deleting: { en: 'being deleted', fr: 'en cours de suppression' },
};

/** What a tenant has stands in the way of its new category. */
export class CategoryRefused extends RefusedInput {
  constructor(
    readonly obstacles: readonly CountedHolding[],
    from: CategoryCode,
    to: CategoryCode,
  ) {
    const list = obstacles.map(({ name, count }) => `${name}: ${count}`).join(', ');
    const labels = (code: CategoryCode): Text => categories[code].label;
    super('category', {
      en: `This tenant still has what a tenant of category ${to} (${labels(to).en}) cannot have (${list}). End it first, or keep ${from}.`,
      fr: `Ce lieu a encore ce qu'un lieu de catégorie ${to} (${labels(to).fr}) ne peut pas avoir (${list}). Mettez-y fin d'abord, ou gardez ${from}.`,
    });
  }
}

export const lifeRefusals = {
  noTenant: () => new RefusedInput('tenant', { en: 'There is no such tenant.', fr: "Ce lieu n'existe pas." }),
  installation: () =>
    new RefusedInput('tenant', {
      en: 'Root and the first agenda belong to the installation: they keep their category and stay active.',
      fr: "La Racine et le premier agenda font partie de l'installation : ils gardent leur catégorie et restent actifs.",
    }),
  state: (state: TenantState) =>
    new RefusedInput('state', {
      en: `This tenant is ${stateNames[state].en}.`,
      fr: `Ce lieu est ${stateNames[state].fr}.`,
    }),
  busy: () =>
    new RefusedInput('state', {
      en: 'This tenant is busy and was not changed: try again in a moment.',
      fr: "Ce lieu est occupé et n'a pas été modifié : réessayez dans un instant.",
    }),
  noReason: () => new RefusedInput('reason', { en: 'Say why.', fr: 'Dites pourquoi.' }),
  wrongSlug: (slug: string) =>
    new RefusedInput('confirmation', {
      en: `Type the tenant's short name, ${slug}, to confirm.`,
      fr: `Saisissez le nom court du lieu, ${slug}, pour confirmer.`,
    }),
  onlyRoot: () =>
    new RefusedInput('category', {
      en: 'There is a Root already, and only one can exist.',
      fr: 'Il y a déjà une Racine, et une seule peut exister.',
    }),
  unknownCategory: () =>
    new RefusedInput('category', {
      en: 'The category is one of S, F, A, P, M.',
      fr: 'La catégorie est S, F, A, P ou M.',
    }),
  migrating: () =>
    new RefusedInput('category', {
      en: 'The tables of this tenant wait for their migration: try again afterwards.',
      fr: 'Les tables de ce lieu attendent leur migration : réessayez ensuite.',
    }),
} as const;
