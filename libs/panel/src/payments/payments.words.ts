/** What the panel says of payments and of giving them back. */
export const paymentWords = {
  en: {
    venue: 'at the venue',
    stripe: 'Stripe',
    refundOnline: (amount: string) => `${amount} paid online goes back by itself.`,
    refundByHand: (amount: string) => `${amount} paid at the venue is to be given back by hand: note it then.`,
    refundNothing: 'Nothing was paid that would be given back.',
    refundedLead: 'Note that this money was given back, once the holder has it:',
    refundedDo: 'It is given back',
    nothingDue:
      'Nothing can be noted: it was given back before, goes back by itself, or is being asked for at this moment.',
    refundedMethod: 'Given back by',
    refundedNote: 'Note',
    refundedNoteHelp: 'For your books: the number of a transfer, say. May stay empty.',
    onProviderPages: 'On Stripe’s pages',
  },
  fr: {
    venue: 'sur place',
    stripe: 'Stripe',
    refundOnline: (amount: string) => `${amount} payés en ligne sont remboursés automatiquement.`,
    refundByHand: (amount: string) => `${amount} payés sur place sont à rendre à la main : notez-le ensuite.`,
    refundNothing: 'Rien n’a été payé qui serait à rendre.',
    refundedLead: 'Notez que cet argent a été rendu, une fois que le titulaire l’a reçu :',
    refundedDo: 'C’est rendu',
    nothingDue:
      'Rien ne peut être noté : c’est déjà rendu, remboursé automatiquement, ou demandé au prestataire en ce moment.',
    refundedMethod: 'Rendu par',
    refundedNote: 'Note',
    refundedNoteHelp: 'Pour vos comptes : le numéro d’un virement, par exemple. Peut rester vide.',
    onProviderPages: 'Sur les pages de Stripe',
  },
};
