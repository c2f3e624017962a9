import type { Language } from '#kernel';
import type { ResourceWords } from '#panel-kit';

/** What the panel says of a person's own sign-ins. */
export const words: Record<Language, ResourceWords> = {
  en: {
    plural: 'My sign-ins',
    singular: 'Sign-in',
    properties: {
      id: 'Identifier',
      place: 'Panel of',
      browser: 'Browser',
      address: 'Address',
      createdAt: 'Signed in',
      seenAt: 'Last used',
      expiresAt: 'Ends',
    },
    actions: { end: 'Sign out', endAll: 'Sign out everywhere' },
    messages: {
      endSure: 'Sign this browser out?',
      ended: 'Signed out there',
      endAllSure: 'Sign out everywhere, here too? You sign in again with your password.',
      endedAll: 'Signed out everywhere',
      noRecordsInResource: 'No sign-in.',
    },
  },
  fr: {
    plural: 'Mes connexions',
    singular: 'Connexion',
    properties: {
      id: 'Identifiant',
      place: 'Panneau de',
      browser: 'Navigateur',
      address: 'Adresse',
      createdAt: 'Connecté',
      seenAt: 'Dernière utilisation',
      expiresAt: 'Fin',
    },
    actions: { end: 'Déconnecter', endAll: 'Déconnecter partout' },
    messages: {
      endSure: 'Déconnecter ce navigateur ?',
      ended: 'Déconnecté',
      endAllSure: 'Se déconnecter partout, ici aussi ? Vous vous reconnecterez avec votre mot de passe.',
      endedAll: 'Déconnecté partout',
      noRecordsInResource: 'Aucune connexion.',
    },
  },
};
