import type { Language } from '#kernel';
import type { ResourceWords } from '#panel-kit';
import { categoryLabels } from '#panel-kit';
import { pictureWords } from '../forms/picture.words.js';

/** What the profile of a place says in the panel. */
export function profileWords(language: Language): ResourceWords {
  const { properties, actions, messages } = words[language];
  return {
    ...words[language],
    properties: { ...properties, image: actions.image, logo: actions.logo, map: actions.map },
    values: {
      category: categoryLabels(language),
      language: { en: 'English', fr: 'Français' },
    },
    messages: { ...messages, ...pictureWords[language].messages },
  };
}

const words = {
  en: {
    plural: 'Profile',
    singular: 'Profile',
    properties: {
      id: 'Identifier',
      name: 'Name',
      category: 'Kind',
      shortDescription: 'In one sentence',
      longDescription: 'Description',
      streetAddress: 'Street and number',
      postalCode: 'Postal code',
      city: 'Town',
      country: 'Country',
      phone: 'Telephone',
      email: 'E-mail',
      website: 'Website',
      twitter: 'Twitter / X',
      facebook: 'Facebook',
      instagram: 'Instagram',
      membershipRequired: 'Members only',
      membershipButton: 'Invite to membership',
      restaurantMenu: 'Menu of the restaurant',
      legalDocuments: 'Legal documents',
      imprint: 'Imprint',
      terms: 'Terms',
      language: 'Language',
      timeZone: 'Time zone',
    },
    actions: { image: 'Picture', logo: 'Logo', map: 'Map' },
    messages: {
      nameHelp: 'It stands on pages, tickets and mails. The address of your pages stays as it is.',
      categoryHelp: 'The operator of the server changes it.',
      shortDescriptionHelp: 'It stands under the name on your pages and in lists of places.',
      htmlHelp: 'Paragraphs, bold, lists, headings and links may be written as HTML.',
      countryHelp: 'Two letters, such as FR.',
      emailHelp: 'Guests’ answers to mails with tickets go there; it stands on the public pages and in calendars.',
      socialHelp: 'The address of your page, or your name there: @name.',
      linkHelp: 'The address of a page or a file.',
      legalDocumentsHelp: 'The address of your statutes, for example.',
      membershipRequiredHelp: 'Tells programs that guests must be members. Prices say which membership they need.',
      membershipButtonHelp: 'Tells programs to show a button for new members.',
      imprintHelp:
        'Who is responsible for these pages. It becomes the page /imprint; empty: there is none. HTML as above.',
      termsHelp: 'Terms of sale. They become the page /terms; empty: there is none. HTML as above.',
      languageHelp: 'Of pages and mails for readers who ask for no other.',
      timeZoneHelp: 'All times are on its clocks. Its name in the IANA list, such as Europe/Paris.',
    },
  },
  fr: {
    plural: 'Profil',
    singular: 'Profil',
    properties: {
      id: 'Identifiant',
      name: 'Nom',
      category: 'Type',
      shortDescription: 'En une phrase',
      longDescription: 'Description',
      streetAddress: 'Rue et numéro',
      postalCode: 'Code postal',
      city: 'Commune',
      country: 'Pays',
      phone: 'Téléphone',
      email: 'E-mail',
      website: 'Site web',
      twitter: 'Twitter / X',
      facebook: 'Facebook',
      instagram: 'Instagram',
      membershipRequired: 'Réservé aux adhérents',
      membershipButton: 'Inviter à adhérer',
      restaurantMenu: 'Carte du restaurant',
      legalDocuments: 'Documents légaux',
      imprint: 'Mentions légales',
      terms: 'Conditions',
      language: 'Langue',
      timeZone: 'Fuseau horaire',
    },
    actions: { image: 'Image', logo: 'Logo', map: 'Plan' },
    messages: {
      nameHelp: 'Il figure sur les pages, les billets et les e-mails. L’adresse de vos pages ne change pas.',
      categoryHelp: 'L’exploitant du serveur la change.',
      shortDescriptionHelp: 'Elle figure sous le nom sur vos pages et dans les listes de lieux.',
      htmlHelp: 'Paragraphes, gras, listes, titres et liens peuvent être écrits en HTML.',
      countryHelp: 'Deux lettres, par exemple FR.',
      emailHelp:
        'Les réponses aux e-mails de billets y arrivent ; elle figure sur les pages publiques et dans les calendriers.',
      socialHelp: 'L’adresse de votre page, ou votre nom là-bas : @nom.',
      linkHelp: 'L’adresse d’une page ou d’un fichier.',
      legalDocumentsHelp: 'L’adresse de vos statuts, par exemple.',
      membershipRequiredHelp:
        'Dit aux programmes que le public doit adhérer. Les tarifs disent quelle adhésion ils exigent.',
      membershipButtonHelp: 'Dit aux programmes de montrer un bouton d’adhésion.',
      imprintHelp:
        'Qui est responsable de ces pages. Le texte devient la page /imprint ; vide : il n’y en a pas. HTML comme ci-dessus.',
      termsHelp: 'Conditions de vente. Le texte devient la page /terms ; vide : il n’y en a pas. HTML comme ci-dessus.',
      languageHelp: 'Des pages et des e-mails pour qui n’en demande pas d’autre.',
      timeZoneHelp: 'Toutes les heures suivent ses horloges. Son nom dans la liste IANA, par exemple Europe/Paris.',
    },
  },
} as const;
