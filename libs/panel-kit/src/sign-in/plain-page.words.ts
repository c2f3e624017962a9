import type { Language } from '#kernel';

const english = {
  title: 'Sign in',
  lead: 'Staff of {{place}}',
  email: 'E-mail address',
  password: 'Password',
  submit: 'Sign in',
  errorTitle: 'You are not signed in',
  invalid: 'The e-mail address or the password is not right.',
  missing: 'Please give your e-mail address and your password.',
  locked: 'Too many attempts. Please wait {{minutes}} min before the next one.',
  busy: 'Too many people are signing in at the moment. Please try again in a few seconds.',
  signedOut: 'You are signed out.',
  expired: 'Please sign in to go on.',
  signOutTitle: 'Sign out',
  signOutSure: 'You are signed in as {{name}}.',
  signOut: 'Sign out',
  stay: 'Back to the panel',
  failed: 'Something went wrong',
  failedHow: 'Try again in a moment. If it happens again, give your administrator this number: {{id}}',
  notFound: 'Page not found',
  notFoundHow: 'There is nothing at this address.',
  loading: 'Opening the panel…',
  noScript: 'The panel needs JavaScript. Please switch it on for this site.',
};

/** What the pages without AdminJS say: sign-in, sign-out, errors, and the moment before the panel opens. */
export type PlainWords = typeof english;

const french: PlainWords = {
  title: 'Connexion',
  lead: 'Équipe de {{place}}',
  email: 'Adresse e-mail',
  password: 'Mot de passe',
  submit: 'Se connecter',
  errorTitle: 'Vous n’êtes pas connecté',
  invalid: 'L’adresse ou le mot de passe n’est pas le bon.',
  missing: 'Indiquez votre adresse e-mail et votre mot de passe.',
  locked: 'Trop d’essais. Attendez {{minutes}} min avant le prochain.',
  busy: 'Trop de connexions en ce moment. Réessayez dans quelques secondes.',
  signedOut: 'Vous êtes déconnecté.',
  expired: 'Connectez-vous pour continuer.',
  signOutTitle: 'Déconnexion',
  signOutSure: 'Vous êtes connecté : {{name}}.',
  signOut: 'Se déconnecter',
  stay: 'Retour au panneau',
  failed: 'Un problème est survenu',
  failedHow: 'Réessayez dans un instant. Si cela se reproduit, donnez ce numéro à votre administrateur : {{id}}',
  notFound: 'Page introuvable',
  notFoundHow: 'Il n’y a rien à cette adresse.',
  loading: 'Ouverture du panneau…',
  noScript: 'Le panneau a besoin de JavaScript. Activez-le pour ce site.',
};

/** Those words in one language. */
export const plainWords = (language: Language): PlainWords => ({ en: english, fr: french })[language];
