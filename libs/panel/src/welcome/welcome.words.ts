import type { Language } from '#kernel';
import type { WelcomeStepName } from './welcome.reader.js';

interface WelcomeWords {
  /** Parameters: place. */
  readonly title: string;
  readonly lead: string;
  readonly allDone: string;
  readonly done: string;
  readonly open: string;
  readonly steps: Readonly<Record<WelcomeStepName, { readonly title: string; readonly text: string }>>;
  readonly panel: string;
  readonly dismiss: string;
}

/** What the page with the first steps of a new place says. */
export const welcomeWords: Readonly<Record<Language, WelcomeWords>> = {
  en: {
    title: 'Welcome to {{place}}',
    lead: 'Three steps, and your place is ready. You can do them in any order, and come back here at any time.',
    allDone: 'All three steps are done. Enjoy your place!',
    done: 'Done',
    open: 'To do',
    steps: {
      profile: {
        title: 'Complete the profile',
        text: 'Long description and imprint: they stand on your pages, in mails and on tickets.',
      },
      event: {
        title: 'Publish the first event',
        text: 'With a date, a picture and its prices. It appears in your agenda at once.',
      },
      scanner: {
        title: 'Pair a scanner',
        text: 'A phone or a hand scanner that lets your guests in: the panel shows a code for it.',
      },
      membership: {
        title: 'Offer a membership',
        text: 'A yearly card with its price, for those who carry your project.',
      },
    },
    panel: 'To the panel',
    dismiss: 'Do not show this any more',
  },
  fr: {
    title: 'Bienvenue chez {{place}}',
    lead: 'Trois étapes, et votre lieu est prêt. Faites-les dans l’ordre que vous voulez, et revenez ici quand vous voulez.',
    allDone: 'Les trois étapes sont faites. Bonne route !',
    done: 'Fait',
    open: 'À faire',
    steps: {
      profile: {
        title: 'Compléter le profil',
        text: 'Longue description et mentions légales : elles figurent sur vos pages, dans les messages et sur les billets.',
      },
      event: {
        title: 'Publier le premier événement',
        text: 'Avec une date, une image et ses tarifs. Il paraît aussitôt dans votre agenda.',
      },
      scanner: {
        title: 'Associer un lecteur',
        text: 'Un téléphone ou une douchette qui fait entrer votre public : le panneau affiche un code pour lui.',
      },
      membership: {
        title: 'Proposer une adhésion',
        text: 'Une carte annuelle et son tarif, pour celles et ceux qui portent votre projet.',
      },
    },
    panel: 'Vers le panneau',
    dismiss: 'Ne plus afficher ceci',
  },
};
