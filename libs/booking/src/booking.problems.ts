import { defineProblems } from '#kernel';

/** What reservations, tickets and memberships refuse, whichever API asks. */
export const bookingProblem = defineProblems({
  'reservation.unknown': {
    status: 404,
    en: ['Reservation unknown', 'There is no such reservation here.'],
    fr: ['Réservation inconnue', "Cette réservation n'existe pas ici."],
  },
  'reservation.transition': {
    status: 409,
    en: ['Not from this state', 'The reservation is in a state that does not lead there. Read it again.'],
    fr: ['Pas depuis cet état', "L'état de la réservation ne mène pas là. Relisez-la."],
  },
  'reservation.scanned': {
    status: 409,
    en: ['Already scanned', 'A ticket of this reservation is scanned. Take the scan back first.'],
    fr: ['Déjà scannée', "Un billet de cette réservation est scanné. Annulez d'abord le scan."],
  },
  'reservation.fulfilled': {
    status: 409,
    en: ['Already handed out', 'Goods of this reservation are handed out. Take that back first.'],
    fr: ['Déjà remis', "Un article de cette réservation est déjà remis. Annulez d'abord la remise."],
  },
  'ticket.unknown': {
    status: 404,
    en: ['Ticket unknown', 'There is no such ticket here.'],
    fr: ['Billet inconnu', "Ce billet n'existe pas ici."],
  },
  'membership.unknown': {
    status: 404,
    en: ['Membership unknown', 'There is no such membership here.'],
    fr: ['Adhésion inconnue', "Cette adhésion n'existe pas ici."],
  },
  'booking.sold_out': {
    status: 409,
    en: ['Sold out', 'There are not as many places left. remaining says how many there are, price by price.'],
    fr: ['Complet', 'Il ne reste pas autant de places. remaining dit combien il en reste, tarif par tarif.'],
  },
  'booking.limit_per_user': {
    status: 409,
    en: ['Too many for one person', 'One person may not have as many. mayBook says how many more this one may book.'],
    fr: ['Trop pour une personne', 'Une personne ne peut pas en avoir autant. mayBook dit combien celle-ci peut encore en réserver.'],
  },
  'booking.membership_required': {
    status: 409,
    en: ['For members', 'This price is for members, and no valid membership has this e-mail address.'],
    fr: ['Réservé aux adhérents', "Ce tarif est réservé aux adhérents, et aucune adhésion valide n'a cette adresse e-mail."],
  },
  'booking.event_not_published': {
    status: 409,
    en: ['Event not published', 'This event is not published and cannot be booked.'],
    fr: ['Événement non publié', "Cet événement n'est pas publié et ne peut pas être réservé."],
  },
  'booking.event_over': {
    status: 409,
    en: ['Event over', 'This event is over and cannot be booked any more.'],
    fr: ['Événement terminé', 'Cet événement est terminé et ne peut plus être réservé.'],
  },
  'booking.price_not_published': {
    status: 409,
    en: ['Price not for sale', 'This price or its product is not published.'],
    fr: ['Tarif pas en vente', "Ce tarif ou son produit n'est pas publié."],
  },
});
