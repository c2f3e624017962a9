import type { Language } from '#kernel';

/** Texts of the public pages. Plain text, not escaped. */
export interface PageWords {
  skip: string;
  agenda: string;
  agendaFrom: (day: string) => string;
  onNow: string;
  until: (day: string, time: string) => string;
  today: string;
  tomorrow: string;
  empty: string;
  emptyHint: string;
  later: string;
  backToNow: string;
  backToAgenda: string;
  when: string;
  where: string;
  prices: string;
  volunteering: string;
  slotOpen: string;
  slotFull: string;
  about: string;
  map: string;
  free: string;
  payWhatYouWant: string;
  /** @param amount the minimum of a free price, with its currency */
  from: (amount: string) => string;
  soldOut: string;
  membersOnly: string;
  addToCalendar: string;
  /** @param host of an external event's page */
  moreAt: (host: string) => string;
  over: string;
  cancelled: string;
  /** In the agenda, beside the time. */
  cancelledShort: string;
  cancelledTitle: (name: string) => string;
  /** Before the name of the place that sends an event to a network's agenda. */
  sentBy: string;
  contact: string;
  follow: string;
  subscribe: string;
  feed: string;
  staff: string;
  menu: string;
  legalDocuments: string;
  accessMap: string;
  imprint: string;
  terms: string;
  notFound: string;
  notFoundHint: string;
  failed: string;
  writeDate: string;
}

export const pageWords: Readonly<Record<Language, PageWords>> = {
  en: {
    skip: 'Skip to the content',
    agenda: 'What’s on',
    agendaFrom: (day) => `What’s on from ${day}`,
    onNow: 'On now',
    until: (day, time) => `until ${day}, ${time}`,
    today: 'Today',
    tomorrow: 'Tomorrow',
    empty: 'Nothing is announced yet.',
    emptyHint: 'The next dates are being prepared. Come back soon!',
    later: 'Later events',
    backToNow: 'Back to the next events',
    backToAgenda: 'All events',
    when: 'When',
    where: 'Where',
    prices: 'Prices',
    volunteering: 'Volunteering',
    slotOpen: 'Free: volunteers can still sign up.',
    slotFull: 'Full: enough volunteers have signed up.',
    about: 'About this event',
    map: 'Show on a map',
    free: 'Free',
    payWhatYouWant: 'Pay what you want',
    from: (amount) => `From ${amount}`,
    soldOut: 'Sold out',
    membersOnly: 'membership needed',
    addToCalendar: 'Add to my calendar',
    moreAt: (host) => `More at ${host}`,
    over: 'This event is over. Thank you to everybody who came!',
    cancelled: 'This event is cancelled.',
    cancelledShort: 'Cancelled',
    cancelledTitle: (name) => `Cancelled: ${name}`,
    sentBy: 'By',
    contact: 'Contact',
    follow: 'Follow the agenda',
    subscribe: 'In your calendar',
    feed: 'RSS feed',
    staff: 'Staff',
    menu: 'Menu',
    legalDocuments: 'Legal documents',
    accessMap: 'Map of the way here',
    imprint: 'Imprint',
    terms: 'Terms',
    notFound: 'There is nothing here',
    notFoundHint: 'The event may have been moved or taken back, or the address was mistyped.',
    failed: 'That did not work',
    writeDate: 'Write a day as year-month-day, such as 2027-05-21.',
  },
  fr: {
    skip: 'Aller au contenu',
    agenda: 'À l’affiche',
    agendaFrom: (day) => `À l’affiche à partir du ${day}`,
    onNow: 'En ce moment',
    until: (day, time) => `jusqu’au ${day}, ${time}`,
    today: 'Aujourd’hui',
    tomorrow: 'Demain',
    empty: 'Rien d’annoncé pour l’instant.',
    emptyHint: 'Les prochaines dates se préparent. Revenez bientôt !',
    later: 'Événements suivants',
    backToNow: 'Revenir aux prochains événements',
    backToAgenda: 'Tous les événements',
    when: 'Quand',
    where: 'Où',
    prices: 'Tarifs',
    volunteering: 'Bénévolat',
    slotOpen: 'Gratuit\u00a0: il reste des places pour des bénévoles.',
    slotFull: 'Complet\u00a0: assez de bénévoles se sont inscrits.',
    about: 'À propos de cet événement',
    map: 'Voir sur une carte',
    free: 'Gratuit',
    payWhatYouWant: 'Prix libre',
    from: (amount) => `À partir de ${amount}`,
    soldOut: 'Complet',
    membersOnly: 'adhésion requise',
    addToCalendar: 'Ajouter à mon agenda',
    moreAt: (host) => `En savoir plus sur ${host}`,
    over: 'Cet événement est passé. Merci à toutes celles et ceux qui sont venus !',
    cancelled: 'Cet événement est annulé.',
    cancelledShort: 'Annulé',
    cancelledTitle: (name) => `Annulé\u00a0: ${name}`,
    sentBy: 'Par',
    contact: 'Contact',
    follow: 'Suivre l’agenda',
    subscribe: 'Dans votre agenda',
    feed: 'Flux RSS',
    staff: 'Équipe',
    menu: 'Carte',
    legalDocuments: 'Documents légaux',
    accessMap: 'Plan d’accès',
    imprint: 'Mentions légales',
    terms: 'Conditions',
    notFound: 'Il n’y a rien ici',
    notFoundHint: 'L’événement a peut-être été déplacé ou retiré, ou l’adresse est mal écrite.',
    failed: 'Cela n’a pas marché',
    writeDate: 'Écrivez un jour comme année-mois-jour, par exemple 2027-05-21.',
  },
};
