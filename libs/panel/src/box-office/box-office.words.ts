import type { Text } from '#kernel';

/** What the box office refuses by itself, before the sale is tried. */
export const boxOfficeRefusals = {
  event: { en: 'Choose the event.', fr: 'Choisissez l’événement.' },
  tickets: { en: 'Choose at least one ticket.', fr: 'Choisissez au moins un billet.' },
  email: { en: 'Write an e-mail address such as ada@example.org.', fr: 'Écrivez une adresse e-mail telle que ada@example.org.' },
  payment: { en: 'Say how it is paid.', fr: 'Indiquez comment c’est payé.' },
} as const satisfies Record<string, Text>;
