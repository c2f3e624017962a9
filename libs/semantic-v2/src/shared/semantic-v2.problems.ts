import { defineProblems } from '#kernel';

export const problem = defineProblems({
  'event.exists': {
    status: 409,
    en: ['Event exists', 'An event of this name starts at that time already.'],
    fr: ['Événement existant', 'Un événement de ce nom commence déjà à cette heure.'],
  },
  'event.super_event_required': {
    status: 400,
    en: ['Parent event required', 'Volunteering belongs to an event. Send its UUID as superEvent.'],
    fr: ['Événement parent requis', 'Le volontariat se rattache à un événement. Envoyez son UUID dans superEvent.'],
  },
  'event.has_reservations': {
    status: 409,
    en: [
      'Event has reservations',
      'This event has reservations and cannot be deleted. Unpublish it instead: PATCH eventStatus to EventCancelled.',
    ],
    fr: [
      'Événement réservé',
      "Cet événement a des réservations et ne peut pas être supprimé. Dépubliez-le plutôt : PATCH d'eventStatus à EventCancelled.",
    ],
  },
  'event.has_sub_events': {
    status: 409,
    en: [
      'Event has volunteering',
      'Volunteering belongs to this event. Delete that first, or unpublish this event: PATCH eventStatus to EventCancelled.',
    ],
    fr: [
      'Événement avec volontariat',
      "Du volontariat se rattache à cet événement. Supprimez-le d'abord, ou dépubliez cet événement : PATCH d'eventStatus à EventCancelled.",
    ],
  },
  'event.option_exists': {
    status: 409,
    en: ['Option exists', 'The event has an option of this kind and name already; it may be unpublished.'],
    fr: ['Option existante', "L'événement a déjà une option de ce type et de ce nom ; elle peut être dépubliée."],
  },
  'event.option_chosen': {
    status: 409,
    en: ['Option chosen', 'Reservations chose this option, which cannot be deleted. Unpublish it instead: PATCH published to false.'],
    fr: [
      'Option choisie',
      'Des réservations ont choisi cette option, qui ne peut pas être supprimée. Dépubliez-la plutôt : PATCH de published à false.',
    ],
  },
  'postal_address.unknown': {
    status: 404,
    en: ['Address unknown', 'There is no such postal address.'],
    fr: ['Adresse inconnue', "Cette adresse postale n'existe pas."],
  },
  'card.unknown': {
    status: 404,
    en: ['Card unknown', 'There is no such card, or it is not one of this place.'],
    fr: ['Carte inconnue', "Cette carte n'existe pas, ou n'est pas une carte de ce lieu."],
  },
});
