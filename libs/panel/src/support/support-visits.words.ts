import type { Language, Text } from '#kernel';
import type { ResourceWords } from '#panel-kit';

export const visitStates = {
  running: { en: 'Inside now', fr: 'En cours' },
  left: { en: 'Left', fr: 'Terminée' },
  over: { en: 'Over by time', fr: 'Expirée' },
} as const satisfies Record<string, Text>;

export const supportWords: Record<Language, ResourceWords> = {
  en: {
    plural: 'Support visits',
    singular: 'Support visit',
    properties: {
      operator: 'Operator',
      reason: 'Reason',
      tenantId: 'Tenant',
      state: 'State',
      enteredAt: 'Entered',
      endsAt: 'Ends at the latest',
      leftAt: 'Left',
      changes: 'Changes',
      acts: 'What was done',
      id: 'Identifier',
    },
  },
  fr: {
    plural: 'Visites de l’assistance',
    singular: 'Visite de l’assistance',
    properties: {
      operator: 'Exploitant',
      reason: 'Motif',
      tenantId: 'Lieu',
      state: 'État',
      enteredAt: 'Entrée',
      endsAt: 'Fin au plus tard',
      leftAt: 'Départ',
      changes: 'Modifications',
      acts: 'Ce qui a été fait',
      id: 'Identifiant',
    },
  },
};

/** Words of the list of acts. */
export const actWords = {
  en: { looked: 'looked at', changed: 'changed', search: 'Search', fields: 'fields:' },
  fr: { looked: 'consulté', changed: 'modifié', search: 'Recherche', fields: 'champs :' },
} as const;

/** What the form says that enters a tenant. */
export const enterWords = {
  en: {
    lead: (name: string) => `You will enter the panel of ${name} on its own host.`,
    facts: [
      'The visit ends when its time is over, or when you leave; every page says that you are there as support.',
      'The place’s administrators see who entered, when and why, and what was looked at and changed.',
      'Keys, payment accounts, files of lists and printed tickets stay closed.',
    ],
    reason: 'Reason',
    reasonHelp: 'The administrators of the place read it.',
    submit: 'Go to the panel',
  },
  fr: {
    lead: (name: string) => `Vous allez entrer dans le panneau de ${name}, sur son propre hôte.`,
    facts: [
      'La visite se termine à la fin de son temps, ou quand vous partez ; chaque page dit que vous êtes là pour l’assistance.',
      'Les administrateurs du lieu voient qui est entré, quand et pourquoi, et ce qui a été consulté et modifié.',
      'Les clés, les comptes de paiement, les fichiers des listes et les billets imprimés restent fermés.',
    ],
    reason: 'Motif',
    reasonHelp: 'Les administrateurs du lieu le lisent.',
    submit: 'Aller au panneau',
  },
} as const;
