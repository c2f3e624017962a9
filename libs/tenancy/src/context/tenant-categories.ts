import type { Text } from '#kernel';

export type CategoryCode = 'S' | 'F' | 'A' | 'P' | 'M' | 'R';

/**
 * What a tenant may do.
 * - `events`: events, addresses, webhooks and the public agenda
 * - `membership`: products of category A, their prices, memberships and what is paid for them
 * - `ticketing`: all other products, their prices, what is sold for an event, its options, reservations
 * - `scanning`: scanning devices and everything below `/scan/`
 * - `federated-agenda`: the agenda of the server
 * - `server`: the Root panel
 */
export type TenantModule = 'events' | 'membership' | 'ticketing' | 'scanning' | 'federated-agenda' | 'server';

export interface Category {
  readonly label: Text;
  /** One sentence for people who choose a category. */
  readonly description: Text;
  /** What a tenant of this category may do. Panel, API, services and pages ask `hasModule` or `demandModule`. */
  readonly modules: readonly TenantModule[];
}

const sells: readonly TenantModule[] = ['events', 'membership', 'ticketing', 'scanning'];
const gathers: readonly TenantModule[] = ['events', 'membership'];

/** The one table of what a category means (specification, "Tenant / place"; decisions 8). */
export const categories: Readonly<Record<CategoryCode, Category>> = {
  S: {
    label: { en: 'Venue', fr: 'Salle de spectacle' },
    description: {
      en: 'A place with a stage that sells tickets for its nights.',
      fr: 'Un lieu avec une scène, qui vend des billets pour ses soirées.',
    },
    modules: sells,
  },
  F: {
    label: { en: 'Festival', fr: 'Festival' },
    description: {
      en: 'One event on several places and stages, with tickets.',
      fr: 'Une manifestation sur plusieurs lieux et scènes, avec billetterie.',
    },
    modules: sells,
  },
  A: {
    label: { en: 'Project', fr: 'Projet' },
    description: {
      en: 'An artist or project that shows its dates at several places, and has members.',
      fr: 'Un artiste ou un projet qui annonce ses dates en plusieurs lieux et qui a des adhérents.',
    },
    modules: gathers,
  },
  P: {
    label: { en: 'Producer', fr: 'Producteur' },
    description: {
      en: 'Several projects and places whose dates stand on one agenda, and members.',
      fr: 'Plusieurs projets et lieux dont les dates figurent dans un agenda, et des adhérents.',
    },
    modules: gathers,
  },
  M: {
    label: { en: 'Meta (federated agenda)', fr: 'Méta (agenda fédéré)' },
    description: {
      en: 'An agenda that shows the events of the places that join it.',
      fr: 'Un agenda qui montre les événements des lieux qui le rejoignent.',
    },
    modules: ['federated-agenda'],
  },
  R: {
    label: { en: 'Root', fr: 'Racine' },
    description: {
      en: 'The operators of the server: tenants, domains, users. There is one.',
      fr: 'Les exploitants du serveur : lieux, domaines, utilisateurs. Il y en a une.',
    },
    modules: ['server'],
  },
};

/** Whether tenants of a category have one of these modules. */
export function categoryHas(category: CategoryCode, ...modules: readonly TenantModule[]): boolean {
  return modules.some((module) => categories[category].modules.includes(module));
}

export function isCategory(value: string): value is CategoryCode {
  return Object.hasOwn(categories, value);
}
