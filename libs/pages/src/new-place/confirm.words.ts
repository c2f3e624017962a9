import type { Language } from '#kernel';

/** Texts of the pages after the form of a new place. Plain text. */
export interface ConfirmWords {
  sent: { title: string; text: string; spam: string; until: (hours: number) => string; kept: string; back: string };
  confirm: {
    title: string;
    lead: string;
    name: string;
    kind: string;
    host: string;
    admin: string;
    button: string;
    hint: string;
  };
  taken: { title: string; name: string; slug: string; button: string };
  created: {
    title: (name: string) => string;
    lead: (host: string) => string;
    choose: string;
    chooseHint: (least: number) => string;
    password: string;
    save: string;
    faults: string;
    known: (email: string) => string;
    set: string;
    signIn: string;
    visit: string;
  };
  over: { title: string; text: string; again: string };
  closed: { title: string; text: string };
}

export const confirmWords: Readonly<Record<Language, ConfirmWords>> = {
  en: {
    sent: {
      title: 'Look into your mailbox',
      text: 'We have written to the address that you gave. Open the link in the mail to create the place.',
      spam: 'No mail after a few minutes? Look into the folder for unwanted mail, then check the address and send the form again.',
      until: (hours) => `The link works for ${hours} hours.`,
      kept: 'This server sends no mail itself. Its operators have the link for you: ask them for it.',
      back: 'Back to the agenda',
    },
    confirm: {
      title: 'Create this place?',
      lead: 'Your address is confirmed as soon as you press the button.',
      name: 'Name',
      kind: 'Kind',
      host: 'Address',
      admin: 'Administrator',
      button: 'Create the place',
      hint: 'If you did not ask for this, close this page: nothing is created.',
    },
    taken: {
      title: 'Somebody was faster',
      name: 'Name of the organisation',
      slug: 'Sub-domain',
      button: 'Create the place',
    },
    created: {
      title: (name) => `${name} is there`,
      lead: (host) => `Its pages are at ${host}, and you are its administrator.`,
      choose: 'Choose a password',
      chooseHint: (least) => `${least} characters at least. A sentence is fine.`,
      password: 'Password',
      save: 'Save the password',
      faults: 'The password was not saved',
      known: (email) => `You have an account already. Sign in with ${email} and the password that you know.`,
      set: 'Your password is saved. Sign in with it and your e-mail address.',
      signIn: 'Sign in to the panel',
      visit: 'Look at the public page',
    },
    over: {
      title: 'This link is over',
      text: 'It was used, or it is too old. Fill in the form again, or ask for a new invitation.',
      again: 'Go to the form',
    },
    closed: {
      title: 'By invitation only',
      text: 'New places are created by invitation on this server. Ask its operators for one.',
    },
  },
  fr: {
    sent: {
      title: 'Regardez votre boîte aux lettres',
      text: 'Nous avons écrit à l’adresse que vous avez donnée. Ouvrez le lien du message pour créer le lieu.',
      spam: 'Rien après quelques minutes ? Regardez dans les indésirables, puis vérifiez l’adresse et renvoyez le formulaire.',
      until: (hours) => `Le lien fonctionne pendant ${hours} heures.`,
      kept: 'Ce serveur n’envoie pas de courrier lui-même. Ses exploitants ont le lien pour vous : demandez-le-leur.',
      back: 'Retour à l’agenda',
    },
    confirm: {
      title: 'Créer ce lieu ?',
      lead: 'Votre adresse est confirmée dès que vous appuyez sur le bouton.',
      name: 'Nom',
      kind: 'Genre',
      host: 'Adresse',
      admin: 'Administrateur',
      button: 'Créer le lieu',
      hint: 'Si vous n’avez rien demandé, fermez cette page : rien n’est créé.',
    },
    taken: {
      title: 'Quelqu’un a été plus rapide',
      name: 'Nom de l’organisation',
      slug: 'Sous-domaine',
      button: 'Créer le lieu',
    },
    created: {
      title: (name) => `${name} est en place`,
      lead: (host) => `Ses pages sont sur ${host}, et vous en êtes l’administrateur.`,
      choose: 'Choisissez un mot de passe',
      chooseHint: (least) => `${least} caractères au moins. Une phrase convient.`,
      password: 'Mot de passe',
      save: 'Enregistrer le mot de passe',
      faults: 'Le mot de passe n’a pas été enregistré',
      known: (email) => `Vous avez déjà un compte. Connectez-vous avec ${email} et le mot de passe que vous connaissez.`,
      set: 'Votre mot de passe est enregistré. Connectez-vous avec lui et votre adresse e-mail.',
      signIn: 'Se connecter au panneau',
      visit: 'Voir la page publique',
    },
    over: {
      title: 'Ce lien n’est plus valable',
      text: 'Il a été utilisé, ou il est trop ancien. Remplissez de nouveau le formulaire, ou demandez une nouvelle invitation.',
      again: 'Aller au formulaire',
    },
    closed: {
      title: 'Sur invitation seulement',
      text: 'Sur ce serveur, les nouveaux lieux sont créés sur invitation. Demandez-en une à ses exploitants.',
    },
  },
};
