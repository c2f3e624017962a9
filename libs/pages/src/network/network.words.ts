import type { Language } from '#kernel';

/** Additional texts of a network's agenda. Plain text. */
export interface NetworkWords {
  search: string;
  words: string;
  kind: string;
  anyKind: string;
  firstDay: string;
  lastDay: string;
  show: string;
  chosen: string;
  place: string;
  tag: string;
  /** @param what a chosen filter, such as `Place: Demo` */
  takeOff: (what: string) => string;
  showAll: string;
  nothing: string;
  nothingHint: string;
  tags: string;
  places: string;
  placesLead: string;
  noPlaces: string;
  comingEvents: (count: number) => string;
  noEvents: string;
  ownPage: string;
  inAgenda: string;
  createPlace: string;
}

export const networkWords: Readonly<Record<Language, NetworkWords>> = {
  en: {
    search: 'Search the agenda',
    words: 'Words',
    kind: 'Kind',
    anyKind: 'All kinds',
    firstDay: 'From',
    lastDay: 'Until',
    show: 'Show',
    chosen: 'Chosen',
    place: 'Place',
    tag: 'Tag',
    takeOff: (what) => `Take off: ${what}`,
    showAll: 'Show the whole agenda',
    nothing: 'Nothing found.',
    nothingHint: 'Choose other days or fewer words.',
    tags: 'Tags',
    places: 'Places',
    placesLead: 'Who sends events to this agenda.',
    noPlaces: 'No place sends events to this agenda yet.',
    comingEvents: (count) => (count === 1 ? '1 coming event' : `${count} coming events`),
    noEvents: 'No coming event',
    ownPage: 'Its own page',
    inAgenda: 'In this agenda',
    createPlace: 'Create your place',
  },
  fr: {
    search: 'Chercher dans l’agenda',
    words: 'Mots',
    kind: 'Genre',
    anyKind: 'Tous les genres',
    firstDay: 'Du',
    lastDay: 'Au',
    show: 'Afficher',
    chosen: 'Choix',
    place: 'Lieu',
    tag: 'Étiquette',
    takeOff: (what) => `Retirer : ${what}`,
    showAll: 'Afficher tout l’agenda',
    nothing: 'Rien trouvé.',
    nothingHint: 'Choisissez d’autres jours ou moins de mots.',
    tags: 'Étiquettes',
    places: 'Lieux',
    placesLead: 'Qui envoie ses événements à cet agenda.',
    noPlaces: 'Aucun lieu n’envoie encore d’événement à cet agenda.',
    comingEvents: (count) => (count === 1 ? '1 événement à venir' : `${count} événements à venir`),
    noEvents: 'Aucun événement à venir',
    ownPage: 'Son propre site',
    inAgenda: 'Dans cet agenda',
    createPlace: 'Créer votre lieu',
  },
};
