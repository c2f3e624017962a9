/** The kinds of lines of the ledger. */
export const paymentKinds = {
  payment: { en: 'Payment', fr: 'Paiement' },
  refund: { en: 'Refund', fr: 'Remboursement' },
} as const;

/** What the panel says of payments. */
export const words = {
  en: {
    plural: 'Payments',
    singular: 'Payment',
    properties: {
      holder: 'Holder',
      kind: 'Kind',
      amount: 'Amount (€)',
      method: 'Method',
      status: 'State',
      at: 'When',
      eventId: 'Event',
      event: 'Event',
      seller: 'Sold or cancelled by',
      refundedByName: 'Given back by',
      note: 'Note',
      reference: 'Provider’s reference',
      reservationId: 'Reservation',
      membershipId: 'Membership',
      createdAt: 'Written',
      id: 'Identifier',
    },
    messages: { noRecordsInResource: 'No payment yet.' },
  },
  fr: {
    plural: 'Paiements',
    singular: 'Paiement',
    properties: {
      holder: 'Titulaire',
      kind: 'Nature',
      amount: 'Montant (€)',
      method: 'Moyen',
      status: 'État',
      at: 'Quand',
      eventId: 'Événement',
      event: 'Événement',
      seller: 'Vendu ou annulé par',
      refundedByName: 'Rendu par',
      note: 'Note',
      reference: 'Référence du prestataire',
      reservationId: 'Réservation',
      membershipId: 'Adhésion',
      createdAt: 'Écrit',
      id: 'Identifiant',
    },
    messages: { noRecordsInResource: 'Pas encore de paiement.' },
  },
};
