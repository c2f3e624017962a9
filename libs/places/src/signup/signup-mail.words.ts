import { dayWords, timeWords, type Language } from '#kernel';

interface LinkWords {
  readonly subject: (server: string) => string;
  readonly lead: (server: string) => string;
  readonly label: string;
}

/** Texts of mails about new places. Plain text. */
interface SignupMailWords {
  readonly confirm: LinkWords;
  readonly invitation: LinkWords;
  readonly created: {
    readonly subject: (name: string) => string;
    readonly lead: (name: string, host: string) => string;
    readonly choose: string;
    readonly known: string;
    readonly password: string;
    readonly signIn: string;
  };
  readonly until: (end: Date, language: Language, timeZone: string) => string;
  readonly copy: string;
  readonly unasked: string;
  readonly footer: (server: string) => string;
}

export const signupMailWords: Readonly<Record<Language, SignupMailWords>> = {
  en: {
    confirm: {
      subject: (server) => `Confirm your new place on ${server}`,
      lead: (server) =>
        `Somebody, probably you, filled in the form for a new place on ${server} with this e-mail address. Open the page, look at what was written, and create the place there.`,
      label: 'Look and create the place',
    },
    invitation: {
      subject: (server) => `You are invited to create a place on ${server}`,
      lead: (server) => `The operators of ${server} invite you to create your own place there: pages, tickets and an agenda.`,
      label: 'Create my place',
    },
    created: {
      subject: (name) => `${name} is there`,
      lead: (name, host) => `${name} now has its own pages at ${host}, and you are its administrator.`,
      choose: 'Choose a password within seven days. With it and this e-mail address you sign in to the panel.',
      known: 'Sign in to its panel with this e-mail address and the password that you have already.',
      password: 'Choose a password',
      signIn: 'Sign in',
    },
    until: (end, language, timeZone) => `The link works until ${dayWords(end, language, timeZone)}, ${timeWords(end, language, timeZone)}.`,
    copy: 'Or open this address:',
    unasked: 'If you did not ask for this, do nothing: nothing is created without your confirmation.',
    footer: (server) => `Sent by ${server} because of a form for a new place.`,
  },
  fr: {
    confirm: {
      subject: (server) => `Confirmez votre nouveau lieu sur ${server}`,
      lead: (server) =>
        `Quelqu’un, sans doute vous, a rempli le formulaire d’un nouveau lieu sur ${server} avec cette adresse e-mail. Ouvrez la page, relisez ce qui a été écrit, et créez-y le lieu.`,
      label: 'Relire et créer le lieu',
    },
    invitation: {
      subject: (server) => `Vous êtes invité à créer un lieu sur ${server}`,
      lead: (server) => `Les exploitants de ${server} vous invitent à y créer votre propre lieu : des pages, une billetterie et un agenda.`,
      label: 'Créer mon lieu',
    },
    created: {
      subject: (name) => `${name} est en place`,
      lead: (name, host) => `${name} a maintenant ses propres pages sur ${host}, et vous en êtes l’administrateur.`,
      choose: 'Choisissez un mot de passe dans les sept jours. Avec cette adresse e-mail, il vous ouvre le panneau.',
      known: 'Connectez-vous à son panneau avec cette adresse e-mail et le mot de passe que vous avez déjà.',
      password: 'Choisir un mot de passe',
      signIn: 'Se connecter',
    },
    until: (end, language, timeZone) =>
      `Le lien fonctionne jusqu’au ${dayWords(end, language, timeZone)}, ${timeWords(end, language, timeZone)}.`,
    copy: 'Ou ouvrez cette adresse :',
    unasked: 'Si vous n’avez rien demandé, ne faites rien : rien n’est créé sans votre confirmation.',
    footer: (server) => `Envoyé par ${server} à propos du formulaire d’un nouveau lieu.`,
  },
};
