import type { Text } from '#kernel';

/** How a membership stands now. */
export const membershipStandings = {
  valid: { en: 'Valid', fr: 'Valable' },
  coming: { en: 'Begins later', fr: 'Commence plus tard' },
  waiting: { en: 'Waits for payment', fr: 'En attente de paiement' },
  expired: { en: 'Expired', fr: 'Expirée' },
  cancelled: { en: 'Cancelled', fr: 'Annulée' },
} as const satisfies Record<string, Text>;

/** What the panel says of memberships. */
export const words = {
  en: {
    plural: 'Memberships',
    singular: 'Membership',
    properties: {
      name: 'Name',
      email: 'E-mail',
      state: 'State',
      price: 'Membership',
      amount: 'Amount (€)',
      validFrom: 'Valid from',
      validUntil: 'Valid until',
      createdAt: 'Created',
      card: 'Card',
      payments: 'Payments',
      mails: 'Mails',
      id: 'Identifier',
    },
    actions: { enrol: 'New membership', renew: 'Renew', refunded: 'Money given back', cancel: 'Cancel' },
    messages: {
      enrolled: 'The membership is valid',
      renewed: 'Renewed',
      refundedDone: 'Noted as given back',
      cancelled: 'Cancelled',
      noRecordsInResource: 'No member yet.',
    },
  },
  fr: {
    plural: 'Adhésions',
    singular: 'Adhésion',
    properties: {
      name: 'Nom',
      email: 'E-mail',
      state: 'État',
      price: 'Adhésion',
      amount: 'Montant (€)',
      validFrom: 'Valable du',
      validUntil: 'Valable jusqu’au',
      createdAt: 'Créée',
      card: 'Carte',
      payments: 'Paiements',
      mails: 'Messages',
      id: 'Identifiant',
    },
    actions: { enrol: 'Nouvelle adhésion', renew: 'Renouveler', refunded: 'Argent rendu', cancel: 'Annuler' },
    messages: {
      enrolled: 'L’adhésion est valable',
      renewed: 'Renouvelée',
      refundedDone: 'Noté comme rendu',
      cancelled: 'Annulée',
      noRecordsInResource: 'Pas encore d’adhérent.',
    },
  },
};

/** What the pages ask and tell before something is done to a membership. */
export const formWords = {
  en: {
    nothingOnSale: 'No membership is on sale: make a product of this kind with a price, and publish both.',
    price: 'Membership',
    email: 'E-mail',
    emailHelp: 'The card is sent there. Members’ prices are for who books with this address.',
    firstName: 'First name',
    lastName: 'Last name',
    method: 'Payment',
    enrolDo: 'Make a member',
    renewLead: (what: string) => `Renew: ${what}.`,
    renewFollows: 'The new one begins when the present one ends.',
    renewNow: 'The new one begins now.',
    renewDo: 'Renew',
    cancelLead: 'Cancel this membership? This cannot be undone.',
    cancelCard: 'The card is no longer valid, and members’ prices are refused from now on.',
    note: 'Note',
    noteHelp: 'Stands beside the refund. May stay empty.',
    cancelDo: 'Cancel the membership',
  },
  fr: {
    nothingOnSale: 'Aucune adhésion n’est en vente : créez un produit de ce type avec un tarif, et publiez les deux.',
    price: 'Adhésion',
    email: 'E-mail',
    emailHelp: 'La carte y est envoyée. Les tarifs adhérents sont pour qui réserve avec cette adresse.',
    firstName: 'Prénom',
    lastName: 'Nom',
    method: 'Paiement',
    enrolDo: 'Créer l’adhésion',
    renewLead: (what: string) => `Renouveler : ${what}.`,
    renewFollows: 'La nouvelle commence quand l’actuelle se termine.',
    renewNow: 'La nouvelle commence maintenant.',
    renewDo: 'Renouveler',
    cancelLead: 'Annuler cette adhésion ? C’est définitif.',
    cancelCard: 'La carte n’est plus valable et les tarifs adhérents sont refusés désormais.',
    note: 'Remarque',
    noteHelp: 'Figure à côté du remboursement. Peut rester vide.',
    cancelDo: 'Annuler l’adhésion',
  },
};
