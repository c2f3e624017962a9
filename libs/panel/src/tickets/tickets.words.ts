import { ticketStates } from '#booking';
import type { Text } from '#kernel';
import { answerWords } from '../questions/questions.words.js';

/** How a ticket stands for the staff: its state, or for goods that are paid whether they were handed out. */
export const ticketStandings = {
  ...ticketStates,
  due: { en: 'To hand out', fr: 'À remettre' },
  done: { en: 'Handed out', fr: 'Remis' },
} as const satisfies Record<string, Text>;

/** What the panel says of tickets. */
export const words = {
  en: {
    plural: 'Tickets',
    singular: 'Ticket',
    properties: {
      ...answerWords.en.properties,
      holder: 'Name',
      email: 'E-mail',
      eventId: 'Event',
      event: 'Event',
      startsAt: 'Starts',
      status: 'Status',
      price: 'Price',
      amount: 'Amount (€)',
      reservationId: 'Reservation',
      scannedAt: 'Scanned',
      scannedBy: 'Scanned by',
      admission: 'Admission',
      fulfilledAt: 'Handed out',
      fulfilledByName: 'Handed out by',
      createdAt: 'Created',
      qr: 'QR code',
      history: 'At the door',
      id: 'Identifier',
    },
    actions: {
      fulfil: 'Hand out',
      undoFulfil: 'Undo handing out',
      pdf: 'Download PDF',
      rename: 'Change the name',
      undo: 'Undo the scan',
      cancel: 'Cancel',
    },
    messages: {
      fulfilled: 'Handed out',
      fulfilUndone: 'Taken back: it can be handed out again',
      renamed: 'The name is changed',
      undone: 'The scan is taken back: the ticket lets in once more',
      cancelled: 'Cancelled',
    },
  },
  fr: {
    plural: 'Billets',
    singular: 'Billet',
    properties: {
      ...answerWords.fr.properties,
      holder: 'Nom',
      email: 'E-mail',
      eventId: 'Événement',
      event: 'Événement',
      startsAt: 'Début',
      status: 'État',
      price: 'Tarif',
      amount: 'Montant (€)',
      reservationId: 'Réservation',
      scannedAt: 'Scanné',
      scannedBy: 'Scanné par',
      admission: 'Donne accès',
      fulfilledAt: 'Remis',
      fulfilledByName: 'Remis par',
      createdAt: 'Créé',
      qr: 'QR code',
      history: 'À l’entrée',
      id: 'Identifiant',
    },
    actions: {
      fulfil: 'Remettre',
      undoFulfil: 'Annuler la remise',
      pdf: 'Télécharger le PDF',
      rename: 'Changer le nom',
      undo: 'Annuler le scan',
      cancel: 'Annuler',
    },
    messages: {
      fulfilled: 'Remis',
      fulfilUndone: 'La remise est annulée : l’article peut être remis à nouveau',
      renamed: 'Le nom est changé',
      undone: 'Le scan est annulé : le billet permet d’entrer à nouveau',
      cancelled: 'Annulé',
    },
  },
};

/** What the pages ask and tell before something is done to a ticket. */
export const formWords = {
  en: {
    fulfilLead: (item: string, holder: string) => `Hand out “${item}” to ${holder}?`,
    fulfilDo: 'Hand out',
    undoFulfilLead: 'Undo handing out? The item can be handed out again. It is logged under your name.',
    undoFulfilDo: 'Undo handing out',
    renameLead: 'The name on this ticket. Left empty, it is the name of who booked.',
    firstName: 'First name',
    lastName: 'Last name',
    renameDo: 'Save',
    undoLead: 'Take the scan back? The ticket will let somebody in once more. It is logged under your name.',
    reason: 'Reason',
    reasonHelp: 'Stands in the scan log for good.',
    undoDo: 'Undo the scan',
    cancelLead: 'Cancel this ticket? This cannot be undone.',
    cancelOne: 'The ticket will no longer be valid; its place is free again. The others of the reservation stay.',
    cancelMoney:
      'What was paid for it goes back: online by itself, at the venue by hand. Mark it at the reservation then.',
    cancelLast:
      'It is the last one: with it the reservation is cancelled, its holder told, and what was paid goes back.',
    note: 'Note for the holder',
    noteHelp: 'Stands in the mail. May stay empty.',
    cancelDo: 'Cancel the ticket',
  },
  fr: {
    fulfilLead: (item: string, holder: string) => `Remettre « ${item} » à ${holder} ?`,
    fulfilDo: 'Remettre',
    undoFulfilLead: 'Annuler la remise ? L’article pourra être remis à nouveau. C’est noté au journal à votre nom.',
    undoFulfilDo: 'Annuler la remise',
    renameLead: 'Le nom sur ce billet. Vide, c’est le nom de qui a réservé.',
    firstName: 'Prénom',
    lastName: 'Nom',
    renameDo: 'Enregistrer',
    undoLead: 'Annuler le scan ? Le billet permettra d’entrer à nouveau. C’est noté au journal à votre nom.',
    reason: 'Motif',
    reasonHelp: 'Reste au journal des contrôles.',
    undoDo: 'Annuler le scan',
    cancelLead: 'Annuler ce billet ? C’est définitif.',
    cancelOne: 'Le billet ne sera plus valable ; sa place est libérée. Les autres de la réservation restent.',
    cancelMoney:
      'Ce qui a été payé pour lui est rendu : en ligne automatiquement, sur place à la main. Notez-le alors à la réservation.',
    cancelLast:
      'C’est le dernier : avec lui la réservation est annulée, son titulaire averti, et ce qui a été payé est rendu.',
    note: 'Mot pour le titulaire',
    noteHelp: 'Figure dans le message. Peut rester vide.',
    cancelDo: 'Annuler le billet',
  },
};
