import type { Language } from '#kernel';
import type { ResourceWords } from '#panel-kit';
import { correctionWords } from '../sales/email-correction.words.js';

/** What the panel says of mails. */
export const words: Record<Language, ResourceWords> = {
  en: {
    plural: 'Mails',
    singular: 'Mail',
    properties: {
      recipient: 'To',
      kind: 'About',
      status: 'State',
      needsSomebody: 'Needs somebody',
      reservationId: 'Reservation',
      membershipId: 'Membership',
      answer: 'The mail server said',
      note: 'Note',
      attempts: 'Attempts',
      createdAt: 'Written',
      sentAt: 'Sent',
      id: 'Identifier',
    },
    actions: { resend: 'Send again' },
    messages: {
      noRecordsInResource: 'Nothing was written to anybody yet.',
      resent: 'On its way',
      resentKept: 'Written, and kept on this server: there is no mail server',
      ...correctionWords.en.messages,
      nothingDue: 'Nothing is to be sent any more: the reservation or the membership has changed since.',
    },
  },
  fr: {
    plural: 'E-mails',
    singular: 'E-mail',
    properties: {
      recipient: 'À',
      kind: 'Objet',
      status: 'État',
      needsSomebody: 'À voir par quelqu’un',
      reservationId: 'Réservation',
      membershipId: 'Adhésion',
      answer: 'Réponse du serveur de messagerie',
      note: 'Mot',
      attempts: 'Essais',
      createdAt: 'Écrit',
      sentAt: 'Envoyé',
      id: 'Identifiant',
    },
    actions: { resend: 'Renvoyer' },
    messages: {
      noRecordsInResource: 'Rien n’a encore été écrit à personne.',
      resent: 'En route',
      resentKept: 'Écrit et gardé sur ce serveur : il n’y a pas de serveur de messagerie',
      ...correctionWords.fr.messages,
      nothingDue: 'Il n’y a plus rien à envoyer : la réservation ou l’adhésion a changé depuis.',
    },
  },
};

/** What the page asks before a mail is sent again. */
export const formWords = {
  en: {
    resendLead: 'What is due is sent once more, to the address that the reservation or the membership has now.',
    noServer: correctionWords.en.noServer,
    resendDo: 'Send',
  },
  fr: {
    resendLead: 'Ce qui est dû est envoyé encore une fois, à l’adresse actuelle de la réservation ou de l’adhésion.',
    noServer: correctionWords.fr.noServer,
    resendDo: 'Envoyer',
  },
};
