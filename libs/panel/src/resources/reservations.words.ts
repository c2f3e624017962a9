/** What the panel says of reservations. */
export const words = {
  en: {
    plural: 'Reservations',
    singular: 'Reservation',
    properties: {
      name: 'Name',
      email: 'E-mail',
      status: 'Status',
      eventId: 'Event',
      event: 'Event',
      startsAt: 'Starts',
      ticketsCount: 'Tickets',
      total: 'Total (€)',
      paid: 'Paid (€)',
      refundsDue: 'Refunds to give',
      due: 'To be refunded (€)',
      expiresAt: 'Held until',
      origin: 'Sold through',
      cancelReason: 'Cancelled because',
      createdAt: 'Booked',
      confirmedAt: 'Confirmed',
      cancelledAt: 'Cancelled',
      tickets: 'Tickets',
      payments: 'Payments',
      options: 'Options',
      mails: 'Mails',
      id: 'Identifier',
    },
    actions: {
      sell: 'Box office',
      confirm: 'Confirm',
      resend: 'Send again',
      refunded: 'Money given back',
      cancel: 'Cancel',
    },
    messages: {
      confirmed: 'Confirmed: the tickets are valid and on their way',
      resent: 'The mail is on its way',
      refundedDone: 'Noted as given back',
      cancelled: 'Cancelled',
      noRecordsInResource: 'No reservation yet.',
    },
  },
  fr: {
    plural: 'Réservations',
    singular: 'Réservation',
    properties: {
      name: 'Nom',
      email: 'E-mail',
      status: 'État',
      eventId: 'Événement',
      event: 'Événement',
      startsAt: 'Début',
      ticketsCount: 'Billets',
      total: 'Total (€)',
      paid: 'Payé (€)',
      refundsDue: 'À rembourser',
      due: 'À rembourser (€)',
      expiresAt: 'Retenue jusqu’à',
      origin: 'Vendue par',
      cancelReason: 'Motif d’annulation',
      createdAt: 'Réservé',
      confirmedAt: 'Confirmée',
      cancelledAt: 'Annulée',
      tickets: 'Billets',
      payments: 'Paiements',
      options: 'Options',
      mails: 'Messages',
      id: 'Identifiant',
    },
    actions: {
      sell: 'Guichet',
      confirm: 'Confirmer',
      resend: 'Renvoyer',
      refunded: 'Argent rendu',
      cancel: 'Annuler',
    },
    messages: {
      confirmed: 'Confirmée : les billets sont valables et en route',
      resent: 'Le message est en route',
      refundedDone: 'Noté comme rendu',
      cancelled: 'Annulée',
      noRecordsInResource: 'Pas encore de réservation.',
    },
  },
};

/** Through which of the ways to sell a reservation came. */
export const origins = {
  api: { en: 'API', fr: 'API' },
  panel: { en: 'Box office', fr: 'Guichet' },
  page: { en: 'Web page', fr: 'Page web' },
} as const;

const tickets = (count: number): string => `${count} ticket${count === 1 ? '' : 's'}`;
const billets = (count: number): string => `${count} billet${count < 2 ? '' : 's'}`;

/** What the pages ask and tell before something is done to a reservation or a ticket. */
export const formWords = {
  en: {
    method: 'Payment',
    confirmPaid: (amount: string) =>
      `Confirm that ${amount} was paid at the venue. The tickets become valid and are sent.`,
    confirmFree: 'Confirm it for the holder. The tickets become valid and are sent.',
    confirmDo: 'Confirm',
    resendTickets: (email: string) => `The tickets are sent to ${email} once more.`,
    resendConfirm: (email: string) => `The request to confirm the address is sent to ${email} once more.`,
    resendDo: 'Send',
    nothingToSend: 'In this state nothing is to be sent.',
    cancelLead: 'Cancel this reservation? This cannot be undone.',
    cancelTickets: (count: number) => `${tickets(count)} will no longer be valid; the places are free again.`,
    cancelMail: (email: string) => `${email} is told by mail.`,
    note: 'Note for the holder',
    noteHelp: 'Stands in the mail, and beside the refund. May stay empty.',
    cancelDo: 'Cancel the reservation',
  },
  fr: {
    method: 'Paiement',
    confirmPaid: (amount: string) =>
      `Confirmez que ${amount} ont été payés sur place. Les billets deviennent valables et sont envoyés.`,
    confirmFree: 'Confirmez-la à la place du titulaire. Les billets deviennent valables et sont envoyés.',
    confirmDo: 'Confirmer',
    resendTickets: (email: string) => `Les billets sont envoyés à nouveau à ${email}.`,
    resendConfirm: (email: string) => `La demande de confirmation de l’adresse est envoyée à nouveau à ${email}.`,
    resendDo: 'Envoyer',
    nothingToSend: 'Dans cet état, il n’y a rien à envoyer.',
    cancelLead: 'Annuler cette réservation ? C’est définitif.',
    cancelTickets: (count: number) =>
      `${billets(count)} ${count < 2 ? 'ne sera plus valable' : 'ne seront plus valables'} ; les places sont libérées.`,
    cancelMail: (email: string) => `${email} en est averti par e-mail.`,
    note: 'Mot pour le titulaire',
    noteHelp: 'Figure dans le message et à côté du remboursement. Peut rester vide.',
    cancelDo: 'Annuler la réservation',
  },
};
