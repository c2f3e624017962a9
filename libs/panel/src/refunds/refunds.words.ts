/** Where a refund stands for the staff. */
export const refundStandings = {
  by_hand: { en: 'To give back by hand', fr: 'À rendre à la main' },
  trouble: { en: 'Failed: to be looked at', fr: 'Échec : à traiter' },
  online: { en: 'Goes back by itself', fr: 'Remboursement automatique' },
  refunded: { en: 'Refunded', fr: 'Remboursé' },
  failed: { en: 'Sent back by the bank', fr: 'Renvoyé par la banque' },
} as const;

/** What the panel says of refunds. */
export const words = {
  en: {
    plural: 'Refunds',
    singular: 'Refund',
    properties: {
      holder: 'Holder',
      email: 'E-mail',
      amount: 'Amount (€)',
      method: 'Paid by',
      state: 'State',
      due: 'Still due',
      eventId: 'Event',
      event: 'Event',
      reservationId: 'Reservation',
      membershipId: 'Membership',
      reason: 'Reason',
      note: 'Note',
      trouble: 'What went wrong',
      attempts: 'Tries',
      createdAt: 'Due since',
      refundedAt: 'Given back',
      refundedMethod: 'Given back by',
      refundedByName: 'Noted by',
      refundedNote: 'Note for the books',
      reference: 'Provider’s reference',
      id: 'Identifier',
    },
    actions: { settle: 'Given back by hand', settleSome: 'Settle several', retry: 'Try again online' },
    messages: {
      settled: 'Noted as given back',
      settledAll: 'All of them are noted as given back',
      settledSome:
        'Some are noted as given back; the others were settled before, or are being asked for at this moment',
      retried: 'The provider is asked again',
      noRecordsInResource: 'No refund yet.',
    },
  },
  fr: {
    plural: 'Remboursements',
    singular: 'Remboursement',
    properties: {
      holder: 'Titulaire',
      email: 'E-mail',
      amount: 'Montant (€)',
      method: 'Payé par',
      state: 'État',
      due: 'Encore dû',
      eventId: 'Événement',
      event: 'Événement',
      reservationId: 'Réservation',
      membershipId: 'Adhésion',
      reason: 'Motif',
      note: 'Mot',
      trouble: 'Ce qui a échoué',
      attempts: 'Essais',
      createdAt: 'Dû depuis',
      refundedAt: 'Rendu',
      refundedMethod: 'Rendu par',
      refundedByName: 'Noté par',
      refundedNote: 'Note comptable',
      reference: 'Référence du prestataire',
      id: 'Identifiant',
    },
    actions: { settle: 'Rendu à la main', settleSome: 'Solder plusieurs', retry: 'Réessayer en ligne' },
    messages: {
      settled: 'Noté comme rendu',
      settledAll: 'Tous sont notés comme rendus',
      settledSome: 'Certains sont notés comme rendus ; les autres l’étaient déjà, ou sont demandés en ce moment',
      retried: 'La demande est refaite au prestataire',
      noRecordsInResource: 'Pas encore de remboursement.',
    },
  },
};

/** What the pages ask before refunds are settled. */
export const formWords = {
  en: {
    settleLead: 'Note that this money was given back, once the holder has it:',
    settleSome: (count: number, sum: string) =>
      `${count} refund${count === 1 ? '' : 's'} to give back by hand, ${sum} in all. Tick those that the holders have got.`,
    settleDo: 'Note as given back',
    which: 'Refunds',
    whichHelp: 'The oldest first, at most 100. The list’s filter by event and method holds here, too.',
    chooseSome: 'Tick at least one.',
    tooMany: 'At most 100 at once.',
    noneByHand: 'Nothing is to be given back by hand.',
    nothingDue: 'This is not due any more.',
  },
  fr: {
    settleLead: 'Notez que cet argent a été rendu, une fois que le titulaire l’a reçu :',
    settleSome: (count: number, sum: string) =>
      `${count} remboursement${count < 2 ? '' : 's'} à rendre à la main, ${sum} en tout. Cochez ceux que les titulaires ont reçus.`,
    settleDo: 'Noter comme rendu',
    which: 'Remboursements',
    whichHelp:
      'Les plus anciens d’abord, 100 au plus. Le filtre de la liste par événement et moyen de paiement vaut ici aussi.',
    chooseSome: 'Cochez-en au moins un.',
    tooMany: '100 au plus à la fois.',
    noneByHand: 'Rien n’est à rendre à la main.',
    nothingDue: 'Ce n’est plus dû.',
  },
};
