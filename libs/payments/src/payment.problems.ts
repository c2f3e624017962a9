import { defineProblems } from '#kernel';

/** What payments refuse, whichever API asks. */
export const paymentProblem = defineProblems({
  'payment.event_refused': {
    status: 400,
    en: ['Payment event refused', 'This is not signed by the payment account of this place, or too long ago.'],
    fr: ['Événement de paiement refusé', "Ceci n'est pas signé par le compte de paiement de ce lieu, ou l'est depuis trop longtemps."],
  },
  'payment.unavailable': {
    status: 503,
    en: [
      'Payment provider unavailable',
      'The payment provider does not answer. Nothing is booked, or it is held for a repeat with the same Idempotency-Key: send the request again in a minute.',
    ],
    fr: [
      'Prestataire de paiement indisponible',
      "Le prestataire de paiement ne répond pas. Rien n'est réservé, ou c'est gardé pour une répétition avec la même Idempotency-Key : renvoyez la requête dans une minute.",
    ],
  },
  'payment.refused': {
    status: 409,
    en: ['No payment online', 'The payment provider refuses to take this payment. Nothing is booked. Pay at the venue, or tell the place.'],
    fr: [
      'Pas de paiement en ligne',
      "Le prestataire de paiement refuse ce paiement. Rien n'est réservé. Payez sur place, ou prévenez le lieu.",
    ],
  },
});
