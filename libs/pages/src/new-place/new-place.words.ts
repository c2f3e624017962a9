import type { Language } from '#kernel';

/** Texts of the form for a new place. Plain text. */
export interface NewPlaceWords {
  title: string;
  lead: string;
  required: string;
  optional: string;
  faults: (count: number) => string;
  kind: { legend: string };
  about: { legend: string; name: string; nameHint: string; text: string; textHint: string };
  address: {
    legend: string;
    label: string;
    hint: (suffix: string) => string;
    check: string;
    free: (host: string) => string;
  };
  you: {
    legend: string;
    email: string;
    emailHint: string;
    emailInvited: string;
    showEmail: string;
    phone: string;
    website: string;
  };
  where: { legend: string; street: string; code: string; city: string; country: string; noCountry: string };
  pictures: {
    legend: string;
    hint: string;
    image: string;
    imageHint: string;
    logo: string;
    logoHint: string;
    file: string;
    url: string;
    kept: string;
    remove: string;
    again: string;
  };
  settings: { legend: string; language: string; timeZone: string };
  terms: { label: string; links: string; readTerms: string; readImprint: string };
  send: string;
  sendInvited: string;
  next: string;
  nextInvited: string;
  privacy: (hours: number) => string;
}

export const newPlaceWords: Readonly<Record<Language, NewPlaceWords>> = {
  en: {
    title: 'Create your place',
    lead: 'A few minutes, and your venue, festival or project has its own pages, its agenda and its tickets here.',
    required: 'Fields without the word “optional” are needed.',
    optional: 'optional',
    faults: (count) => (count === 1 ? 'One thing is to be corrected' : `${count} things are to be corrected`),
    kind: { legend: 'What do you create?' },
    about: {
      legend: 'What people read',
      name: 'Name of the organisation',
      nameHint: 'As it stands on tickets and in the agenda.',
      text: 'Short description',
      textHint: 'One or two sentences.',
    },
    address: {
      legend: 'Address of your pages',
      label: 'Sub-domain',
      hint: (suffix) => `Your pages answer at this name followed by ${suffix}. Leave it empty to have one made of the name.`,
      check: 'Check whether it is free',
      free: (host) => `${host} is free.`,
    },
    you: {
      legend: 'Contact',
      email: 'Your e-mail address',
      emailHint: 'We write to it before anything is created. You will sign in with it.',
      emailInvited: 'The address that was invited. You will sign in with it.',
      showEmail: 'Also show this address on the public pages',
      phone: 'Telephone',
      website: 'Website',
    },
    where: {
      legend: 'Where it is',
      street: 'Street and number',
      code: 'Postal code',
      city: 'Town',
      country: 'Country',
      noCountry: 'No country',
    },
    pictures: {
      legend: 'Pictures',
      hint: 'JPEG, PNG, WebP or GIF, 10 MiB at most. You can add them later, too.',
      image: 'Picture',
      imageHint: 'Of the place, its stage or its people.',
      logo: 'Logo',
      logoHint: 'Stands beside the name on every page.',
      file: 'Choose a file',
      url: 'or its address on the web',
      kept: 'This picture is kept. Choose another one to replace it.',
      remove: 'Leave it out',
      again: 'Choose this picture again: it was not kept.',
    },
    settings: { legend: 'Language and time', language: 'Language of your pages', timeZone: 'Time zone' },
    terms: {
      label: 'I accept the terms of this server, and I may act for this organisation.',
      links: 'To read:',
      readTerms: 'Terms',
      readImprint: 'Imprint',
    },
    send: 'Send',
    sendInvited: 'Create the place',
    next: 'Then we write to your address. The place is created when you confirm there.',
    nextInvited: 'The place is created at once.',
    privacy: (hours) => `What you write is kept encrypted, and forgotten after ${hours} hours when you do not confirm it.`,
  },
  fr: {
    title: 'Créez votre lieu',
    lead: 'Quelques minutes, et votre salle, festival ou projet a ici ses propres pages, son agenda et sa billetterie.',
    required: 'Les champs sans la mention « facultatif » sont nécessaires.',
    optional: 'facultatif',
    faults: (count) => (count === 1 ? 'Un point est à corriger' : `${count} points sont à corriger`),
    kind: { legend: 'Que créez-vous ?' },
    about: {
      legend: 'Ce que le public lit',
      name: 'Nom de l’organisation',
      nameHint: 'Tel qu’il figure sur les billets et dans l’agenda.',
      text: 'Courte description',
      textHint: 'Une ou deux phrases.',
    },
    address: {
      legend: 'Adresse de vos pages',
      label: 'Sous-domaine',
      hint: (suffix) => `Vos pages répondent à ce nom suivi de ${suffix}. Laissez vide pour qu’il soit tiré du nom.`,
      check: 'Vérifier s’il est libre',
      free: (host) => `${host} est libre.`,
    },
    you: {
      legend: 'Contact',
      email: 'Votre adresse e-mail',
      emailHint: 'Nous y écrivons avant de créer quoi que ce soit. Elle servira à vous connecter.',
      emailInvited: 'L’adresse qui a été invitée. Elle servira à vous connecter.',
      showEmail: 'Montrer aussi cette adresse sur les pages publiques',
      phone: 'Téléphone',
      website: 'Site web',
    },
    where: {
      legend: 'Où il se trouve',
      street: 'Rue et numéro',
      code: 'Code postal',
      city: 'Ville',
      country: 'Pays',
      noCountry: 'Aucun pays',
    },
    pictures: {
      legend: 'Images',
      hint: 'JPEG, PNG, WebP ou GIF, 10 Mio au plus. Vous pourrez aussi les ajouter plus tard.',
      image: 'Image',
      imageHint: 'Du lieu, de sa scène ou de son équipe.',
      logo: 'Logo',
      logoHint: 'Figure à côté du nom sur chaque page.',
      file: 'Choisir un fichier',
      url: 'ou son adresse sur le web',
      kept: 'Cette image est conservée. Choisissez-en une autre pour la remplacer.',
      remove: 'Ne pas l’utiliser',
      again: 'Choisissez de nouveau cette image : elle n’a pas été conservée.',
    },
    settings: { legend: 'Langue et heure', language: 'Langue de vos pages', timeZone: 'Fuseau horaire' },
    terms: {
      label: 'J’accepte les conditions de ce serveur, et je peux agir pour cette organisation.',
      links: 'À lire :',
      readTerms: 'Conditions',
      readImprint: 'Mentions légales',
    },
    send: 'Envoyer',
    sendInvited: 'Créer le lieu',
    next: 'Nous écrivons ensuite à votre adresse. Le lieu est créé quand vous y confirmez.',
    nextInvited: 'Le lieu est créé aussitôt.',
    privacy: (hours) => `Ce que vous écrivez est conservé chiffré, et oublié après ${hours} heures si vous ne confirmez pas.`,
  },
};
