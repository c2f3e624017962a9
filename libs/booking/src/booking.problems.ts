import { defineProblems } from '#kernel';

export const problem = defineProblems({
  'payment.event_refused': {
    status: 400,
    en: ['Payment event refused', 'This is not signed by the payment account of this place, or too long ago.'],
    fr: [
      'Événement de paiement refusé',
      "Ceci n'est pas signé par le compte de paiement de ce lieu, ou l'est depuis trop longtemps.",
    ],
  },
});
